"""The players of recorded games, with a relay between them that sends what was sent then."""

from collections.abc import Callable
from time import perf_counter

from bench.clients.connection import Connection, Gate, Tally
from bench.clients.gathering import Gathering
from bench.scripts.recorded import Game

_WELCOME = b"welcome\n"


class Room:
    """Everybody of one game, which is played again and again."""

    def __init__(
        self, number: int, game: Game, tally: Tally, gate: Gate, on_open: Callable[[], None], *, lines: bool
    ) -> None:
        self.number = number
        self.game = game
        self.tally = tally
        self._gate = gate
        self._on_open = on_open
        self._lines = lines
        self._step = 0
        self._sent_at = 0.0
        self.players: list[Player] = []

    def come(self) -> None:
        """One after the other, so that the relay knows who sits where."""
        if len(self.players) == len(self.game.parts):
            self._on_open()
            return
        kind = LinePlayer if self._lines else Player
        self.players.append(kind(self, len(self.players)))
        self._gate.connect(self.players[-1])

    def play(self) -> None:
        step = self.game.steps[self._step]
        self._sent_at = perf_counter()
        self.players[step.seat].send(step.said)

    def heard(self, seat: int, step: int) -> None:
        steps = self.game.steps
        following = (step + 1) % len(steps)
        if step == self._step and seat == steps[following].seat:
            self.tally.moves += 1
            self.tally.latencies.append(perf_counter() - self._sent_at)
            self._step = following
            if self.tally.playing:
                self.play()


class Player(Connection):
    """One of them, by WebSocket."""

    __slots__ = ("_at", "_part", "_step", "room", "seat")

    def __init__(self, room: Room, seat: int) -> None:
        super().__init__(room.tally, f"/{room.number}")
        self.room = room
        self.seat = seat
        self._part = room.game.parts[seat]
        self._at = self._step = 0

    def called(self) -> str:
        return f"player {self.seat} of room {self.room.number}"

    def entered(self) -> None:
        self.room.come()

    def expected(self) -> bytes:
        return self._part.stream[self._at :]

    def data_received(self, data: bytes) -> None:
        if not self.upgraded:
            self.unusual(data)
            return
        part = self._part
        left = len(part.stream) - self._at
        if len(data) > left:
            # The game begins again inside of this read.
            self.data_received(data[:left])
            self.data_received(data[left:])
        elif part.stream.startswith(data, self._at):
            self._at += len(data)
            self._reached()
        else:
            self.unusual(data)

    def _reached(self) -> None:
        ends = self._part.ends
        while self._at >= ends[self._step]:
            step = self._step
            self._step += 1
            if self._step == len(ends):
                self._at = self._step = 0
                self.room.heard(self.seat, step)
                return
            self.room.heard(self.seat, step)


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

    def __init__(self, count: int, games: list[Game], port: int, *, lines: bool) -> None:
        self.tally = Tally()
        self._opened = Gathering(self.tally, count, "rooms were opened")
        gate = Gate(port)
        self._rooms = [
            Room(number, games[number % len(games)], self.tally, gate, self._opened.one, lines=lines)
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
