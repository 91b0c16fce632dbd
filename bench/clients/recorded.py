"""The players of recorded games, with a relay between them that sends what was sent then."""

from collections.abc import Callable
from time import perf_counter

from bench.clients.connection import Connection, Gate, Tally
from bench.clients.gathering import Gathering
from bench.scripts.recorded import Game, Recording

_WELCOME = b"welcome\n"


class Room:
    """Everybody of one game, which is played again and again. One speaks when all have heard what came before."""

    def __init__(
        self, number: int, game: Game, tally: Tally, gate: Gate, on_open: Callable[[], None], *, lines: bool
    ) -> None:
        self.number = number
        self.tally = tally
        self._game = game
        self._gate = gate
        self._on_open = on_open
        self._kind = LinePlayer if lines else Player
        self._next = 0
        """Number of the next step."""
        self._waiting = 0
        """How many have not heard all that came of the last one."""
        self._sent_at = 0.0
        self.players: list[Player] = []

    def come(self) -> None:
        """One after the other, so that the relay knows who sits where."""
        if len(self.players) == len(self._game[0].heard):
            self._on_open()
            return
        self.players.append(self._kind(self, len(self.players)))
        self._gate.connect(self.players[-1])

    def play(self) -> None:
        """Say the next thing, and what follows as long as nobody hears anything."""
        while not self._waiting and self.tally.playing:
            step = self._game[self._next]
            self._next = (self._next + 1) % len(self._game)
            self._moves = step.moves
            for player, heard in zip(self.players, step.heard, strict=True):
                player.due = heard
                self._waiting += bool(heard)
            self._sent_at = perf_counter()
            self.players[step.seat].send(step.said)

    def one_heard(self) -> None:
        self._waiting -= 1
        if self._waiting:
            return
        if self._moves:
            self.tally.moves += self._moves
            self.tally.latencies.append(perf_counter() - self._sent_at)
        self.play()


class Player(Connection):
    """One of them, by WebSocket."""

    __slots__ = ("due", "room", "seat")

    def __init__(self, room: Room, seat: int) -> None:
        super().__init__(room.tally, f"/{room.number}")
        self.room = room
        self.seat = seat
        self.due = b""
        """What is still to be heard of what was said last."""

    def called(self) -> str:
        return f"player {self.seat} of room {self.room.number}"

    def entered(self) -> None:
        self.room.come()

    def expected(self) -> bytes:
        return self.due

    def data_received(self, data: bytes) -> None:
        if not self.upgraded or not self.due.startswith(data):
            self.unusual(data)
            return
        self.due = self.due[len(data) :]
        if not self.due:
            self.room.one_heard()


class LinePlayer(Player):
    """One of them, by lines: the first one is the number of the room."""

    __slots__ = ()

    def first_words(self, port: int) -> bytes:
        return f"{self.room.number}\n".encode()

    def unusual(self, data: bytes) -> None:
        if self.upgraded or data != _WELCOME:
            super().unusual(data)
            return
        self.upgraded = True
        self.entered()


class Rooms:
    """So many of them at once."""

    def __init__(self, count: int, recording: Recording, port: int) -> None:
        self.tally = Tally()
        self._opened = Gathering(self.tally, count, "rooms were opened")
        gate, games = Gate(port), recording.games
        self._rooms = [
            Room(
                number, games[number % len(games)], self.tally, gate, self._opened.one, lines=recording.lines
            )
            for number in range(count)
        ]

    async def open(self) -> None:
        for room in self._rooms:
            room.come()
        await self._opened.complete()

    def start(self) -> None:
        self.tally.playing = True
        for room in self._rooms:
            room.play()

    def close(self) -> None:
        self.tally.playing = False
        for room in self._rooms:
            for player in room.players:
                player.abort()
