"""WebSocket bytes made by hand: a load generator must be much cheaper than what it loads."""

import os

UPGRADED = b"HTTP/1.1 101"
HEAD_END = b"\r\n\r\n"
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
        return bytes((0x81, len(text))) + text
    return bytes((0x81, _SHORT)) + len(text).to_bytes(2, "big") + text


def from_client(text: bytes) -> bytes:
    """A masked frame, as every client must send. The mask is random, or the receiver could skip the unmasking."""
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(text))
    if len(text) < _SHORT:
        return bytes((0x81, 0x80 | len(text))) + mask + masked
    return bytes((0x81, 0x80 | _SHORT)) + len(text).to_bytes(2, "big") + mask + masked


def message_at(frames: bytes, at: int) -> tuple[int, bytes]:
    """Where the message ends that a server's frame at this place is, and what it says."""
    head, size = 2, frames[at + 1]
    if size == _SHORT:
        head, size = 4, int.from_bytes(frames[at + 2 : at + 4], "big")
    elif size > _SHORT:
        head, size = 10, int.from_bytes(frames[at + 2 : at + 10], "big")
    end = at + head + size
    return end, frames[at + head : end]
