"""Topple's clients, as cheap as they can be: everything that a client will ever hear is known beforehand.

Rooms are opened before anything is measured. Then so many of them play at once; when one has made its moves its two
players leave, and the next one that was opened begins. So a room's start and end are measured with its moves, and its
opening is not.
"""

from collections import deque
from collections.abc import Callable
from time import perf_counter

from bench.clients.connection import Connection, Gate, Tally
from bench.clients.gathering import Gathering
from bench.scripts import topple as scripts
from bench.scripts.topple import Script, Welcome

_NEVER = 1 << 60


class Room:
    """Two connections that play one prepared game by the Topple protocol."""

    __slots__ = ("_on_open", "_on_over", "_sent_at", "gate", "number", "players", "script", "tally")

    def __init__(
        self,
        number: int,
        script: Script,
        tally: Tally,
        gate: Gate,
        on_open: Callable[[], None],
        on_over: Callable[[], None],
    ) -> None:
        self.number = number
        self.script = script
        self.tally = tally
        self.gate = gate
        self.players: list[Player] = []
        self._on_open = on_open
        self._on_over = on_over
        self._sent_at = 0.0

    def _comes(self, path: str) -> "Player":
        player = Player(self, len(self.players), path)
        self.players.append(player)
        self.gate.connect(player)
        return player

    # Opening

    def open(self) -> None:
        self._comes(scripts.create()).learn(scripts.CREATED, self._created)

    def entered(self, player: "Player") -> None:
        """The handshake of one of the two is done."""

    def _created(self, code: str) -> None:
        self.players[0].learn(scripts.SETTLED, self._settled)
        self.players[0].send(scripts.RULES)

    def _settled(self, code: str) -> None:
        self.players[0].follow()
        self._comes(scripts.join(code)).learn(scripts.JOINED, self._joined)

    def _joined(self, code: str) -> None:
        self.players[1].follow()
        self._on_open()

    # Playing

    def begin(self) -> None:
        self.players[0].send(scripts.START)

    def play(self, move: int) -> None:
        self._sent_at = perf_counter()
        self.players[move & 1].send(self.script.moves[move])

    def seen(self, move: int) -> None:
        """The opponent has seen a move, and answers it."""
        tally = self.tally
        tally.moves += 1
        tally.latencies.append(perf_counter() - self._sent_at)
        if move + 1 < len(self.script.moves):
            self.play(move + 1)

    # The end

    def heard_all(self, player: "Player") -> None:
        """One of the two has heard all of the game; the second one also that the first has left."""
        player.send(scripts.LEAVE)
        player.gone = True
        if player.seat:
            self._on_over()


class RelayRoom(Room):
    """The same two with a relay between them."""

    __slots__ = ()

    def open(self) -> None:
        self._comes(f"/{self.number}").follow()

    def entered(self, player: "Player") -> None:
        if player.seat:
            self._on_open()
        else:
            self._comes(f"/{self.number}").follow()

    def heard_all(self, player: "Player") -> None:
        player.hang_up()
        if all(each.gone for each in self.players):
            self._on_over()


class Player(Connection):
    """One of the two."""

    __slots__ = (
        "_at",
        "_due",
        "_ends",
        "_first",
        "_known",
        "_learnt",
        "_step",
        "_stream",
        "_welcome",
        "room",
        "seat",
    )

    def __init__(self, room: Room, seat: int, path: str) -> None:
        super().__init__(room.tally, path)
        self.room = room
        self.seat = seat
        self._welcome: Welcome | None = None
        self._learnt = b""
        self._stream = b""
        self._at = 0
        self._due = _NEVER

    def called(self) -> str:
        return f"player {self.seat + 1} of room {self.room.number}"

    def entered(self) -> None:
        self.room.entered(self)

    def learn(self, welcome: Welcome, known: Callable[[str], None]) -> None:
        """Expect what only the server knows all of; it is compared when it is complete."""
        self._welcome = welcome
        self._known = known

    def follow(self) -> None:
        """From now on all that comes is known beforehand."""
        self._welcome = None
        script = self.room.script
        self._stream, self._ends = script.parts[self.seat].stream, script.parts[self.seat].ends
        self._first = script.first[self.seat]
        self._step = 0
        self._due = self._ends[0]

    def data_received(self, data: bytes) -> None:
        if self._welcome is None and self.upgraded and self._stream.startswith(data, self._at):
            self._at += len(data)
            while self._at >= self._due:
                self._reached()
        elif self._welcome is not None and self.upgraded:
            self._heard(self._welcome, data)
        else:
            self.unusual(data)

    def expected(self) -> bytes:
        return self._stream[self._at :]

    def _heard(self, welcome: Welcome, data: bytes) -> None:
        heard = self._learnt + data
        if len(heard) < welcome.length:
            self._learnt = heard
            return
        code = welcome.room_in(heard[: welcome.length])
        if code is None:
            self.give_up(f"heard {heard!r} on the way in")
            return
        self._learnt = b""
        self._known(code)
        if len(heard) > welcome.length:
            self.data_received(heard[welcome.length :])

    def _reached(self) -> None:
        step = self._step
        self._step = step + 1
        last = self._step == len(self._ends)
        self._due = _NEVER if last else self._ends[self._step]
        move = step - self._first
        if move < 0:
            if move == -1 and self.seat == 0:
                self.room.play(0)
        elif (move ^ self.seat) & 1 and move < len(self.room.script.moves):
            self.room.seen(move)
        if last:
            self.room.heard_all(self)


class Rooms:
    """Many of them, of which so many play at a time."""

    def __init__(self, playing: int, spare: int, kind: type[Room], games: list[Script], port: int) -> None:
        self.tally = Tally()
        self._playing = playing
        self._opened = Gathering(self.tally, playing + spare, "rooms were opened")
        gate = Gate(port)
        self._rooms = [
            kind(number, games[number % len(games)], self.tally, gate, self._opened.one, self._one_over)
            for number in range(playing + spare)
        ]
        self._waiting = deque(self._rooms)

    def _one_over(self) -> None:
        if self.tally.playing and self._waiting:
            self._waiting.popleft().begin()

    @property
    def left(self) -> int:
        """Rooms that have not begun yet. When there are none, fewer than were asked for play."""
        return len(self._waiting)

    @property
    def count(self) -> int:
        return len(self._rooms)

    async def open(self) -> float:
        """Open all of them; how many seconds that took."""
        began = perf_counter()
        for room in self._rooms:
            room.open()
        await self._opened.complete()
        return perf_counter() - began

    def start(self) -> None:
        self.tally.playing = True
        for _ in range(self._playing):
            self._waiting.popleft().begin()

    def close(self) -> None:
        self.tally.playing = False
        for room in self._rooms:
            for player in room.players:
                player.abort()
