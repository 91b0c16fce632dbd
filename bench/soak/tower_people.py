"""Clients of the Tower protocol. When a game is over, one of a room leaves and comes back, so that the next begins."""

from bench.attacks.quiet import position
from bench.attacks.sockets import Message
from bench.attacks.target import Target
from bench.soak.line import Line
from bench.soak.model import TowerGame
from bench.soak.person import Evening, Person, not_let_in

_TILES = range(24)
_EMPTY = 3
_TILE_AT = {tuple(position(tile).values()): tile for tile in _TILES}
_NOT_YET = (0, 1)
"""Errors of somebody who is not known to have left yet."""


class TowerPerson(Person):
    door = "tower"

    def __init__(self, evening: Evening, room: str, name: str, *, restless: bool, own_port: bool) -> None:
        super().__init__(evening, name)
        self._room = room
        self._restless = restless
        self._own_port = own_port
        self._id: int | None = None
        self._game: TowerGame | None = None
        self._ended = False
        self._before: TowerGame | None = None
        """The game that was on when the last connection ended."""
        self._kept: tuple[int | None, Target] | None = None
        """The seat that was held when a server ended, and that server: it is theirs when it is back."""

    def _begin(self) -> TowerGame:
        self._game = TowerGame(self._room, self.name, self.model.now)
        self._ended = False
        self.model.play(self._game)
        return self._game

    async def visit(self, target: Target) -> None:
        port = target.tower_port if self._own_port else None
        line = await self.connect(target, "/" if self._own_port else "/tower", port)
        try:
            line.say({"type": "join_room", "data": {"room": self._room, "name": self.name}})
            while True:
                await self._take(line, await line.receive())
        finally:
            self._before = None if self._ended else self._game
            self._kept = (self._id, target) if line.ended_with_the_server else None
            line.abort()

    async def _take(self, line: Line, message: Message) -> None:
        data = message["data"]
        match message["type"]:
            case "room_joined":
                self._id = data["id"]
                # The board follows, unless nobody has ever left this room.
                self._game = None
            case "board_state":
                marks = {tile: mark for tile, mark in enumerate(data["state"]) if mark != _EMPTY}
                self._back_in(marks, line.target)
                if self._game is None or self._ended or not self._game.marks.items() <= marks.items():
                    self._begin()
                assert self._game is not None
                self._game.marks.update(marks)
                self.model.heard(self._game)
            case "mark_placed":
                game = self._begin() if self._game is None or self._ended else self._game
                game.marks[_TILE_AT[tuple(data["position"][axis] for axis in "xyz")]] = data["id"]
                self.model.heard(game)
            case "player_turn" if data["id"] == self._id:
                await self._move(line)
            case "game_over":
                await self._over(line)
            case "error" if data["type"] in _NOT_YET:
                raise not_let_in(message)
            case "error":
                self.evening.counts[f"Tower refused {data['type']}"] += 1
            case _:
                pass

    def _back_in(self, marks: dict[int, int], target: Target) -> None:
        """A restart leaves everybody in their seats, as long as the game is the same."""
        kept, before, self._kept = self._kept, self._before, None
        if kept is None or kept[1] is target or before is None or not before.marks:
            return
        self.model.told += 1
        if before.marks.items() <= marks.items() and kept[0] != self._id:
            self.model.lose(
                f"{self.name} had seat {kept[0]} of room {self._room!r} and has {self._id}", before
            )

    async def _move(self, line: Line) -> None:
        await self.think()
        self.flood(line, {"type": "nothing", "data": {}})
        known = {} if self._game is None or self._ended else self._game.marks
        free = [tile for tile in _TILES if tile not in known]
        if free:
            line.say({"type": "place_mark", "data": {"position": position(self.chance.choice(free))}})

    async def _over(self, line: Line) -> None:
        self.evening.counts["Tower games"] += 1
        if self._game is not None:
            self._game.over = self._ended = True
            self.model.heard(self._game)
        if self._restless:
            await self.think()
            line.abort()
