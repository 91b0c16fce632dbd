"""Games as they were heard: what each of the players said and what came back to all of them, move by move.

Where chance is the server's, or what is told is long, nothing else says what a relay has to send to pass on the same.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from bench.clients import wire
from bench.clients.in_step import InStep, Load
from bench.scripts.part import Part

GAMES = 8
"""So many are recorded, one at each table."""


class Step(msgspec.Struct, frozen=True):
    seat: int
    said: bytes
    """As it went over the wire, a frame or a line."""
    heard: tuple[bytes, ...]
    """By each seat."""


class Game:
    """One that can be played again and again: who said the first thing has heard the last."""

    def __init__(self, steps: Sequence[Step], seats: int) -> None:
        self.steps = steps
        self.parts = tuple(Part([step.heard[seat] for step in steps]) for seat in range(seats))


async def record(load: Load, seats: int, rounds: int, pid: int) -> list[Game]:
    """What is said and heard at these tables, which have just been made, in so many rounds or until a game is over."""
    heard = load.tally.heard = []
    tables = InStep(load, GAMES, pid)
    steps: dict[int, list[Step]] = defaultdict(list)
    over: set[int] = set()
    try:
        await tables.open()
        await tables.start()
        for _ in range(rounds):
            heard.clear()
            said = await tables.round()
            spoke = [connection.place[0] for connection, _ in said]
            over.update(table for table in spoke if spoke.count(table) > 1)
            pieces: dict[tuple[int, int], bytes] = defaultdict(bytes)
            for connection, data in heard:
                pieces[connection.place] += data
            for connection, data in said:
                table, seat = connection.place
                if table not in over:
                    steps[table].append(Step(seat, data, tuple(pieces[table, each] for each in range(seats))))
    finally:
        load.close()
    return [Game(_again_and_again(steps[table]), seats) for table in sorted(steps)]


def _again_and_again(steps: list[Step]) -> list[Step]:
    """Up to where everybody who spoke next had heard something, the first one, too."""
    upto = next(
        (number for number, (step, after) in enumerate(pairwise(steps)) if not step.heard[after.seat]),
        len(steps),
    )
    while upto > 1 and not steps[upto - 1].heard[steps[0].seat]:
        upto -= 1
    return steps[:upto]


def messages(frames: bytes) -> Iterator[str]:
    """The texts in what a server sent by WebSocket."""
    at = 0
    while at < len(frames):
        at, text = wire.message_at(frames, at)
        yield text.decode()
