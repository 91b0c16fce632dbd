"""WebSocket frames as bytes (RFC 6455, section 5.2), so that a broadcast is framed once for all its receivers."""


def text_frame(payload: bytes) -> bytes:
    """A whole text message from the server, which is never masked."""
    return _frame(b"\x81", payload)


def binary_frame(payload: bytes) -> bytes:
    """A whole binary message."""
    return _frame(b"\x82", payload)


def _frame(kind: bytes, payload: bytes) -> bytes:
    size = len(payload)
    if size < 126:
        return kind + size.to_bytes(1, "big") + payload
    if size < 65_536:
        return kind + b"\x7e" + size.to_bytes(2, "big") + payload
    return kind + b"\x7f" + size.to_bytes(8, "big") + payload
