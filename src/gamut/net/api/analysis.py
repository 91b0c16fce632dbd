"""Questions about options and positions over HTTP, alike for every game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import msgspec
from aiohttp import web
from msgspec import Meta

from gamut.games.game import AnyGame, Refused
from gamut.hall.bots.analysis import MOST_ACTIONS, BadOptions, Done, analysed, can_be_analysed, explained
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.slow_work import SlowWork, SlowWorkSettings
from gamut.hall.people.people import People
from gamut.net.api.accounts import logged_in
from gamut.net.http.answers import answering, json_answer
from gamut.net.http.body import body, check_type
from gamut.net.http.guard import AddressOf

MOST_BYTES = 1 << 18
LIMITS = SlowWorkSettings(per_person=Limit(240, Millis(60_000)), per_address=Limit(960, Millis(60_000)))
"""Whoever writes rules has them checked while writing, and whoever tries moves asks after each of them."""
_BODY_SECONDS = 10.0
_STATUS = {
    "not_logged_in": 401,
    "slow_request": 408,
    "too_large": 413,
    "not_json": 415,
    "bad_options": 422,
    "too_many_tries": 429,
}

Question = TypeVar("Question")


class OptionsQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    options: dict[str, Any] = {}


class PositionQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    options: dict[str, Any] = {}
    actions: Annotated[list[Done], Meta(max_length=MOST_ACTIONS)] = []
    """Who did what, from the start."""


@dataclass(frozen=True, eq=False, repr=False)
class _Desk:
    """Answers what is asked about one game."""

    game: AnyGame
    people: People
    work: SlowWork
    address_of: AddressOf

    async def options(self, request: web.Request) -> web.Response:
        return await self._answered(request, OptionsQuestion, self._explained)

    async def position(self, request: web.Request) -> web.Response:
        return await self._answered(request, PositionQuestion, self._analysed)

    def _explained(self, question: OptionsQuestion) -> Any:
        return explained(self.game, question.options)._asdict()

    def _analysed(self, question: PositionQuestion) -> Any:
        return analysed(self.game, question.options, question.actions)._asdict()

    async def _answered(
        self, request: web.Request, kind: type[Question], answer: Callable[[Question], Any]
    ) -> web.Response:
        try:
            person = logged_in(request, self.people)
            question = await _question(request, kind)
            # A whole game may be played through.
            found = await self.work.run(person.id, self.address_of(request), answer, question)
        except BadOptions as bad:
            place = {"line": bad.line, "column": bad.column} if bad.line is not None else {}
            return json_answer({"error": {"code": bad.code, "message": bad.reason, **place}}, 422)
        return json_answer(found)


async def _question(request: web.Request, kind: type[Question]) -> Question:
    check_type(request, "application/json", "not_json")
    too_large = f"A question has at most {MOST_BYTES} bytes."
    content = await body(request, MOST_BYTES, _BODY_SECONDS, too_large=too_large)
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("bad_request", f"The request is not as it should be: {error}.") from None


def routes(hall: Hall, people: People, address_of: AddressOf) -> list[web.RouteDef]:
    work = SlowWork(hall.run_blocking, hall.time.now, LIMITS)
    found: list[web.RouteDef] = []
    for name, game in hall.games.items():
        desk = _Desk(game, people, work, address_of)
        found.append(web.post(f"/api/{name}/options", answering(desk.options, _STATUS)))
        if can_be_analysed(game):
            found.append(web.post(f"/api/{name}/position", answering(desk.position, _STATUS)))
    return found
