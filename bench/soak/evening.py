"""The whole of it: people, pollers, attacks and faults around one server that starts again and again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import msgspec
from tests.support.nats import Nats

from bench.attacks.target import Target
from bench.pace import BenchFailed, say
from bench.soak.attacks import Attacks
from bench.soak.cluster import Cluster
from bench.soak.compare import Comparison
from bench.soak.faults.cluster import ClusterFaults
from bench.soak.faults.faults import Faults
from bench.soak.faults.postgres import PostgresFaults
from bench.soak.faults.sqlite import SqliteFaults
from bench.soak.figures import Figures
from bench.soak.model import Model
from bench.soak.people import everybody
from bench.soak.person import Evening
from bench.soak.pollers import Poller
from bench.soak.process import Server
from bench.soak.quiet import QuietTables
from bench.soak.stage import Stage
from bench.stores.database import Database
from bench.stores.ledger_copy import LedgerCopy
from bench.stores.stored import Stored

_SAMPLE_SECONDS = 0.5
_PROGRESS_SECONDS = 5.0
_GONE_SECONDS = 90.0
_STEPS = (-3600, 3600)
"""Seconds by which the wall clock is set."""
_ENDS_WITHIN = 30.0


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    seconds: float
    seed: int
    wrapper: tuple[str, ...] = ("gamut.cli",)
    rounds: tuple[float, float] = (4.0, 14.0)
    """How long the server is left alone, at the least and at the most."""
    crowd: int = 1
    faults: tuple[str, ...] = ()
    """Only these; all if empty."""
    attacks: tuple[str, ...] = ()
    attack_seconds: float = 5.0
    doors: frozenset[str] = frozenset()
    """It goes on until each of these was told something that was compared, however slow the machine is."""
    starts: int = 0
    """And until there were more starts than these."""
    refused_starts: float = 0.1
    """Part of all starts before which one is tried that must fail: on a read-only disk, or without PostgreSQL."""
    passing: float = 0.5
    """Part of all rounds with a fault that the server survives, or of a cluster all nodes but one."""
    wings: int = 1
    """Of the hall of a cluster."""
    clock_steps: float = 0.3
    """Part of all starts at which the wall clock is another than before."""


class Soak:
    def __init__(
        self, plan: Plan, data: Path, database: Database | None = None, nats: Nats | None = None
    ) -> None:
        """On SQLite in the data folder, or on this PostgreSQL; a cluster on PostgreSQL and NATS."""
        self._plan = plan
        self._chance = Random(plan.seed)
        self._model = Model()
        self._evening = Evening(self._model, Random(plan.seed + 1))
        self._stage = Stage(self._evening, Random(plan.seed + 2))
        self._people = [*everybody(self._evening, plan.crowd), *self._stage.people(plan.crowd)]
        self._server: Server | Cluster
        self._faults: Faults | ClusterFaults
        self._left_behind: Callable[[], AbstractContextManager[Stored]]
        if database is None:
            self._server = Server(data, plan.wrapper)
            self._faults = SqliteFaults(self._server, self._chance, data)
            self._left_behind = lambda: LedgerCopy(data)
        elif nats is None:
            self._server = Server(data, plan.wrapper, ("--store", database.url))
            self._faults = PostgresFaults(self._server, self._chance, database)
            self._left_behind = database.snapshot
        else:
            self._server = Cluster(data, plan.wrapper, database, nats, plan.wings)
            self._faults = ClusterFaults(self._server, self._chance)
            self._left_behind = database.snapshot
        self._quiet = QuietTables()
        self._attacks = Attacks(plan.attacks, plan.attack_seconds, self._chance, self._quiet)
        self._poller = Poller(self._model, self._evening.chance)
        self._figures = Figures(seed=plan.seed)
        self._began = monotonic()

    async def run(self) -> Figures:
        asyncio.get_running_loop().set_exception_handler(self._our_own_fault)
        living = [asyncio.ensure_future(person.live()) for person in self._people]
        beside = [asyncio.ensure_future(self._sample()), asyncio.ensure_future(self._progress())]
        try:
            while self._goes_on() and not self._figures.wrong:
                await self._round()
            if not self._figures.wrong:
                await self._last_look()
        except (BenchFailed, TimeoutError) as failed:
            self._figures.wrong.append(f"{type(failed).__name__} {failed}")
        finally:
            self._evening.doors.clear()
            for task in (*living, *beside):
                task.cancel()
            ended = await asyncio.gather(*living, *beside, return_exceptions=True)
            self._server.end()
        for error in ended:
            if error is not None and not isinstance(error, asyncio.CancelledError):
                self._figures.wrong.append(f"one of our own failed: {error!r}")
        return self._told()

    def _goes_on(self) -> bool:
        early = monotonic() - self._began < self._plan.seconds
        few = self._server.starts <= self._plan.starts or not self._plan.doors <= set(self._model.compared_at)
        return early or few

    def _told(self) -> Figures:
        figures, model = self._figures, self._model
        figures.seconds = monotonic() - self._began
        figures.starts = self._server.starts
        figures.counts = dict(self._evening.counts)
        figures.told, figures.compared, figures.tables = model.told, model.compared, len(model.tables)
        figures.lost, figures.more_lost = model.lost, model.more_lost
        figures.told_at, figures.compared_at = self._evening.heard, model.compared_at
        figures.lost_at = model.lost_at
        figures.mixed = {game: len(tables) for game, tables in self._stage.mixed.items()}
        figures.delays = {str(when): delays for when, delays in self._quiet.delays.items()}
        figures.delays_at = self._quiet.by_door
        figures.errors, figures.tracebacks = self._server.errors, self._server.tracebacks
        figures.wrong += self._faults.wrong
        figures.attacks = self._attacks.verdicts
        return figures

    async def _round(self) -> None:
        target = await self._start()
        await Comparison(self._model, target, self._chance).all(old=False)
        self._evening.target = target
        self._evening.doors.set()
        async with self._beside(
            self._quiet.play(target), self._poller.read(target), self._attacks.run(target)
        ):
            await self._leave_alone()
            if self._chance.random() < self._plan.passing:
                await self._passing()
                await self._leave_alone()
            if self._server.died:
                self._evening.doors.clear()
                code = await self._server.ended(_ENDS_WITHIN)
                self._figures.wrong.append(f"the server ended by itself, exit code {code}")
            else:
                await self._end()
        self._server.end()
        async with asyncio.timeout(_GONE_SECONDS):
            await asyncio.gather(*(person.resting.wait() for person in self._people))
        await asyncio.to_thread(self._stage.compare, self._left_behind(), all=False)

    async def _start(self) -> Target:
        refused = self._faults.refused_start
        if self._server.starts and refused is not None and self._chance.random() < self._plan.refused_starts:
            self._figures.faults[await refused()] += 1
        if self._server.starts and self._chance.random() < self._plan.clock_steps:
            self._server.offset += self._chance.choice(_STEPS)
            self._figures.clock_steps += 1
        await self._server.begin()
        return self._server.target(self._plan.seconds, _at_once)

    async def _last_look(self) -> None:
        """Everything that was ever told, once more."""
        await asyncio.to_thread(self._stage.compare, self._left_behind(), all=True)
        target = await self._start()
        await Comparison(self._model, target, self._chance).all(old=True)

    async def _leave_alone(self) -> None:
        await self._server.ended(self._chance.uniform(*self._plan.rounds))

    async def _passing(self) -> None:
        name = self._chosen(self._faults.passing)
        if name is None or self._server.died:
            return
        self._figures.faults[name] += 1
        before, self._quiet.now = self._quiet.now, "fault"
        await self._faults.passing[name]()
        self._quiet.whole_again(before)

    async def _end(self) -> None:
        name = self._chosen(self._faults.ending)
        assert name is not None
        self._figures.faults[name] += 1
        self._quiet.now = "fault"
        self._evening.doors.clear()
        await self._faults.ending[name]()
        self._quiet.whole_again("peace")

    def _chosen(self, faults: dict[str, Any]) -> str | None:
        names = [name for name in faults if name in (self._plan.faults or faults)]
        return self._chance.choice(names) if names else None

    @contextlib.asynccontextmanager
    async def _beside(self, *work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
        tasks = [asyncio.ensure_future(each) for each in work]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            for error in await asyncio.gather(*tasks, return_exceptions=True):
                if error is not None and not isinstance(error, asyncio.CancelledError):
                    self._figures.wrong.append(f"one of our own failed: {error!r}")

    async def _sample(self) -> None:
        while True:
            found = self._server.footprint()
            if found is not None:
                self._figures.memory.append(found[0])
                self._figures.files.append(found[1])
            await asyncio.sleep(_SAMPLE_SECONDS)

    async def _progress(self) -> None:
        while True:
            await asyncio.sleep(_PROGRESS_SECONDS)
            model = self._model
            faults = sum(self._figures.faults.values())
            say(
                f"{monotonic() - self._began:6.0f} s: {self._server.starts} starts, {faults} faults,"
                f" {model.told:,} told, {len(model.lost) + model.more_lost} lost"
                f"{' under ' + self._attacks.current if self._attacks.current else ''},"
                f" {(self._figures.memory or [0])[-1] >> 20} MB, {(self._figures.files or [0])[-1]} descriptors"
            )

    def _our_own_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._figures.wrong.append(f"our own: {context.get('exception') or context['message']!r}")


async def _at_once() -> None:
    """Our own people need no word to begin."""
