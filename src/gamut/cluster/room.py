"""Somebody has said more than may wait, and is not heard until there is room again."""

import asyncio
from collections.abc import Awaitable


class Room:
    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: asyncio.Future[None] | None = None

    def wait(self) -> Awaitable[None]:
        if self._made is None:
            self._made = asyncio.get_running_loop().create_future()
        return self._made

    def make(self) -> None:
        made, self._made = self._made, None
        if made is not None and not made.done():
            made.set_result(None)
