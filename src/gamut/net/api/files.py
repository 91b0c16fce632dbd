"""Recorded games as files over HTTP: had from a table, looked at, and gone on with at a new one.

Every game that has files is served alike. What is in a table's file passes the same gate as all else that is told of
it: of a game that hides things whoever asks gets what they may see, and no file with which it could go on.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from gamut.doors.web.to_client import Events
from gamut.games.files import AnyFiles, BadFile, FileKind
from gamut.games.game import AnyGame, Refused
from gamut.hall.files.recording import exported_at, file_of, suspended_file_of
from gamut.hall.files.resuming import opening_for, reseat_bots
from gamut.hall.files.viewing import TABLE, viewed
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, Seq
from gamut.hall.limits.attempts import Attempts, Limit
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.people import People
from gamut.hall.people.person import Person
from gamut.hall.table import commands as c
from gamut.net.api.accounts import logged_in, visitor
from gamut.net.api.visible import visible_table
from gamut.net.http.answers import Handler, NotVisible, answering, json_answer
from gamut.net.http.body import body, check_type
from gamut.net.http.guard import AddressOf

PER_PERSON = Limit(30, Millis(60_000))
"""Files that somebody may send: each is a whole game to be played through."""
BODY_SECONDS = 20.0
"""How long a file may take to arrive."""

_BYTES = "application/octet-stream"
_STATUS = {
    "not_logged_in": 401,
    "slow_request": 408,
    "too_large": 413,
    "not_a_file": 415,
    "damaged": 422,
    "unsupported": 422,
    "version": 422,
    "other_game": 422,
    "not_suspended": 422,
    "too_many_tries": 429,
    "hall_full": 503,
    "no_room": 503,
}

NewRoom = Callable[[], AbstractAsyncContextManager[str | None]]
"""A name for a new table at the door of its game's own, which is to be opened as long as this lasts. Raises Refused if
there is none left."""


class _Uploads:
    """How many files somebody has sent, whatever the game."""

    def __init__(self, hall: Hall, people: People) -> None:
        self._people = people
        self._sent = Attempts(PER_PERSON, hall.time.now)

    def sender(self, request: web.Request) -> Person:
        check_type(request, _BYTES, "not_a_file")
        person = logged_in(request, self._people)
        self._sent.take(person.id)
        return person


@dataclass(frozen=True, eq=False, repr=False)
class _GamesFiles:
    """What can be sent of one game."""

    hall: Hall
    game: AnyGame
    files: AnyFiles
    uploads: _Uploads
    address_of: AddressOf
    new_room: NewRoom

    async def view(self, request: web.Request) -> web.Response:
        """The game as the web door tells of a finished table."""
        person = self.uploads.sender(request)
        number = _number(request)
        file = await _received(request, self.files.longest)
        # A whole game is played through.
        found = await self._work(person, request, viewed, self.game, file, number)
        told = Events(
            table=TABLE,
            after=0,
            seq=Seq(len(found.log)),
            stamp=found.log[-1].at,
            now=self.hall.time.now(),
            phase="over",
            awaited=(),
            events=found.log,
            outcome=found.outcome,
        )
        answer: dict[str, Any] = {"suspended": found.suspended, "told": told}
        if found.line is not None:
            answer["line"] = found.line
        if found.puzzle is not None:
            answer["puzzle"] = found.puzzle
        return json_answer(answer)

    async def resume(self, request: web.Request) -> web.Response:
        """A new table at which a suspended game goes on."""
        host = self.uploads.sender(request)
        file = await _received(request, self.files.longest_suspended)
        saved = await self._work(host, request, self.files.resumption, file)
        async with self.new_room() as room:
            live = self.hall.open(opening_for(self.game.traits.name, saved, room=room), host.id)
            reseat_bots(self.hall, live, host.id, saved)
            # The host is on the way; a host who does not come leaves no table behind.
            self.hall.do(live, c.Drop(host.id))
        await self.hall.durable()
        return json_answer({"table": live.id, "key": live.table.key}, 201)

    async def _work(self, person: Person, request: web.Request, call: Any, *args: Any) -> Any:
        try:
            return await self.hall.slow_work.run(person.id, self.address_of(request), call, *args)
        except BadFile as bad:
            raise Refused(bad.trouble, bad.reason) from None


@dataclass(frozen=True, eq=False, repr=False)
class _TablesFiles:
    """What tables give."""

    hall: Hall
    people: People
    address_of: AddressOf
    servers: Mapping[str, bytes]

    def handler(self, name: str, ending: str) -> Handler:
        async def give(request: web.Request) -> web.Response:
            live = await visible_table(request, self.hall, self.people)
            return await self._given(request, live, self._kind(live.game, name, ending))

        return give

    def _kind(self, game: AnyGame, name: str, ending: str) -> FileKind:
        for kind in _given_by_tables(game):
            if (kind.name, kind.ending) == (name, ending):
                return kind
        titles = [
            other.traits.title
            for other in self.hall.games.values()
            if any((kind.name, kind.ending) == (name, ending) for kind in _given_by_tables(other))
        ]
        raise NotVisible(404, "no_files", f"A game of {game.traits.title} is no {' or '.join(titles)} file.")

    async def _given(self, request: web.Request, live: LiveTable, kind: FileKind) -> web.Response:
        address, server = self.address_of(request), self.servers[live.table.game]
        run = self.hall.slow_work.run
        if kind.of == "suspended":
            # A game that its host took away; the file is there again if it was lost on its way.
            at = exported_at(live)
            if at is None:
                raise NotVisible(404, "not_exported", "This game was not exported.")
            file = await run(None, address, suspended_file_of, live, kind.ending, at, server)
        else:
            if kind.of == "finished" and live.table.outcome is None:
                raise NotVisible(404, "no_replay", "This game was not played to its end.")
            if live.table.state is None:
                raise NotVisible(404, "no_replay", "This game has not begun.")
            person = visitor(request, self.people)
            viewer = None if person is None else live.viewer(person.id)
            file = await run(None, address, file_of, live, kind.ending, viewer, server)
        return _file(file, f"{live.id}.{kind.ending}")


def _given_by_tables(game: AnyGame) -> list[FileKind]:
    if game.files is None:
        return []
    # With all that is hidden in it, whoever has the file would see through everybody's cards.
    hidden = game.traits.hidden
    return [kind for kind in game.files.kinds if kind.name and not (hidden and kind.of == "suspended")]


def _number(request: web.Request) -> int | None:
    """Which of several games in a file is meant."""
    number = request.query.get("game")
    if number is None:
        return None
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Refused("bad_request", "game is a number, counted from 1.")
    return int(number)


async def _received(request: web.Request, most: int) -> bytes:
    too_large = f"That is no game: a file has at most {most} bytes."
    return await body(request, most, BODY_SECONDS, what="file", too_large=too_large)


def _file(content: bytes, name: str) -> web.Response:
    disposition = f'attachment; filename="{name}"'
    return web.Response(
        body=content,
        content_type=_BYTES,
        headers={"Cache-Control": "no-store", "Content-Disposition": disposition},
    )


def routes(
    hall: Hall,
    people: People,
    address_of: AddressOf,
    server_of: Callable[[str], bytes],
    new_rooms: Mapping[str, NewRoom] | None = None,
) -> list[web.RouteDef]:
    """The addresses of every game that has files.

    `server_of` gives 16 bytes that tell servers apart in the files of a game; `new_rooms` has, for games whose own
    door gives tables names, how to get one.
    """
    uploads = _Uploads(hall, people)
    with_files = {name: game.files for name, game in hall.games.items() if game.files is not None}
    tables = _TablesFiles(hall, people, address_of, {name: server_of(name) for name in with_files})
    found: dict[str, web.RouteDef] = {}
    for name, files in with_files.items():
        game = hall.games[name]
        for kind in _given_by_tables(game):
            path = f"/api/tables/{{table}}/{kind.name}.{kind.ending}"
            found[path] = web.get(path, answering(tables.handler(str(kind.name), kind.ending), _STATUS))
        new_room = (new_rooms or {}).get(name, nullcontext)
        sent = _GamesFiles(hall, game, files, uploads, address_of, new_room)
        found[f"{name} files"] = web.post(f"/api/{name}/files", answering(sent.view, _STATUS))
        if files.longest_suspended:
            found[f"{name} tables"] = web.post(f"/api/{name}/tables", answering(sent.resume, _STATUS))
    return list(found.values())
