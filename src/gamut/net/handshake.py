"""How a client asks for a WebSocket (RFC 6455, section 4), and what it is told."""

import base64
import hashlib
import re
from collections.abc import Iterable
from http import HTTPStatus

import msgspec

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_KEY_BYTES = 16
_VERSION = "13"


class Upgrade(msgspec.Struct, frozen=True):
    """A request for a WebSocket."""

    path: str
    query: str
    """As it was sent, with its percent signs."""
    headers: dict[str, str]
    """By lower-case name; what came in several lines stands in one, with commas."""


class Turned(Exception):
    """The client is not let in."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


def upgrade(head: bytes) -> Upgrade | None:
    """The request with this head if it asks for a WebSocket; None for any other, also for what is no request."""
    first, *lines = head.split(b"\r\n")
    words = first.split(b" ")
    if len(words) != 3 or words[0] != b"GET" or words[2] != b"HTTP/1.1" or _CONTROL.search(b"".join(lines)):
        return None
    fields: list[tuple[str, str]] = []
    for line in lines:
        name, colon, value = line.partition(b":")
        if not colon or not _NAME.fullmatch(name):
            return None
        fields.append((name.decode(), value.strip(b" \t").decode("latin-1")))
    path, _, query = words[1].decode("latin-1").partition("?")
    return asked(path, query, fields)


def asked(path: str, query: str, fields: Iterable[tuple[str, str]]) -> Upgrade | None:
    """A request with these fields, if it asks for a WebSocket."""
    headers: dict[str, str] = {}
    for field, value in fields:
        name = field.lower()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return Upgrade(path, query, headers) if "websocket" in _tokens(headers.get("upgrade", "")) else None


def _tokens(value: str) -> list[str]:
    return [token.strip() for token in value.lower().split(",")]


def accepted(request: Upgrade) -> bytes:
    """The answer that makes the connection a WebSocket. Raises Turned if something is wrong with the request."""
    key = request.headers.get("sec-websocket-key", "").encode("latin-1")
    if "upgrade" not in _tokens(request.headers.get("connection", "")) or not _is_key(key):
        raise Turned(HTTPStatus.BAD_REQUEST, "This is no handshake of a WebSocket.")
    if "content-length" in request.headers or "transfer-encoding" in request.headers:
        raise Turned(HTTPStatus.BAD_REQUEST, "A handshake has no body.")
    if request.headers.get("sec-websocket-version") != _VERSION:
        raise Turned(HTTPStatus.UPGRADE_REQUIRED, f"This server speaks version {_VERSION} of WebSocket.")
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


def turned(turned: Turned) -> bytes:
    """The answer to a client that is not let in."""
    text = f"{turned.text}\n".encode()
    lines = [
        f"HTTP/1.1 {turned.status.value} {turned.status.phrase}",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(text)}",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
    ]
    if turned.status is HTTPStatus.UPGRADE_REQUIRED:
        lines += ["Upgrade: websocket", f"Sec-WebSocket-Version: {_VERSION}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + text
