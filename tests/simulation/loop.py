"""An event loop in which nothing comes from outside: no sockets, no threads, no waiting."""

import asyncio
import inspect
import selectors
from collections.abc import Callable, Sized
from contextvars import ContextVar
from typing import Any

from gamut.games.game import Refused

WHOSE: ContextVar[object | None] = ContextVar("whose", default=None)
"""The process in which this happens, where there are several; it ends with all that it has under way."""

_TURNS = 5


class _NothingComes(selectors.SelectSelector):
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return []


class Tasks:
    """All that the server has under way, in the order in which it was begun."""

    def __init__(self, failed: Callable[[BaseException], None]) -> None:
        self.loop = asyncio.SelectorEventLoop(_NothingComes())
        self._ready: Sized = self.loop._ready  # type: ignore[attr-defined]  # what the loop does in its next turn
        self._failed = failed
        self._tasks: dict[asyncio.Task[Any], object | None] = {}
        """With the process of each."""
        self._ending = False
        self._first: asyncio.Task[Any] | None = None
        self.loop.set_task_factory(self._begun)
        self.loop.set_exception_handler(self._trouble)

    def _begun(self, loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> "asyncio.Task[Any]":
        task = asyncio.Task(work, loop=loop, **options)
        if self._first is None:
            self._first = task  # the simulation itself
        else:
            self._tasks[task] = WHOSE.get()
            task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[Any]") -> None:
        del self._tasks[task]
        if not task.cancelled() and not self._ending:
            error = task.exception()
            # A refusal is an answer to whoever waits for it.
            if error is not None and not isinstance(error, Refused):
                self._failed(error)

    def _trouble(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is not None and not self._ending:
            self._failed(error)

    @property
    def any(self) -> bool:
        return bool(self._tasks)

    async def go_on(self) -> None:
        """Whoever waits for something that has come gets a few turns, as long as there is anybody."""
        for _ in range(_TURNS):
            if not self._ready:
                return
            await asyncio.sleep(0)

    async def end_all(self, of: object | None = None) -> None:
        """The process is gone, and whatever was under way with it. `of`: the others go on."""
        self._ending = True
        while found := [task for task, whose in self._tasks.items() if of is None or whose is of]:
            for task in found:
                _let_go_of_what_waits(task.get_coro())
                task.cancel()
            await asyncio.sleep(0)
        self._ending = False

    def run(self, simulation: Any) -> None:
        try:
            self.loop.run_until_complete(simulation)
        finally:
            self._ending = True
            self.loop.close()


def _let_go_of_what_waits(work: Any) -> None:
    """If this has not begun, then what it was to wait for never does, and Python would complain of that."""
    if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
        for held in inspect.getcoroutinelocals(work).values():
            if inspect.iscoroutine(held):
                _let_go_of_what_waits(held)
                held.close()
