"""Tower's clients, as cheap as they can be: everything that a client will ever hear is known beforehand.

A table plays prepared games, so each of its three connections expects one exact stream of bytes and compares what
comes with it. That checks every message and its order, and costs one comparison for each read. At the end of a game one
of the three hangs up and comes back, which is how this protocol gets to the next game.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from bench import wire

SEATS = 3
_EMPTY = 3
_TILES = 24
_NEVER = 1 << 60
_VECTORS = Path(__file__).parent.parent / "tests" / "vectors" / "tower" / "games.json"
_POSITIONS = [
    {"x": x, "y": y, "z": z} for y in range(3) for x in range(3) for z in range(3) if (x, z) != (1, 1)
]


def text(kind: str, data: Any) -> bytes:
    return json.dumps({"type": kind, "data": data}, separators=(",", ":")).encode()


def _says(kind: str, **data: Any) -> bytes:
    return wire.from_server(text(kind, data))


def _joined(seat: int) -> bytes:
    return _says("player_joined", name=_name(seat), id=seat)


def _name(seat: int) -> str:
    return f"player {seat}"


_PLACE = [wire.from_client(text("place_mark", {"position": position})) for position in _POSITIONS]
_TURN = [_says("player_turn", id=seat) for seat in range(SEATS)]
_EMPTY_BOARD = _says("board_state", state=[_EMPTY] * _TILES)


class Part:
    """A stretch of what one client will hear, and the places in it at which it does something."""

    __slots__ = ("ends", "stream")

    def __init__(self, pieces: list[bytes]) -> None:
        self.stream = b"".join(pieces)
        ends = []
        end = 0
        for piece in pieces:
            end += len(piece)
            ends.append(end)
        self.ends = tuple(ends)


class Script:
    """One game with the change of people after it."""

    __slots__ = ("leaver", "leaving", "moves", "staying", "witness")

    def __init__(self, tiles: list[int], over: bytes, leaver: int) -> None:
        self.moves = tuple(_PLACE[tile] for tile in tiles)
        heard = [
            _says("mark_placed", id=number % SEATS, position=_POSITIONS[tile])
            + (over if number == len(tiles) - 1 else _TURN[(number + 1) % SEATS])
            for number, tile in enumerate(tiles)
        ]
        self.leaver = leaver
        self.witness = (leaver + 1) % SEATS
        """Whose sight of the leaving is the sign that the seat is free."""
        self.leaving = Part(heard)
        self.staying = Part(
            [*heard, _says("player_left", id=leaver), _joined(leaver) + _EMPTY_BOARD + _TURN[0]]
        )


def _coming_back(seat: int) -> Part:
    others = b"".join(_joined(other) for other in range(SEATS) if other != seat)
    welcome = _says("room_joined", id=seat) + others + _EMPTY_BOARD + _joined(seat)
    return Part([welcome, _EMPTY_BOARD + _TURN[0]])


def _first_time(seat: int) -> Part:
    before = b"".join(_joined(other) for other in range(seat))
    after = b"".join(_joined(other) for other in range(seat + 1, SEATS))
    return Part([_says("room_joined", id=seat) + before + _joined(seat), after + _TURN[0]])


_COMING_BACK = [_coming_back(seat) for seat in range(SEATS)]
_FIRST_TIME = [_first_time(seat) for seat in range(SEATS)]


class Repertoire:
    """What the tables play: a first game that differs in length from table to table, then one kind of game for good.

    Without the first, all tables would go through their games in step, and change people at the same moment.
    """

    def __init__(self, first: list[Script], then: list[Script]) -> None:
        self._first = first
        self._then = then

    def script(self, table: int, cycle: int) -> Script:
        scripts = self._then if cycle else self._first
        return scripts[(table + cycle) % len(scripts)]


def _recorded() -> dict[int, list[Script]]:
    """Recorded games by length, each in three versions: after it seat 0, 1 or 2 leaves and comes back."""
    by_length: dict[int, list[Script]] = {}
    for game in json.loads(_VECTORS.read_text())["games"]:
        tiles = [move["tile"] for move in game["moves"]]
        winner, line = game["result"]["winner_id"], game["result"]["winning_marks"]
        over = _says("game_over", winner_id=winner, winning_marks=line)
        versions = [Script(tiles, over, leaver) for leaver in range(SEATS)]
        by_length.setdefault(len(tiles), []).extend(versions)
    return by_length


def _of_every_length(recorded: dict[int, list[Script]]) -> list[Script]:
    return [script for scripts in recorded.values() for script in scripts[:SEATS]]


def long_games() -> Repertoire:
    """24 marks: draws."""
    recorded = _recorded()
    return Repertoire(_of_every_length(recorded), recorded[_TILES])


def short_games() -> Repertoire:
    """The shortest recorded ones, so that the change of people weighs as much as it can."""
    recorded = _recorded()
    return Repertoire(_of_every_length(recorded), recorded[min(recorded)])


class Tally:
    """What all tables of a run have in common."""

    def __init__(self) -> None:
        self.moves = 0
        self.reconnects = 0
        self.latencies: list[float] = []
        self.failures: list[str] = []
        self.playing = False
        self.paced = False

    def fail(self, what: str) -> None:
        self.failures.append(what)


class Table:
    """One room with three connections, playing game after game."""

    __slots__ = (
        "_connect", "_cycle", "_move", "_on_full", "_on_settled", "_owed", "_ready", "_repertoire", "_sent", "_unseen",
        "number", "players", "tally",
    )  # fmt: skip

    def __init__(
        self,
        number: int,
        repertoire: Repertoire,
        tally: Tally,
        connect: Callable[["Player"], None],
        on_full: Callable[[], None],
        on_settled: Callable[[], None],
    ) -> None:
        self.number = number
        self.tally = tally
        self._on_full = on_full
        self._on_settled = on_settled
        self.players: list[Player] = []
        self._repertoire = repertoire
        self._connect = connect
        self._cycle = 0
        self._move = 0
        """The next move of the game."""
        self._ready = False
        """Its player has seen that it is their turn."""
        self._owed = 0.0
        """When a paced move was due that its player could not make yet."""
        self._sent = [0.0] * _TILES
        self._unseen = [0] * _TILES
        """How many opponents have not seen each move yet."""

    def script(self, cycle: int) -> Script:
        return self._repertoire.script(self.number, cycle)

    def open(self) -> None:
        self._seat(0)

    def _seat(self, seat: int) -> None:
        player = Player(self, seat, _FIRST_TIME[seat], 0)
        self.players.append(player)
        self._connect(player)

    def seated(self, player: "Player") -> None:
        """A player has come in for the first time, or again."""
        if len(self.players) < SEATS and player.seat == len(self.players) - 1:
            self._seat(player.seat + 1)

    def full(self, player: "Player") -> None:
        """A player has heard that everybody is here and seat 0 begins."""
        if player.seat == 0:
            if self._cycle == 0 and not self.tally.playing:
                self._ready = True
                self._on_full()
            else:
                self._turn_seen()

    def start(self) -> None:
        self._ready = False
        self._turn_seen()

    def _turn_seen(self) -> None:
        if not self.tally.paced:
            self._play(perf_counter())
        elif self._owed:
            # Late because the server was: that counts. After a change of people nobody was waiting for a move yet.
            due, self._owed = self._owed, 0.0
            self._play(due if self._move else perf_counter())
        else:
            self._ready = True

    def due(self) -> None:
        """The moment for a paced move has come."""
        if self._ready:
            self._ready = False
            self._play(perf_counter())
        else:
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

    def come_back(self, seat: int, cycle: int) -> None:
        """The seat is free: take it again with a new connection."""
        self.tally.reconnects += 1
        if cycle == 1:
            self._on_settled()
        player = Player(self, seat, _COMING_BACK[seat], cycle)
        self.players[seat] = player
        self._connect(player)


class Player(asyncio.Protocol):
    """One connection."""

    __slots__ = (
        "_at", "_cycle", "_due", "_gone", "_part", "_playing", "_send", "_step", "_upgraded", "seat", "table",
    )  # fmt: skip

    def __init__(self, table: Table, seat: int, entering: Part, cycle: int) -> None:
        self.table = table
        self.seat = seat
        self._cycle = cycle
        """Number of the game that this player is in, or comes in for."""
        self._playing = False
        self._upgraded = False
        self._gone = False
        self._hear(entering)

    def _hear(self, part: Part) -> None:
        self._part = part
        self._at = 0
        self._step = 0
        self._due = part.ends[0]

    # Bytes

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._send = cast(asyncio.Transport, transport)

    def send(self, data: bytes) -> None:
        self._send.write(data)

    def data_received(self, data: bytes) -> None:
        if self._upgraded and self._part.stream.startswith(data, self._at):
            self._at += len(data)
            while self._at >= self._due:
                self._reached()
        else:
            self._unusual(data)

    def _unusual(self, data: bytes) -> None:
        """The handshake, the end of a part inside a read, a ping; or what should not have been said."""
        if self._gone:
            return
        if not self._upgraded:
            self._upgrade(data)
            return
        left = len(self._part.stream) - self._at
        if len(data) > left and self._part.stream.endswith(data[:left]):
            self.data_received(data[:left])
            self.data_received(data[left:])
            return
        ping = data.find(wire.PING)
        if ping >= 0:
            self.send(wire.PONG)
            rest = data[:ping] + data[ping + len(wire.PING) :]
            if rest:
                self.data_received(rest)
            return
        expected = self._part.stream[self._at : self._at + len(data)]
        self._give_up(f"heard {data!r}, expected {expected!r}")

    def _upgrade(self, data: bytes) -> None:
        head, end, rest = data.partition(wire.HEAD_END)
        if not end or not head.startswith(wire.UPGRADED):
            self._give_up(f"not let in: {data[:200]!r}")
            return
        self._upgraded = True
        room = f"room {self.table.number}"
        self.send(wire.from_client(text("join_room", {"room": room, "name": _name(self.seat)})))
        if rest:
            self.data_received(rest)

    def connection_lost(self, error: Exception | None) -> None:
        if not self._gone:
            self._give_up(f"cut off ({error})")

    def _give_up(self, why: str) -> None:
        self._gone = True
        self.table.tally.fail(f"table {self.table.number} seat {self.seat}: {why}")

    def hang_up(self) -> None:
        self._gone = True
        self.send(wire.CLOSE)

    def abort(self) -> None:
        self._gone = True
        if hasattr(self, "_send"):
            self._send.abort()

    # What it means

    def _reached(self) -> None:
        step = self._step
        ends = self._part.ends
        self._step = step + 1
        if self._step < len(ends):
            self._due = ends[self._step]
            if not self._playing:
                self.table.seated(self)
                return
        else:
            self._due = _NEVER
        if self._playing:
            self._heard(step)
        else:
            self._begin()

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
        if step <= last:
            table.move_seen(self.seat, step, last)
            if step == last and self.seat == script.leaver:
                self.hang_up()
        elif step == last + 1:
            if self.seat == script.witness:
                table.next_game()
                table.come_back(script.leaver, self._cycle + 1)
        else:
            self._cycle += 1
            self._begin()
