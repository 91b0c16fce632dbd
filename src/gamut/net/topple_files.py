"""Games of Topple as files over HTTP: had from a table, looked at, and gone on with at a new one."""

from collections.abc import Awaitable, Callable

import msgspec
from aiohttp import web

from gamut.doors.topple import archive
from gamut.doors.topple.codes import NoCode, new_room_code
from gamut.doors.topple.door import GAME, ToppleDoor
from gamut.doors.topple.keys import Keys
from gamut.doors.topple.resuming import opening_for, reseat_bots
from gamut.doors.topple.viewing import TABLE, viewed
from gamut.doors.web.to_client import Events
from gamut.games.game import Refused
from gamut.games.topple.files.layout import LONGEST_FILE
from gamut.games.topple.files.record import BadFile
from gamut.games.topple.files.suspended import LONGEST_SUSPENDED, suspended
from gamut.hall.attempts import Attempts, Limit, TooManyTries
from gamut.hall.ids import Millis, Seq
from gamut.hall.live import LiveTable
from gamut.hall.people import People
from gamut.hall.person import Person
from gamut.hall.table import commands as c
from gamut.net.accounts import visitor
from gamut.net.body import body
from gamut.net.visible import NotVisible, visible_table

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
    "not_suspended": 422,
    "too_many_tries": 429,
    "hall_full": 503,
    "no_room": 503,
}

AddressOf = Callable[[web.Request], str]
"""Where a request comes from."""
Handler = Callable[[web.Request], Awaitable[web.Response]]


def _json(content: object, status: int = 200, **headers: str) -> web.Response:
    return web.Response(
        status=status,
        body=msgspec.json.encode(content),
        content_type="application/json",
        headers={"Cache-Control": "no-store", **headers},
    )


def _refusal(refused: Refused) -> web.Response:
    status = refused.status if isinstance(refused, NotVisible) else _STATUS.get(refused.code, 400)
    later = {"Retry-After": str(-(-refused.wait // 1000))} if isinstance(refused, TooManyTries) else {}
    return _json({"error": {"code": refused.code, "message": refused.reason}}, status, **later)


def _answering(handler: Handler) -> Handler:
    """Refusals become answers."""

    async def handle(request: web.Request) -> web.Response:
        try:
            return await handler(request)
        except Refused as refused:
            return _refusal(refused)

    return handle


class _Files:
    def __init__(self, door: ToppleDoor, people: People, address_of: AddressOf) -> None:
        self._door = door
        self._hall = door.hall
        self._game = door.hall.games[GAME]
        self._people = people
        self._address_of = address_of
        self._sent = Attempts(PER_PERSON, door.hall.time.now)

    # From a table

    async def replay(self, request: web.Request) -> web.Response:
        live = await self._found(request)
        if live.table.outcome is None:
            raise NotVisible(404, "no_replay", "This game was not played to its end.")
        file = await self._written(request, archive.replay, live)
        assert file is not None
        return _file(file, f"{live.id}.topl")

    async def suspension(self, request: web.Request) -> web.Response:
        """A game that its host took away; the file is there again if it was lost on its way."""
        live = await self._found(request)
        file = await self._written(request, archive.suspended_file, live)
        if file is None:
            raise NotVisible(404, "not_exported", "This game was not exported.")
        return _file(file, f"{live.id}.stpl")

    async def _found(self, request: web.Request) -> LiveTable:
        live = await visible_table(request, self._hall, self._people)
        if live.table.game != GAME:
            raise NotVisible(404, "no_files", f"A game of {live.game.traits.title} is no Topple file.")
        return live

    async def _written(
        self, request: web.Request, writing: Callable[[LiveTable, Keys], bytes | None], live: LiveTable
    ) -> bytes | None:
        address = self._address_of(request)
        file: bytes | None = await self._hall.slow_work.run(None, address, writing, live, self._door.keys)
        return file

    # Into the hall

    async def view(self, request: web.Request) -> web.Response:
        """The game as the web door tells of a finished table."""
        person = self._sender(request)
        file = await _received(request, LONGEST_FILE)
        try:
            # A whole game is played through.
            found = await self._hall.slow_work.run(
                person.id, self._address_of(request), viewed, self._game, file
            )
        except BadFile as bad:
            raise Refused(bad.trouble, bad.reason) from None
        told = Events(
            table=TABLE,
            after=0,
            seq=Seq(len(found.log)),
            stamp=found.log[-1].at,
            now=self._hall.time.now(),
            phase="over",
            awaited=(),
            events=found.log,
            outcome=found.outcome,
        )
        return _json({"suspended": found.suspended, "told": told})

    async def resume(self, request: web.Request) -> web.Response:
        """A new table at which a suspended game goes on."""
        host = self._sender(request)
        file = await _received(request, LONGEST_SUSPENDED)
        try:
            saved = await self._hall.slow_work.run(host.id, self._address_of(request), suspended, file)
        except BadFile as bad:
            raise Refused(bad.trouble, bad.reason) from None
        if len(saved.record.teams) not in self._game.traits.seats:
            raise Refused("unsupported", "There are too few players in it.")
        try:
            room = new_room_code(self._hall.time.now(), self._hall.rooms)
        except NoCode:
            raise Refused("no_room", "There is no room code left for today; try again tomorrow.") from None
        live = self._hall.open(opening_for(saved, room=room), host.id)
        reseat_bots(self._hall, live, host.id, saved)
        # The host is on the way; a host who does not come leaves no table behind.
        self._hall.do(live, c.Drop(host.id))
        await self._hall.durable()
        return _json({"table": live.id, "key": live.table.key}, 201)

    def _sender(self, request: web.Request) -> Person:
        # A form on a foreign page can send anything but this type without asking us first.
        if request.content_type != _BYTES:
            raise Refused("not_a_file", f"The content type of the request must be {_BYTES}.")
        person = visitor(request, self._people)
        if person is None:
            raise Refused("not_logged_in", "You are not logged in.")
        self._sent.take(person.id)
        return person


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


def routes(door: ToppleDoor, people: People, address_of: AddressOf) -> list[web.RouteDef]:
    files = _Files(door, people, address_of)
    return [
        web.get("/api/tables/{table}/replay.topl", _answering(files.replay)),
        web.get("/api/tables/{table}/suspended.stpl", _answering(files.suspension)),
        web.post("/api/topple/files", _answering(files.view)),
        web.post("/api/topple/tables", _answering(files.resume)),
    ]
