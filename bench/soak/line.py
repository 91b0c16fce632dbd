"""A connection of one of our people, who hear all that is said to them, in order."""

import asyncio
from collections.abc import Callable

from bench.attacks.sockets import Message, Refused, Socket
from bench.attacks.target import Target

_PATIENCE = 60.0
"""A server that was frozen for a while goes on. One that says nothing for so long does not."""
_GOING_AWAY = 1001


def _nothing() -> None:
    pass


class Line(Socket):
    wants_all = True

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self._early = None
        self._queue: asyncio.Queue[Message | None] = asyncio.Queue()
        self.count: Callable[[], None] = _nothing
        """Called for every message."""

    @property
    def ended_with_the_server(self) -> bool:
        """Neither did we hang up, nor did the server want only us to go."""
        return not self._leaving and self.code in (None, _GOING_AWAY)

    def heard(self, message: Message) -> None:
        self.count()
        self._queue.put_nowait(message)

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._queue.put_nowait(None)

    async def receive(self) -> Message:
        """What comes next; also what had come before the connection was lost. `Refused` after that."""
        async with asyncio.timeout(_PATIENCE):
            message = await self._queue.get()
        if message is None:
            raise Refused("hung up on")
        return message
