"""WebSocket frames as they come from clients (RFC 6455, section 5): bytes in, whole messages out, no sockets."""

from collections.abc import Iterable, Iterator

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
_CONTINUED = 0

_PROTOCOL_ERROR, _NO_UTF8, _TOO_BIG = 1002, 1007, 1009
_FIN, _RESERVED, _KIND, _CONTROL = 0x80, 0x70, 0x0F, 0x08
_MASKED, _SIZE = 0x80, 0x7F
_SHORT = 125
"""The largest payload whose size fits into the first two bytes."""

_WHOLE = {_FIN | kind: kind for kind in (TEXT, BINARY, CLOSE, PING, PONG)}

Message = tuple[int, bytes]


class Violation(Exception):
    """The client breaks the protocol; the connection ends with this code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class TooBig(Violation):
    """A message is larger than is read at all. Data is skipped from now on; control frames are still heard."""

    def __init__(self) -> None:
        super().__init__(_TOO_BIG, "message too big")


def lone_message(data: bytes) -> Message | None:
    """The message if these bytes are one short frame and nothing else, which is nearly always what comes; else None."""
    size = len(data) - 6
    if 0 <= size <= _SHORT and data[1] == _MASKED | size and (kind := _WHOLE.get(data[0])) is not None:
        return kind, unmasked(data[6:], data[2:6])
    return None


class FrameReader:
    __slots__ = ("_begun", "_buffer", "_kind", "_largest", "_left", "_skipping")

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._buffer = bytearray()
        self._begun = bytearray()
        """What has come of a message in several frames."""
        self._kind = _CONTINUED
        """What that message is; none is under way while this is 0."""
        self._skipping = False
        self._left = 0
        """How much of the frame that is being skipped has yet to come."""

    def feed(self, data: bytes) -> Iterable[Message]:
        """The messages that these bytes complete. Raises Violation after those that came before it."""
        self._buffer += data
        return self._messages()

    @property
    def between(self) -> bool:
        """Nothing of what has come is left over: the next byte begins a message."""
        return not (self._buffer or self._kind or self._skipping)

    def _messages(self) -> Iterator[Message]:
        while (frame := self._frame()) is not None:
            first, payload = frame
            kind, final = first & _KIND, first & _FIN
            if kind & _CONTROL:
                yield kind, payload
            elif self._skipping:
                continue
            elif final and kind:
                yield kind, payload
            else:
                self._kind = kind or self._kind
                self._begun += payload
                if final:
                    whole = self._kind, bytes(self._begun)
                    self._kind, self._begun = _CONTINUED, bytearray()
                    yield whole

    def _frame(self) -> tuple[int, bytes] | None:
        """The first byte and the payload of the next frame, if all of it is here."""
        buffer = self._buffer
        if self._left:
            skipped = min(self._left, len(buffer))
            del buffer[:skipped]
            self._left -= skipped
        if self._left or len(buffer) < 2:
            return None
        first, size, at = buffer[0], buffer[1] & _SIZE, 2
        self._check(first, buffer[1])
        if size > _SHORT:
            at += 2 if size == _SHORT + 1 else 8
            if len(buffer) < at:
                return None
            size = int.from_bytes(buffer[2:at], "big")
        if not first & _CONTROL and (self._skipping or len(self._begun) + size > self._largest):
            del buffer[: at + 4]
            self._left = size
            if not self._skipping:
                self._skipping = True
                self._kind, self._begun = _CONTINUED, bytearray()
                raise TooBig
            return first, b""
        end = at + 4 + size
        if len(buffer) < end:
            return None
        payload = unmasked(bytes(buffer[at + 4 : end]), bytes(buffer[at : at + 4]))
        del buffer[:end]
        return first, payload

    def _check(self, first: int, second: int) -> None:
        kind = first & _KIND
        if first & _RESERVED:
            raise Violation(_PROTOCOL_ERROR, "reserved bits are set")
        if not second & _MASKED:
            raise Violation(_PROTOCOL_ERROR, "frames of clients are masked")
        if kind & _CONTROL:
            if kind not in (CLOSE, PING, PONG):
                raise Violation(_PROTOCOL_ERROR, "there is no such kind of frame")
            if not first & _FIN or second & _SIZE > _SHORT:
                raise Violation(_PROTOCOL_ERROR, "a control frame is short and whole")
        elif kind not in (_CONTINUED, TEXT, BINARY):
            raise Violation(_PROTOCOL_ERROR, "there is no such kind of frame")
        elif not self._skipping and (kind == _CONTINUED) != bool(self._kind):
            raise Violation(_PROTOCOL_ERROR, "frames of a message do not follow each other")


def unmasked(payload: bytes, key: bytes) -> bytes:
    size = len(payload)
    # As one large number: the interpreter takes one step for the whole payload, not one for each byte.
    mask = (key * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "little") ^ int.from_bytes(mask, "little")).to_bytes(size, "little")


def close_code(payload: bytes) -> int | None:
    """The code with which a client closes, None without one. Raises Violation if it is none that may be sent."""
    if not payload:
        return None
    code = int.from_bytes(payload[:2], "big")
    if len(payload) == 1 or not (1000 <= code <= 1014 or 3000 <= code <= 4999) or code in (1004, 1005, 1006):
        raise Violation(_PROTOCOL_ERROR, "no code to close with")
    try:
        payload[2:].decode()
    except UnicodeDecodeError:
        raise Violation(_NO_UTF8, "the reason is no text") from None
    return code


def control_frame(kind: int, payload: bytes = b"") -> bytes:
    """A control frame from the server."""
    return bytes((_FIN | kind, len(payload))) + payload


def closing_frame(code: int | None, reason: str = "") -> bytes:
    if code is None:
        return control_frame(CLOSE)
    text = reason.encode()[: _SHORT - 2].decode(errors="ignore").encode()
    return control_frame(CLOSE, code.to_bytes(2, "big") + text)
