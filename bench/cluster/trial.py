"""The whole of it: games at all doors, one fault after the other, and a look at the store after each."""

import asyncio
import resource
from collections.abc import Iterable
from random import Random
from time import monotonic, time

import msgspec

from bench.cluster import charges
from bench.cluster.calls import PlayersCall
from bench.cluster.compare import ComparedGames
from bench.cluster.consumption import Meter
from bench.cluster.crowd import Crowd
from bench.cluster.faults import Faults, GatewayFaults, Kind
from bench.cluster.figures import Fault, Figures
from bench.cluster.gateways import Gateways
from bench.cluster.netns.faults import NamespaceFaults
from bench.cluster.netns.namespaces import Namespaces
from bench.cluster.node import Node
from bench.cluster.pair import Pair
from bench.cluster.probe import Probe
from bench.cluster.spread import Spread
from bench.pace import BenchFailed, say
from bench.stores.database import Database
from bench.stores.stored import Stored
from gamut.hall.ids import TableId

_PATIENCE = 30.0
"""Seconds in which everything must be as it was: half of those after which who has not come in is hung up on."""


_LEAST_PEACE = 0.5
"""Seconds, where chance chooses the faults and the last one took long."""
_MINUTE = 60.0


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
        self._crowd = Crowd(pair.target(), plan.games, plan.seed, plan.pause)
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
                fault = await self._one(kind, self._plan.peace)
                say(f"{kind.name} {number} of {times}: {fault.told}; {self._lost} lost")
        await self._flows(monotonic())

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
        if kind.before is not None:
            await asyncio.to_thread(kind.before)
        began, moves = monotonic(), crowd.moves
        crowd.remembered.ahead = None
        pauses.begin()
        crowd.timed.begin()
        self._meter.begin(moves)
        await asyncio.sleep(max(peace, _LEAST_PEACE if self._plan.chaos else 0.0))
        self._meter.over(crowd.moves)
        crowd.timed.over()
        before = (crowd.moves - moves) / max(monotonic() - began, 1e-3)
        figures.pauses_before.setdefault(kind.name, Spread()).add_all(pauses.longest())
        # A crowded machine may have kept the active node from renewing its lease meanwhile.
        await self._faults.all_there()
        ahead, number = crowd.remembered.ahead, await asyncio.to_thread(pair.numbered)
        moves = crowd.moves
        connected = crowd.connected()
        at = {node: self._who_is_at(node, connected) for node in pair.gateways}
        pauses.begin()
        done = await kind.strike()
        struck = 1000 * (time() - monotonic() + done.at) + (ahead or 0.0)
        served = await self._probe.served(_PATIENCE)
        if served is None:
            raise BenchFailed(f"{kind.name}: nobody was served for {_PATIENCE:.0f} s")
        if done.rest is not None and (kind.stops_all or kind.in_turns):
            await done.rest
        crowd.remembered.ahead = None
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
        made = crowd.moves - moves
        at_struck = {label for node in done.nodes for label in at.get(node, ())}
        sockets, longest = crowd.since(connected, at_struck, lost), pauses.longest()
        figures.pauses.setdefault(kind.name, Spread()).add_all(longest)
        now = await asyncio.to_thread(pair.numbered)
        if now != number:
            self._look_at_ended(kind.name, number)
        if (
            kind.after is not None
            and done.node is not None
            and self._is_replaced(kind, done.node, now != number)
        ):
            await kind.after(done.node)
            self._look_at_ended(kind.name, number)
        await self._faults.all_there(kind, done.node)
        self.look()
        if kind.from_end and now != number:
            struck = self._ended_at(number) + (ahead or 0.0)
        fault = Fault(
            kind=kind.name,
            open_after=served - done.at,
            back_after=back - done.at,
            doors_back_after={door: at - done.at for door, at in last.items()},
            flows_after=flows - done.at,
            moves_per_second=made / (flows - done.at),
            moves_before=before,
            charged=self._charged(kind, struck, ahead, served - done.at, takeover=now != number),
            takeover=now != number,
            beyond=self._beyond() if kind.hands_over else None,
            sockets=sockets,
            longest_pause=max(longest, default=0.0),
        )
        figures.faults.append(fault)
        return fault

    def _is_replaced(self, kind: Kind, node: Node, takeover: bool) -> bool:
        return not kind.may_end or (takeover and node is not self._pair.active)

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
        self, kind: Kind, struck: float, ahead: float | None, away: float, *, takeover: bool
    ) -> float | None:
        """How long clocks ran after the fault, although nobody could move."""
        if not kind.stops_all and not (takeover and kind.may_end):
            return None
        if takeover:
            return self.comparison.charged_after(struck)
        now = self._crowd.remembered.ahead
        if now is None or ahead is None:
            return None
        # The same node goes on: its clock has stood still for so long as it is behind ours now.
        return max(0.0, 1000 * away - (ahead - now))

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

    def _look_at_ended(self, kind: str, number: int) -> None:
        """Not a row of it is stored after its end."""
        with self._database.snapshot() as store:
            ((ended, batch),) = store.asked("SELECT ended, batch FROM nodes WHERE id = :id", id=number)
            ((rows,),) = store.asked("SELECT count(*) FROM events WHERE node = :id", id=number)
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
