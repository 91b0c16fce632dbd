"""How somebody comes to a table by each protocol: the same few steps in all, so that any two can meet."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tests.doors.support.inn import coordinate
from tests.doors.support.powerchess_inn import way
from tests.doors.support.tafl_inn import BRANDUB, TIMED, guid
from tests.net.support.recorded import Frames, House, Recorded

from gamut.doors.tafl.dialects import EXTENDED
from gamut.hall.people.prehash import prehashed


class Game(NamedTuple):
    """What is played, and how the page says it."""

    name: str
    moves: Sequence[str] = ()
    """In turns, from whoever opened the table; empty: who begins is drawn, and so is what they may do."""
    action: Callable[[str], Mapping[str, Any]] | None = None
    """A move, as the page says it; None: the first that is legal."""
    options: Mapping[str, Any] = {}
    start: str = "full"
    """When play begins at tables of the page."""
    people: int = 2
    room: str = "table"
    """What of a table of the page is its name for clients of the game's own."""


class Client(ABC):
    """Somebody at one node. They go on when what they have asked for is answered."""

    chats = False
    gone = b'"dropped"'
    """What the page is told when they have hung up."""

    def __init__(self, house: House, node: int, game: Game, name: str) -> None:
        self.house = house
        self.node = node
        self.game = game
        self.name = name

    @abstractmethod
    async def come(self) -> None: ...

    @abstractmethod
    async def open(self) -> str:
        """A table, and sit down there; the name by which clients of the game's own find it."""

    @abstractmethod
    async def join(self, room: str) -> None: ...

    async def get_ready(self) -> None:
        """Say what has to be said when all have sat down."""
        return  # not every protocol has a word for it

    @abstractmethod
    async def hear_beginning(self) -> None: ...

    @abstractmethod
    async def move(self, move: str) -> None: ...

    @abstractmethod
    async def hear_move(self, move: str) -> None:
        """Of somebody else."""

    async def say(self, text: str) -> None:
        raise NotImplementedError

    async def hear_that_gone(self, other: "Client") -> None:
        """Where the protocol has a word for that."""
        return  # not every one has

    @property
    def is_to_act(self) -> bool:
        raise NotImplementedError

    @abstractmethod
    async def hang_up(self) -> None: ...

    @abstractmethod
    async def hear(self, part: bytes) -> None: ...


class _AtSocket(Client):
    client: Frames

    async def hear(self, part: bytes) -> None:
        await self.client.hears(part)

    async def hang_up(self) -> None:
        await self.client.bye()

    def last(self, field: str) -> Any:
        """What was said last of this."""
        return next(message[field] for message in reversed(self.client.messages()) if field in message)


class _Asking(_AtSocket):
    """What they say has a number, by which it is answered."""

    _asked = 100

    async def ask(self, type: str, **fields: Any) -> None:
        self._asked += 1
        await self.client.say({"type": type, "id": self._asked, **fields})
        await self.client.hears(b'"id":%d' % self._asked)


class Web(_Asking):
    chats = True
    table: str

    async def come(self) -> None:
        self.client = await self.house.frames("/hall", self.node)
        await self.ask("hello", name=self.name)
        await self.ask("lobby")

    async def open(self) -> str:
        game = self.game
        await self.ask("open", game=game.name, options=game.options, start=game.start, seats=game.people)
        self.table = self.last("table")
        await self.hear(b'"sat"')
        return self.table if game.room == "table" else str(self.last("room"))

    async def join(self, room: str) -> None:
        await self.hear(b'"changed":[')
        (changed,) = self.last("changed")
        self.table = changed["id"]
        await self.ask("watch", table=self.table)
        await self.ask("sit", table=self.table)

    async def get_ready(self) -> None:
        if self.game.start != "full":
            await self.ask("ready", table=self.table)

    async def hear_beginning(self) -> None:
        await self.client.has_heard(b'"started"')

    async def move(self, move: str) -> None:
        if self.game.action is None:
            await self.ask("legal", table=self.table)
            action = self.last("actions")[0]
        else:
            action = self.game.action(move)
        await self.ask("act", table=self.table, action=action)

    async def hear_move(self, move: str) -> None:
        await self.hear(b'"played"')

    async def say(self, text: str) -> None:
        await self.ask("say", table=self.table, text=text)

    async def hear_that_gone(self, other: Client) -> None:
        await self.hear(other.gone)

    @property
    def is_to_act(self) -> bool:
        return bool(self.last("you") in self.last("awaited"))


