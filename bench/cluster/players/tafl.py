"""Two at the Tafl door: one opens a game, with a clock or without, and the other one joins it."""

from uuid import UUID

from tests.simulation.surroundings import Surroundings
from tests.simulation.tafl_people import RULES, TaflPerson

from bench.cluster.players.party import Party

_TIMES = ("", "3600000|30000/3|0")


class TaflPlayer(TaflPerson):
    def __init__(self, world: Surroundings, number: int, party: Party) -> None:
        super().__init__(world, number)
        self._party = party
        self._host = not party.players
        self._over = False
        self._furthest = 0
        """How many moves of this game were ever heard: they are all told again to whoever comes back."""

    @property
    def back(self) -> bool:
        return self.connected and (self._inside or self._party.where is None)

    @property
    def progress(self) -> int:
        return self._furthest

    def act(self) -> None:
        if not self.connected:
            self._come()
        elif self._asked is not None:
            return
        elif self._inside and (self._over or self._guid != self._party.where):
            self._party.over(self._guid)
            self._say(f"leave-game {self._guid}")
            self._left()
            self._furthest = 0
            self._leaving = True
            if not self._old:
                self._asked = "leave"
        elif not self._inside:
            self._look_for_a_game(0.0)
        elif self._mine:
            self._move()
        elif self._state is None and not self._old:
            self._say("ready-for-game")

    def _look_for_a_game(self, luck: float) -> None:
        where = self._party.where
        if where is not None and (self._guid == where or not self._host):
            self._enter("join", where)
        elif self._host:
            # The game was refused, so it is not there any more.
            self._party.over(where)
            self._create()

    def _create(self) -> None:
        self._guid = str(UUID(int=self._chance.getrandbits(128)))
        self._asked = "attackers"
        time = _TIMES[self._party.number % len(_TIMES)]
        if self._old:
            wish = f"combinechat:false allowreplay:true attackers none {time or '0|0/0|0'}"
        else:
            wish = f"attackers open {time}".strip()
        self._say(f"create-game {self._guid} {wish} {RULES}")

    def _hear(self, kind: int, body: bytes) -> None:
        super()._hear(kind, body)
        if self._game is not None:
            self._furthest = max(self._furthest, len(self._game.moves))
        word = body.partition(b" ")[0]
        if word in (b"end-game", b"game-ended"):
            self._over = True

    def _refused(self, code: str) -> None:
        asked, guid = self._asked, self._guid
        if asked in ("login", "join"):
            self._party.refused(f"{asked} {code}")
        super()._refused(code)
        if asked == "login":
            # The game is still theirs; they come again.
            self._guid = guid
            assert self._connection is not None
            self._connection.cut()

    def _let_in(self, side: str) -> None:
        self._over = False
        super()._let_in(side)
        if self._host and self._inside and self._party.where is None:
            self._party.where = self._guid
