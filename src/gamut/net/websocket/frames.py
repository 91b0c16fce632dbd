"""WebSocket frames as they come from clients (RFC 6455, section 5): bytes in, whole messages out, no sockets."""

import codecs
from collections.abc import Iterable, Iterator
from struct import Struct

from gamut.doors.close_codes import NOT_UTF8, PROTOCOL_ERROR, TOO_BIG

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
PART = 0
"""A frame that completes no message: one of several, or of a message that is skipped."""
_CONTINUED = 0

_FIN, _RESERVED, _KIND, _CONTROL = 0x80, 0x70, 0x0F, 0x08
_MASKED, _SIZE = 0x80, 0x7F
_SHORT = 125
"""The largest payload whose size fits into the first two bytes."""

_utf8 = codecs.getincrementaldecoder("utf-8")

Message = tuple[int, bytes]


class Violation(Exception):
    """The client breaks the protocol; the connection ends with this code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class NotText(Violation):
    """A text message is not UTF-8."""

    def __init__(self) -> None:
        super().__init__(NOT_UTF8, "text is UTF-8")


class TooBig(Violation):
    """A message is larger than is read at all. Data is skipped from now on; control frames are still heard."""

    def __init__(self) -> None:
        super().__init__(TOO_BIG, "message too big")


_head_and_key = Struct("<HI").unpack_from
_HEAD = int.from_bytes((_FIN | TEXT, _MASKED), "little")
_from_bytes = int.from_bytes
_WORDS = tuple(-(-size // 4) for size in range(_SHORT + 1))
_EACH_WORD = tuple(int.from_bytes(b"\0\0" + b"\1\0\0\0" * (1 + words), "little") for words in _WORDS)
"""By the size of a payload: a number that, times the key, has the key over the frame's own key and over each word."""


def lone_text(data: bytes) -> bytes | None:
    """The text if these bytes are one short frame of it and nothing else, as is nearly always so; else None."""
    size = len(data) - 6
    if not 0 <= size <= _SHORT:
        return None
    head, key = _head_and_key(data)
    if head != _HEAD + (size << 8):
        return None
    frame = _from_bytes(data, "little") ^ key * _EACH_WORD[size]
    text = frame.to_bytes(6 + 4 * _WORDS[size], "little")[6 : 6 + size]
    # Text that is none is for the reader to refuse.
    return text if is_text(text) else None


def is_text(payload: bytes) -> bool:
    """Whether it is UTF-8. Nearly all text is ASCII, which is quick to see."""
    if payload.isascii():
        return True
    try:
        payload.decode()
    except UnicodeDecodeError:
        return False
    return True


class FrameReader:
    __slots__ = ("_begun", "_buffer", "_dropped", "_kind", "_largest", "_left", "_skipping", "_spelling")

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._buffer = bytearray()
        self._begun = bytearray()
        """What has come of a message in several frames."""
        self._kind = _CONTINUED
        """What that message is; none is under way while this is 0."""
        self._spelling: codecs.IncrementalDecoder | None = None
        """Checks a text in several frames as they come."""
        self._dropped = False
        self._skipping = False
        self._left = 0
        """How much of the frame that is being skipped has yet to come."""

    def feed(self, data: bytes) -> Iterable[Message]:
        """One message for each frame that these bytes complete; PART if it completes none.

        Raises Violation after what came before it. Whoever stops early goes on later with `feed(b"")`.
        """
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
                yield PART, b""
            elif final and kind:
                if kind == TEXT and not is_text(payload):
                    raise NotText
                yield kind, payload
            else:
                yield self._joined(kind, payload, final=bool(final))

    def _joined(self, kind: int, payload: bytes, *, final: bool) -> Message:
        """The message of several frames if this is its last one."""
        if kind:
            self._kind = kind
            self._spelling = _utf8() if kind == TEXT else None
        if self._spelling is not None:
            try:
                self._spelling.decode(payload, final)
            except UnicodeDecodeError:
                raise NotText from None
        if not self._dropped:
            self._begun += payload
        if not final:
            return PART, b""
        whole = (PART, b"") if self._dropped else (self._kind, bytes(self._begun))
        self._kind, self._begun, self._spelling, self._dropped = _CONTINUED, bytearray(), None, False
        return whole

    def drop(self) -> None:
        """The message that is under way, if there is one, will not be told."""
        self._dropped = bool(self._kind)
        self._begun.clear()

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
            if size <= _SHORT or (at == 10 and not 65_536 <= size < 2**63):
                raise Violation(PROTOCOL_ERROR, "a size is written in as few bytes as it needs")
        if not first & _CONTROL and (self._skipping or len(self._begun) + size > self._largest):
            del buffer[: at + 4]
            self._left = size
            if not self._skipping:
                self._skipping = True
                self._kind, self._begun, self._spelling = _CONTINUED, bytearray(), None
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
            raise Violation(PROTOCOL_ERROR, "reserved bits are set")
        if not second & _MASKED:
            raise Violation(PROTOCOL_ERROR, "frames of clients are masked")
        if kind & _CONTROL:
            if kind not in (CLOSE, PING, PONG):
                raise Violation(PROTOCOL_ERROR, "there is no such kind of frame")
            if not first & _FIN or second & _SIZE > _SHORT:
                raise Violation(PROTOCOL_ERROR, "a control frame is short and whole")
        elif kind not in (_CONTINUED, TEXT, BINARY):
            raise Violation(PROTOCOL_ERROR, "there is no such kind of frame")
        elif not self._skipping and (kind == _CONTINUED) != bool(self._kind):
            raise Violation(PROTOCOL_ERROR, "frames of a message do not follow each other")


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
        raise Violation(PROTOCOL_ERROR, "no code to close with")
    try:
        payload[2:].decode()
    except UnicodeDecodeError:
        raise Violation(NOT_UTF8, "the reason is no text") from None
    return code


def control_frame(kind: int, payload: bytes = b"") -> bytes:
    """A control frame from the server."""
    return bytes((_FIN | kind, len(payload))) + payload


def closing_frame(code: int | None, reason: str = "") -> bytes:
    if code is None:
        return control_frame(CLOSE)
    text = reason.encode()[: _SHORT - 2].decode(errors="ignore").encode()
    return control_frame(CLOSE, code.to_bytes(2, "big") + text)