class Tower(_AtSocket):
    gone = b'"left"'

    async def come(self) -> None:
        self.client = await self.house.frames("/tower", self.node)

    async def open(self) -> str:
        await self.join("den")
        return "den"

    async def join(self, room: str) -> None:
        await self.client.say({"type": "join_room", "data": {"room": room, "name": self.name}})
        await self.hear(b'"player_joined","data":{"name":"%s"' % self.name.encode())

    async def hear_beginning(self) -> None:
        await self.client.has_heard(b"player_turn")

    async def move(self, move: str) -> None:
        await self.client.say({"type": "place_mark", "data": {"position": coordinate(int(move))}})
        await self.hear_move(move)

    async def hear_move(self, move: str) -> None:
        await self.hear(b"mark_placed")
        await self.hear(b"player_turn")

    async def hear_that_gone(self, other: Client) -> None:
        if isinstance(other, Tower):
            await self.hear(b"player_left")


class Topple(_AtSocket):
    opened = False

    async def come(self) -> None:
        """Whoever connects says with that for which room."""

    async def open(self) -> str:
        self.opened = True
        self.client = await self.house.frames("/ws/?t=1&d=0,6,6&p=2", self.node)
        await self.hear(b"game:roomid")
        await self.client.say({"type": "game:rules", "payload": {}})
        await self.hear(b'"game:rules"')
        return self.client.between(b'"g":"', b'"').decode()

    async def join(self, room: str) -> None:
        self.client = await self.house.frames(f"/topple?t=0&g={room}", self.node)
        await self.hear(b'"game:rules"')

    async def get_ready(self) -> None:
        if self.opened:
            await self.client.say({"type": "waiting:start", "payload": {}})

    async def hear_beginning(self) -> None:
        await self.client.has_heard(b"game:turn")

    async def move(self, move: str) -> None:
        await self.client.say({"type": "game:move", "payload": {"n": int(move)}})
        await self.hear_move(move)

    async def hear_move(self, move: str) -> None:
        await self.hear(b'"game:move"')
        await self.hear(b'"game:turn"')


class Acquire(_Asking):
    chats = True
    number: int

    async def come(self) -> None:
        self.client = await self.house.frames("/acquire", self.node)
        await self.hear(b"Initial")
        await self.ask("CreateUserAndLogin", username=self.name, password="a good password")
        await self.ask("LobbyConnect", lastEventIndex=-1)

    async def open(self) -> str:
        await self.ask("CreateGame", gameMode=2)
        self.number = self.last("gameNumber")
        return str(self.number)

    async def join(self, room: str) -> None:
        self.number = int(room)
        await self._set_up("JoinGame")

    async def get_ready(self) -> None:
        await self._set_up("ApproveOfGameSetup")

    async def _set_up(self, action: str) -> None:
        await self.ask("DoGameSetupAction", gameNumber=self.number, action={"type": action})

    async def hear_beginning(self) -> None:
        await self.client.has_heard(b'"StartGame"')

    async def move(self, move: str) -> None:
        awaited = self.last("next")
        await self.ask(
            "DoGameAction",
            gameNumber=self.number,
            gameStateHistorySize=self.last("gameStateHistorySize"),
            action=awaited["action"],
            params=self._choice(awaited),
        )

    def _choice(self, awaited: Mapping[str, Any]) -> list[Any]:
        match awaited["action"]:
            case "PlayTile":
                rack, kinds = next(
                    (message["rack"], message["rackTypes"])
                    for message in reversed(self.client.messages())
                    if message.get("rack") is not None
                )
                return [next(tile for tile, kind in zip(rack, kinds, strict=True) if kind not in "c#-")]
            case "PurchaseShares":
                return [[], 0]
            case _:
                return [awaited["chains"][0]]

    async def hear_move(self, move: str) -> None:
        await self.hear(b'"GameActionDone"')

    async def say(self, text: str) -> None:
        await self.ask("SendChatMessage", gameNumber=self.number, message=text)

    async def hear_that_gone(self, other: Client) -> None:
        if isinstance(other, Acquire):
            await self.hear(b'"UserExitedGame"')

    @property
    def is_to_act(self) -> bool:
        started = next(m for m in self.client.messages() if m["type"] == "GameStarted")
        return bool(started["usernames"][self.last("next")["player"]] == self.name)


