"""People at the Topple door."""

from typing import Any

import msgspec
from tests.simulation.surroundings import BINARY, Call, Surroundings
from tests.simulation.told import Broken, Game

from gamut.doors.topple.boards import BOARD
from gamut.hall.ids import PersonId

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class Seat:
    """A seat with the key that opens it, as it was told."""

    def __init__(self, room: str, number: int, key: str) -> None:
        self.room = room
        self.number = number
        self.key = key
        self.person: PersonId | None = None


class TopplePerson:
    def __init__(self, world: Surroundings, number: int) -> None:
        self._world = world
        self._chance = world.chance
        self.label = f"topple {number}"
        self._connection: Call | None = None
        self._room: str | None = None
        self._number: int | None = None
        self._seat: Seat | None = None
        self._coming_back: Seat | None = None
        self._tiles = 4
        self._mine = False
        self._game: Game | None = None
        self._playing = False
        self._over = False
        self._switch: dict[str, Any] | None = None
        """Where to go on, and what to say there."""
        self._leaving = False
        """This person has given up the seat; what is still heard of it was said before."""

    @property
    def connected(self) -> bool:
        return self._connection is not None and self._connection.open

    @property
    def following(self) -> Game | None:
        """The game of which this client hears everything."""
        return self._game if self.connected else None

    # What this person does

    def act(self) -> None:
        if not self.connected:
            self._come()
            return
        assert self._connection is not None
        luck = self._chance.random()
        if self._mine and luck < 0.8:
            self._say("game:move", n=self._chance.randrange(self._tiles))
        elif luck < 0.05:
            self._connection.cut()
        elif luck < 0.08 or (self._over and luck < 0.3):
            self._say("player:leave")
        elif self._playing:
            if luck < 0.35:
                self._do(_PLAYING)
        elif luck < 0.6:
            self._say("waiting:start")
        elif luck < 0.9:
            self._do(_WAITING)

    def _do(self, things: list[tuple[str, dict[str, Any]]]) -> None:
        kind, payload = self._chance.choice(things)
        self._say(kind, **payload)

    def _come(self) -> None:
        chance = self._chance
        self._leave_game()
        self._room = self._number = self._coming_back = None
        self._mine = self._playing = self._over = self._leaving = False
        luck, rules = chance.random(), False
        room = self._world.some_room()
        switch, self._switch = self._switch, None
        if switch is not None:
            query = switch["P"]
            self._coming_back = self._seat if query.startswith("t=3") else None
        elif self._seat is not None and luck < 0.85:
            seat = self._coming_back = self._seat
            query = f"t=3&g={seat.room}&i={seat.number}&k={seat.key}"
        elif room is not None and luck < 0.6:
            query = f"t=0&g={room}"
            self._seat = None
        elif room is not None and luck < 0.75:
            query = f"t=4&g={room}"
            self._seat = None
        else:
            self._seat = None
            sizes = f"{chance.randrange(4)},{chance.choice((2, 3))},2"
            query = f"t={chance.choice((1, 1, 2))}&s={chance.choice((1, 1, 1, 0))}&d={sizes}"
            query += f"&p={chance.choice((2, 2, 3))}" + chance.choice(("", "", "", "&pw=secret", "&S=1"))
            rules = chance.random() < 0.7
        self._world.trace(f"{self.label} comes with {query}")
        self._connection = self._world.call("topple", self.label, self._hear, query=query)
        if switch is not None:
            for said in switch["D"]:
                self._connection.say(said.encode())
        elif rules:
            self._rules()
        elif "t=0" in query and chance.random() < 0.5:
            self._say("game:password", pw=chance.choice(("secret", "secret", "wrong")))

    def _rules(self) -> None:
        chance = self._chance
        self._say(
            "game:rules",
            turnTime={
                "style": chance.choice(("per turn", "chess")),
                "limit": chance.choice((None, None, 2_000, 20_000)),
                "penalty": chance.choice(("random", "skip", "lose")),
            },
        )

    def _say(self, kind: str, /, **payload: Any) -> None:
        assert self._connection is not None
        if kind in ("waiting:leave", "player:leave", "player:spectate"):
            self._leaving = True
        self._connection.say(_encode({"type": kind, "payload": payload}))

    # What this person hears

    def _hear(self, kind: int, body: bytes) -> None:
        self._world.told.count += 1
        if kind == BINARY:
            if body[0] == BOARD:
                self._begin(body)
            return
        message = _decode(body)
        payload = message["payload"]
        match message["type"]:
            case "game:roomid":
                self._room = payload["g"]
                self._world.heard_of_room(payload["g"])
                self._begin(None)
            case "player:ownid":
                self._number = payload["n"]
                self._check_number(payload["n"])
            case "key:rejoin":
                self._key(payload)
            case "game:config":
                self._tiles = payload["c"]
            case "waiting:start":
                self._playing = True
                self._begin(None)
            case "game:reconnected":
                self._playing = True
            case "game:turn":
                self._playing = True
                self._mine = payload["n"] == self._number
            case "game:move":
                if self._game is not None:
                    self._game.moves.append((payload["n"], payload["t"]))
                self._mine = False
            case "game:win":
                if self._game is not None:
                    self._game.result = payload["t"]
                self._mine, self._over = False, True
            case "game:close":
                self._seat = None
            case "CONN:SWCH":
                self._switch = payload
            case "game:kick" | "player:leave" if payload["n"] == self._number:
                self._seat = None
            case "spectator:ownid":
                self._number = self._seat = None
            case "error":
                self._error(payload)

    def _check_number(self, number: int) -> None:
        """Whoever comes back with a key gets the seat that it belongs to."""
        back, self._coming_back = self._coming_back, None
        if back is not None and back.number != number:
            raise Broken(f"{self.label} came back to seat {back.number} of {back.room} and got {number}")

    def _key(self, payload: dict[str, Any]) -> None:
        if self._leaving:
            return
        seat = Seat(payload["g"], payload["p"], payload["key"])
        seat.person = self._world.sitter("topple", seat.room, seat.number - 1)
        self._seat = seat

    def _error(self, payload: dict[str, Any]) -> None:
        if payload["message"] == "internal error":
            raise Broken(f"{self.label} met an internal error")
        back = self._coming_back
        if back is None or payload["code"] >= 100:
            return
        self._coming_back = None
        self._seat = None
        sitter = self._world.sitter("topple", back.room, back.number - 1)
        # Also when a return in between made another key of it, of which this person never heard.
        if sitter is not None and sitter == back.person:
            raise Broken(
                f"{self.label} may not come back to seat {back.number} of room {back.room}, "
                f"which is still theirs: {payload['message']}"
            )

    def _begin(self, position: bytes | None) -> None:
        self._leave_game()
        if self._room is not None:
            self._game = self._world.told.game("topple", self._room, position)

    def _leave_game(self) -> None:
        if self._game is not None:
            self._game.going_on = False
            self._game = None

    def crashed(self) -> None:
        self._connection = None
        self._leave_game()


_WAITING: list[tuple[str, dict[str, Any]]] = [
    ("waiting:setready", {"r": True}),
    ("waiting:setready", {"r": False}),
    ("game:bot", {"bot": "constantine/0"}),
    ("game:bot", {"bot": "constantine/0"}),
    ("player:switch", {"t": 2}),
    ("player:switch", {"t": 3}),
    ("waiting:promote", {"n": 2}),
    ("game:kick", {"n": 2}),
    ("game:kick", {"n": 1}),
    ("player:spectate", {}),
    ("waiting:teamcolors", {"c": [1, 2, 3, 4, 5, 6, 7]}),
    ("game:rules", {"turnTime": {"limit": 5_000}}),
    ("game:move", {"n": 0}),
    ("waiting:leave", {}),
]
_PLAYING: list[tuple[str, dict[str, Any]]] = [
    ("game:pause", {}),
    ("game:pause", {}),
    ("game:resume", {}),
    ("game:resume", {}),
    ("game:resume", {}),
    ("game:kick", {"n": 2}),
    ("game:move", {"n": 1}),
    ("game:download", {}),
    ("game:export", {}),
    ("ping", {"n": 1}),
    ("spectator:leave", {}),
    ("nonsense", {}),
]
