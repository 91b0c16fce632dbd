"""Answers over HTTP as the HTTP library wants them. What they say is `gamut.doors.http`."""

from collections.abc import Mapping
from typing import Any, TypeVar

from aiohttp import web

from gamut.doors import http
from gamut.doors.http import Answer
from gamut.games.game import Refused
from gamut.hall.limits.attempts import TooManyTries

Kind = TypeVar("Kind", bound=web.Response)


def response(answer: Answer, kind: type[Kind] = web.Response) -> Kind:  # type: ignore[assignment]
    headers = {"Content-Type": answer.content_type, **answer.headers}
    return kind(status=answer.status, body=answer.body, headers=headers)


def json_answer(content: Any, status: int = 200) -> web.Response:
    return response(http.json_answer(content, status))


def error_answer(status: int, code: str, message: str) -> web.Response:
    return response(http.error_answer(code, message, status))


def refusal(refused: Refused, statuses: Mapping[str, int]) -> web.Response:
    """The answer to a request that is refused; `statuses` has HTTP's word for each code."""
    answer = error_answer(statuses.get(refused.code, 400), refused.code, refused.reason)
    if isinstance(refused, TooManyTries):
        answer.headers.update(http.retry_after(refused))
    elif answer.status == 503:
        answer.headers["Retry-After"] = "5"
    return answer
