"""People at the Acquire door."""

from typing import Any
from zlib import crc32

import msgspec
from tests.doors.support.acquire_inn import Mirror, choice
from tests.simulation.surroundings import Call, Surroundings
from tests.simulation.told import Broken, Game

Message = dict[str, Any]
PASSWORD = "a good password"
_CLOCKS: tuple[Message, ...] = (
    {},
    {},
    {"timeControlStartingAmount": 60, "timeControlIncrementAmount": 2},
    {"timeControlStartingAmount": 2, "timeControlIncrementAmount": 0},
)
_SETUP: tuple[Message, ...] = (
    {"type": "ApproveOfGameSetup"},
    {"type": "ApproveOfGameSetup"},
    {"type": "ApproveOfGameSetup"},
    {"type": "UnjoinGame"},
    {"type": "ChangeGameMode", "gameMode": 2},
    {"type": "ChangeGameMode", "gameMode": 1},
    {"type": "SwapPositions", "position1": 0, "position2": 1},
    {"type": "ChangePlayerArrangementMode", "playerArrangementMode": 2},
    {"type": "CancelGame"},
)


def digest(history: Any) -> int:
    """Of what everybody may know of an action."""
    public = [message for message in history if message[0] != "DrewTile"]
    return crc32(msgspec.json.encode(public))


