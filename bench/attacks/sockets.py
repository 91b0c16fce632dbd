"""One WebSocket connection of an attacker or of a quiet player, with a hand on every byte."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Self, cast

import msgspec

from bench.attacks import frames
from bench.attacks.target import Target

_SECONDS = 20.0
_UPGRADED = b"HTTP/1.1 101"
_SWITCHED = 101
_LENGTH_BYTES = {126: 2, 127: 8}
_TROUBLE = b'{"type":"error"'
_CODE_BYTES = 2
_MOST_EARLY = 20

Message = dict[str, Any]
Match = Callable[[Message], bool]


class Refused(OSError):
    """Not let in, or hung up on."""


class Socket(asyncio.Protocol):
    """Reads as fast as it can, answers pings, counts what it is told, and waits for what it is asked to wait for."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.closed = asyncio.Event()
        self.code: int | None = None
        """With which the server closed; None if it just hung up."""
        self.heard_bytes = 0
        self._transport: asyncio.Transport | None = None
        self._entered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._writable = asyncio.Event()
        self._writable.set()
        self._buffer = bytearray()
        self._upgraded = False
        self._leaving = False
        self._waiting: list[tuple[Match, asyncio.Future[Message]]] = []
        # What comes together with the handshake comes before anybody can wait for it.
        self._early: list[bytes] | None = []

    @classmethod
    async def open(
        cls,
        target: Target,
        path: str,
        *,
        port: int | None = None,
        address: str | None = None,
        headers: dict[str, str] | None = None,
        receive_buffer: int | None = None,
    ) -> Self:
        """Let in, or `Refused`."""
        connection = cls(target)
        wire = socket.socket()
        if receive_buffer is not None:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        wire.setblocking(False)
        loop = asyncio.get_running_loop()
        number = target.port if port is None else port
        try:
            async with asyncio.timeout(target.at_most(_SECONDS)):
                await loop.sock_connect(wire, ("127.0.0.1", number))
                await loop.create_connection(lambda: connection, sock=wire)
                connection.send(handshake(path, number, address, headers))
                await connection._entered
        except BaseException:
            connection.abort()
            wire.close()
            raise
        return connection

    # Saying

    def send(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def text(self, data: bytes) -> None:
        self.send(frames.text(data))

    def say(self, message: Message) -> None:
        self.text(msgspec.json.encode(message))

    async def flushed(self) -> None:
        """There is room for more. `Refused` if nobody is there any more."""
        await asyncio.sleep(0)
        if self.closed.is_set() or self._transport is None or self._transport.is_closing():
            raise Refused("hung up on")
        if not self._writable.is_set():
            gone = asyncio.ensure_future(self.closed.wait())
            room = asyncio.ensure_future(self._writable.wait())
            await asyncio.wait((gone, room), timeout=_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            gone.cancel()
            room.cancel()

    def stop_reading(self) -> None:
        assert self._transport is not None
        self._transport.pause_reading()

    def leave(self) -> None:
        self._leaving = True
        self.send(frames.frame(frames.CLOSE, (1000).to_bytes(2, "big")))

    def abort(self) -> None:
        """Hang up without a word. What was said and not sent yet is lost."""
        self._leaving = True
        if self._transport is not None:
            self._transport.abort()

    # Hearing

    async def hears(self, match: Match, seconds: float = _SECONDS) -> Message:
        """The next message of that kind. `Refused` if the connection ends before; `TimeoutError`."""
        return await self.next(match, seconds)

    def next(self, match: Match, seconds: float = _SECONDS) -> asyncio.Future[Message]:
        """The same, listening from now on: for an answer to what is said next."""
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        if self.closed.is_set():
            future.set_exception(Refused("hung up on"))
            return future
        self._waiting.append((match, future))
        future.add_done_callback(_looked_at)
        late = asyncio.get_running_loop().call_later(self.target.at_most(seconds), self._too_late, future)
        future.add_done_callback(lambda _: late.cancel())
        early, self._early = self._early, None
        for text in early or ():
            self._text(text)
        return future

    def _too_late(self, future: asyncio.Future[Message]) -> None:
        if not future.done():
            future.set_exception(TimeoutError())

    def heard(self, message: Message) -> None:
        """For those who want to know everything, beside what is waited for."""

    wants_all = False

    def _text(self, text: bytes) -> None:
        self.heard_bytes += len(text)
        if self._early is not None and len(self._early) < _MOST_EARLY:
            self._early.append(text)
            return
        trouble = text.startswith(_TROUBLE)
        if not (self._waiting or self.wants_all or trouble):
            return
        try:
            message = msgspec.json.decode(text)
        except msgspec.DecodeError:
            self.target.told["not JSON"] += 1
            return
        if trouble:
            self.target.told[f"error {_trouble(message)}"] += 1
        if self.wants_all:
            self.heard(message)
        still = []
        for match, future in self._waiting:
            if future.done():
                continue
            if match(message):
                future.set_result(message)
            else:
                still.append((match, future))
        self._waiting = still

    # Bytes

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are none of asyncio's classes, only like them.
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._upgraded and not self._upgrade():
            return
        while (whole := _first_frame(self._buffer)) is not None:
            opcode, payload = whole
            if opcode in (frames.TEXT, frames.CONTINUATION):
                self._text(payload)
            elif opcode == frames.BINARY:
                self.heard_bytes += len(payload)
            elif opcode == frames.PING:
                self.send(frames.frame(frames.PONG, payload))
            elif opcode == frames.CLOSE:
                self.code = int.from_bytes(payload[:_CODE_BYTES], "big") or None
                assert self._transport is not None
                self._transport.abort()
                return

    def _upgrade(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self._buffer[:end])
        del self._buffer[: end + 4]
        if not head.startswith(_UPGRADED):
            status = head.split(b" ", 2)[1:2]
            self.target.told[f"HTTP {status[0].decode(errors='replace') if status else '?'}"] += 1
            self._fail(Refused(f"not let in: {head[:60]!r}"))
            self.abort()
            return False
        self._upgraded = True
        self._entered.set_result(None)
        return True

    def _fail(self, why: Exception) -> None:
        if not self._entered.done():
            self._entered.set_exception(why)

    def connection_lost(self, error: Exception | None) -> None:
        if not self._leaving and self._upgraded:
            self.target.told[f"closed {self.code}" if self.code else "cut off"] += 1
        self.closed.set()
        self._fail(Refused("cut off in the handshake"))
        waiting, self._waiting = self._waiting, []
        for _, future in waiting:
            if not future.done():
                future.set_exception(Refused("hung up on"))

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()


def handshake(
    path: str, port: int, address: str | None = None, headers: dict[str, str] | None = None
) -> bytes:
    fields = {
        "Host": f"127.0.0.1:{port}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "Z2FtdXQgYmVuY2htYXJrcw==",
        "Sec-WebSocket-Version": "13",
        **({} if address is None else {"X-Forwarded-For": address}),
        **(headers or {}),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode()


def _looked_at(future: asyncio.Future[Message]) -> None:
    """Somebody who was hung up on may wait for several things, of which they need not look at all."""
    if not future.cancelled():
        future.exception()


def _first_frame(buffer: bytearray) -> tuple[int, bytes] | None:
    """Takes a frame off the buffer, if there is a whole one. Servers do not mask."""
    if len(buffer) < 2:
        return None
    length, at = buffer[1] & 0x7F, 2
    if (more := _LENGTH_BYTES.get(length)) is not None:
        if len(buffer) < 2 + more:
            return None
        length, at = int.from_bytes(buffer[2 : 2 + more], "big"), 2 + more
    if len(buffer) < at + length:
        return None
    whole = buffer[0] & 0x0F, bytes(buffer[at : at + length])
    del buffer[: at + length]
    return whole


def _trouble(message: Message) -> str:
    """Web, Topple and Tower each have their own place for it."""
    if "code" in message:
        return str(message["code"])
    inner = message.get("payload") or message.get("data") or {}
    return str(inner.get("code", inner.get("type", "?")))
