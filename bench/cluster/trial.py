"""The whole of it: games at all doors, one fault after the other, and a look at the store after each."""

import asyncio
import gc
import resource
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from itertools import islice
from random import Random
from time import monotonic, time

import msgspec

from bench.cluster import charges
from bench.cluster.calls import PlayersCall
from bench.cluster.compare import ComparedGames
from bench.cluster.consumption import Meter
from bench.cluster.crowd import Crowd
from bench.cluster.faults import Faults, GatewayFaults, Kind, Strike
from bench.cluster.figures import Fault, Figures, PausesByWing
from bench.cluster.gateways import Gateways
from bench.cluster.netns.faults import NamespaceFaults
from bench.cluster.netns.namespaces import Namespaces
from bench.cluster.node import Node
from bench.cluster.pair import Pair
from bench.cluster.probe import Probe
from bench.cluster.spread import Spread
from bench.cluster.wings import InWing, in_wrong_wings, most, replaced, struck
from bench.pace import BenchFailed, say
from bench.stores.database import Database
from bench.stores.stored import Stored
from gamut.hall.ids import TableId
from gamut.hall.lobby.talk import TALK
from gamut.hall.wings import MAIN

_PATIENCE = 30.0
"""Seconds in which everything must be as it was: half of those after which who has not come in is hung up on."""


_BREATH = 0.25
"""Seconds after which the players have heard all that came while the garbage was collected."""
_LEAST_PEACE = 0.5
"""Seconds, where chance chooses the faults and the last one took long."""
_MINUTE = 60.0
_SHOWN = 5


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    games: int = 30
    seed: int = 1
    pause: float = 0.5
    """Seconds for which somebody thinks."""
    peace: float = 3.5
    """Seconds without faults, at the least, before each of them. A standby that has not waited for three seconds waits
    for the lease, whatever has become of the active node."""
    kills: int = 0
    freezes: int = 0
    restarts: int = 0
    drains: int = 0
    failovers: int = 0
    rollings: int = 0
    gateway_kills: int = 0
    gateway_stops: int = 0
    nats_restarts: int = 0
    cuts: int = 0
    owner_cuts: int = 0
    moves: int = 0
    isolations: int = 0
    nats_partitions: int = 0
    postgres_partitions: int = 0
    chaos: float = 0.0
    """Minutes in which there is a fault of any kind again and again, instead of so many of each."""
    every: float = 5.0
    """Seconds from one of these faults to the next."""