class PowerChess(_AtSocket):
    async def come(self) -> None:
        self.client = await self.house.frames("/play", self.node)

    async def open(self) -> str:
        await self.client.say({"type": 0, "name": self.name, "color": True, "timeControl": 0, "public": True})
        await self.hear(b'"gameId"')
        self._room = str(self.last("gameId"))
        return self._room

    async def join(self, room: str) -> None:
        self._room = room
        await self.client.say({"type": 1, "gameId": room, "name": self.name})

    async def hear_beginning(self) -> None:
        await self.client.has_heard(b'"type":1')

    async def move(self, move: str) -> None:
        own = {"gameId": self._room, "playerId": self.last("playerId")}
        await self.client.say({"type": 4, **own, "action": 1, "move": way(move)})
        await self.hear_move(move)

    async def hear_move(self, move: str) -> None:
        await self.hear(b'"type":5')


class Tafl(Client):
    """Of the plain protocol."""

    chats = True
    gone = b'"over"'
    kind = ""
    words = f"attackers open {TIMED} {BRANDUB}"
    client: Recorded

    async def come(self) -> None:
        self.client = await self.house.lines(self.node)
        await self.ask(
            f'login "{self.name}" {prehashed(self.name, "secret")} {self.kind}'.strip(), b"success"
        )

    async def ask(self, line: str, *answers: bytes) -> None:
        await self.client.send(line.encode() + b"\n")
        await self.client.hears(*answers)

    async def open(self) -> str:
        await self.ask(f"create-game {guid(1)} {self.words}", b"success")
        return guid(1)

    async def join(self, room: str) -> None:
        await self.ask(f"join-game {room}", b"success")

    async def get_ready(self) -> None:
        await self.ask("ready-for-game", b"waiting-for-opponent", b"success")

    async def hear_beginning(self) -> None:
        await self.client.has_heard(b"start-game")

    async def move(self, move: str) -> None:
        await self.ask(f"move {move}", b"move-result")

    async def hear_move(self, move: str) -> None:
        await self.hear(move.encode())

    async def say(self, text: str) -> None:
        await self.ask(f'game-chat "{self.name}" {text}', text.encode())

    async def hear_that_gone(self, other: Client) -> None:
        if isinstance(other, Tafl):
            await self.hear(b"end-game")

    async def hear(self, part: bytes) -> None:
        await self.client.hears(part)

    async def hang_up(self) -> None:
        await self.client.finish()


class TaflExtended(Tafl):
    kind = EXTENDED


class TaflOld(Tafl):
    """Of network protocol 7."""

    kind = "7"
    words = f"combinechat:false allowreplay:false attackers none {TIMED} {BRANDUB}"

    async def join(self, room: str) -> None:
        await self.ask(f"join-game {room} false none", b"success")

    async def get_ready(self) -> None:
        """Is ready as soon as it sits."""

    async def move(self, move: str) -> None:
        await self.ask(f"move-record {move}", b"move-result")

    async def hear_that_gone(self, other: Client) -> None:
        if isinstance(other, Tafl):
            await self.hear(b"opponent-left")
