"""A whole hall in memory: storage, commits, time, bots and doors that do what a test tells them, and nothing else."""

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any

from msgspec.structs import replace
from tests.games.support.parlour import Parlour

from gamut.games.game import AnyGame, Seat
from gamut.games.tower.rules import Tower
from gamut.hall.bots.processes import Question
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.pace import Pace
from gamut.hall.live.audience import LobbyNews, News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.live.restart import Before
from gamut.hall.names.room_names import RoomNames
from gamut.hall.settings import HallSettings
from gamut.hall.store.checksum import START, follows
from gamut.hall.store.journal import Journal
from gamut.hall.store.storage import Damage, DamagedLog, Entry, LedgerError, Row, Tail
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter
from gamut.hall.wings import WHOLE, Wings

NOON = Millis(1_700_000_000_000)


class MemoryStorage:
    """A `Storage` that survives whatever happens to the hall, and checks its logs as the real one does."""

    def __init__(self) -> None:
        self.rows: dict[TableId, list[Row]] = {}
        self.entries: dict[TableId, Entry] = {}
        self.seats: dict[PersonId, dict[TableId, None]] = {}
        self.appends = 0
        self.scrubbed = 0
        self.damage = Damage()
        self.torn: set[TableId] = set()
        """Tables whose note is damaged."""

    def append(self, rows: Sequence[Row], entries: Iterable[Entry]) -> None:
        stored = {row.table: list(self.rows.get(row.table, ())) for row in rows}
        for row in rows:
            if row.seq == 0:
                stored[row.table] = []
            elif any(known.seq == row.seq for known in stored[row.table]):
                raise LedgerError("An event is stored once.")
            else:
                stored[row.table].append(row)
        self.appends += 1
        self.rows |= stored
        for entry in entries:
            known = self.entries.get(entry.table, entry)
            self.torn.discard(entry.table)
            self.entries[entry.table] = replace(entry, room=entry.room or known.room)
            for person in entry.people:
                self.seats.setdefault(person, {})[entry.table] = None

    def log(self, table: TableId) -> list[Row]:
        rows = sorted(self.rows.get(table, ()), key=lambda row: row.seq)
        checksum = START
        for number, row in enumerate(rows, 1):
            if row.seq != number or not follows(checksum, row.body, row.checksum):
                raise DamagedLog(f"The log of table {table} is damaged at event {number}.")
            checksum = row.checksum
        return rows

    def logs(self, tables: Sequence[TableId]) -> dict[TableId, list[Row]]:
        found = {}
        for table in tables:
            with suppress(DamagedLog):
                if (rows := self.log(table)) and table not in self.damage.tables:
                    found[table] = rows
        return found

    def since(self, known: Mapping[TableId, Seq]) -> dict[TableId, list[Row]]:
        found = {
            table: sorted(
                (row for row in self.rows.get(table, ()) if row.seq >= seq), key=lambda row: row.seq
            )
            for table, seq in known.items()
        }
        return {table: rows for table, rows in found.items() if rows}

    def tail(self, table: TableId, limit: int) -> Tail:
        rows = sorted(self.rows.get(table, ()), key=lambda row: row.seq)
        before = [START, *(row.checksum for row in rows)]
        sound = [
            row for row, last in zip(rows, before, strict=False) if follows(last, row.body, row.checksum)
        ]
        return Tail(sound[-limit:], sound=len(sound) == len(rows))

    def unfinished(self) -> list[Entry]:
        self.damage.notes.update(dict.fromkeys(self.torn))
        return sorted(
            (e for e in self.entries.values() if e.phase != "over" and e.table not in self.torn),
            key=lambda e: e.table,
        )

    def going_on(self) -> list[TableId]:
        return sorted(e.table for e in self.entries.values() if e.phase != "over")

    def unnoted(self) -> list[TableId]:
        return sorted(self.torn)

    def finished(self, game: str | None, before: TableId | None, limit: int) -> list[Entry]:
        found = [
            entry
            for entry in self.entries.values()
            if entry.listed
            and (game is None or entry.game == game)
            and (before is None or entry.table < before)
        ]
        return sorted(found, key=lambda entry: entry.table, reverse=True)[:limit]

    def entry(self, table: TableId) -> Entry | None:
        return self.entries.get(table)

    def named(self, game: str, room: str) -> TableId | None:
        found = [e.table for e in self.entries.values() if (e.game, e.room) == (game, room)]
        return max(found, default=None)

    def last_name(self, game: str) -> str | None:
        found = [(e.table, e.room) for e in self.entries.values() if e.game == game and e.room is not None]
        return max(found)[1] if found else None

    def played_by(self, person: PersonId, limit: int, before: TableId | None = None) -> list[Entry]:
        found = [
            self.entries[table] for table in self.seats.get(person, ()) if before is None or table < before
        ]
        return sorted(found, key=lambda entry: entry.table, reverse=True)[:limit]

    def tables_of(self, person: PersonId, limit: int, before: TableId | None = None) -> list[TableId]:
        return [entry.table for entry in self.played_by(person, limit, before)]

    def latest(self) -> Millis:
        return max((entry.updated for entry in self.entries.values()), default=Millis(0))

    def forget(self, person: PersonId) -> None:
        self.seats.pop(person, None)

    def scrub(self) -> bool:
        self.scrubbed += 1
        return True

    def close(self) -> None:
        pass