class AcquirePerson:
    def __init__(self, world: Surroundings, number: int) -> None:
        self._world = world
        self._chance = world.chance
        self.label = f"acquire {number}"
        self._name = f"Magnate {number}"
        self._connection: Call | None = None
        self._number: int | None = None
        """The game that this person is in, or was in when the server crashed."""
        self._user = 0
        self._has_account = False
        self._forget()

    def _forget(self) -> None:
        self._logged_in = self._inside = False
        self._asked: str | None = None
        self._mirror: Mirror | None = None
        self._game: Game | None = None
        self._said = 0
        """After how many actions this connection has acted last."""

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
        if luck < 0.03:
            self._connection.cut()
        elif luck < 0.05:
            self._connection.say(b"nonsense")
        elif self._asked is not None:
            return
        elif not self._logged_in:
            self._log_in()
        elif not self._inside:
            self._look_for_a_game(luck)
        elif self._to_act and luck < 0.9:
            self._play()
        elif luck < 0.12:
            self._something_else(luck)
        elif self._game is not None and self._game.result is not None:
            # Until the answer, what happens there is still told.
            self._ask("ExitGame", gameNumber=self._number)
        elif self._mirror is None:
            action = self._chance.choice(_SETUP) if luck < 0.4 else _SETUP[0]
            self._say("DoGameSetupAction", gameNumber=self._number, action=action)

    @property
    def _to_act(self) -> bool:
        if self._mirror is None or self._mirror.state["playerID"] is None:
            return False
        state = self._mirror.state
        mine: bool = state["next"]["player"] == state["playerID"]
        return mine and self._said != int(state["gameStateHistorySize"])

    def _look_for_a_game(self, luck: float) -> None:
        if self._number is not None:
            self._ask("EnterGame", gameNumber=self._number, gameStateHistorySize=0)
        elif luck < 0.3:
            self._ask(
                "CreateGame", gameMode=self._chance.choice((1, 2, 2, 3)), **self._chance.choice(_CLOCKS)
            )
        elif luck < 0.45:
            self._say("LobbyConnect", lastEventIndex=0)
        elif (known := self._world.some_acquire_game()) is not None:
            self._number = known
            if luck < 0.85:
                self._ask("DoGameSetupAction", gameNumber=known, action={"type": "JoinGame"})
            else:
                self._ask("EnterGame", gameNumber=known, gameStateHistorySize=0)

    def _play(self) -> None:
        assert self._mirror is not None
        state = self._mirror.state
        self._said = state["gameStateHistorySize"]
        params = choice(state, state["rack"], state["rackTypes"], self._chance)
        self._say(
            "DoGameAction",
            gameNumber=self._number,
            gameStateHistorySize=self._said,
            action=state["next"]["action"],
            params=params,
        )

    def _something_else(self, luck: float) -> None:
        if luck < 0.07:
            # Until the answer, what happens there is still told.
            self._ask("ExitGame", gameNumber=self._number)
        elif luck < 0.08:
            self._say("Forfeit", gameNumber=self._number)
        elif luck < 0.1:
            where = self._number if luck < 0.09 else None
            self._say("SendChatMessage", gameNumber=where, message=f"line {self._world.new_line()}")
        else:
            self._say("GetGameReview", gameNumber=self._number)

    def _come(self) -> None:
        self._forget()
        self._connection = self._world.call("acquire", self.label, self._hear)
        self._log_in()

    def _log_in(self) -> None:
        self._ask(
            "Login" if self._has_account else "CreateUserAndLogin", username=self._name, password=PASSWORD
        )

    def _ask(self, type: str, **fields: Any) -> None:
        """Something whose answer is waited for."""
        self._asked = type
        self._say(type, id=1, **fields)

    def _say(self, type: str, **fields: Any) -> None:
        assert self._connection is not None
        self._connection.say(msgspec.json.encode({"type": type, **fields}))

    def _left(self) -> None:
        self._inside, self._number, self._mirror = False, None, None
        self._leave_game()

    # What this person hears

    def _hear(self, kind: int, body: bytes) -> None:
        self._world.told.count += 1
        message: Message = msgspec.json.decode(body)
        hear = getattr(self, f"_hear_{message['type']}", None)
        if hear is not None:
            hear(message)

    def _hear_LoginResult(self, message: Message) -> None:
        self._logged_in = self._has_account = True
        self._user = message["userId"]

    def _hear_Ok(self, message: Message) -> None:
        asked, self._asked = self._asked, None
        if asked == "CreateGame":
            self._number = message["gameNumber"]
            self._world.told.seats["acquire", str(self._number), 0, self._name] = None
            self._world.heard_of_acquire_game(message["gameNumber"])
        if asked == "ExitGame":
            self._left()
        elif asked not in ("Login", "CreateUserAndLogin"):
            self._inside = True

    def _hear_Error(self, message: Message) -> None:
        if message["id"] is None:
            return
        if self._asked == "ExitGame":
            self._left()
        self._asked = None
        if message["code"] == "user_exists":
            # The answer to the first log-in was never heard.
            self._has_account = True
        if self._logged_in and not self._inside:
            self._number = None

    def _hear_Lobby(self, message: Message) -> None:
        for game in message.get("checkpoint", {}).get("games", ()):
            self._world.heard_of_acquire_game(game["gameNumber"])

    def _hear_GameRemoved(self, message: Message) -> None:
        if message["gameNumber"] == self._number:
            self._left()

    def _hear_GameSetupChanged(self, message: Message) -> None:
        change = message["change"]
        if change["type"] == "UserAdded" and change["userId"] == self._user:
            place = "acquire", str(message["gameNumber"]), change["position"], self._name
            self._world.told.seats[place] = None

    def _hear_GameState(self, message: Message) -> None:
        if message["gameNumber"] != self._number:
            return
        known = 0 if self._mirror is None else self._mirror.state["gameStateHistorySize"]
        if message["history"] or not known:
            # From the first action on; what is told in the midst of a game says nothing new of its history.
            self._mirror, self._said = Mirror(message), 0
            self._leave_game()
            self._game = self._world.told.game("acquire", str(self._number))
            self._game.moves = [(at, digest(history)) for at, history in enumerate(message["history"], 1)]
        elif self._mirror is not None:
            self._mirror.state.update(rack=message["rack"], playerID=message["playerID"])
        if message["over"] and self._game is not None:
            self._game.result = "over"

    def _hear_GameActionDone(self, message: Message) -> None:
        if message["gameNumber"] != self._number:
            return
        size = message["gameStateHistorySize"]
        if size == 1:
            players = len(message["rackCounts"])
            self._leave_game()
            self._mirror = Mirror.of_start(players, message, self._seat(message))
            self._game = self._world.told.game("acquire", str(self._number))
        elif self._mirror is None or self._game is None:
            raise Broken(f"{self.label} was told of action {size} before the game began")
        elif size != self._mirror.state["gameStateHistorySize"] + 1:
            known = self._mirror.state["gameStateHistorySize"]
            raise Broken(f"{self.label} was told of action {size} after {known}")
        else:
            self._mirror.hear(message)
        assert self._mirror is not None
        assert self._game is not None
        drawn = {line[1] for line in message["history"] if line[0] == "DrewTile"}
        if not drawn <= {self._mirror.state["playerID"]}:
            raise Broken(f"{self.label} was told which tiles somebody else drew")
        self._game.moves.append((size, digest(message["history"])))
        if message["next"]["action"] == "GameOver":
            self._game.result = "over"

    def _seat(self, message: Message) -> int | None:
        """Only whoever plays is told of an own rack, and of what was drawn for it."""
        return next((line[1] for line in message["history"] if line[0] == "DrewTile"), None)

    def _leave_game(self) -> None:
        if self._game is not None:
            self._game.going_on = False
            self._game = None

    def crashed(self) -> None:
        self._connection = None
        self._leave_game()
