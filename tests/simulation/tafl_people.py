"""People at the Tafl door, of all three dialects."""

from uuid import UUID

from tests.simulation.surroundings import Call, Surroundings
from tests.simulation.told import Broken, Game

from gamut.games.tafl.decide import decided_by_record, evolve, folded
from gamut.games.tafl.notation import space_name, space_number
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.records import parse_record
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.state import TaflState
from gamut.games.tafl.variants import rules_by_name
from gamut.hall.people.prehash import prehashed

RULES = rules_by_name()["brandub"]
_TIMES = ("", "", "60000|5000/2|0", "2000|0/0|100")
_SIDES = ("attackers", "defenders")
_WINNERS = {"ATTACKER": (0,), "DEFENDER": (1,), "DRAW": ()}
_OF_NOTHING = {
    *("unknown-command", "malformed", "not-in-game", "waiting-for-opponent"),
    *("already-started", "game-over", "game-ended", "rate-limited"),
}
"""Errors that are no answer to whoever looks for a game."""


class TaflPerson:
    def __init__(self, world: Surroundings, number: int) -> None:
        self._world = world
        self._chance = world.chance
        self.label = f"tafl {number}"
        self._name = f"Viking {number}"
        self._kind = ("", "7", "ext")[number % 3]
        self._connection: Call | None = None
        self._forget()
        self._guid: str | None = None
        """The game that this person is in, or was in when the server crashed."""

    def _forget(self) -> None:
        self._inside = self._mine = self._seated = False
        self._asked: str | None = None
        """What the next answer is about."""
        self._leaving = False
        """What still comes of the game that was left is on its way from before."""
        self._moving: str | None = None
        self._state: TaflState | None = None
        self._size = 0
        self._rules = ""
        self._game: Game | None = None

    @property
    def connected(self) -> bool:
        return self._connection is not None and self._connection.open

    @property
    def following(self) -> Game | None:
        """The game of which this client hears everything."""
        return self._game if self.connected else None

    @property
    def _old(self) -> bool:
        return self._kind == "7"

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
            self._say(self._chance.choice(("nonsense", 'lobby-chat "x"')))
        elif not self._inside and self._asked is None:
            self._look_for_a_game(luck)
        elif self._mine and luck < 0.9:
            self._move()
        elif luck < 0.2 and self._inside:
            self._something_else(luck)
        elif self._seated and self._state is None and not self._old:
            self._say("ready-for-game")

    def _look_for_a_game(self, luck: float) -> None:
        if self._guid is not None:
            self._enter("join", self._guid)
        elif luck < 0.2:
            self._create()
        elif luck < 0.4:
            self._say("game-list" if self._old else "get-game-list")
        elif (known := self._world.some_tafl_game()) is not None:
            self._enter("join" if luck < 0.85 else "spectate", known)

    def _create(self) -> None:
        guid = str(UUID(int=self._chance.getrandbits(128)))
        side, time = self._chance.choice(_SIDES), self._chance.choice(_TIMES)
        self._asked, self._guid = side, guid
        if self._old:
            flags = "combinechat:false allowreplay:true"
            self._say(f"create-game {guid} {flags} {side} none {time or '0|0/0|0'} {RULES}")
        else:
            grace = "grace:5" if self._kind == "ext" and self._chance.random() < 0.5 else ""
            self._say(" ".join(filter(None, ("create-game", guid, side, "open", time, grace, RULES))))

    def _enter(self, how: str, guid: str) -> None:
        self._asked, self._guid = how, guid
        if self._old:
            self._say(f"join-game {guid} false none" if how == "join" else f"spectate {guid} true none")
        else:
            self._say(f"join-game {guid}" if how == "join" else f"spectate-game {guid}")

    def _move(self) -> None:
        assert self._state is not None
        if self._state.turn is None:
            return
        moves = Tafl().legal(self._state, self._state.turn)
        chosen = self._chance.choice(list(moves))
        size = self._size
        self._moving = f"{space_name(chosen.start, size)}-{space_name(chosen.end, size)}"
        self._mine = False
        self._say(f"{'move-record' if self._old else 'move'} {self._moving}")

    def _something_else(self, luck: float) -> None:
        if luck < 0.06 or self._guid is None:
            self._say("game-ended" if self._old else "end-game")
        elif luck < 0.1:
            self._say(f"leave-game {self._guid}")
            self._left()
            self._leaving = True
            if not self._old:
                self._asked = "leave"
        elif self._old or luck < 0.13:
            self._say(f'game-chat "{self._name}" line {self._world.new_line()}')
        else:
            self._say("ready-for-game")

    def _come(self) -> None:
        self._forget()
        self._connection = self._world.call("tafl", self.label, self._hear)
        self._asked = "login"
        self._say(f'login "{self._name}" {prehashed(self._name, "secret")} {self._kind}'.strip())

    def _say(self, line: str) -> None:
        assert self._connection is not None
        self._connection.say(line.encode())

    def _left(self) -> None:
        self._inside = self._mine = self._seated = False
        self._state = self._guid = self._moving = None
        self._leave_game()

    # What this person hears

    def _hear(self, kind: int, body: bytes) -> None:
        self._world.told.count += 1
        word, _, rest = body.decode().partition(" ")
        match word:
            case "success" if self._asked is not None:
                self._let_in(rest)
            case "error":
                self._refused(rest)
            case "game-list":
                for record in rest.split("||" if self._old else "|"):
                    if record:
                        self._world.heard_of_tafl_game(record.partition(" ")[0])
            case "start-game" if not self._leaving:
                rules, _, history = rest.partition(" history ")
                self._begin(rules, history)
            case "history" if not self._leaving and self._game is not None:
                # A move was taken back: the client begins again with those that stand.
                self._begin(self._rules, rest)
            case "move" | "move-record" if not self._leaving:
                self._play(rest)
            case "move-result":
                self._answered(int(rest))
            case "await-move" if not self._leaving:
                self._mine = True
            case "victory":
                self._end(_WINNERS[rest])
            case "end-game" | "game-ended":
                self._mine = False

    def _let_in(self, side: str) -> None:
        asked, self._asked = self._asked, None
        if asked in ("login", "leave"):
            return
        self._leaving = False
        assert self._guid is not None
        self._inside = True
        self._seated = asked != "spectate"
        self._world.heard_of_tafl_game(self._guid)
        told = side if side in _SIDES else asked
        if told in _SIDES:
            self._world.told.seats["tafl", self._guid, _SIDES.index(told), self._name] = None

    def _refused(self, code: str) -> None:
        if code == "not-in-game" and self._asked == "leave":
            self._asked = None
        if code in _OF_NOTHING:
            return
        if self._asked is not None:
            self._asked = None
            if not self._inside:
                self._guid = None
        elif code in ("game-canceled", "opponent-left") and self._game is None:
            self._left()

    def _begin(self, rules: str, history: str) -> None:
        assert self._guid is not None
        self._rules = rules
        self._leave_game()
        self._game = self._world.told.game("tafl", self._guid)
        self._state = folded(TaflOptions(rules=rules, quirks=self._old).beginning)
        self._size = int(rules.partition("dim:")[2].split()[0])
        for entry in history.partition(" ")[2].split("||"):
            if entry:
                self._play(entry.split()[0])

    def _play(self, record: str) -> None:
        if self._game is None or self._state is None:
            raise Broken(f"{self.label} was told of the move {record} before the game began")
        played = parse_record(record)
        start, end = (space_number(space, self._size) for space in (played.start, played.end))
        assert start is not None
        assert end is not None
        self._game.moves.append((start, end))
        for event in decided_by_record(self._state, record):
            self._state = evolve(self._state, event)

    def _answered(self, code: int) -> None:
        moving, self._moving = self._moving, None
        if code >= 0 and moving is not None:
            self._play(moving)

    def _end(self, winners: tuple[int, ...]) -> None:
        self._mine = False
        if self._game is not None:
            self._game.result = winners

    def _leave_game(self) -> None:
        if self._game is not None:
            self._game.going_on = False
            self._game = None

    def crashed(self) -> None:
        self._connection = None
        self._leave_game()
