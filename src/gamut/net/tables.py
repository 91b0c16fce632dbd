"""The HTTP API for what the hall holds: games, open tables, finished games and their logs."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from aiohttp import web

from gamut.games.game import AnyGame
from gamut.hall.hall import Hall
from gamut.hall.ids import Seq, TableId
from gamut.hall.people import People
from gamut.hall.storage import Entry
from gamut.hall.summary import Summary, summary_from, summary_of
from gamut.net.accounts import visitor
from gamut.net.visible import NotVisible, visible_table

_MOST = 100


def _json(content: Any, status: int = 200) -> web.Response:
    return web.Response(
        status=status,
        body=msgspec.json.encode(content),
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def _error(status: int, code: str, message: str) -> web.Response:
    return _json({"error": {"code": code, "message": message}}, status)


def described(game: AnyGame) -> dict[str, Any]:
    """A game's traits, and its options as a JSON schema from which a form can be made."""
    return {
        **msgspec.to_builtins(game.traits),
        "options": msgspec.json.schema(game.options_type),
        "defaults": msgspec.to_builtins(game.options_type()),
        "action": msgspec.json.schema(game.action_type),
    }


class _Tables:
    def __init__(self, hall: Hall, people: People, run_blocking: Callable[..., Awaitable[Any]]) -> None:
        self._hall = hall
        self._people = people
        self._run_blocking = run_blocking

    async def games(self, request: web.Request) -> web.Response:
        return _json([described(game) for game in self._hall.games.values()])

    async def tables(self, request: web.Request) -> web.Response:
        """Open and running tables; or finished ones, latest first, page by page."""
        query = request.query
        game = query.get("game")
        if query.get("state", "open") == "open":
            tables = self._hall.lobby.tables.values()
            return _json([table for table in tables if table.phase != "over" and game in (None, table.game)])
        if query["state"] != "finished":
            return _error(400, "bad_request", "state is open or finished.")
        try:
            limit = min(_MOST, max(1, int(query.get("limit", "50"))))
        except ValueError:
            return _error(400, "bad_request", "limit is a whole number.")
        before = TableId(query["before"]) if "before" in query else None
        return _json(await self._finished(game, before, limit))

    async def _finished(self, game: str | None, before: TableId | None, limit: int) -> list[Summary]:
        """A page is only short when there is no more: what is not shown takes up no place on it."""
        shown: list[Summary] = []
        while True:
            entries = await self._run_blocking(self._hall.storage.finished, game, before, _MOST)
            summaries = map(self._noted, entries)
            shown += [table for table in summaries if not table.private and table.outcome is not None]
            if len(shown) >= limit or len(entries) < _MOST:
                return shown[:limit]
            before = entries[-1].table

    def _noted(self, entry: Entry) -> Summary:
        return summary_from(self._hall.games.get(entry.game), entry)

    async def table(self, request: web.Request) -> web.Response:
        try:
            live = await visible_table(request, self._hall, self._people)
        except NotVisible as hidden:
            return _error(hidden.status, hidden.code, hidden.reason)
        return _json(summary_of(live.game, live.table))

    async def log(self, request: web.Request) -> web.Response:
        """Everything that happened at a table, as the one who asks may see it."""
        try:
            live = await visible_table(request, self._hall, self._people)
        except NotVisible as hidden:
            return _error(hidden.status, hidden.code, hidden.reason)
        person = visitor(request, self._people)
        viewer = None if person is None else live.viewer(person.id)
        return _json(
            {
                "table": summary_of(live.game, live.table),
                "seq": live.table.seq,
                "events": live.seen(viewer, Seq(0)),
            }
        )

    async def mine(self, request: web.Request) -> web.Response:
        """The tables at which the one who asks has sat."""
        person = visitor(request, self._people)
        if person is None:
            return _error(401, "not_logged_in", "You are not logged in.")
        entries = await self._run_blocking(self._hall.storage.played_by, person.id, _MOST)
        return _json([self._noted(entry) for entry in entries])


def routes(hall: Hall, people: People, run_blocking: Callable[..., Awaitable[Any]]) -> list[web.RouteDef]:
    tables = _Tables(hall, people, run_blocking)
    return [
        web.get("/api/games", tables.games),
        web.get("/api/tables", tables.tables),
        web.get("/api/tables/{table}", tables.table),
        web.get("/api/tables/{table}/log", tables.log),
        web.get("/api/me/tables", tables.mine),
    ]
