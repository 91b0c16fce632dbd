"""Answers of the HTTP API: JSON that is kept nowhere, and refusals with a code and a sentence."""

from collections.abc import Mapping
from typing import Any

import msgspec
from aiohttp import web

from gamut.games.game import Refused
from gamut.hall.attempts import TooManyTries


def json_answer(content: Any, status: int = 200) -> web.Response:
    return web.Response(
        status=status,
        body=msgspec.json.encode(content),
        content_type="application/json",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
    )


def refusal(refused: Refused, statuses: Mapping[str, int]) -> web.Response:
    """The answer to a request that is refused; `statuses` has HTTP's word for each code."""
    error = {"code": refused.code, "message": refused.reason}
    response = json_answer({"error": error}, statuses.get(refused.code, 400))
    if isinstance(refused, TooManyTries):
        response.headers["Retry-After"] = str(-(-refused.wait // 1000))
    elif response.status == 503:
        response.headers["Retry-After"] = "5"
    return response
