"""The hall with the doors of Power Chess added and no sockets, and chance as a test has written it down."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from tests.doors.support.inn import QUICK, Inn, Message, Visitor
from tests.games.support.powerchess_tables import WrittenDraws

from gamut.doors.offer import Newcomer
from gamut.doors.powerchess.door import PowerChessDoor
from gamut.doors.powerchess.home import HomeDoor, HomeSession
from gamut.doors.powerchess.naming import Numbers
from gamut.doors.powerchess.session import PowerChessSession
from gamut.games.game import AnyGame, Seat
from gamut.games.powerchess.debugging import Arrangement, arranged
from gamut.games.powerchess.decide import decided
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.state import Action, Began, Event, PowerChessState
from gamut.hall.live.live_table import LiveTable
from gamut.hall.settings import HallSettings

SECRET = "a secret of these tests"


class WrittenChess(PowerChess):
    """Begins in any position, and chance brings what is written."""

    def __init__(self) -> None:
        self.first: PowerChessState | None = None
        self.draws = WrittenDraws()

    def evolve(self, state: PowerChessState | None, event: Event) -> PowerChessState:
        if self.first is not None and isinstance(event, Began):
            return self.first
        return super().evolve(state, event)

    def decide(
        self, state: PowerChessState, seat: Seat, action: Action | Arrangement, chance: Random
    ) -> Sequence[Event]:
        if isinstance(action, Arrangement):
            return arranged(state, action)
        return decided(state, seat, action, self.draws)


class Client(Visitor):
    """Somebody at `/play`."""

    session: PowerChessSession
    key = ""
    game = player = 0

    def read(self) -> list[Message]:
        heard = super().read()
        for message in heard:
            self.key = message.get("key", self.key)
            self.game = message.get("gameId", self.game)
            self.player = message.get("playerId", self.player)
        return heard

    def create(self, name: str = "Ann", **fields: Any) -> list[Message]:
        wish = {"type": 0, "name": name, "color": True, "timeControl": 0, "public": False}
        return self.say(wish | fields)

    def join(self, game: int, name: str = "Bob") -> list[Message]:
        self.game = game
        return self.say({"type": 1, "gameId": str(game), "name": name})

    def resume(self, of: "Client") -> list[Message]:
        """Come back as whoever had that connection."""
        self.game = of.game
        return self.say({"type": 1, "gameId": of.game, "playerId": of.player, "key": of.key})

    def tell(self, kind: int, **fields: Any) -> list[Message]:
        """Something in the own game."""
        return self.say({"type": kind, "gameId": self.game, "playerId": self.player, **fields})

    def move(self, move: str) -> list[Message]:
        return self.tell(4, action=1, move=way(move))

    def choose(self, selection: Any, follow_up: Any = None) -> list[Message]:
        more = {} if follow_up is None else {"followUp": follow_up}
        return self.tell(4, action=2, selection=selection, **more)


def point(name: str) -> Message:
    return {"row": int(name[1]) - 1, "col": "abcdefgh".index(name[0])}


def way(move: str) -> Message:
    return {"from": point(move[:2]), "to": point(move[2:4])}


class PowerInn(Inn):
    def __init__(
        self, settings: HallSettings = QUICK, bots: Any = None, *, debug: bool = False, waiting: bool = False
    ) -> None:
        self._waiting = waiting
        """Whether bots wait in the list of games."""
        self.chess = WrittenChess()
        self._debug = debug
        super().__init__(settings, bots)

    def _more_games(self) -> Mapping[str, AnyGame]:
        return {"powerchess": self.chess}

    def _open_doors(self) -> None:
        self.power = PowerChessDoor(self.hall, SECRET, self.people.check_unregistered, debug=self._debug)
        self.list = HomeDoor(self.hall, bots=self._waiting)

    def _name_tables(self) -> None:
        self.run(self.hall.naming.use("powerchess", Numbers()))

    def client(self, address: str = "127.0.0.1") -> Client:
        return Client(self, lambda wire: PowerChessSession.new(self.power, wire, Newcomer(address)))

    def home(self) -> Visitor:
        return Visitor(self, lambda wire: HomeSession.new(self.list, wire, Newcomer("127.0.0.1")))

    def table(self, game: int) -> LiveTable:
        live = self.run(self.hall.find("powerchess", str(game)))
        self.settle()
        assert isinstance(live, LiveTable)
        return live

    def pair(self, **fields: Any) -> tuple[Client, Client]:
        """Ann is White and has created the game that Bob has joined; both know it."""
        ann, bob = self.client(), self.client()
        ann.create(**fields)
        bob.join(ann.game)
        ann.read()
        return ann, bob


@contextmanager
def power_inn(
    settings: HallSettings = QUICK, bots: Any = None, *, debug: bool = False, waiting: bool = False
) -> Iterator[PowerInn]:
    house = PowerInn(settings, bots, debug=debug, waiting=waiting)
    try:
        yield house
    finally:
        house.close()
