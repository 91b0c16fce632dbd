"""Inns in a hall of several servers: whoever opens a room waits for its name until the test lets it go."""

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from tests.doors.support.inn import Inn
from tests.hall.support.waiting_names import WaitingNames

AnyInn = TypeVar("AnyInn", bound="WaitingInn")
_TURNS = 20


class WaitingInn(Inn):
    """To be put before the kind of inn that it is."""

    names: WaitingNames

    def __init__(self, **options: Any) -> None:
        self.names = WaitingNames()
        super().__init__(**options)

    def run(self, waiting: Awaitable[Any] | None) -> Any:
        """What it comes to; None if it waits for a name."""
        if waiting is None:
            return None
        task = asyncio.ensure_future(waiting, loop=self._loop)
        self.go_on()
        return task.result() if task.done() else None

    def go_on(self) -> None:
        """Whoever waits for something that has come goes on."""

        async def turns() -> None:
            for _ in range(_TURNS):
                await asyncio.sleep(0)

        self._loop.run_until_complete(turns())
        self.settle()

    def let_go(self) -> None:
        """All who wait for a name have their answer."""
        self.names.let_go()
        self.go_on()


@contextmanager
def opened(inn: AnyInn) -> Iterator[AnyInn]:
    try:
        yield inn
    finally:
        inn.let_go()
        inn.close()