class WingStorage(MemoryStorage):
    """What the owner of one wing of a hall has of a storage that all share: it counts its own batches."""

    def __init__(self, whole: MemoryStorage) -> None:
        super().__init__()
        self.rows, self.entries, self.seats = whole.rows, whole.entries, whole.seats
        self.damage, self.torn = whole.damage, whole.torn


class InlineCommitter:
    """Commits when the test says that everything which has arrived is dealt with."""

    def __init__(self, storage: MemoryStorage) -> None:
        self.storage = storage
        self._soon: list[Callable[[], None]] = []

    def soon(self, call: Callable[[], None], *, enough: bool) -> None:
        self._soon.append(call)

    def settle(self) -> None:
        while self._soon:
            self._soon.pop(0)()

    def commit(self, rows: Sequence[Row], entries: Sequence[Entry], done: Callable[[], None]) -> None:
        self.storage.append(rows, entries)
        done()


class HeldCommitter(InlineCommitter):
    """Holds every commit back until it is released: a slow disk."""

    def __init__(self, storage: MemoryStorage) -> None:
        super().__init__(storage)
        self.held: list[tuple[Sequence[Row], Sequence[Entry], Callable[[], None]]] = []

    def commit(self, rows: Sequence[Row], entries: Sequence[Entry], done: Callable[[], None]) -> None:
        self.held.append((rows, entries, done))

    def release(self) -> None:
        """The oldest commit reaches the disk."""
        self.settle()
        rows, entries, done = self.held.pop(0)
        self.storage.append(rows, entries)
        done()

    def release_all(self) -> None:
        self.settle()
        while self.held:
            self.release()
            self.settle()


class ManualTimer:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


class ManualTime:
    """A `Timekeeper` whose time passes only in `advance`."""

    def __init__(self, now: Millis = NOON) -> None:
        self._now = now
        self._number = count()
        self._timers: list[tuple[Millis, int, ManualTimer]] = []
        self.late = 0
        """So much after their moment timers fire, as they do on a busy machine."""

    def now(self) -> Millis:
        return self._now

    def set_back(self, span: int) -> None:
        """As on a node whose clock is behind that of the one before it."""
        self._now = Millis(self._now - span)

    def later(self, delay: Millis, call: Callable[[], None]) -> ManualTimer:
        assert delay >= 0
        timer = ManualTimer(call)
        heapq.heappush(self._timers, (Millis(self._now + delay), next(self._number), timer))
        return timer

    @property
    def pending(self) -> list[Millis]:
        """When the timers that are set will fire."""
        return sorted(when for when, _, timer in self._timers if timer.call is not None)

    def advance(self, span: int) -> None:
        """Let time pass; whatever is due fires in order, each at its own moment."""
        until = Millis(self._now + span)
        at_once = 0
        while self._timers and self._timers[0][0] + self.late <= until:
            when, _, timer = heapq.heappop(self._timers)
            call, timer.call = timer.call, None
            if call is None:
                continue
            at_once = at_once + 1 if when <= self._now else 0
            assert at_once < 1000, "a timer is set for now again and again"
            self._now = max(self._now, Millis(when + self.late))
            call()
        self._now = until


class Thought:
    """A bot that was asked and has not answered yet."""

    def __init__(self, question: Question, done: Callable[[Any], None]) -> None:
        self.question = question
        self.state, self.seat, self.level = question.state, question.seat, question.level
        self._done = done

    def answer(self, action: Any = None) -> None:
        """With this action, or with what the game's own bot chooses; an exception is a failure."""
        self._done(self.question.answer() if action is None else action)


class PromptBots:
    """Answer at once."""

    def think(self, question: Question, done: Callable[[Any], None]) -> None:
        Thought(question, done).answer()


class PonderingBots:
    """Answer when told."""

    def __init__(self) -> None:
        self.thoughts: list[Thought] = []

    def think(self, question: Question, done: Callable[[Any], None]) -> None:
        self.thoughts.append(Thought(question, done))


