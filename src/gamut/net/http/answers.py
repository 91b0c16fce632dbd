"""Answers over HTTP as the HTTP library wants them. What they say is `gamut.doors.http`."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from aiohttp import web

from gamut.doors import http
from gamut.doors.http import Answer
from gamut.games.game import Refused
from gamut.hall.limits.attempts import TooManyTries

Kind = TypeVar("Kind", bound=web.Response)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class NotVisible(Refused):
    """There is nothing to be seen by whoever asks; `status` is HTTP's word for it."""

    def __init__(self, status: int, code: str, reason: str) -> None:
        super().__init__(code, reason)
        self.status = status


def response(answer: Answer, kind: type[Kind] = web.Response) -> Kind:  # type: ignore[assignment]
    headers = {"Content-Type": answer.content_type, **answer.headers}
    return kind(status=answer.status, body=answer.body, headers=headers)


def json_answer(content: Any, status: int = 200) -> web.Response:
    return response(http.json_answer(content, status))


def error_answer(status: int, code: str, message: str) -> web.Response:
    return response(http.error_answer(code, message, status))


def refusal(refused: Refused, statuses: Mapping[str, int]) -> web.Response:
    """The answer to a request that is refused; `statuses` has HTTP's word for each code."""
    status = refused.status if isinstance(refused, NotVisible) else statuses.get(refused.code, 400)
    answer = error_answer(status, refused.code, refused.reason)
    if isinstance(refused, TooManyTries):
        answer.headers.update(http.retry_after(refused))
    elif answer.status == 503:
        answer.headers["Retry-After"] = "5"
    return answer


def answering(handler: Handler, statuses: Mapping[str, int]) -> Handler:
    """Refusals become answers."""

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except Refused as refused:
            return refusal(refused, statuses)

    return handle
