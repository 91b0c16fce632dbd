"""One connection of lines over TCP, at the door of Tafl clients, with a hand on every byte."""

import asyncio
from typing import Self

from bench.attacks.stream import SECONDS, Refused, Stream, dial
from bench.attacks.target import Target


class Lines(Stream[str]):
    """Counts the errors that it is told."""

    @classmethod
    async def open(
        cls, target: Target, *, address: str | None = None, receive_buffer: int | None = None
    ) -> Self:
        """Connected; whether there is a place for it is only known by what it hears."""
        connection = cls(target)
        async with asyncio.timeout(target.at_most(SECONDS)):
            await dial(
                connection, target.tafl_port, receive_buffer, lambda: connection.send(proxied(address))
            )
        return connection

    def say(self, line: str) -> None:
        self.send(line.encode() + b"\n")

    async def must(self, line: str) -> None:
        """Say what is answered with `success`; otherwise `Refused`."""
        answer = self.next(lambda heard: heard.partition(" ")[0] in ("success", "error"))
        self.say(line)
        if (told := await answer).startswith("error"):
            raise Refused(f"{line.partition(' ')[0]}: {told}")

    def data_received(self, data: bytes) -> None:
        self.heard_bytes += len(data)
        self._buffer += data
        *lines, self._buffer = self._buffer.split(b"\n")
        for line in lines:
            self.heard(bytes(line))

    def heard(self, line: bytes) -> None:
        text = line.decode(errors="replace")
        if text.startswith("error "):
            self.target.told[text] += 1
        self.hand_over(text)

    def connection_lost(self, error: Exception | None) -> None:
        if not self._leaving:
            self.target.told["cut off"] += 1
        super().connection_lost(error)


def proxied(address: str | None) -> bytes:
    """What a proxy says first: for whom it speaks (the PROXY protocol, version 1)."""
    if address is None:
        return b"PROXY UNKNOWN\r\n"
    return f"PROXY TCP4 {address} 127.0.0.1 40000 11541\r\n".encode()
