"""The HTTP addresses that clients of the Topple protocol read."""

from gamut.doors.http import Answer, Request, Route, bytes_answer, json_answer, text_answer, too_many_tries
from gamut.doors.topple import accounts, rooms
from gamut.doors.topple.codes import LONGEST_CODE
from gamut.doors.topple.door import GAME, ToppleDoor
from gamut.games.game import AnyGame, Refused
from gamut.games.topple.files import bots
from gamut.games.topple.files.formats import REPLAY
from gamut.hall.files.recording import file_of
from gamut.hall.limits.attempts import TooManyTries
from gamut.hall.live.live_table import LiveTable


class _Rooms:
    def __init__(self, door: ToppleDoor) -> None:
        self._door = door

    async def server_list(self, request: Request) -> Answer:
        try:
            found = rooms.filtered(self._door.rooms.listed(), request.query.get("filter"))
        except rooms.TooManySpecs:
            return text_answer(
                f"At most {rooms.MOST_PARTS} parts and {rooms.MOST_TOPOLOGIES} topologies at a time,"
                " and each field once.\n",
                422,
                {},
            )
        return json_answer(rooms.page(found, request.query.get("page")))

    async def bots(self, request: Request) -> Answer:
        return json_answer(listed_bots(self._door.hall.games[GAME]))

    async def is_resumed(self, request: Request) -> Answer:
        try:
            live = await self._found(request, request.query.get("id", ""))
        except TooManyTries as refused:
            return too_many_tries(refused)
        if live is None or not self._door.is_open(live):
            return _no_such_room()
        return text_answer("1" if live.table.options.resume else "0")

    async def replay(self, request: Request) -> Answer:
        try:
            live = await self._found(request, request.names["room"])
            if live is None or live.table.outcome is None:
                # The same answer: nobody learns in this way that there is a room which is on no list.
                return _no_such_room()
            file = await self._door.hall.slow_work.run(
                None, request.address, file_of, live, REPLAY, None, self._door.keys.fingerprint
            )
        except TooManyTries as refused:
            return too_many_tries(refused)
        return bytes_answer(file)

    async def _found(self, request: Request, name: str) -> LiveTable | None:
        """The room of this name. Names that are none are counted: codes are not found by trying."""
        guesses = self._door.guesses
        guesses.begin(request.address)
        try:
            live = None if len(name) > LONGEST_CODE else await self._door.look_for(name)
        except Refused:
            live = None  # its log is damaged, or it is out of order, which the hall has reported
        if live is not None:
            guesses.right(request.address)
        return live


def listed_bots(game: AnyGame) -> dict[str, str]:
    """The bots that clients can ask for: shown name to resource."""
    return {bots.name_of(level.name): bots.resource_of(level.name) for level in game.traits.levels}


def _no_such_room() -> Answer:
    return text_answer("There is no such room.\n", 404, {})


def routes(door: ToppleDoor) -> tuple[Route, ...]:
    found = _Rooms(door)
    return (
        Route(path="/serverlist", handler=found.server_list),
        Route(path="/bots", handler=found.bots),
        Route(path="/d/isres", handler=found.is_resumed),
        Route(path="/replays/{room}.topl", handler=found.replay),
        *accounts.ROUTES,
    )
