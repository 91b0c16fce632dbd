"""WebSocket bytes made by hand: a load generator must be much cheaper than what it loads."""

import os
from collections.abc import Iterator

UPGRADED = b"HTTP/1.1 101"
HEAD_END = b"\r\n\r\n"
TEXT = 0x81
PING = b"\x89\x00"
PONG = b"\x8a\x80\x00\x00\x00\x00"
CLOSE = b"\x88\x82\x00\x00\x00\x00\x03\xe8"

_SHORT = 126


def upgrade(path: str, port: int) -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: Z2FtdXQgYmVuY2htYXJrcw==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def from_server(text: bytes) -> bytes:
    if len(text) < _SHORT:
        return bytes((TEXT, len(text))) + text
    return bytes((TEXT, _SHORT)) + len(text).to_bytes(2, "big") + text


def from_client(text: bytes) -> bytes:
    """A masked frame, as every client must send. The mask is random, or the receiver could skip the unmasking."""
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(text))
    if len(text) < _SHORT:
        return bytes((TEXT, 0x80 | len(text))) + mask + masked
    return bytes((TEXT, 0x80 | _SHORT)) + len(text).to_bytes(2, "big") + mask + masked


def said(data: bytes) -> bytes:
    """The text of what a client sent: a masked frame, or a line as it is."""
    if data[0] != TEXT:
        return data
    head = 4 if data[1] & 0x7F == _SHORT else 2
    mask, masked = data[head : head + 4], data[head + 4 :]
    return bytes(byte ^ mask[place % 4] for place, byte in enumerate(masked))


def frames(data: bytes) -> Iterator[tuple[int, bytes, int]]:
    """The whole frames of a server: what kind each is, what it says, and where it ends."""
    at, end = 0, len(data)
    while at + 2 <= end:
        head, size = 2, data[at + 1]
        if size == _SHORT:
            head, size = 4, int.from_bytes(data[at + 2 : at + 4], "big")
        elif size > _SHORT:
            head, size = 10, int.from_bytes(data[at + 2 : at + 10], "big")
        after = at + head + size
        if after > end:
            return
        yield data[at], data[at + head : after], after
        at = after
