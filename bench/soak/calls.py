"""Connections on real sockets for the people of the simulation, who hear every frame and every line of theirs."""

import asyncio
from collections.abc import Callable

from tests.simulation.surroundings import BINARY, TEXT, Hear

from bench.attacks import frames
from bench.attacks.lines import Lines
from bench.attacks.sockets import Socket
from bench.attacks.target import Target


class _Listener:
    """Hands over what comes, as it comes; what comes together with the handshake is kept for whoever listens then."""

    def __init__(self) -> None:
        self._early: list[tuple[int, bytes]] = []
        self._hear: Hear = self._keep

    def _keep(self, kind: int, body: bytes) -> None:
        self._early.append((kind, body))

    def listen(self, hear: Hear) -> None:
        self._hear = hear
        for kind, body in self._early:
            hear(kind, body)
        self._early.clear()

    def hear(self, kind: int, body: bytes) -> None:
        self._hear(kind, body)


class _Frames(Socket):
    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self.listener = _Listener()

    def _text(self, text: bytes) -> None:
        self.listener.hear(TEXT, text)

    def _binary(self, payload: bytes) -> None:
        self.listener.hear(BINARY, payload)


class _Lines(Lines):
    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self.listener = _Listener()

    def heard(self, line: bytes) -> None:
        self.listener.hear(TEXT, line)


class SocketCall:
    """One call: it may be spoken into before the server has answered."""

    def __init__(
        self,
        target: Target,
        path: str | None,
        hear: Hear,
        failed: Callable[[BaseException], None],
        *,
        address: str,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.open = True
        self.ended = asyncio.Event()
        """The server is gone, and all that it had said before has been heard."""
        self._hear = hear
        self._failed = failed
        self._said: list[tuple[int, bytes]] = []
        self._connection: _Frames | _Lines | None = None
        self._unread = False
        self._task = asyncio.ensure_future(self._dial(target, path, address, headers))

    async def _dial(
        self, target: Target, path: str | None, address: str, headers: dict[str, str] | None
    ) -> None:
        """A path for WebSockets; None: lines."""
        try:
            if path is None:
                self._begun(await _Lines.open(target, address=address))
            else:
                self._begun(await _Frames.open(target, path, address=address, headers=headers))
            assert self._connection is not None
            await self._connection.closed.wait()
        except (OSError, TimeoutError):
            pass
        finally:
            self.open = False
            self.ended.set()

    def _begun(self, connection: _Frames | _Lines) -> None:
        self._connection = connection
        if not self.open:
            connection.abort()
            return
        connection.listener.listen(self._take)
        if self._unread:
            connection.stop_reading()
        for kind, data in self._said:
            self._send(kind, data)
        self._said.clear()

    def _take(self, kind: int, body: bytes) -> None:
        if not self.open:
            return
        try:
            self._hear(kind, body)
        except Exception as error:  # noqa: BLE001 - whatever a person makes of it is told in the end
            self._failed(error)
            self.cut()

    # As the simulation has it

    def say(self, data: bytes, kind: int = TEXT) -> None:
        if self._connection is None:
            self._said.append((kind, data))
        else:
            self._send(kind, data)

    def _send(self, kind: int, data: bytes) -> None:
        connection = self._connection
        if isinstance(connection, _Lines):
            connection.send(data + b"\n")
        elif connection is not None:
            connection.send(frames.frame(kind & 0x0F, data))

    def cut(self) -> None:
        self.open = False
        if self._connection is not None:
            self._connection.abort()

    def leave_unread(self, size: int) -> None:
        if self._unread == (size > 0) or self.ended.is_set():
            return
        self._unread = size > 0
        if self._connection is None:
            return
        if self._unread:
            self._connection.stop_reading()
        else:
            self._connection.read_on()
