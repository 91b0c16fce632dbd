"""Whole games as they were heard: what each of the players said, and what came of it for all of them.

Where chance is the server's, or what is told is long, nothing else says what a relay has to send to pass on the same.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from time import perf_counter

import msgspec

from bench import machine
from bench.clients import wire
from bench.clients.connection import Connection
from bench.load import Load
from bench.pace import BenchFailed

_QUIET_SECONDS = 0.01
"""When the server sleeps and nobody has heard anything for so long, everybody has heard what came of it. If it was too
short, the rest is written down with what is said next."""
_AT_MOST_SECONDS = 180.0


class Step(msgspec.Struct):
    seat: int
    said: bytes
    """As it went over the wire, a frame or a line."""
    heard: list[bytes]
    """What came of it, by seat."""
    moves: int = 0
    """How many moves the players counted then: none where they set up a game or leave it."""


Game = Sequence[Step]


class Recording(msgspec.Struct, kw_only=True):
    games: list[Game]
    lines: bool
    """They are played by lines of text, and not by WebSocket."""

    def messages(self, heard: bytes) -> list[str]:
        if self.lines:
            return heard.decode().splitlines(keepends=True)
        return [text.decode() for _, text, _ in wire.frames(heard)]

    @property
    def moves_in_a_game(self) -> int:
        """On average."""
        return sum(step.moves for game in self.games for step in game) // len(self.games)

    def messages_per_move(self) -> "Messages":
        steps = [step for game in self.games for step in game]
        moves = sum(step.moves for step in steps)
        told = sum(len(self.messages(heard)) for step in steps for heard in step.heard)
        return Messages(said=len(steps) / moves, heard=told / moves)


class Messages(msgspec.Struct, frozen=True):
    """How many there are for each move, all that is said before and after the moves included."""

    said: float
    heard: float


async def record(load: Load, tables: int, seats: int, opening: bytes, pid: int) -> list[Game]:
    """The second game of each of these tables, which have just been made: in the first one people are still coming in.

    It begins with the message that has the opening in it and ends before the next one of that kind. Each table says one
    thing at a time, and then waits until all have heard what came of it.
    """
    tally = load.tally
    held: list[tuple[Connection, bytes]] = []
    heard: list[tuple[Connection, bytes, int]] = []
    tally.held, tally.heard = held, heard
    steps: dict[int, list[Step]] = defaultdict(list)
    opened: dict[int, list[int]] = defaultdict(list)
    """By table, at which of its steps a game was opened."""
    latest = perf_counter() + _AT_MOST_SECONDS
    ready = asyncio.ensure_future(load.open())
    try:
        while sum(len(at) > 2 for at in opened.values()) < tables:
            await _quiet(heard, pid)
            if tally.failures or perf_counter() > latest:
                raise BenchFailed(f"No games can be recorded: {tally.failures[:3] or 'it is too slow'}")
            for connection, data, moves in heard:
                table, seat = connection.place
                if steps[table]:
                    step = steps[table][-1]
                    step.heard[seat] += data
                    step.moves += moves
            heard.clear()
            if ready.done() and not tally.playing:
                await ready
                load.start()
            for connection, data in _one_of_each_table(held):
                table, seat = connection.place
                if opening in wire.said(data):
                    opened[table].append(len(steps[table]))
                steps[table].append(Step(seat, data, [b""] * seats))
                connection.send_now(data)
    finally:
        ready.cancel()
    return [steps[table][at[1] : at[2]] for table, at in sorted(opened.items())]


async def _quiet(heard: list[tuple[Connection, bytes, int]], pid: int) -> None:
    known = -1
    while known < len(heard) or not machine.sleeps(pid):
        known = len(heard)
        await asyncio.sleep(_QUIET_SECONDS)


def _one_of_each_table(held: list[tuple[Connection, bytes]]) -> list[tuple[Connection, bytes]]:
    """What each table wants to say first. The rest is still held."""
    first: dict[int, tuple[Connection, bytes]] = {}
    for each in held:
        first.setdefault(each[0].place[0], each)
    for each in first.values():
        held.remove(each)
    return [*first.values()]
