"""Bots think in processes of their own, so that a search never holds up a table."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from random import Random
from threading import Thread
from time import monotonic
from typing import Any, Protocol

import msgspec

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import AnyGame, Seat
from gamut.games.registry import Games, all_games
from gamut.hall.limits.fair_queue import FairQueue

log = logging.getLogger("gamut.hall")

_TRIES_AFTER_A_CRASH = 3
_SECONDS_BETWEEN_STARTS = 1.0
"""What a process could not be started for, memory or a descriptor, somebody else may have given back by then."""
_SECONDS_TO_END = 1.0
_SECONDS_TO_THINK = 60.0
"""A thought takes a second or two, on a busy machine a few more. One that takes this long never comes."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot is asked: what it would do in this seat, knowing this."""

    game: AnyGame
    state: Any
    """As the seat may see it."""
    seat: Seat
    level: str
    seed: int
    budget: Budget = UNLIMITED
    owner: str
    """Whoever keeps this bot busy: everybody's bots get their turn, however many somebody has."""

    def answer(self) -> Any:
        return self.game.choose(self.state, self.seat, self.level, Random(self.seed), self.budget)


class Resigns(msgspec.Struct, frozen=True):
    """In the place of an action: the bot gives the game up."""


RESIGNS = Resigns()


class BotRunner(Protocol):
    def think(self, question: Question, done: Callable[[Any], None]) -> None:
        """Call `done` on the event loop with the action, RESIGNS, or the exception that kept the bot from either."""
        ...


class _Thought(msgspec.Struct):
    question: Question
    done: Callable[[Any], None]
    asked: float
    tries: int = 0

    def left(self, now: float) -> Budget:
        """What waiting for a process has left of the time: the bot's clock runs."""
        budget = self.question.budget
        if budget.millis is None:
            return budget
        return Budget(max(1, budget.millis - int(1000 * (now - self.asked))), budget.nodes)


class ProcessBots:
    """A few processes, each a pool of one: whatever befalls one of them is no concern of the others."""

    def __init__(self, workers: int, loop: asyncio.AbstractEventLoop, games: Games = all_games) -> None:
        self._workers = workers
        self._loop = loop
        self._games = games
        self._processes: set[ProcessPoolExecutor] = set()
        self._idle: list[ProcessPoolExecutor] = []
        self._queue: FairQueue[_Thought] = FairQueue()
        self._thinking = 0
        self._again: asyncio.TimerHandle | None = None
        """When a process is started once more; until then there was neither memory nor a descriptor for one."""
        self._closed = False

    def warm_up(self) -> None:
        """Start the processes before the first bot is needed, so that it does not keep anyone waiting."""
        while len(self._processes) < self._workers and not self._closed:
            try:
                process = self._started()
            except (OSError, RuntimeError) as error:
                _log_failed_start(error)
                return
            self._idle.append(process)

    def _started(self) -> ProcessPoolExecutor:
        # Spawned, not forked: a fork would carry the server's sockets and its ledger's lock along.
        pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_live_and_die)
        self._processes.add(pool)
        try:
            # The process starts with the first thing that it is asked to do.
            pool.submit(_ready, self._games)
        except (OSError, RuntimeError):
            self._end(pool)
            raise
        return pool

    def think(self, question: Question, done: Callable[[Any], None]) -> None:
        self._wait(_Thought(question, done, monotonic()))
        self._go_on()

    def _wait(self, thought: _Thought) -> None:
        self._queue.put(thought.question.owner, thought)

    def _go_on(self) -> None:
        """Let as many bots think as there are processes, one of each owner after the other."""
        while self._queue and self._thinking < self._workers and not self._closed:
            process = self._process()
            if process is None:
                return
            self._begin(self._queue.take(), process)

    def _process(self) -> ProcessPoolExecutor | None:
        """One that has nothing to do; None if there is none and none can be started now: bots wait."""
        if self._idle:
            return self._idle.pop()
        if self._again is not None:
            return None
        try:
            return self._started()
        except (OSError, RuntimeError) as error:
            _log_failed_start(error)
            self._again = self._loop.call_later(_SECONDS_BETWEEN_STARTS, self._try_again)
            return None

    def _try_again(self) -> None:
        self._again = None
        self._go_on()

    def _begin(self, thought: _Thought, process: ProcessPoolExecutor) -> None:
        thought.tries += 1
        self._thinking += 1
        stuck = self._loop.call_later(_SECONDS_TO_THINK, _kill_stuck, process)

        def answered(future: "Future[Any]") -> None:
            # After the end nobody waits for an answer, and there may be no event loop to bring it to.
            if not future.cancelled() and not self._closed:
                answer = future.exception() or future.result()
                self._loop.call_soon_threadsafe(self._answered, thought, process, stuck, answer)

        asked, budget = thought.question, thought.left(monotonic())
        try:
            process.submit(
                _choose,
                self._games,
                asked.game.traits.name,
                asked.state,
                asked.seat,
                asked.level,
                asked.seed,
                budget,
            ).add_done_callback(answered)
        except BrokenExecutor as error:
            self._loop.call_soon(self._answered, thought, process, stuck, error)

    def _answered(
        self, thought: _Thought, process: ProcessPoolExecutor, stuck: asyncio.TimerHandle, answer: Any
    ) -> None:
        stuck.cancel()
        self._thinking -= 1
        if isinstance(answer, BrokenExecutor):
            # The process is gone, say because the machine ran out of memory. The bot thinks again in a new
            # one, unless it is this bot that ends the processes.
            self._end(process)
            if thought.tries <= _TRIES_AFTER_A_CRASH:
                self._wait(thought)
                self._go_on()
                return
        else:
            self._idle.append(process)
        thought.done(answer)
        self._go_on()

    def _end(self, pool: ProcessPoolExecutor) -> None:
        self._processes.discard(pool)
        # First of all, while the pool still knows its process:
        # a bot may think for longer than a stop may take.
        _kill(pool)
        pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        self._closed = True
        if self._again is not None:
            self._again.cancel()
        self._idle.clear()
        threads: list[Any] = []
        for pool in list(self._processes):
            threads.append(pool._executor_manager_thread)
            self._end(pool)
        for thread in threads:
            # The thread gives back what it shares with its process, or multiprocessing would report a leak.
            if thread is not None:
                thread.join(_SECONDS_TO_END)


def _kill(pool: ProcessPoolExecutor) -> None:
    for process in list((pool._processes or {}).values()):
        process.kill()


def _kill_stuck(pool: ProcessPoolExecutor) -> None:
    """End a process that does not answer. The bot that thought there thinks again in another one."""
    log.error("a process for bots does not answer, and is ended")
    _kill(pool)


def _log_failed_start(error: Exception) -> None:
    log.error("a process for bots cannot be started; they wait", extra={"error": repr(error)})


def _live_and_die() -> None:
    """A worker ends with the server, however that ends, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)


def _ready(games: Games) -> None:
    games()


def _choose(games: Games, name: str, state: Any, seat: Seat, level: str, seed: int, budget: Budget) -> Any:
    return games()[name].choose(state, seat, level, Random(seed), budget)
