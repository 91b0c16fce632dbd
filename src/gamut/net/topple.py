"""The HTTP addresses that clients of the Topple protocol read."""

import msgspec
from aiohttp import web

from gamut.doors.topple import archive, bots, rooms
from gamut.doors.topple.door import GAME, ToppleDoor
from gamut.games.game import Refused
from gamut.hall.live import LiveTable
from gamut.hall.people import People
from gamut.net import topple_files

_FRESH = {"Cache-Control": "no-store"}


class _Rooms:
    def __init__(self, door: ToppleDoor) -> None:
        self._door = door

    async def server_list(self, request: web.Request) -> web.Response:
        try:
            found = rooms.filtered(rooms.listed(self._door), request.query.get("filter"))
        except rooms.TooManySpecs:
            raise web.HTTPUnprocessableEntity(
                text=f"At most {rooms.MOST_TOPOLOGIES} topologies at a time.\n"
            ) from None
        return _json(rooms.page(found, request.query.get("page")))

    async def bots(self, request: web.Request) -> web.Response:
        return _json(bots.listed(self._door.hall.games[GAME]))

    async def is_resumed(self, request: web.Request) -> web.Response:
        live = await self._found(request.query.get("id", ""))
        if not self._door.is_open(live):
            raise _no_such_room()
        return web.Response(text="1" if live.table.options.resume else "0", headers=_FRESH)

    async def replay(self, request: web.Request) -> web.Response:
        live = await self._found(request.match_info["room"])
        if live.table.outcome is None:
            raise web.HTTPNotFound(text="This game has no replay.\n")
        file = archive.replay(live, self._door.keys)
        return web.Response(body=file, content_type="application/octet-stream", headers=_FRESH)

    async def no_account(self, request: web.Request) -> web.Response:
        """Accounts of the existing server: clients ask for them and do without."""
        raise web.HTTPNotFound(text="There are no such accounts here.\n")

    async def _found(self, name: str) -> LiveTable:
        for code in dict.fromkeys((name, name.upper())):
            try:
                live = await self._door.hall.find(GAME, code)
            except Refused:
                continue  # its record is damaged, which `load` has reported
            if live is not None:
                return live
        raise _no_such_room()


def _no_such_room() -> web.HTTPException:
    return web.HTTPNotFound(text="There is no such room.\n")


def _json(content: object) -> web.Response:
    return web.Response(body=msgspec.json.encode(content), content_type="application/json", headers=_FRESH)


def routes(door: ToppleDoor, people: People) -> list[web.RouteDef]:
    found = _Rooms(door)
    return [
        web.get("/serverlist", found.server_list),
        web.get("/bots", found.bots),
        web.get("/d/isres", found.is_resumed),
        web.get("/replays/{room}.topl", found.replay),
        web.get("/acc/{rest:.*}", found.no_account),
        *topple_files.routes(door, people),
    ]
