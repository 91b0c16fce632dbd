"""Connections without sockets: a client that listens, or has gone, and a server that notices later."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from tests.simulation.surroundings import BINARY, TEXT, Hear

from gamut.doors.close_codes import INTERNAL_ERROR
from gamut.doors.session import Session
from gamut.hall.ids import Millis
from gamut.hall.time import Timekeeper

if TYPE_CHECKING:
    from tests.simulation.world import World


def frames(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The messages in what was written (RFC 6455, from a server): their kind and what they say."""
    at, end = 0, len(data)
    while at < end:
        kind, size = data[at], data[at + 1]
        assert kind in (TEXT, BINARY), "whole frames"
        assert size < 128, "a server does not mask"
        at += 2
        if size >= 126:
            wide = 2 if size == 126 else 8
            size = int.from_bytes(data[at : at + wide], "big")
            at += wide
        assert at + size <= end, "whole frames"
        yield kind, data[at : at + size]
        at += size


def lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The same at a door that speaks lines."""
    assert data.endswith(b"\n"), "whole lines"
    for line in data.split(b"\n")[:-1]:
        yield TEXT, line


class Holder(Protocol):
    """The process at which a connection is."""

    alive: bool
    connections: "dict[Connection, None]"

    @property
    def time(self) -> Timekeeper: ...


class Wire:
    """The sending end. What is written is heard in the same moment, or never."""

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection
        self.pending = 0
        self.queued = 0

    def write(self, data: bytes) -> None:
        self._connection.sending(lambda: self._connection.written(data), "a write")

    def close(self, code: int, reason: str) -> None:
        self._connection.sending(lambda: self._connection.hung_up(code, reason), "a close")

    def drop(self) -> None:
        self._connection.hung_up(0, "too slow")

    def fail(self) -> None:
        hung_up = self._connection.hung_up
        self._connection.sending(lambda: hung_up(INTERNAL_ERROR, "something went wrong"), "a failure")


class Connection:
    """One client's connection to one server, for as long as both are there."""

    def __init__(
        self,
        world: "World",
        label: str,
        hear: Hear,
        session_on: Callable[[Wire], Session],
        parts: Callable[[bytes], Iterator[tuple[int, bytes]]] = frames,
        at: "Holder | None" = None,
    ) -> None:
        """`at`: what holds the socket; None: the server."""
        self.world = world
        self.label = label
        self.open = True
        """The client is there and hears."""
        self._server: Holder = world.server if at is None else at
        self.said = 0
        """How often the client has said something."""
        self._hear = hear
        self._parts = parts
        self._task: asyncio.Future[None] | None = None
        self._later: deque[tuple[int, bytes]] = deque()
        self._ending = False
        self._ended = False
        self.wire = Wire(self)
        self.session: Any = session_on(self.wire)
        self._server.connections[self] = None
        self._wait(self.session.opened())

    # To the server

    def say(self, data: bytes, kind: int = TEXT) -> None:
        self.world.said(self.label, data)
        self.said += 1
        if self._task is not None:
            self._later.append((kind, data))
        elif not self._ended:
            self.world.moment()
            self._wait((self.session.text if kind == TEXT else self.session.binary)(data))

    def _wait(self, waiting: Awaitable[None] | None) -> None:
        if waiting is not None:
            self._task = asyncio.ensure_future(waiting)
            self._task.add_done_callback(self._told)

    def _told(self, _: Any) -> None:
        self._task = None
        while self._later and self._task is None and not self._ended:
            kind, data = self._later.popleft()
            self._wait((self.session.text if kind == TEXT else self.session.binary)(data))
        if self._ending:
            self._end()

    def cut(self) -> None:
        """The client is gone, and hears nothing any more. The server learns of it after a while."""
        if self.open:
            self.open = False
            self.world.trace(f"{self.label} is gone")
            self._server.time.later(self._while(), self._end)

    def leave_unread(self, size: int) -> None:
        self.wire.queued = size

    def _while(self) -> Millis:
        return Millis(self.world.chance.choice((0, 1, 20, 300, 20_000)))

    # The server's memory

    @property
    def can_forget(self) -> bool:
        return not self._ended and bool(self.session.can_be_packed)

    def forget(self) -> Any:
        """The session is thrown away, but for its state."""
        return self.session.hand_over()

    def remember(self, state: Any) -> None:
        """Another session goes on."""
        self.session = type(self.session)(self.session.door, self.wire, state)
        self.session.take_up()

    # From the server

    def sending(self, send: Callable[[], None], what: str) -> None:
        """In a faulty world it may fail, with or without having been sent."""
        if self.world.faulty is None:
            send()
        else:
            self.world.faulty.sends(send, f"{what} to {self.label}")

    def written(self, data: bytes) -> None:
        self.world.written(self.label, data)
        if self.open and self._server.alive:
            self.world.heard(self.label, data)
            for kind, body in self._parts(data):
                self._hear(kind, body)

    def hung_up(self, code: int, reason: str) -> None:
        if self.open and self._server.alive:
            self.open = False
            self.world.trace(f"{self.label} is hung up on: {code} {reason}")
            self._server.time.later(Millis(1), self._end)

    def _end(self) -> None:
        """The server knows that the connection is over."""
        if self._task is not None:
            self._ending = True
        elif not self._ended:
            self._ended = True
            self._server.connections.pop(self, None)
            self.session.closed()
