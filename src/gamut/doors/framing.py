"""WebSocket frames as bytes (RFC 6455, section 5.2), so that a broadcast is framed once for all its receivers."""


def text_frame(payload: bytes) -> bytes:
    """A whole text message from the server, which is never masked."""
    size = len(payload)
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big") + payload
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + payload
    return b"\x81\x7f" + size.to_bytes(8, "big") + payload
