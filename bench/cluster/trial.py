"""The whole of it: games at all doors, one fault after the other, and a look at the store after each."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from time import monotonic, time

import msgspec

from bench.cluster.compare import ComparedGames
from bench.cluster.crowd import Crowd
from bench.cluster.figures import Fault, Figures
from bench.cluster.node import Node
from bench.cluster.pair import Pair
from bench.cluster.probe import Probe
from bench.pace import BenchFailed, say
from bench.stores.database import Database

_PATIENCE = 60.0
"""Seconds in which everything must be as it was."""
_ENDS_WITHIN = 15.0
_ENDED = 3
"""The exit code of a node in whose place another one has become active."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    games: int = 30
    seed: int = 1
    pause: float = 0.5
    """Seconds for which somebody thinks."""
    peace: float = 1.0
    """Seconds without faults, at the least, before each of them."""
    kills: int = 0
    freezes: int = 0
    restarts: int = 0
    drains: int = 0
    failovers: int = 0


class Strike(msgspec.Struct):
    """A fault that has been done."""

    at: float
    """When, by `monotonic`."""
    rest: Awaitable[None] | None = None
    """What goes on meanwhile."""


class Trial:
    def __init__(self, plan: Plan, database: Database, pair: Pair) -> None:
        self._plan = plan
        self._database = database
        self._pair = pair
        self._crowd = Crowd(pair.target(), plan.games, plan.seed, plan.pause)
        self._probe = Probe(pair.target())
        self.comparison = ComparedGames(self._crowd.told)
        self._ended: dict[int, tuple[int, int]] = {}
        """Of each node that was ended: the number of its last batch, and how many events it has stored."""
        self.figures = Figures(seed=plan.seed, games=plan.games, players=len(self._crowd.players))

    async def run(self) -> Figures:
        began, crowd, figures = monotonic(), self._crowd, self.figures
        crowd.start()
        try:
            if await self._probe.served(_PATIENCE) is None:
                raise BenchFailed("nobody is served")
            await self._flows(began)
            await self._faults()
        except BenchFailed as failed:
            figures.wrong.append(str(failed))
        finally:
            await crowd.stop()
        self.look(all=True)
        self._rows_in_order()
        await crowd.leave()
        figures.seconds = monotonic() - began
        figures.heard, figures.connections, figures.moves = crowd.heard, crowd.connections, crowd.moves
        figures.refusals = crowd.refusals
        figures.compared, figures.finished = self.comparison.compared, len(self.comparison.finished)
        figures.lost += [*self.comparison.lost, *crowd.broken]
        figures.given_up += self.comparison.given_up.values()
        for node in self._pair.nodes:
            figures.wrong += [f"in the log of a node: {trace}" for trace in node.log.tracebacks]
        return figures

    async def _faults(self) -> None:
        plan = self._plan
        for kind, times, strike, after in (
            ("kill -9", plan.kills, self._kill, None),
            ("freeze", plan.freezes, self._freeze, self._let_go_on),
            ("restart", plan.restarts, self._restart, None),
            ("drain", plan.drains, self._drain, None),
            ("fail-over", plan.failovers, self._fail_over, None),
        ):
            for number in range(1, times + 1):
                if kind == "fail-over":
                    await asyncio.to_thread(self._database.follow)
                await self._one(kind, strike, after)
                fault = self.figures.faults[-1]
                say(
                    f"{kind} {number} of {times}: open again after {fault.open_after:.2f} s, everybody back after"
                    f" {fault.back_after:.2f} s, {fault.moves_before:.0f} moves/s before;"
                    f" {len(self.comparison.lost) + len(self._crowd.broken)} lost"
                )
        await self._flows(monotonic())

    async def _one(
        self,
        kind: str,
        strike: Callable[[], Awaitable[Strike]],
        after: Callable[[Node, int], Awaitable[None]] | None,
    ) -> None:
        crowd, pair = self._crowd, self._pair
        began, moves = monotonic(), crowd.moves
        crowd.remembered.ahead = None
        await asyncio.sleep(self._plan.peace)
        before = (crowd.moves - moves) / (monotonic() - began)
        # A crowded machine may have kept the active node from renewing its lease meanwhile.
        await self._both_there("peace")
        ahead, number, node = crowd.remembered.ahead, await asyncio.to_thread(pair.numbered), pair.active
        moves = crowd.moves
        done = await strike()
        struck = 1000 * (time() - monotonic() + done.at) + (ahead or 0.0)
        served = await self._probe.served(_PATIENCE)
        if served is None:
            raise BenchFailed(f"{kind}: nobody was served for {_PATIENCE:.0f} s")
        if done.rest is not None:
            await done.rest
        crowd.remembered.ahead = None
        last, lost = await crowd.come_back(_PATIENCE)
        if lost:
            self.figures.wrong.append(f"{kind}: not back after {_PATIENCE:.0f} s: {', '.join(lost[:10])}")
        back = max(last.values(), default=monotonic())
        await self._flows(served)
        flows = monotonic()
        made = crowd.moves - moves
        now = await asyncio.to_thread(pair.numbered)
        if now != number:
            self._look_at_ended(kind, number)
        if after is not None:
            await after(node, number)
        await self._both_there(kind)
        self.look()
        self.figures.faults.append(
            Fault(
                kind=kind,
                open_after=served - done.at,
                back_after=back - done.at,
                doors_back_after={door: at - done.at for door, at in last.items()},
                flows_after=flows - done.at,
                moves_per_second=made / (flows - done.at),
                moves_before=before,
                charged=self._charged(struck, ahead, served - done.at, takeover=now != number),
                takeover=now != number,
            )
        )

    async def _flows(self, since: float) -> None:
        """There was a move at every table."""
        parties = self._crowd.parties
        if not await self._crowd.wait_until(lambda: all(party.moved > since for party in parties), _PATIENCE):
            stuck = [party.name for party in parties if party.moved <= since]
            raise BenchFailed(f"nothing moves after {_PATIENCE:.0f} s at {', '.join(stuck[:10])}")

    def _charged(self, struck: float, ahead: float | None, away: float, *, takeover: bool) -> float | None:
        """How long clocks ran after the fault, although nobody could move."""
        if takeover:
            return self.comparison.charged_after(struck)
        now = self._crowd.remembered.ahead
        if now is None or ahead is None:
            return None
        # The same node goes on: its clock has stood still for so long as it is behind ours now.
        return max(0.0, 1000 * away - (ahead - now))

    # The faults

    async def _kill(self) -> Strike:
        struck = monotonic()
        self._pair.active.signal(signal.SIGKILL)
        return Strike(struck)

    async def _freeze(self) -> Strike:
        struck = monotonic()
        self._pair.active.signal(signal.SIGSTOP)
        return Strike(struck)

    async def _let_go_on(self, node: Node, number: int) -> None:
        """The frozen node goes on: it says that it was ended, exits, and has stored nothing since."""
        node.signal(signal.SIGCONT)
        code = await node.ended(_ENDS_WITHIN)
        if code != _ENDED or not any("ended" in line for line in node.log.errors):
            self.figures.wrong.append(
                f"a node that was frozen and ended: exit code {code} (None: it goes on), and {node.log.errors[-1:]}"
            )
        self._look_at_ended("freeze", number)

    async def _restart(self) -> Strike:
        struck = monotonic()
        await asyncio.to_thread(self._database.crash)
        return Strike(struck, asyncio.ensure_future(asyncio.to_thread(self._database.recover)))

    async def _fail_over(self) -> Strike:
        struck = monotonic()
        await asyncio.to_thread(self._database.lose)
        return Strike(struck, asyncio.ensure_future(asyncio.to_thread(self._database.promote)))

    async def _drain(self) -> Strike:
        byes = self._crowd.byes
        draining = asyncio.ensure_future(self._drained())
        if not await self._crowd.wait_until(lambda: self._crowd.byes > byes, _PATIENCE):
            self.figures.wrong.append("drain: nobody was told bye")
        return Strike(monotonic(), draining)

    async def _drained(self) -> None:
        code, said = await self._pair.drain()
        if code != 0 or "handed over" not in said:
            self.figures.wrong.append(f"gamut drain: exit code {code}, {said!r}")

    # Afterwards

    async def _both_there(self, kind: str) -> None:
        """One node is open and the other stands by; one that has ended as it should have is started again."""
        pair = self._pair
        fine = {"kill -9": (-signal.SIGKILL, None), "drain": (0, None)}.get(kind, (_ENDED, None))
        # One that has just lost its database may be replaced only now.
        await pair.until(lambda: pair.proxy.open is not None, f"{kind}: no node is open")
        active = pair.active
        for node in pair.nodes:
            if node is active:
                continue
            if kind == "drain":
                await node.ended(_ENDS_WITHIN)
            if node.alive:
                continue
            code = await node.ended(0.0)
            if code not in fine:
                self.figures.wrong.append(f"{kind}: a node ended with code {code}: {node.log.errors[-2:]}")
            self.figures.wrong += [f"{kind}: {trace}" for trace in node.log.tracebacks]
            await asyncio.to_thread(node.start)
        await pair.until(
            lambda: pair.proxy.open is not None and pair.standby.stands_by, "there is no standby"
        )

    def told_last(self) -> tuple[str, int]:
        """A table, and its last event that somebody was told."""
        table, told = next((table, told) for table, told in self._crowd.told.tables.items() if told.upto)
        return table, told.upto

    def look(self, *, all: bool = False) -> None:
        with self._database.snapshot() as store:
            self.comparison.look(store, all=all)

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

    def _rows_in_order(self) -> None:
        for number in self._ended:
            self._look_at_ended("in the end", number)
        with self._database.snapshot() as store:
            late = store.asked(
                "SELECT table_id, seq, node FROM (SELECT table_id, seq, node,"
                " max(node) OVER (PARTITION BY table_id ORDER BY seq) AS latest FROM events) AS each"
                " WHERE node < latest LIMIT 5"
            )
            ((self.figures.stored,),) = store.asked("SELECT count(*) FROM events")
            ((self.figures.nodes,),) = store.asked("SELECT count(*) FROM nodes")
        self.figures.wrong += [
            f"event {row.seq} of table {row.table_id} is of node {row.node}" for row in late
        ]