class FakeWire:
    """A connection's sending end that keeps what it was given."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.closed: tuple[int, str] | None = None
        self.pending = 0
        self.queued = 0
        """What a test says that the reader has not taken yet."""
        self.dropped = False
        self.failed = False

    @property
    def data(self) -> bytes:
        return b"".join(self.writes)

    def write(self, data: bytes) -> None:
        if self.dropped or self.failed:
            return
        assert self.closed is None, "nothing is written after the end"
        self.writes.append(data)

    def drop(self) -> None:
        self.dropped = True

    def fail(self) -> None:
        self.failed = True

    def close(self, code: int, reason: str) -> None:
        self.closed = code, reason


class FakeListener:
    """A connection that remembers what its door told it."""

    def __init__(self, door: "FakeDoor", person: PersonId) -> None:
        self.door = door
        self.person = person
        self.wire = FakeWire()
        self.news: list[News] = []
        self.moves: list[tuple[TableId, TableId]] = []
        self.lobby: list[LobbyNews] = []

    @property
    def events(self) -> list[Any]:
        """Everything that happened at the tables this connection follows."""
        return [event for news in self.news for event in news.events]


class FakeDoor:
    name = "fake"

    def tell(self, live: LiveTable, news: News, listeners: Collection[FakeListener]) -> None:
        for listener in listeners:
            listener.news.append(news)

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[FakeListener]) -> None:
        for listener in listeners:
            listener.moves.append((old.id, new.id))

    def tell_lobby(self, news: LobbyNews, listeners: Collection[FakeListener]) -> None:
        for listener in listeners:
            listener.lobby.append(news)


def sitter(name: str, *, returns: bool = True) -> Sitter:
    """A person whose id is the name, which makes failures readable."""
    return Sitter(PersonId(name), name, returns=returns)


FOR_TWO: dict[str, dict[str, Any]] = {
    "topple": {"seats": 2},
    "tafl": {},
    "acquire": {"options": {"mode": "singles_2", "order": "exact"}},
    "powerchess": {},
}
"""Games that two people play, and how tables for them are opened."""


def games() -> Mapping[str, AnyGame]:
    return {"tower": Tower(), "parlour": Parlour()}


class House:
    """A hall with everything around it."""

    def __init__(
        self,
        storage: MemoryStorage,
        committer: InlineCommitter,
        time: ManualTime,
        bots: Any,
        settings: HallSettings,
        seed: int,
        played: Mapping[str, AnyGame] | None = None,
        names: RoomNames | None = None,
        wings: Wings = WHOLE,
    ) -> None:
        self.storage = storage
        self.committer = committer
        self.time = time
        self.bots = bots
        self.door = FakeDoor()
        self.journal = Journal(committer)
        self.hall = Hall(
            games=games() if played is None else played,
            storage=storage,
            journal=self.journal,
            time=time,
            bots=bots,
            chance=Random(seed),
            settings=settings,
            run_blocking=self._run_blocking,
            names=names,
            wings=wings,
        )

    async def _run_blocking(self, call: Callable[..., Any], *args: Any) -> Any:
        self.committer.settle()
        return call(*args)

    async def start(self, before: Before | None = None) -> None:
        """Open the hall, with nobody there who was connected to the one before it."""
        await self.hall.start(before)
        await self.hall.wake()

    def settle(self) -> None:
        self.committer.settle()

    def advance(self, span: int) -> None:
        self.time.advance(span)
        self.settle()

    def open(self, opening: Opening, host: str | None = None, *people: str) -> LiveTable:
        """A new table with these people in its seats, the first seat first."""
        live = self.hall.open(opening, None if host is None else PersonId(host))
        for person in people:
            self.sit(live, person)
        self.settle()
        return live

    def do(self, live: LiveTable, command: c.Command) -> None:
        self.hall.do(live, command)
        self.settle()

    def sit(self, live: LiveTable, name: str, seat: int | None = None, *, returns: bool = True) -> None:
        wanted = None if seat is None else Seat(seat)
        self.do(live, c.Sit(sitter(name, returns=returns), wanted, live.table.key))

    def act(self, live: LiveTable, seat: int | None = None, action: Any = None) -> None:
        """Let a person act; by default whoever is awaited does the first thing that is legal."""
        table = live.whole
        actor = live.game.awaited(table.state)[0] if seat is None else Seat(seat)
        holder = table.seats[actor]
        assert isinstance(holder, Sitter)
        if action is None:
            action = live.game.legal(table.state, actor)[0]
        self.do(live, c.Act(holder.person, action))

    def listener(self, name: str) -> FakeListener:
        return FakeListener(self.door, PersonId(name))

    def attend(self, live: LiveTable, name: str) -> FakeListener:
        """A new connection of this person follows the table."""
        listener = self.listener(name)
        self.hall.attendance.attend(live, listener)
        self.settle()
        return listener

    def depart(self, live: LiveTable, listener: FakeListener) -> None:
        self.hall.attendance.depart(live, listener)
        self.settle()


QUICK = HallSettings(bot_delay=Millis(0), pace=Pace(talk=Limit(1_000_000, Millis(1))))
"""Nobody waits for a bot, and people may talk as fast as they like."""


def make_hall(
    storage: MemoryStorage | None = None,
    *,
    committer: InlineCommitter | None = None,
    time: ManualTime | None = None,
    bots: Any = None,
    settings: HallSettings = QUICK,
    seed: int = 1,
    played: Mapping[str, AnyGame] | None = None,
    names: RoomNames | None = None,
    wings: Wings = WHOLE,
) -> House:
    """A hall on this storage (say, one that an earlier hall has written) or on an empty one."""
    if committer is not None:
        storage = committer.storage
    elif storage is None:
        storage = MemoryStorage()
    return House(
        storage,
        committer if committer is not None else InlineCommitter(storage),
        time if time is not None else ManualTime(),
        bots if bots is not None else PromptBots(),
        settings,
        seed,
        played,
        names,
        wings,
    )
