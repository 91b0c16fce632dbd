"""HTTP as a door sees it: a request in, an answer out. Which server speaks HTTP is not a door's business."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from gamut.hall.limits.attempts import TooManyTries
from gamut.hall.people.person import Person

_FRESH = {"Cache-Control": "no-store"}
_TEXT = "text/plain; charset=utf-8"
JSON = "application/json"


class Request(msgspec.Struct, frozen=True):
    address: str
    """Where it comes from."""
    names: Mapping[str, str]
    """What stands in the place of the names in a route's path."""
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """Found by their names in whatever case."""
    body: bytes = b""
    person: Person | None = None
    """Who sent it, by the session cookie of the page."""


class Answer(msgspec.Struct, frozen=True):
    body: bytes
    content_type: str
    status: int = 200
    headers: Mapping[str, str] = {}


Handler = Callable[[Request], Awaitable[Answer]]


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """An address that a door answers. Refused, raised by the handler, becomes a JSON error."""

    method: str = "GET"
    path: str
    """Names in braces stand for one part each (`/replays/{room}.topl`), with `:.*` for all that follows."""
    handler: Handler
    largest_body: int = 0
    """Bytes that are read of what comes with it; the handler gets all of it or is not asked."""
    body_seconds: float = 10.0
    statuses: Mapping[str, int] = {}
    """HTTP's word for the code of a refusal, if it is not 400."""


def json_answer(content: Any, status: int = 200) -> Answer:
    """JSON that is kept nowhere. The one way in which it leaves, for doors and for the API of the server."""
    return encoded_answer(msgspec.json.encode(content), status)


def encoded_answer(json: bytes, status: int = 200) -> Answer:
    return Answer(json, JSON, status, _FRESH)


def error_answer(code: str, message: str, status: int) -> Answer:
    """A refusal: a code for programs and a sentence for people."""
    return json_answer({"error": {"code": code, "message": message}}, status)


def text_answer(text: str, status: int = 200, headers: Mapping[str, str] = _FRESH) -> Answer:
    return Answer(text.encode(), _TEXT, status, headers)


def bytes_answer(content: bytes) -> Answer:
    return Answer(content, "application/octet-stream", 200, _FRESH)


def too_many_tries(refused: TooManyTries) -> Answer:
    """In plain text, for clients that read no JSON."""
    return text_answer(f"{refused.reason}\n", HTTPStatus.TOO_MANY_REQUESTS, retry_after(refused))


def retry_after(refused: TooManyTries) -> Mapping[str, str]:
    return {"Retry-After": str(-(-refused.wait // 1000))}
