"""WebSocket frames as a client sends them, right or wrong."""

import os

TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
_SHORT, _MIDDLE = 126, 1 << 16


def frame(opcode: int, payload: bytes = b"", *, final: bool = True) -> bytes:
    """Masked as it must be, with a random mask: with zeros the receiver could skip the work."""
    first = opcode | (0x80 if final else 0)
    size = len(payload)
    if size < _SHORT:
        head = bytes((first, 0x80 | size))
    elif size < _MIDDLE:
        head = bytes((first, 0x80 | _SHORT)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, 0x80 | _SHORT + 1)) + size.to_bytes(8, "big")
    mask = os.urandom(4)
    return head + mask + _masked(payload, mask)


def _masked(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    stream = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(stream, "big")).to_bytes(size, "big")


def text(payload: bytes) -> bytes:
    return frame(TEXT, payload)
