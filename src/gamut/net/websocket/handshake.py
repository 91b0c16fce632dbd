"""How a client asks for a WebSocket (RFC 6455, section 4), and what it is told."""

import base64
import hashlib
import re
from collections.abc import Iterable
from http import HTTPStatus

import msgspec

from gamut.net.http.headers import SECURITY_HEADERS

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_LINE = re.compile(rb"GET (?P<path>/[!-\"$->@-~]*)(?:\?(?P<query>[!-\"$-~]*))? HTTP/1\.1")
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(rb"[\t\x20-\x7e\x80-\xff]*")
_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?", re.ASCII)
_MOST_FIELDS = 128
_KEY_BYTES = 16
_VERSION = "13"


class Upgrade(msgspec.Struct, frozen=True):
    """A request for a WebSocket."""

    path: str
    query: str
    """As it was sent, with its percent signs."""
    headers: dict[str, str]
    """By lower-case name; what came in several lines stands in one, with commas."""


class HandshakeRefused(Exception):
    """The client is not let in."""

    def __init__(self, status: HTTPStatus, text: str, *, wait: int | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.wait = wait
        """Seconds after which it may try again."""

    @property
    def headers(self) -> dict[str, str]:
        """What the answer says beside its text."""
        found: dict[str, str] = {}
        if self.status is HTTPStatus.UPGRADE_REQUIRED:
            found |= {"Upgrade": "websocket", "Sec-WebSocket-Version": _VERSION}
        if self.wait is not None:
            found["Retry-After"] = str(self.wait)
        return found


class NoWebSocket(HandshakeRefused):
    """Somebody comes to a door with another request."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.UPGRADE_REQUIRED, "This address speaks WebSocket.")


def upgrade(head: bytes) -> Upgrade | None:
    """The request with this head if it asks for a WebSocket; None for any other, also for what is no request."""
    first, *lines = head.split(b"\r\n")
    line = _LINE.fullmatch(first)
    if line is None or len(lines) > _MOST_FIELDS:
        return None
    fields: list[tuple[bytes, bytes]] = []
    for field in lines:
        name, colon, value = field.partition(b":")
        if not colon:
            return None
        fields.append((name, value.strip(b" \t")))
    return asked(line["path"].decode(), (line["query"] or b"").decode(), fields)


def asked(path: str, query: str, fields: Iterable[tuple[bytes, bytes]]) -> Upgrade | None:
    """A request of HTTP/1.1 with these fields, if it asks for a WebSocket and all of them are as they should be."""
    headers: dict[str, str] = {}
    for field, text in fields:
        if not _NAME.fullmatch(field) or not _VALUE.fullmatch(text):
            return None
        name, value = field.decode().lower(), text.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return Upgrade(path, query, headers) if "websocket" in _tokens(headers.get("upgrade", "")) else None


def _tokens(value: str) -> list[str]:
    return [token.strip() for token in value.lower().split(",")]


def accepted(request: Upgrade) -> bytes:
    """The answer that makes the connection a WebSocket. Raises HandshakeRefused if something is wrong with the request.

    A field that came twice has a comma in it, with which none of these is right.
    """
    headers = request.headers
    if not _HOST.fullmatch(headers.get("host", "")):
        raise HandshakeRefused(HTTPStatus.BAD_REQUEST, "A request names one host.")
    key = headers.get("sec-websocket-key", "").encode("latin-1")
    if "upgrade" not in _tokens(headers.get("connection", "")) or not _is_key(key):
        raise HandshakeRefused(HTTPStatus.BAD_REQUEST, "This is no handshake of a WebSocket.")
    if "content-length" in headers or "transfer-encoding" in headers:
        raise HandshakeRefused(HTTPStatus.BAD_REQUEST, "A handshake has no body.")
    if headers.get("sec-websocket-version") != _VERSION:
        raise HandshakeRefused(
            HTTPStatus.UPGRADE_REQUIRED, f"This server speaks version {_VERSION} of WebSocket."
        )
    proof = base64.b64encode(hashlib.sha1(key + _GUID, usedforsecurity=False).digest())
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        + proof
        + b"\r\n\r\n"
    )


def _is_key(key: bytes) -> bool:
    try:
        return len(base64.b64decode(key, validate=True)) == _KEY_BYTES
    except ValueError:
        return False


def refusal(refused: HandshakeRefused) -> bytes:
    """The answer to a client that is not let in."""
    text = f"{refused.text}\n".encode()
    lines = [
        f"HTTP/1.1 {refused.status.value} {refused.status.phrase}",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(text)}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in (SECURITY_HEADERS | refused.headers).items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + text
