"""The HTTP addresses that clients of the Topple protocol read."""

import msgspec
from aiohttp import web

from gamut.doors.topple import archive, bots, rooms
from gamut.doors.topple.codes import LONGEST_CODE
from gamut.doors.topple.door import GAME, ToppleDoor
from gamut.games.game import Refused
from gamut.hall.attempts import TooManyTries
from gamut.hall.live import LiveTable
from gamut.net.files import AddressOf

_FRESH = {"Cache-Control": "no-store"}


class _Rooms:
    def __init__(self, door: ToppleDoor, address_of: AddressOf) -> None:
        self._door = door
        self._address_of = address_of

    async def server_list(self, request: web.Request) -> web.Response:
        try:
            found = rooms.filtered(self._door.rooms.listed(), request.query.get("filter"))
        except rooms.TooManySpecs:
            raise web.HTTPUnprocessableEntity(
                text=f"At most {rooms.MOST_PARTS} parts and {rooms.MOST_TOPOLOGIES} topologies at a time.\n"
            ) from None
        return _json(rooms.page(found, request.query.get("page")))

    async def bots(self, request: web.Request) -> web.Response:
        return _json(bots.listed(self._door.hall.games[GAME]))

    async def is_resumed(self, request: web.Request) -> web.Response:
        live = await self._found(request, request.query.get("id", ""))
        if not self._door.is_open(live):
            raise _no_such_room()
        return web.Response(text="1" if live.table.options.resume else "0", headers=_FRESH)

    async def replay(self, request: web.Request) -> web.Response:
        live = await self._found(request, request.match_info["room"])
        if live.table.outcome is None:
            # The same answer: nobody learns in this way that there is a room which is on no list.
            raise _no_such_room()
        try:
            file = await self._door.hall.slow_work.run(
                None, self._address_of(request), archive.replay, live, self._door.keys
            )
        except TooManyTries as refused:
            raise _too_many(refused) from None
        return web.Response(body=file, content_type="application/octet-stream", headers=_FRESH)

    async def no_account(self, request: web.Request) -> web.Response:
        """Accounts of the existing server: clients ask for them and do without."""
        raise web.HTTPNotFound(text="There are no such accounts here.\n")

    async def _found(self, request: web.Request, name: str) -> LiveTable:
        """The room of this name. Names that are none are counted: codes are not found by trying."""
        guesses, address = self._door.guesses, self._address_of(request)
        try:
            guesses.begin(address)
        except TooManyTries as refused:
            raise _too_many(refused) from None
        live = None if len(name) > LONGEST_CODE else await self._named(name)
        if live is None:
            raise _no_such_room()
        guesses.right(address)
        return live

    async def _named(self, name: str) -> LiveTable | None:
        for code in dict.fromkeys((name, name.upper())):
            try:
                live = await self._door.hall.find(GAME, code)
            except Refused:
                continue  # its record is damaged, which `load` has reported
            if live is not None:
                return live
        return None


def _too_many(refused: TooManyTries) -> web.HTTPException:
    later = {"Retry-After": str(-(-refused.wait // 1000))}
    return web.HTTPTooManyRequests(text=f"{refused.reason}\n", headers=later)


def _no_such_room() -> web.HTTPException:
    return web.HTTPNotFound(text="There is no such room.\n")


def _json(content: object) -> web.Response:
    return web.Response(body=msgspec.json.encode(content), content_type="application/json", headers=_FRESH)


def routes(door: ToppleDoor, address_of: AddressOf) -> list[web.RouteDef]:
    found = _Rooms(door, address_of)
    return [
        web.get("/serverlist", found.server_list),
        web.get("/bots", found.bots),
        web.get("/d/isres", found.is_resumed),
        web.get("/replays/{room}.topl", found.replay),
        web.get("/acc/{rest:.*}", found.no_account),
    ]
