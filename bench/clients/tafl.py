"""Tafl's clients, as cheap as they can be: everything that a client will ever hear in a game is known beforehand.

Two of them play game after game over the same two connections: one opens a game, the other joins it, both are ready,
play a recorded game to its end and leave. What comes is compared with what is expected, line for line. What the server
says of its own accord, about who comes and goes and how clocks stand, is taken out first.
"""

import re
from collections.abc import Callable
from time import perf_counter

from bench.clients.connection import Connection, Gate, Tally
from bench.clients.gathering import Gathering
from bench.scripts import tafl as scripts
from bench.scripts.part import Part
from bench.servers import accounts

_NEVER = 1 << 60
_OF_ITS_OWN_ACCORD = re.compile(rb'^(?:lobby-chat "Server"|clock-update) .*\n', re.MULTILINE)


class Pair:
    """Two who play each other."""

    __slots__ = ("_cycle", "_on_open", "_sent_at", "guid", "number", "players", "script", "tally", "timed")

    def __init__(
        self, number: int, tally: Tally, gate: Gate, on_open: Callable[[], None], *, timed: bool
    ) -> None:
        self.number = number
        self.tally = tally
        self.timed = timed
        self.players = [Player(self, seat) for seat in range(2)]
        self._on_open = on_open
        self._cycle = 0
        self._sent_at = 0.0
        self._choose()
        for player in self.players:
            gate.connect(player)

    def _choose(self) -> None:
        games = scripts.games()
        self.script = games[(self.number + self._cycle) % len(games)]
        self.guid = f"{self.number:08x}-0000-4000-8000-{self._cycle:012x}"

    # Before a game

    def logged_in(self) -> None:
        if all(player.is_in for player in self.players):
            self._open()

    def _open(self) -> None:
        for player in self.players:
            player.follow(self.script.parts[player.seat])
        self.players[0].send(self.script.create(self.guid, timed=self.timed))

    def prepared(self, seat: int, step: int) -> None:
        """One of the two has heard the answer to what is said before the moves."""
        host, guest = self.players
        if seat == 1 and step == 0:
            host.send(scripts.READY)
        elif seat == 0 and step == 0:
            guest.send(scripts.join(self.guid))
        elif seat == 0 and step == 1:
            guest.send(scripts.READY)
        elif seat == 0:
            if self.tally.playing:
                self.play(0)
            else:
                self._on_open()

    # A game

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

    def heard_end(self, player: "Player") -> None:
        player.send(scripts.leave(self.guid))

    def left(self) -> None:
        """One of the two has left; when both have, they play the next game."""
        if self.tally.playing and all(player.is_through for player in self.players):
            self._cycle += 1
            self._choose()
            self._open()


class Player(Connection):
    """One of the two."""

    __slots__ = ("_at", "_due", "_ends", "_step", "_stream", "_unread", "is_in", "pair", "seat")

    def __init__(self, pair: Pair, seat: int) -> None:
        super().__init__(pair.tally, "")
        self.pair = pair
        self.seat = seat
        self.is_in = False
        self._unread = b""
        """The beginning of a line whose rest has not come."""
        self._stream = scripts.SUCCESS
        self._ends: tuple[int, ...] = (len(self._stream),)
        self._begin()

    def _begin(self) -> None:
        self._at = self._step = 0
        self._due = self._ends[0]

    @property
    def place(self) -> tuple[int, int]:
        return self.pair.number, self.seat

    def called(self) -> str:
        return accounts.player(2 * self.pair.number + self.seat)

    def first_words(self, port: int) -> bytes:
        name = self.called()
        return scripts.log_in(name, accounts.hash_of(name))

    def follow(self, part: Part) -> None:
        self._stream, self._ends = part.stream, part.ends
        self._begin()

    @property
    def is_through(self) -> bool:
        return self._step == len(self._ends)

    def data_received(self, data: bytes) -> None:
        if self._unread or not self._stream.startswith(data, self._at):
            data = self._answers(data)
            if not self._stream.startswith(data, self._at):
                if not self.gone:
                    expected = self._stream[self._at : self._at + 300]
                    self.give_up(f"heard {data[:300]!r}, expected {expected!r}")
                return
        self._at += len(data)
        while self._at >= self._due:
            self._reached()

    def _answers(self, data: bytes) -> bytes:
        """Of all whole lines those that belong to the game."""
        lines, end, self._unread = (self._unread + data).rpartition(b"\n")
        return _OF_ITS_OWN_ACCORD.sub(b"", lines + end)

    def _reached(self) -> None:
        step = self._step
        self._step = step + 1
        self._due = _NEVER if self.is_through else self._ends[self._step]
        pair = self.pair
        if not self.is_in:
            self.is_in = True
            pair.logged_in()
            return
        move = step - scripts.BEFORE_MOVES[self.seat]
        moves = len(pair.script.moves)
        if move < 0:
            pair.prepared(self.seat, step)
        elif move < moves:
            if (move ^ self.seat) & 1:
                pair.seen(move)
            if move == moves - 1:
                pair.heard_end(self)
        else:
            pair.left()


class Pairs:
    """So many games at once."""

    def __init__(self, count: int, port: int, *, timed: bool = False, first: int = 0) -> None:
        self.tally = Tally()
        self._opened = Gathering(self.tally, count, "games were opened")
        gate = Gate(port)
        self._pairs = [
            Pair(number, self.tally, gate, self._opened.one, timed=timed)
            for number in range(first, first + count)
        ]

    async def open(self) -> None:
        """Until everybody is logged in and waits for the first move."""
        await self._opened.complete()

    def start(self) -> None:
        self.tally.playing = True
        for pair in self._pairs:
            pair.play(0)

    def close(self) -> None:
        self.tally.playing = False
        for pair in self._pairs:
            for player in pair.players:
                player.abort()
