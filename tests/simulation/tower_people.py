"""People at the Tower door."""

from typing import Any

import msgspec
from tests.simulation.surroundings import Call, Surroundings
from tests.simulation.told import Broken, Game

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
POSITIONS = [(x, y, z) for y in range(3) for x in range(3) for z in range(3) if not x == z == 1]
_TILE_AT = {position: tile for tile, position in enumerate(POSITIONS)}
_EMPTY, _NOBODY = 3, 3


class TowerPerson:
    def __init__(self, world: Surroundings, number: int) -> None:
        self._world = world
        self._chance = world.chance
        self.label = f"tower {number}"
        self._name = f"Player {number}"
        self._room = self._some_room()
        self._connection: Call | None = None
        self._inside = False
        self._joining = False
        self._id: int | None = None
        self._mine = False
        self._taken: set[int] = set()
        self._game: Game | None = None
        self._over = False

    @property
    def connected(self) -> bool:
        return self._connection is not None and self._connection.open

    @property
    def following(self) -> Game | None:
        """The game of which this client hears everything."""
        return self._game if self.connected else None

    def _some_room(self) -> str:
        if self._chance.random() < 0.2:
            table = self._world.some_table()
            if table is not None:
                return table
        return f"room {self._chance.randrange(2)}"

    def act(self) -> None:
        if not self.connected:
            self._come()
            return
        assert self._connection is not None
        luck = self._chance.random()
        if self._mine and luck < 0.9:
            free = [tile for tile in range(24) if tile not in self._taken]
            tile = self._chance.choice(free) if free and luck < 0.85 else self._chance.randrange(24)
            x, y, z = POSITIONS[tile]
            self._say("place_mark", position={"x": x, "y": y, "z": z})
            self._mine = False
        elif luck < 0.08 or (self._over and luck < 0.4):
            self._connection.cut()
            if luck < 0.02:
                self._room = self._some_room()
        elif luck < 0.12 and self._inside:
            self._say("place_mark", position={"x": 1, "y": 1, "z": 1})
        elif luck < 0.14 and self._inside:
            self._connection.say(b"{nonsense")
        elif not self._inside and not self._joining and luck < 0.6:
            self._join()

    def _come(self) -> None:
        self._inside = self._mine = self._over = False
        self._id = None
        self._leave_game()
        self._connection = self._world.call("tower", self.label, self._hear)
        self._join()

    def _join(self) -> None:
        self._joining = True
        self._say("join_room", room=self._room, name=self._name)

    def _say(self, kind: str, **data: Any) -> None:
        assert self._connection is not None
        self._connection.say(_encode({"type": kind, "data": data}))

    # What this person hears

    def _hear(self, kind: int, body: bytes) -> None:
        message = _decode(body)
        self._world.told.count += 1
        data = message["data"]
        match message["type"]:
            case "room_joined":
                self._inside, self._joining, self._id = True, False, data["id"]
                self._world.told.seats["tower", self._room, data["id"], self._name] = None
                self._begin(None)
            case "board_state":
                marks = [(tile, mark) for tile, mark in enumerate(data["state"]) if mark != _EMPTY]
                self._begin(sorted(marks))
            case "mark_placed":
                tile = _TILE_AT[tuple(data["position"][axis] for axis in "xyz")]
                if tile in self._taken:
                    raise Broken(f"{self.label} was told of tile {tile} twice")
                assert self._game is not None
                self._game.moves.append((tile, data["id"]))
                self._taken.add(tile)
                self._mine = False
            case "player_turn":
                self._mine = data["id"] == self._id
            case "game_over":
                assert self._game is not None
                line = tuple(_TILE_AT[place["x"], place["y"], place["z"]] for place in data["winning_marks"])
                winner = None if data["winner_id"] == _NOBODY else data["winner_id"]
                self._game.result = winner, line or None
                self._mine, self._over = False, True
            case "player_joined" if data["id"] == self._id and data["name"] != self._name:
                raise Broken(f"{self.label} has seat {self._id}, and so has {data['name']}")
            case "error" if self._joining:
                self._joining = False
                self._room = self._some_room()

    def _begin(self, position: list[tuple[int, int]] | None) -> None:
        self._leave_game()
        self._over = False
        self._game = self._world.told.game("tower", self._room, position)
        self._taken = {tile for tile, _ in position or ()}

    def _leave_game(self) -> None:
        if self._game is not None:
            self._game.going_on = False
            self._game = None

    def crashed(self) -> None:
        self._connection = None
        self._leave_game()