class Trial:
    def __init__(self, plan: Plan, database: Database, pair: Pair) -> None:
        self._plan = plan
        self._database = database
        self._pair = pair
        self._crowd = Crowd(pair.target(), plan.games, plan.seed, plan.pause, pair.wings)
        self._probe = Probe(pair.target())
        self.comparison = ComparedGames(self._crowd.told)
        self._meter = Meter(pair, database)
        self._ended: dict[int, tuple[int, int]] = {}
        """Of each node that was ended: the number of its last batch, and how many events it has stored."""
        self.figures = Figures(
            seed=plan.seed,
            games=plan.games,
            players=len(self._crowd.players),
            gateways=len(pair.gateways),
            chaos=plan.chaos,
        )
        chance = self._chance = Random(plan.seed)
        self._faults = _faults_of(database, pair, self._crowd, chance)

    async def run(self) -> Figures:
        began, crowd, figures = monotonic(), self._crowd, self.figures
        # To collect the garbage of two thousand players takes a second in which none of them hears anything: it is done
        # between faults.
        gc.disable()
        crowd.start()
        try:
            if await self._probe.served(_PATIENCE) is None:
                raise BenchFailed("nobody is served")
            await self._flows(began)
            await (self._chaos() if self._plan.chaos else self._all_faults())
        except BenchFailed as failed:
            figures.wrong.append(str(failed))
        finally:
            await crowd.stop()
        gc.enable()
        self.look(all=True)
        self._look_at_all()
        await crowd.leave()
        figures.seconds = monotonic() - began
        figures.heard, figures.connections, figures.moves = crowd.heard, crowd.connections, crowd.moves
        figures.refusals, figures.closes = crowd.refusals, crowd.closes
        figures.compared, figures.finished = self.comparison.compared, self.comparison.finished
        figures.moves_in_peace = dict(crowd.timed.taken)
        figures.consumption = self._meter.found
        figures.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        figures.lost += [*self.comparison.lost, *crowd.broken]
        figures.given_up += self.comparison.given_up.values()
        figures.wrong += [*self._faults.wrong, *self.comparison.wrong]
        for node in self._pair.everybody:
            figures.wrong += [f"in the log of a node: {trace}" for trace in node.log.tracebacks]
        return figures

    async def _all_faults(self) -> None:
        for name, kind in self._faults.kinds.items():
            times = getattr(self._plan, name)
            for number in range(1, times + 1):
                await self._shared_out()
                fault = await self._one(kind, self._plan.peace)
                say(f"{kind.name} {number} of {times}: {fault.told}; {self._lost} lost")
        await self._flows(monotonic())

    async def _shared_out(self) -> None:
        """A node that was started again gets its part of the hall after a while: a fault is to strike a hall that is as
        it mostly is."""
        pair = self._pair
        if pair.is_divided:
            await pair.until(lambda: pair.is_shared, "no node has as many wings as another, or one more")

    async def _chaos(self) -> None:
        """What was compared and is over is forgotten after each fault: this may go on for as long as one likes."""
        began, every = monotonic(), self._plan.every
        kinds = list(self._faults.kinds.values())
        weights = [kind.weight for kind in kinds]
        due = began + every
        while due < began + _MINUTE * self._plan.chaos:
            (kind,) = self._chance.choices(kinds, weights)
            fault = await self._one(kind, due - monotonic())
            self._forget()
            due = max(due, monotonic() - every + _LEAST_PEACE) + every
            say(
                f"{(monotonic() - began) / _MINUTE:.1f} min, {kind.name}: {fault.told}; {self._lost} lost,"
                f" {len(self.comparison.given_up)} given up"
            )
        await self._flows(monotonic())

    @property
    def _lost(self) -> int:
        return len(self.comparison.lost) + len(self._crowd.broken)

    async def _one(self, kind: Kind, peace: float) -> Fault:
        """After so many seconds of peace."""
        crowd, pair, pauses, figures = self._crowd, self._pair, self._crowd.pauses, self.figures
        gc.collect()
        await asyncio.sleep(_BREATH)
        if kind.before is not None:
            await asyncio.to_thread(kind.before)
        began, moves = monotonic(), crowd.moves
        crowd.remembered.ahead.clear()
        pauses.begin()
        crowd.timed.begin()
        self._meter.begin(moves)
        await asyncio.sleep(max(peace, _LEAST_PEACE if self._plan.chaos else 0.0))
        self._meter.over(crowd.moves)
        crowd.timed.over()
        before = (crowd.moves - moves) / max(monotonic() - began, 1e-3)
        figures.pauses_before.setdefault(kind.name, Spread()).add_all(pauses.longest().values())
        # A crowded machine may have kept the active node from renewing its lease meanwhile.
        await self._faults.all_there()
        ahead, nodes = dict(crowd.remembered.ahead), await asyncio.to_thread(pair.numbered)
        moves, places = crowd.moves, crowd.places()
        self._count_tables()
        connected = crowd.connected()
        at = {node: self._who_is_at(node, connected) for node in pair.gateways}
        pauses.begin()
        crowd.played.begin()
        pair.lookout.begin()
        done = await kind.strike()
        wings = self._struck(kind, done, nodes)
        # In server time.
        struck_at = {wing: 1000 * (time() - monotonic() + done.at) + ahead.get(wing, 0.0) for wing in nodes}
        served = await self._probe.served(_PATIENCE)
        if served is None:
            raise BenchFailed(f"{kind.name}: nobody was served for {_PATIENCE:.0f} s")
        if done.rest is not None and (kind.stops_all or kind.in_turns):
            await done.rest
        if kind.replaces and pair.is_divided:
            await self._all_replaced(kind, wings, nodes)
        crowd.remembered.ahead.clear()
        last, lost = await crowd.come_back(_PATIENCE)
        if lost:
            figures.wrong.append(
                f"{kind.name}: not back after {_PATIENCE:.0f} s: {'; '.join(map(crowd.last, lost[:10]))}"
            )
        back = max(last.values(), default=monotonic())
        if done.rest is not None and not (kind.stops_all or kind.in_turns):
            await done.rest
        over = monotonic()
        pauses.over()
        await self._flows(over)
        flows = monotonic()
        crowd.played.over()
        made = crowd.moves - moves
        at_struck = {label for node in done.nodes for label in at.get(node, ())}
        sockets, longest = crowd.since(connected, at_struck, lost), pauses.longest()
        figures.pauses.setdefault(kind.name, Spread()).add_all(longest.values())
        ended = replaced(nodes, await asyncio.to_thread(pair.numbered))
        self._look_at_all_ended(kind.name, ended.values())
        if (
            kind.after is not None
            and done.node is not None
            and self._is_replaced(kind, done.node, bool(wings & ended.keys()))
        ):
            await kind.after(done.node)
            self._look_at_all_ended(kind.name, ended.values())
        await self._faults.all_there(kind, done.node)
        self.look()
        if kind.from_end:
            struck_at |= {
                wing: self._ended_at(number) + ahead.get(wing, 0.0) for wing, number in ended.items()
            }
        open_after = self._open_after(done.at, served, wings)
        if pair.is_divided:
            elsewhere = {label: place for label, place in places.items() if label not in at_struck}
            self._add_pauses(kind, longest, elsewhere, wings)
        fault = Fault(
            kind=kind.name,
            open_after=max((open_after[wing] for wing in wings), default=open_after[MAIN]),
            back_after=back - done.at,
            doors_back_after={door: at - done.at for door, at in last.items()},
            flows_after=flows - done.at,
            moves_per_second=made / (flows - done.at),
            moves_before=before,
            charged=self._charged(kind, wings, struck_at, ahead, open_after, ended.keys()),
            takeover=bool(ended),
            beyond=self._beyond() if kind.hands_over else None,
            sockets=sockets,
            longest_pause=max(longest.values(), default=0.0),
            wings=sorted(wings) if pair.is_divided else [],
        )
        figures.faults.append(fault)
        return fault

    def _is_replaced(self, kind: Kind, node: Node, takeover: bool) -> bool:
        if not kind.may_end:
            return True
        # A process ends with the first of its wings that has another node.
        return takeover and (self._pair.is_divided or node is not self._pair.active)

    # Wings

    def _struck(self, kind: Kind, done: Strike, nodes: Mapping[int, InWing]) -> set[int]:
        """The wings of the nodes that were struck; all of them, if everything stands still."""
        if done.wing is not None:
            return {done.wing}
        if not self._pair.is_divided or (not done.nodes and kind.stops_all):
            return set(range(self._pair.wings.count))
        return struck(nodes, {node.name for node in done.nodes})

    async def _all_replaced(self, kind: Kind, wings: set[int], nodes: Mapping[int, InWing]) -> None:
        """Another node has each wing that was struck."""
        owners = {wing: node for wing, node in nodes.items() if wing in wings}
        lookout = self._pair.lookout
        await self._crowd.wait_until(lambda: len(replaced(owners, lookout.owners)) == len(owners), _PATIENCE)
        left = owners.keys() - replaced(owners, lookout.owners).keys()
        self.figures.wrong += [
            f"{kind.name}: wing {wing} has no other node than {owners[wing]} after {_PATIENCE:.0f} s"
            for wing in sorted(left)
        ]

    def _open_after(self, at: float, served: float, wings: Iterable[int]) -> dict[int, float]:
        """By wing: the main one is open when somebody new is served, others when another node has them and somebody
        has heard a move there."""
        found = {MAIN: served - at}
        since = self._pair.lookout.since
        for wing in wings:
            if wing != MAIN:
                found[wing] = self._crowd.played.first(wing, max(at, since.get(wing, at))) - at
        return found

    def _add_pauses(
        self,
        kind: Kind,
        longest: Mapping[str, float],
        places: Mapping[str, int | None],
        wings: set[int],
    ) -> None:
        """`places`: of those whose sockets were not at a node that was struck."""
        found = self.figures.pauses_by_wing.setdefault(kind.name, PausesByWing())
        for label, seconds in longest.items():
            if (place := places.get(label)) is not None:
                (found.struck if place in wings else found.others).add(seconds)

    def _count_tables(self) -> None:
        pair, figures = self._pair, self.figures
        if pair.is_divided:
            tables = map(self._crowd.wing_of, self._crowd.parties)
            figures.wings = most(figures.wings, tables, pair.wings.count)

    def _who_is_at(self, node: Node, connected: dict[str, PlayersCall]) -> set[str]:
        ports = self._pair.clients_at(node)
        return {label for label, call in connected.items() if call.port in ports}

    async def _flows(self, since: float) -> None:
        """There was a move at every table."""
        parties, plan = self._crowd.parties, self._plan
        # Whoever thinks longer moves later, and a crowd that comes at once waits for its log-ins.
        patience = max(_PATIENCE, 10 * plan.pause + plan.games / 10)
        if not await self._crowd.wait_until(lambda: all(party.moved > since for party in parties), patience):
            stuck = [party for party in parties if party.moved <= since]
            said = [self._crowd.last(player.label) for party in stuck[:5] for player in party.players]
            raise BenchFailed(
                f"nothing moves after {patience:.0f} s at {len(stuck)} tables: {'; '.join(said)}"
            )

    def _charged(
        self,
        kind: Kind,
        wings: Iterable[int],
        struck_at: Mapping[int, float],
        ahead: Mapping[int, float],
        away: Mapping[int, float],
        ended: Collection[int],
    ) -> float | None:
        """How long clocks ran after the fault, although nobody could move, in the wing where that was the longest.
        `ended`: the wings that another node has now."""
        if not kind.stops_all and not (ended and kind.may_end):
            return None
        now, found = self._crowd.remembered.ahead, []
        for wing in {*wings, *ended}:
            if wing in ended:
                found.append(self.comparison.charged_after(struck_at[wing], partial(self._is_in, wing)))
            elif wing in now and wing in ahead:
                # The same node goes on: its clock has stood still for so long as it is behind ours now.
                found.append(max(0.0, 1000 * away[wing] - (ahead[wing] - now[wing])))
        return max((charged for charged in found if charged is not None), default=None)

    def _is_in(self, wing: int, table: TableId) -> bool:
        return self._pair.wings.of_table(table) == wing

    def _beyond(self) -> float | None:
        """What clocks were charged in the hand-over beyond what the node was there that had their table."""
        with self._database.snapshot() as store:
            # In server time and by the database's clock, which are one but for what the server stood still.
            rows = store.asked(
                "SELECT id, least(at, 1000 * extract(epoch FROM ended)) FROM nodes WHERE ended IS NOT NULL"
            )
            stored_by = _stored_by(store, self.comparison.logs)
        there_until = {number: float(at) for number, at in rows}
        return charges.beyond_owners(self.comparison.logs, stored_by, there_until)

    # Afterwards

    def told_last(self) -> tuple[str, int]:
        """A table, and its last event that somebody was told."""
        table, told = next((table, told) for table, told in self._crowd.told.tables.items() if told.upto)
        return table, told.upto

    def look(self, *, all: bool = False) -> None:
        with self._database.snapshot() as store:
            self.comparison.look(store, all=all)

    def _forget(self) -> None:
        """What is over, and was compared after its end; this is the last time that it is looked at."""
        over = self.comparison.over()
        with self._database.snapshot() as store:
            stored_by = _stored_by(store, over)
        self.figures.wrong += self.comparison.owned_by_others(stored_by, over)
        self.comparison.forget(over)
        for table in over:
            self._crowd.keys.pop(table, None)

    def _look_at_all_ended(self, kind: str, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._look_at_ended(kind, number)

    def _look_at_ended(self, kind: str, number: int) -> None:
        """Not a row of it is stored after its end."""
        with self._database.snapshot() as store:
            ((ended, batch),) = store.asked("SELECT ended, batch FROM nodes WHERE id = :id", id=number)
            # But for the talk of the lobby: when it has grown long, its last lines are stored anew by whoever has it.
            ((rows,),) = store.asked(
                "SELECT count(*) FROM events WHERE node = :id AND table_id <> :talk", id=number, talk=TALK
            )
        if ended is None:
            self.figures.wrong.append(f"{kind}: node {number} was replaced and has not ended")
        if self._ended.setdefault(number, (batch, rows)) != (batch, rows):
            self.figures.wrong.append(
                f"{kind}: node {number} had {self._ended[number]} (batches, events) at its end and has {batch, rows}"
            )

    def _ended_at(self, number: int) -> float:
        """In milliseconds."""
        with self._database.snapshot() as store:
            ((ended,),) = store.asked("SELECT extract(epoch FROM ended) FROM nodes WHERE id = :id", id=number)
        return 1000 * float(ended)

    def _look_at_all(self) -> None:
        for number in self._ended:
            self._look_at_ended("in the end", number)
        with self._database.snapshot() as store:
            ((self.figures.stored,),) = store.asked("SELECT count(*) FROM events")
            ((self.figures.nodes,),) = store.asked("SELECT count(*) FROM nodes")
            if self._pair.is_divided:
                self.figures.wrong += islice(in_wrong_wings(self._pair.wings, store), _SHOWN)
        self.figures.wrong += self.events_of_others()

    def events_of_others(self) -> list[str]:
        """Those that are stored by a node that did not have the table."""
        with self._database.snapshot() as store:
            late = store.asked(
                "SELECT table_id, seq, node FROM (SELECT table_id, seq, node,"
                " max(node) OVER (PARTITION BY table_id ORDER BY seq) AS latest FROM events) AS each"
                " WHERE node < latest LIMIT 5"
            )
            stored_by = _stored_by(store, self.comparison.logs)
        return [
            *(f"event {row.seq} of table {row.table_id} is of node {row.node}" for row in late),
            *self.comparison.owned_by_others(stored_by, self.comparison.logs),
        ]


def _faults_of(database: Database, pair: Pair, crowd: Crowd, chance: Random) -> Faults:
    if not isinstance(pair, Gateways):
        return Faults(database, pair, crowd, chance)
    if isinstance(pair.network, Namespaces):
        return NamespaceFaults(database, pair, crowd, chance, pair.network)
    return GatewayFaults(database, pair, crowd, chance)


def _stored_by(store: Stored, tables: Iterable[TableId]) -> dict[tuple[TableId, int], int]:
    """The node of each event of these."""
    rows = store.asked(
        "SELECT table_id, seq, node FROM events WHERE table_id = ANY(:tables)", tables=list(tables)
    )
    return {(table, seq): node for table, seq, node in rows}
