"""Reading what a request brings along, never holding more of it than is allowed."""

import asyncio

from aiohttp import web

from gamut.games.game import Refused
from gamut.net.http.speaking_http import HttpConnection


def check_type(request: web.Request, content_type: str, code: str) -> None:
    """A form on a foreign page can send anything but this type without asking us first. Raises Refused."""
    if request.content_type != content_type:
        raise Refused(code, f"The content type of the request must be {content_type}.")


async def body(
    request: web.Request, most: int, seconds: float, *, what: str = "request", too_large: str | None = None
) -> bytes:
    """All of it. Raises Refused, calling it `what`, if it is more than that or takes longer."""
    content = bytearray()
    try:
        async with asyncio.timeout(seconds):
            while chunk := await request.content.read(most + 1):
                content += chunk
                if len(content) > most:
                    raise Refused("too_large", too_large or f"A {what} has at most {most} bytes.")
    except TimeoutError:
        raise Refused("slow_request", f"The {what} did not arrive in time.") from None
    except (web.RequestPayloadError, ConnectionError):
        raise Refused("bad_request", f"The {what} could not be read.") from None
    connection = request.protocol
    if isinstance(connection, HttpConnection):
        connection.answering()
    return bytes(content)
