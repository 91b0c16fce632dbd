"""The HTTP API for what the hall holds: games, open tables, finished games and their logs."""

from collections.abc import Awaitable, Callable
from heapq import nlargest
from operator import attrgetter
from typing import Any

import msgspec
from aiohttp import web

from gamut.games.game import AnyGame, Refused
from gamut.hall.hall import Hall
from gamut.hall.ids import TableId
from gamut.hall.lobby.summary import Summary, summaries_from, summary_of
from gamut.hall.people.people import People
from gamut.hall.store.storage import Entry, LedgerError
from gamut.hall.table.eyes import may_be_looked_through
from gamut.net.api.accounts import logged_in, visitor
from gamut.net.api.visible import visible_table
from gamut.net.http.answers import answering, error_answer, json_answer
from gamut.net.http.durable import log_of, streamed
from gamut.net.http.prepared import prepared_json

_MOST = 100
_STATUS = {"not_logged_in": 401}


def described(game: AnyGame) -> dict[str, Any]:
    """A game's traits, and its options as a JSON schema from which a form can be made."""
    return {
        **msgspec.to_builtins(game.traits),
        "options": msgspec.json.schema(game.options_type),
        "defaults": msgspec.to_builtins(game.options_type()),
        "default_seats": game.seats_for(game.options_type()),
        "action": msgspec.json.schema(game.action_type),
    }


class _Tables:
    def __init__(self, hall: Hall, people: People, run_blocking: Callable[..., Awaitable[Any]]) -> None:
        self._hall = hall
        self._people = people
        self._run_blocking = run_blocking
        # Nothing of it changes while the server runs, and every page asks for it.
        self._games = prepared_json([described(game) for game in hall.games.values()])

    async def games(self, request: web.Request) -> web.Response:
        return self._games.answer(request)

    async def tables(self, request: web.Request) -> web.Response:
        """Open and running tables; or finished ones, latest first, page by page."""
        query = request.query
        game = query.get("game")
        state = query.get("state", "open")
        if state not in ("open", "finished"):
            return error_answer(400, "bad_request", "state is open or finished.")
        try:
            limit = min(_MOST, max(1, int(query.get("limit", "50" if state == "finished" else _MOST))))
        except ValueError:
            return error_answer(400, "bad_request", "limit is a whole number.")
        before = TableId(query["before"]) if "before" in query else None
        if state == "open":
            return json_answer(self._open(game, before, limit))
        return await self._listed(self._hall.storage.finished, game, before, limit)

    async def _listed(self, read: Callable[..., list[Entry]], *wanted: Any) -> web.Response:
        try:
            entries = await self._run_blocking(read, *wanted)
        except LedgerError:
            return error_answer(503, "unreadable", "This list cannot be read at the moment.")
        return json_answer(summaries_from(self._hall.games, entries, self._hall.storage.damage))

    def _open(self, game: str | None, before: TableId | None, limit: int) -> list[Summary]:
        """The last ones opened; those before them are on the next page."""
        found = (
            table
            for table in self._hall.lobby.tables.values()
            if table.phase != "over"
            and not table.deserted
            and game in (None, table.game)
            and (before is None or table.id < before)
        )
        return nlargest(limit, found, key=attrgetter("id"))

    async def table(self, request: web.Request) -> web.Response:
        live = await visible_table(request, self._hall, self._people)
        return json_answer(summary_of(live.game, live.table, self._hall.faults))

    async def log(self, request: web.Request) -> web.StreamResponse:
        """Everything that happened at a table, as the one who asks may see it, or as a player saw it (`seat`)."""
        live = await visible_table(request, self._hall, self._people)
        person = visitor(request, self._people)
        viewer = None if person is None else live.viewer(person.id)
        eyes = None
        if "seat" in request.query:
            try:
                eyes = may_be_looked_through(live.game, live.table, int(request.query["seat"]))
            except ValueError:
                return error_answer(400, "bad_request", "seat is a whole number.")
            except Refused as refused:
                return error_answer(403, refused.code, refused.reason)
        fields = [("table", summary_of(live.game, live.table, self._hall.faults)), ("seq", live.table.seq)]
        return await streamed(request, log_of(live, viewer, fields, eyes))

    async def mine(self, request: web.Request) -> web.Response:
        """The tables at which the one who asks has sat."""
        person = logged_in(request, self._people)
        return await self._listed(self._hall.storage.played_by, person.id, _MOST)


def routes(hall: Hall, people: People, run_blocking: Callable[..., Awaitable[Any]]) -> list[web.RouteDef]:
    tables = _Tables(hall, people, run_blocking)
    return [
        web.get("/api/games", tables.games),
        web.get("/api/tables", tables.tables),
        web.get("/api/tables/{table}", answering(tables.table, _STATUS)),
        web.get("/api/tables/{table}/log", answering(tables.log, _STATUS)),
        web.get("/api/me/tables", answering(tables.mine, _STATUS)),
    ]
