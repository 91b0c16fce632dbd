"""Bots think in processes of their own, so that a search never holds up a table."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from random import Random
from threading import Thread
from typing import Any, Protocol

from gamut.games.game import AnyGame, Seat
from gamut.games.registry import all_games


class BotRunner(Protocol):
    def think(
        self,
        game: AnyGame,
        state: Any,
        seat: Seat,
        level: str,
        seed: int,
        done: Callable[[Any], None],
    ) -> None:
        """Call `done` on the event loop with the action, or with the exception that kept the bot from one."""
        ...


class ProcessBots:
    """A small pool of processes."""

    def __init__(self, workers: int, soon: Callable[..., Any]) -> None:
        self._workers = workers
        self._soon = soon
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False

    def warm_up(self) -> None:
        """Start the processes before the first bot is needed, so that it does not keep anyone waiting."""
        if self._pool is None:
            self._pool = self._started()
            self._pool.submit(_ready)

    def _started(self) -> ProcessPoolExecutor:
        # Spawned, not forked: a fork would carry the server's sockets and its ledger's lock along.
        return ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=_live_and_die)

    def think(
        self,
        game: AnyGame,
        state: Any,
        seat: Seat,
        level: str,
        seed: int,
        done: Callable[[Any], None],
    ) -> None:
        if self._pool is None:
            self._pool = self._started()

        def answered(future: "Future[Any]") -> None:
            # After the end nobody waits for an answer, and there may be no event loop to bring it to.
            if not future.cancelled() and not self._closed:
                self._soon(done, future.exception() or future.result())

        try:
            self._pool.submit(_choose, game.traits.name, state, seat, level, seed).add_done_callback(answered)
        except RuntimeError as error:
            # The pool is broken, say because the machine ran out of memory: the next thought gets a new one.
            self._pool = None
            self._soon(done, error)

    def close(self) -> None:
        self._closed = True
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in (self._pool._processes or {}).values():
                process.kill()


def _live_and_die() -> None:
    """A worker ends with the server, however that ends, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)


def _ready() -> None:
    all_games()


def _choose(name: str, state: Any, seat: Seat, level: str, seed: int) -> Any:
    return all_games()[name].choose(state, seat, level, Random(seed))
