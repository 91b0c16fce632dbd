"""Bots think in processes of their own, so that a search never holds up a table."""

from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
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
    """A small pool of processes, started when the first bot has to think."""

    def __init__(self, workers: int, soon: Callable[..., Any]) -> None:
        self._workers = workers
        self._soon = soon
        self._pool: ProcessPoolExecutor | None = None

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
            # Spawned, not forked: a fork would carry the server's sockets and its ledger's lock along.
            self._pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))

        def answered(future: "Future[Any]") -> None:
            if not future.cancelled():
                self._soon(done, future.exception() or future.result())

        try:
            self._pool.submit(_choose, game.traits.name, state, seat, level, seed).add_done_callback(answered)
        except RuntimeError as error:
            # The pool is broken, say because the machine ran out of memory: the next thought gets a new one.
            self._pool = None
            self._soon(done, error)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in (self._pool._processes or {}).values():
                process.kill()


def _choose(name: str, state: Any, seat: Seat, level: str, seed: int) -> Any:
    return all_games()[name].choose(state, seat, level, Random(seed))
