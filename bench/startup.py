"""How long a server with a past takes from its start to its first word."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import time
from typing import Any

import msgspec

from bench.pace import Pace, say
from bench.scripts.tower import SEATS, TILES, recorded_tiles
from bench.servers.gamut import DataFolder, Gamut
from gamut.games.registry import all_games
from gamut.games.tower.rules import Place
from gamut.hall.bots.processes import Question
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId, new_person_id
from gamut.hall.live.opening import Opening
from gamut.hall.settings import HallSettings
from gamut.hall.store.journal import Journal
from gamut.hall.store.storage import Entry, Row, Storage
from gamut.hall.table import commands as c
from gamut.hall.table.clock import Bank, ClockSetting, NoClock
from gamut.hall.table.seats import Sitter
from gamut.ledger.sqlite.database import open_database
from gamut.ledger.sqlite.ledger import SqliteLedger

FINISHED, UNFINISHED = 9000, 1000
_MARKS = 12
_DAY = 86_400_000
_TABLES_PER_COMMIT = 250


class Startup(msgspec.Struct, kw_only=True):
    """Seconds from the start of the process to the line that says it is open; the median of a few."""

    finished: int
    unfinished: int
    events: int
    empty_seconds: float
    full_seconds: float


async def run(pace: Pace) -> Startup:
    finished, unfinished = FINISHED // pace.divisor, UNFINISHED // pace.divisor
    with DataFolder() as empty, DataFolder() as full:
        say(f"startup: writing {finished} finished and {unfinished} unfinished tables")
        events = write(full, finished, unfinished)
        say(f"startup: {pace.starts} starts each, empty and with {events} events")
        figures = Startup(
            finished=finished,
            unfinished=unfinished,
            events=events,
            empty_seconds=median(_start(empty) for _ in range(pace.starts)),
            full_seconds=median(_start(full) for _ in range(pace.starts)),
        )
    say(f"  empty {figures.empty_seconds:.2f} s, full {figures.full_seconds:.2f} s")
    return figures


def _start(data: Path) -> float:
    with Gamut(data) as server:
        return server.start_seconds


class _Inline:
    """A committer without a thread: it commits when it is told to."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._call: Callable[[], None] | None = None
        self.events = 0

    def soon(self, call: Callable[[], None], *, enough: bool) -> None:
        self._call = call

    def commit(self, rows: Sequence[Row], entries: Sequence[Entry], done: Callable[[], None]) -> None:
        self._storage.append(rows, entries)
        self.events += len(rows)
        done()

    def flush(self) -> None:
        call, self._call = self._call, None
        if call is not None:
            call()


class _Never:
    def cancel(self) -> None:
        pass


class _Now:
    """A clock on which nothing ever rings."""

    def now(self) -> Millis:
        return Millis(int(time() * 1000))

    def later(self, delay: Millis, call: Callable[[], None]) -> _Never:
        return _Never()


class _NoBots:
    def think(self, question: Question, done: Callable[[Any], None]) -> None:
        raise AssertionError("no bot sits at these tables")


def write(folder: Path, finished: int, unfinished: int) -> int:
    """Fill a data folder the way the hall would have filled it."""
    recorded = recorded_tiles()
    ends = [tiles for tiles in recorded if abs(len(tiles) - _MARKS) <= 2]
    goes_on = [tiles[:_MARKS] for tiles in recorded if len(tiles) == TILES]

    def play(hall: Hall, number: int) -> None:
        # Mixed as they come in life, not first the ones and then the others.
        open_still = number % ((finished + unfinished) // unfinished) == 0
        games = goes_on if open_still else ends
        _play(hall, number, games[number % len(games)])

    return fill(folder, finished + unfinished, play)


def fill(folder: Path, tables: int, play: Callable[[Hall, int], None]) -> int:
    """So many tables in a data folder, each with what is played there; gives the number of events."""
    database = open_database(folder)
    ledger = SqliteLedger(database.engine)
    committer = _Inline(ledger)
    hall = Hall(
        games=all_games(),
        storage=ledger,
        journal=Journal(committer),
        time=_Now(),
        bots=_NoBots(),
        chance=Random(1),
        settings=HallSettings(most_tables=tables + 1),
        run_blocking=lambda call, *args: call(*args),
    )
    for number in range(tables):
        play(hall, number)
        if number % _TABLES_PER_COMMIT == 0:
            committer.flush()
    committer.flush()
    ledger.close()
    database.close()
    return committer.events


def _play(hall: Hall, number: int, tiles: list[int]) -> None:
    """One of four on a clock, one of four in a room whose players cannot come back, the others at their leisure."""
    # Of the unfinished ones, every tenth number, all kinds must come up as well: hence not the last digit.
    kind = number // 10 % 4
    clock: ClockSetting = Bank(_DAY) if kind == 0 else NoClock()
    people: list[PersonId] = [new_person_id() for _ in range(SEATS)]
    room = f"room {number}" if kind == 1 else None
    live = hall.open(Opening(game="tower", clock=clock, room=room), people[0])
    for seat, person in enumerate(people):
        hall.do(live, c.Sit(Sitter(person, f"player {seat}", returns=kind != 1)))
    for move, tile in enumerate(tiles):
        hall.do(live, c.Act(people[move % SEATS], Place(tile)))
