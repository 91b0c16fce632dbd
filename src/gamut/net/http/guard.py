"""What is asked of every request over HTTP, whatever it wants and whether or not there is anything at its address."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Collection

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from gamut.doors.http import error_answer
from gamut.games.game import Refused
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Attempts, TooManyTries
from gamut.hall.people.person import NotStored
from gamut.hall.store.storage import LedgerError
from gamut.net.http.answers import refusal, response
from gamut.net.http.durable import OwnState
from gamut.net.http.origin import origin_allowed
from gamut.net.http.speaking_http import HttpConnection
from gamut.net.port.address import Network, client_address, counted_as, is_loopback

LARGEST_BODY = 1 << 19
"""More than anybody here reads."""
_SWALLOWED = 1 << 17
_SWALLOW_SECONDS = 2.0
"""Of what nobody read so much is swallowed, so that the answer is not lost; then the connection is closed."""

_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_CONTENT_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+(?:\s*;.*)?", re.ASCII)
_STATUS = {
    "foreign_origin": 403,
    "too_large": 413,
    "encoded": 415,
    "no_content_type": 415,
    "too_many_tries": 429,
    "too_many_requests": 429,
}


AddressOf = Callable[[web.Request], str]
"""Where a request comes from."""


def request_address(request: web.Request, trusted_proxies: Collection[Network]) -> str:
    """Where the request comes from."""
    forwarded = request.headers.getall("X-Forwarded-For", [])
    return client_address(request.remote, ",".join(forwarded) or None, trusted_proxies)


def storing(holding: Callable[[], bool], hits: Counter[str]) -> Middleware:
    """While nothing can be stored, requests that change something get 503; others are answered, as far as what they
    ask for can be read."""

    @web.middleware
    async def store(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method in _CHANGING and holding():
            hits["congested"] += 1
            return _unavailable(NotStored())
        try:
            return await handler(request)
        except LedgerError:
            # Where an answer has begun there is none but its end.
            if not holding() or request.writer.output_size:
                raise
            hits["congested"] += 1
            return _unavailable(_NotRead())

    return store


class _NotRead(Refused):
    def __init__(self) -> None:
        super().__init__("unreadable", "The server cannot read that right now. Please try again in a moment.")


def _unavailable(refused: Refused) -> web.Response:
    # Unlike other answers it does not wait for the disk.
    answer = response(error_answer(refused.code, refused.reason, 503), OwnState)
    answer.headers["Retry-After"] = "5"
    return answer


def rating(attempts: Attempts | None, trusted_proxies: Collection[Network], hits: Counter[str]) -> Middleware:
    """Limit the connections of one address, and its requests in a second."""

    @web.middleware
    async def rate(request: web.Request, handler: Handler) -> web.StreamResponse:
        address = request_address(request, trusted_proxies)
        if attempts is not None and not is_loopback(address):
            try:
                attempts.take(counted_as(address))
            except TooManyTries as refused:
                hits["http_rate"] += 1
                return refusal(refused, _STATUS)
        connection = request.protocol
        if isinstance(connection, HttpConnection):
            if not connection.asked_by(address):
                return refusal(TooManyTries(Millis(1000)), _STATUS)
            if not request.can_read_body:
                connection.answering()
        return await handler(request)

    return rate


def guarding(allowed_origins: Collection[str], hits: Counter[str]) -> Middleware:
    """What is sent is as it should be, and what changes something does not come from a foreign page."""

    def fault(request: web.Request) -> Refused | None:
        headers = request.headers
        codings = ",".join(headers.getall("Content-Encoding", []))
        if any(coding.strip().lower() not in ("", "identity") for coding in codings.split(",")):
            return Refused("encoded", "What is sent here is not compressed.")
        if (request.content_length or 0) > LARGEST_BODY:
            return Refused("too_large", f"A request has at most {LARGEST_BODY} bytes.")
        if request.method not in _CHANGING:
            return None
        origins = headers.getall("Origin", [])
        origin = ", ".join(origins) if origins else None
        if not origin_allowed(origin, headers.get("Host", ""), allowed_origins):
            return Refused("foreign_origin", "This page may not do that here.")
        # A form on a foreign page can send only a few content types, or none, without a preflight request.
        # Each of our addresses wants a type that is not among them.
        if not _CONTENT_TYPE.fullmatch(headers.get("Content-Type", "")):
            return Refused("no_content_type", "The request does not say what its content type is.")
        return None

    async def swallow(request: web.Request, answer: web.StreamResponse) -> None:
        if not await _swallowed(request):
            hits["unread_body"] += 1
            answer.force_close()

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        refused = fault(request)
        try:
            if refused is None:
                response = await handler(request)
            else:
                hits[refused.code] += 1
                response = refusal(refused, _STATUS)
        except web.HTTPException as answer:
            await swallow(request, answer)
            raise
        await swallow(request, response)
        return response

    return guard


async def _swallowed(request: web.Request) -> bool:
    """Whether nothing of the body is left."""
    content, size = request.content, 0
    if content.is_eof() or (request.content_length or 0) > _SWALLOWED:
        return content.is_eof()
    try:
        async with asyncio.timeout(_SWALLOW_SECONDS):
            while size <= _SWALLOWED and (piece := await content.readany()):
                size += len(piece)
    except (TimeoutError, web.RequestPayloadError, ConnectionError):
        return False
    return content.is_eof()
