"""People at the doors of Power Chess: those who play, and those who look at the list."""

from typing import Any

import msgspec
from tests.simulation.power_board import PowerBoard, place, square_at
from tests.simulation.surroundings import Call, Surroundings
from tests.simulation.told import Broken, Game

from gamut.games.powerchess.state import Move, Use

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_NONSENSE: tuple[bytes, ...] = (b"", b"{", b'{"type":42}', b'{"type":4}', b'{"type":7}')
_WAYS_TO_GO = 0.02
_MOVE, SELECT = 1, 2
"""What a client has to do."""


class PowerPerson:
    def __init__(self, world: Surroundings, number: int) -> None:
        self._world = world
        self._chance = world.chance
        self.label = f"power {number}"
        self._name = f"Knight {number}"
        self._connection: Call | None = None
        self._asked = ""
        """What the next answer is about."""
        self._game = self._player = 0
        self._key = ""
        """With which this person comes back."""
        self._seat = 0
        self._returning = False
        self._action = 0
        self._moving: tuple[int, int] | None = None
        self._using: Use | None = None
        """The power that this person has said to use."""
        self._board = PowerBoard()
        self._told: Game | None = None

    @property
    def connected(self) -> bool:
        return self._connection is not None and self._connection.open

    @property
    def following(self) -> Game | None:
        """The game of which this client hears everything."""
        return self._told if self.connected else None

    @property
    def _room(self) -> str:
        """The number of the table: that of the game, unless a bot waited there for everybody who comes."""
        return str(self._player >> 1)

    # What this person does

    def act(self) -> None:
        if not self.connected:
            self._come()
            return
        assert self._connection is not None
        luck = self._chance.random()
        if luck < _WAYS_TO_GO:
            self._connection.cut()
        elif self._asked:
            return
        elif luck < 0.04:
            # What is refused does not say what it is about: nothing is asked until the answer to this is here.
            self._asked = "nonsense"
            self._connection.say(self._chance.choice(_NONSENSE))
        elif not self._game:
            self._look_for_a_game(luck)
        elif self._action and luck < 0.9:
            self._play()
        elif luck < 0.1:
            self._say(2, reason=self._chance.choice((1, 2)))
            self._leave_game()
        elif luck < 0.2:
            self._say(3)

    def _look_for_a_game(self, luck: float) -> None:
        known = self._world.some_power_game()
        if luck < 0.4 or known is None:
            self._asked = "create"
            self._seat = self._chance.randrange(2)
            public = self._chance.random() < 0.7
            wish = {"color": self._seat == 0, "timeControl": self._chance.randrange(3), "public": public}
            self._send({"type": 0, "name": self._name, **wish})
        else:
            self._asked = "join"
            self._game = known
            self._send({"type": 1, "gameId": str(known), "name": self._name})

    def _play(self) -> None:
        """Something that should be allowed, by what a client knows."""
        tried = self._board.some_action(self._seat, self._chance)
        if tried is None:
            return
        action, selection = tried
        if isinstance(action, Move):
            self._moving = action.start, action.end
            self._say(4, action=_MOVE, move={"from": place(action.start), "to": place(action.end)})
        else:
            self._using = action
            more = {} if action.target is None else {"followUp": place(action.target)}
            self._say(4, action=SELECT, selection=selection, **more)
        self._action = 0

    def _come(self) -> None:
        self._asked, self._action, self._moving, self._using = "", 0, None, None
        self._connection = self._world.call("play", self.label, self._hear)
        if self._key and self._chance.random() < 0.9:
            self._asked, self._returning = "resume", True
            self._send({"type": 1, "gameId": self._game, "playerId": self._player, "key": self._key})
        else:
            self._forget()

    def _say(self, kind: int, **fields: Any) -> None:
        self._send({"type": kind, "gameId": self._game, "playerId": self._player, **fields})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._connection is not None
        self._connection.say(_encode(message))

    def _forget(self) -> None:
        self._leave_game()
        self._game = self._player = 0
        self._key = ""
        self._returning = False

    def _leave_game(self) -> None:
        self._action, self._moving, self._using = 0, None, None
        if self._told is not None:
            self._told.going_on = False
            self._told = None

    # What this person hears

    def _hear(self, kind: int, body: bytes) -> None:
        self._world.told.count += 1
        message = _decode(body)
        match message["type"]:
            case 0:
                self._asked, self._returning = "", False
                self._sits(message)
            case 1 if "playerId" in message and not self._asked:
                pass  # an earlier refusal was taken for the answer to this
            case 1 if "playerId" in message:
                self._asked = ""
                self._seat = 0 if message["color"] else 1
                self._sits({"gameId": self._game, **message})
                if not self._returning:
                    self._begin(None)
            case 1:
                self._begin(None)
            case 5:
                self._update(message)
            case 6:
                self._action = _MOVE if self._using is None else SELECT
                self._moving = self._using = None
            case 7 if self._asked == "nonsense":
                self._asked = ""
            case 7 if self._asked:
                self._asked = ""
                self._forget()
            case 2:
                self._end(message["result"])
            case 3 if self._chance.random() < 0.3:
                self._say(3)

    def _sits(self, message: dict[str, Any]) -> None:
        self._game, self._player, self._key = message["gameId"], message["playerId"], message["key"]
        self._world.heard_of_power_game(self._game)
        self._world.told.seats["powerchess", self._room, self._seat, self._name] = None

    def _begin(self, position: str | None) -> None:
        self._leave_game()
        self._board = PowerBoard()
        self._told = self._world.told.game("powerchess", self._room, position)
        if position is None and self._seat == 0:
            self._action = _MOVE

    def _update(self, message: dict[str, Any]) -> None:
        if self._returning:
            self._returning = False
            board = PowerBoard()
            board.show_all(message["updates"])
            self._begin(str(board))
            self._board = board
        elif self._told is None:
            return  # of a game that was given up
        elif message["action"] == _MOVE and "move" not in message and "power" not in message:
            # Play goes on after a rest; a move that is on its way is not answered by this.
            self._action = 0 if self._moving is not None else _MOVE
            return
        elif (
            self._using is not None
            and not message["updates"]
            and self._board.is_offered(message.get("options"))
        ):
            # Either it has moved a piece to another box with the same in it, or play goes on after a rest while the
            # choice is on its way. Whoever cannot tell comes again and looks.
            assert self._connection is not None
            self._connection.cut()
            return
        else:
            self._happened(message)
        self._moving = self._using = None
        self._action = message["action"]
        self._board.offer(message.get("options"))
        if self._action == SELECT and "options" not in message:
            raise Broken(f"{self.label} is to choose, and was not told what")
        if self._action != SELECT and "options" in message:
            raise Broken(f"{self.label} was told what somebody else is offered")

    def _happened(self, message: dict[str, Any]) -> None:
        assert self._told is not None
        if "move" in message:
            way = square_at(message["move"]["from"]), square_at(message["move"]["to"])
            self._board.carry(*way)
            if "power" not in message:
                self._told.moves.append(way)
        elif self._moving is not None:
            self._board.carry(*self._moving)
            if "power" not in message:
                self._told.moves.append(self._moving)
        elif self._using is not None:
            self._board.use(self._using)
        self._board.show(message["updates"])

    def _end(self, result: int) -> None:
        if self._told is not None:
            winner = self._seat if result == 0 else 1 - self._seat
            self._told.result = () if result == 2 else (winner,)
        self._forget()

    def crashed(self) -> None:
        self._connection = None
        self._leave_game()


class HomePerson:
    """Somebody who looks at the list: what is added was not there, and what is removed was."""

    def __init__(self, world: Surroundings, number: int) -> None:
        self._world = world
        self.label = f"home {number}"
        self._connection: Call | None = None
        self._listed: set[int] | None = None

    @property
    def connected(self) -> bool:
        return self._connection is not None and self._connection.open

    def act(self) -> None:
        if not self.connected:
            self._listed = None
            self._connection = self._world.call("home", self.label, self._hear)
        elif self._world.chance.random() < 0.1:
            assert self._connection is not None
            self._connection.cut()

    def _hear(self, kind: int, body: bytes) -> None:
        self._world.told.count += 1
        message = _decode(body)
        if message["type"] == 0:
            self._listed = set(map(int, message["games"]))
            for game in sorted(self._listed):
                self._world.heard_of_power_game(game)
            return
        game = message["gameId"]
        if self._listed is None or (game in self._listed) != (message["type"] == 2):
            raise Broken(f"{self.label} was told {message}, and knew {self._listed}")
        if message["type"] == 1:
            self._listed.add(game)
            self._world.heard_of_power_game(game)
        else:
            self._listed.remove(game)

    def crashed(self) -> None:
        self._connection = None
