"""One WebSocket connection of an attacker or of a quiet player, with a hand on every byte."""

import asyncio
from collections.abc import Callable
from typing import Any, Self

import msgspec

from bench.attacks import frames
from bench.attacks.stream import SECONDS, Refused, Stream, dial
from bench.attacks.target import Target

__all__ = ["Message", "Refused", "Socket", "handshake"]

_UPGRADED = b"HTTP/1.1 101"
_LENGTH_BYTES = {126: 2, 127: 8}
_TROUBLE = b'{"type":"error"'
_CODE_BYTES = 2
_MOST_EARLY = 20

Message = dict[str, Any]


class Socket(Stream[Message]):
    """Answers pings, counts what it is told, and waits for what it is asked to wait for."""

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self.code: int | None = None
        """With which the server closed; None if it just hung up."""
        self._entered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._upgraded = False
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
        number = target.port if port is None else port
        hello = handshake(path, number, address, headers)
        try:
            async with asyncio.timeout(target.at_most(SECONDS)):
                await dial(connection, number, receive_buffer, lambda: connection.send(hello))
                await connection._entered
        except BaseException:
            connection.abort()
            raise
        return connection

    # Saying

    def text(self, data: bytes) -> None:
        self.send(frames.text(data))

    def say(self, message: Message) -> None:
        self.text(msgspec.json.encode(message))

    def leave(self) -> None:
        self._leaving = True
        self.send(frames.frame(frames.CLOSE, (1000).to_bytes(2, "big")))

    # Hearing

    def next(self, match: Callable[[Message], bool], seconds: float = SECONDS) -> asyncio.Future[Message]:
        future = super().next(match, seconds)
        early, self._early = self._early, None
        for text in early or ():
            self._text(text)
        return future

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
        self.hand_over(message)

    def _binary(self, payload: bytes) -> None:
        self.heard_bytes += len(payload)

    # Bytes

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._upgraded and not self._upgrade():
            return
        while (whole := _first_frame(self._buffer)) is not None:
            opcode, payload = whole
            if opcode in (frames.TEXT, frames.CONTINUATION):
                self._text(payload)
            elif opcode == frames.BINARY:
                self._binary(payload)
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
        self._fail(Refused("cut off in the handshake"))
        super().connection_lost(error)


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
