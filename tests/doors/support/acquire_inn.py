"""The hall with the Acquire door added and no sockets: clients say messages, and read messages."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from random import Random
from typing import Any

import msgspec
from tests.doors.support.inn import QUICK, Connected, Inn, Message
from tests.doors.support.tafl_inn import Accounts

from gamut.doors.acquire.door import AcquireDoor
from gamut.doors.acquire.naming import GameNumbers
from gamut.doors.acquire.session import AcquireSession
from gamut.doors.offer import Newcomer
from gamut.games.acquire.board import LETTERS
from gamut.games.acquire.rules import Acquire
from gamut.games.game import AnyGame
from gamut.hall.live.live_table import LiveTable
from gamut.hall.settings import HallSettings

PASSWORD = "a good password"


class Client(Connected):
    """One connection at the Acquire door."""

    inn: "AcquireInn"
    session: AcquireSession

    def __init__(self, inn: "AcquireInn", address: str = "127.0.0.1") -> None:
        super().__init__(inn, lambda wire: AcquireSession.new(inn.acquire, wire, Newcomer(address)))
        self._ids = count(1)
        self.user_id = 0
        self.token = ""

    def say(self, type: str, **fields: Any) -> list[Message]:
        """Say something; what comes of it at once, the answer last."""
        number = next(self._ids)
        heard = self.raw_say(msgspec.json.encode({"type": type, "id": number, **fields}))
        assert heard, "every message with an id is answered"
        assert heard[-1]["type"] in ("Ok", "Error"), heard[-1]
        assert heard[-1]["id"] == number, heard[-1]
        return heard

    def ok(self, type: str, **fields: Any) -> list[Message]:
        """The same, if it must succeed: what comes before the answer."""
        *heard, answer = self.say(type, **fields)
        assert answer["type"] == "Ok", answer
        return heard

    def refused(self, type: str, **fields: Any) -> str:
        """The code with which this is refused; nothing else may come of it."""
        (answer,) = self.say(type, **fields)
        assert answer["type"] == "Error", answer
        assert answer["message"]
        code: str = answer["code"]
        return code

    def log_in(self, name: str) -> "Client":
        known = self.inn.people.by_name(name) is not None
        (result,) = self.ok("Login" if known else "CreateUserAndLogin", username=name, password=PASSWORD)
        assert result["type"] == "LoginResult"
        self.user_id, self.token = result["userId"], result["token"]
        return self

    # A game

    def create(self, mode: int = 3, **fields: Any) -> int:
        answer = self.say("CreateGame", gameMode=mode, **fields)[-1]
        assert answer["type"] == "Ok", answer
        number: int = answer["gameNumber"]
        return number

    def enter(self, number: int, known: int = 0) -> Message:
        """The game as this client is told of it."""
        heard = self.ok("EnterGame", gameNumber=number, gameStateHistorySize=known)
        told: Message = heard[-1]
        return told

    def setup(self, number: int, type: str, **fields: Any) -> list[Message]:
        return self.ok("DoGameSetupAction", gameNumber=number, action={"type": type, **fields})

    def setup_refused(self, number: int, type: str, **fields: Any) -> str:
        return self.refused("DoGameSetupAction", gameNumber=number, action={"type": type, **fields})

    def act(self, number: int, size: int, action: str, *params: Any) -> list[Message]:
        return self.ok(
            "DoGameAction", gameNumber=number, gameStateHistorySize=size, action=action, params=list(params)
        )

    def act_refused(self, number: int, size: int, action: str, *params: Any) -> str:
        return self.refused(
            "DoGameAction", gameNumber=number, gameStateHistorySize=size, action=action, params=list(params)
        )


class AcquireInn(Inn):
    people: Accounts

    def __init__(self, settings: HallSettings = QUICK, bots: Any = None) -> None:
        self._accounts = Accounts()
        super().__init__(settings, bots)

    def _open(self) -> None:
        self.people = self._accounts
        super()._open()

    def _more_games(self) -> Mapping[str, AnyGame]:
        return {"acquire": Acquire()}

    def _open_doors(self) -> None:
        self.run(self.hall.naming.use("acquire", GameNumbers()))
        self.acquire = AcquireDoor(self.hall, self.people)  # type: ignore[arg-type]  # as far as doors need it

    def somebody(self) -> Client:
        """Somebody who has not logged in."""
        client = Client(self)
        (initial,) = client.read()
        assert initial["type"] == "Initial"
        return client

    def client(self, name: str) -> Client:
        return self.somebody().log_in(name)

    def clients(self, *names: str) -> list[Client]:
        return [self.client(name) for name in names]

    def table(self, number: int = 1) -> LiveTable:
        live = self.run(self.hall.find("acquire", str(number)))
        self.settle()
        assert isinstance(live, LiveTable)
        return live

    def playing(self, mode: int, *names: str, exact: bool = True, **fields: Any) -> tuple[int, list[Client]]:
        """A game that has just begun, its players in the order of play if that is exact, and all is read."""
        clients = self.clients(*names)
        host, *others = clients
        number = host.create(mode, **fields)
        if exact:
            host.setup(number, "ChangePlayerArrangementMode", playerArrangementMode=2)
        for client in others:
            client.setup(number, "JoinGame")
        for client in clients:
            client.setup(number, "ApproveOfGameSetup")
        assert self.table(number).table.phase == "playing"
        for client in clients:
            client.read()
        return number, clients


def types(messages: list[Message]) -> list[str]:
    return [message["type"] for message in messages]


def choice(state: Message, rack: list[int | None], kinds: str, chance: Random) -> list[Any]:
    """Parameters of some action that is allowed, from what a client knows."""
    awaited = state["next"]
    match awaited["action"]:
        case "PlayTile":
            return [
                chance.choice(
                    [t for t, kind in zip(rack, kinds, strict=True) if t is not None and kind not in "c#"]
                )
            ]
        case "DisposeOfShares":
            trade = chance.randint(0, min(awaited["owned"] // 2, awaited["survivorAvailable"])) * 2
            return [trade, chance.randint(0, awaited["owned"] - trade)]
        case "PurchaseShares":
            cash = state["cash"][awaited["player"]]
            bought: list[int] = []
            for _ in range(3):
                chain = chance.randrange(len(LETTERS))
                price, free = state["price"][chain], state["available"][chain] - bought.count(chain)
                if price and free > 0 and price <= cash:
                    bought.append(chain)
                    cash -= price
            return [bought, int(awaited["canEndGame"] and chance.random() < 0.3)]
        case _:
            return [chance.choice(awaited["chains"])]


class Mirror:
    """A game as one client follows it, from the messages alone."""

    def __init__(self, told: Message) -> None:
        assert told["type"] == "GameState", told["type"]
        self.state = {
            **told,
            "board": [list(row) for row in told["board"]],
            "cash": [row[7] for row in told["scoreBoard"]],
        }

    @classmethod
    def of_start(cls, players: int, done: Message, player: int | None) -> "Mirror":
        assert done["action"] == "StartGame"
        blank = {
            "type": "GameState",
            "board": ["." * 12] * 9,
            "scoreBoard": [[0] * 9] * players,
            "available": [25] * 7,
            "chainSize": [0] * 7,
            "price": [0] * 7,
            "rackCounts": [0] * players,
            "rack": None,
            "rackTypes": None,
            "history": [],
            "forfeits": [],
            "playerID": player,
        }
        mirror = cls(blank)
        mirror.hear(done)
        return mirror

    def hear(self, message: Message) -> None:
        state = self.state
        if message["type"] == "PlayerForfeited":
            state["forfeits"] = [*state["forfeits"], message["playerID"]]
            return
        assert message["type"] == "GameActionDone"
        for tile, cell in message["boardChanges"]:
            state["board"][tile % 9][tile // 9] = cell
        rows = list(state["scoreBoard"])
        for player, row in message["scoreBoard"]:
            rows[player] = row
        state["scoreBoard"], state["cash"] = rows, [row[7] for row in rows]
        for chain, size, price, available in message["chains"]:
            for field, value in (("chainSize", size), ("price", price), ("available", available)):
                state[field] = [*state[field][:chain], value, *state[field][chain + 1 :]]
        for field in ("rackCounts", "rack", "rackTypes"):
            if message[field] is not None:
                state[field] = message[field]
        for field in ("next", "turnPlayer", "clocks", "gameStateHistorySize"):
            state[field] = message[field]
        state["history"] = [*state["history"], message["history"]]

    def agrees_with(self, told: Message) -> bool:
        """Whether a whole position says the same as all that was followed."""
        fields = set(told) & set(self.state) - {"board", "clocks", "over", "gameNumber"}
        board = ["".join(row) for row in self.state["board"]]
        return board == told["board"] and all(self.state[field] == told[field] for field in fields)


@contextmanager
def acquire_inn(settings: HallSettings = QUICK, bots: Any = None) -> Iterator[AcquireInn]:
    house = AcquireInn(settings, bots)
    try:
        yield house
    finally:
        house.close()
