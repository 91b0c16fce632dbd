"""Tower's clients, as cheap as they can be: everything that a client will ever hear is known beforehand.

A table plays prepared games, so each of its three connections expects one exact stream of bytes and compares what
comes with it. That checks every message and its order, and costs one comparison for each read. At the end of a game one
of the three hangs up and comes back, which is how this protocol gets to the next game.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter

from bench.clients.connection import Connection, Gate, Tally
from bench.clients.gathering import Gathering, reached
from bench.pace import BenchFailed
from bench.scripts.part import Part
from bench.scripts.tower import NOBODY, SEATS, TILES, Repertoire, Script

_NEVER = 1 << 60
_TICK = 0.001
_SILENCE_SECONDS = 60.0
"""When nobody has heard of a move for so long, something is missing."""


class Table:
    """One room with three connections, playing game after game."""

    __slots__ = (
        "_cycle", "_gate", "_left_at", "_move", "_on_seated", "_on_settled", "_owed", "_ready", "_seats", "_sent",
        "_unseen", "number", "players", "repertoire", "tally",
    )  # fmt: skip

    def __init__(
        self,
        number: int,
        repertoire: Repertoire,
        tally: Tally,
        gate: Gate,
        on_seated: Callable[[], None],
        on_settled: Callable[[], None],
        seats: int = SEATS,
    ) -> None:
        self.number = number
        self.repertoire = repertoire
        self.tally = tally
        self.players: list[Player] = []
        self._gate = gate
        self._on_seated = on_seated
        self._on_settled = on_settled
        self._seats = seats
        """How many come in: with fewer than three the game never begins."""
        self._cycle = 0
        self._move = 0
        """The next move of the game."""
        self._ready = False
        """Its player has seen that it is their turn."""
        self._owed = 0.0
        """When a paced move was due that its player could not make yet."""
        self._left_at = 0.0
        """When somebody hung up, until the next game begins."""
        self._sent = [0.0] * TILES
        self._unseen = [0] * TILES
        """How many opponents have not seen each move yet."""

    def script(self, cycle: int) -> Script:
        return self.repertoire.script(self.number, cycle)

    # Coming in

    def open(self) -> None:
        self._seat(0)

    def _seat(self, seat: int) -> None:
        player = Player(self, seat, self.repertoire.first_time[seat], 0)
        self.players.append(player)
        self._gate.connect(player)

    def seated(self, player: "Player") -> None:
        """A player has come in for the first time, or again."""
        if player.first and player.seat + 1 < self._seats:
            self._seat(player.seat + 1)
        elif player.first and self._seats < SEATS:
            self._on_seated()

    def full(self, player: "Player") -> None:
        """A player has heard that everybody is here and seat 0 begins."""
        if player.seat != 0:
            return
        if self.tally.playing:
            if self._left_at:
                self.tally.absences.append(perf_counter() - self._left_at)
                self._left_at = 0.0
            self._turn_seen()
        else:
            self._on_seated()

    def left(self) -> None:
        """One of the three hangs up after a game."""
        self._left_at = perf_counter()

    def come_back(self, seat: int, cycle: int) -> None:
        """The seat is free: take it again with a new connection."""
        self.tally.reconnects += 1
        player = Player(self, seat, self.repertoire.coming_back[seat], cycle)
        self.players[seat] = player
        self._gate.connect(player)

    # Playing

    def start(self) -> None:
        self._turn_seen()

    def _turn_seen(self) -> None:
        if not self.tally.paced:
            self._play(perf_counter())
        elif self._owed:
            # Late because the server was: that counts. After a reconnect nobody was waiting for a move yet.
            due, self._owed = self._owed, 0.0
            self._play(due if self._move else perf_counter())
        else:
            self._ready = True

    def due(self) -> None:
        """The moment for a paced move has come."""
        if self._ready:
            self._ready = False
            self._play(perf_counter())
        elif not self._owed:
            self._owed = perf_counter()

    def _play(self, now: float) -> None:
        move = self._move
        self._sent[move] = now
        self._unseen[move] = SEATS - 1
        self.players[move % SEATS].send(self.script(self._cycle).moves[move])

    def move_seen(self, seat: int, move: int, last: int) -> None:
        if seat != move % SEATS:
            unseen = self._unseen[move] - 1
            self._unseen[move] = unseen
            if not unseen:
                tally = self.tally
                tally.moves += 1
                tally.latencies.append(perf_counter() - self._sent[move])
        if seat == (move + 1) % SEATS and move != last:
            self._move = move + 1
            self._turn_seen()

    def next_game(self) -> None:
        self._cycle += 1
        self._move = 0
        if self._cycle == 1:
            self._on_settled()


class Player(Connection):
    """One connection to a table."""

    __slots__ = ("_at", "_cycle", "_due", "_part", "_playing", "_step", "first", "seat", "table")

    def __init__(self, table: Table, seat: int, entering: Part, cycle: int) -> None:
        super().__init__(table.tally, table.repertoire.path(table.number))
        self.table = table
        self.seat = seat
        self.first = cycle == 0
        """This is not somebody who comes back."""
        self._cycle = cycle
        """Number of the game that this player is in, or comes in for."""
        self._playing = False
        self._hear(entering)

    def called(self) -> str:
        return f"table {self.table.number} seat {self.seat}"

    def entered(self) -> None:
        hello = self.table.repertoire.hello(self.table.number, self.seat)
        if hello is not None:
            self.send(hello)

    # Bytes

    def _hear(self, part: Part) -> None:
        self._part = part
        self._at = 0
        self._step = 0
        self._due = part.ends[0]

    def data_received(self, data: bytes) -> None:
        if self.upgraded and self._part.stream.startswith(data, self._at):
            self._at += len(data)
            while self._at >= self._due:
                self._reached()
            return
        left = len(self._part.stream) - self._at
        if self.upgraded and not self.gone and len(data) > left and self._part.stream.endswith(data[:left]):
            # The next part begins inside this read.
            self.data_received(data[:left])
            self.data_received(data[left:])
        else:
            self.unusual(data)

    def expected(self) -> bytes:
        return self._part.stream[self._at :]

    def _reached(self) -> None:
        step = self._step
        ends = self._part.ends
        self._step = step + 1
        self._due = ends[self._step] if self._step < len(ends) else _NEVER
        if self._playing:
            self._heard(step)
        elif step == 0:
            self.table.seated(self)
        else:
            self._begin()

    # What it means

    def _begin(self) -> None:
        """Everybody is here: the game of this cycle begins."""
        self._playing = True
        script = self.table.script(self._cycle)
        self._hear(script.leaving if script.leaver == self.seat else script.staying)
        self.table.full(self)

    def _heard(self, step: int) -> None:
        table = self.table
        script = table.script(self._cycle)
        last = len(script.moves) - 1
        if step < last:
            table.move_seen(self.seat, step, last)
        elif step == last:
            table.move_seen(self.seat, step, last)
            if script.leaver == self.seat:
                table.left()
                self.hang_up()
            elif script.leaver == NOBODY:
                if self.seat == 0:
                    table.next_game()
                self._next()
        elif step == last + 1:
            if self.seat == script.witness:
                table.next_game()
                table.come_back(script.leaver, self._cycle + 1)
        else:
            self._next()

    def _next(self) -> None:
        self._cycle += 1
        self._begin()


class Tables:
    """Tables with everybody seated, waiting for the word to start."""

    def __init__(
        self, count: int, repertoire: Repertoire, port: int, seats: int = SEATS, first: int = 0
    ) -> None:
        self.tally = Tally()
        self._seated = Gathering(self.tally, count, "tables came together")
        self._settled = 0
        self._all_settled = asyncio.Event()
        gate = Gate(port)
        self.tables = [
            Table(number, repertoire, self.tally, gate, self._seated.one, self._one_settled, seats)
            for number in range(first, first + count)
        ]

    def _one_settled(self) -> None:
        self._settled += 1
        if self._settled == len(self.tables):
            self._all_settled.set()

    async def open(self) -> None:
        for table in self.tables:
            table.open()
        await self._seated.complete()

    def start(self, rate: float | None = None) -> None:
        """Begin every game: as fast as the server answers, or at so many moves per second in all."""
        self.tally.playing = True
        if rate is None:
            for table in self.tables:
                table.start()
            return
        self.tally.paced = True
        for table in self.tables:
            table.start()
        self._rate = rate
        self._began = perf_counter()
        self._made = 0
        self._pace()

    def _pace(self) -> None:
        """Whoever is next in the round is due; a table that is not ready then moves as soon as it can."""
        if not self.tally.playing:
            return
        now = perf_counter()
        due = int((now - self._began) * self._rate)
        while self._made < due:
            self.tables[self._made % len(self.tables)].due()
            self._made += 1
        asyncio.get_running_loop().call_later(_TICK, self._pace)

    async def settle(self, most_seconds: float) -> None:
        """Until every table has its first game behind it and they are all at different places."""
        await reached(self._all_settled, self.tally, most_seconds)

    async def played(self, moves: int) -> None:
        """Until so many moves have been made."""
        tally, seen, since = self.tally, -1, perf_counter()
        while tally.moves < moves and not tally.failed.is_set():
            if tally.moves != seen:
                seen, since = tally.moves, perf_counter()
            elif perf_counter() - since > _SILENCE_SECONDS:
                break
            # Looking now and then is cheaper than a check at each move.
            await asyncio.sleep(_TICK)
        if tally.failures or tally.moves < moves:
            why = tally.failures[:3] or f"then nothing was heard for {_SILENCE_SECONDS:.0f} s"
            raise BenchFailed(f"{tally.moves} of {moves} moves at {len(self.tables)} tables: {why}")

    def close(self) -> None:
        self.tally.playing = False
        for table in self.tables:
            for player in table.players:
                player.abort()
