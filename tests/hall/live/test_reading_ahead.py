"""A standby has folded the tables of the active node before its turn comes, and believes none of it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count

import pytest
from tests.hall.support.inmemory import House, MemoryStorage, make_hall

from gamut.games.registry import all_games
from gamut.hall.ids import PersonId, Seq, TableId
from gamut.hall.live import reading_ahead
from gamut.hall.live.erasure import erase
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.live.reading_ahead import read_ahead
from gamut.hall.live.rebuilding import Rebuilding
from gamut.hall.store.storage import LedgerError, Row
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.wings import Wings

ANN = PersonId("ann")
GAMES = all_games()


class Counted(MemoryStorage):
    """Counts the events that are read."""

    def __init__(self) -> None:
        super().__init__()
        self.read = 0
        self.away = False

    def logs(self, tables: Sequence[TableId]) -> dict[TableId, list[Row]]:
        found = super().logs(tables)
        self.read += sum(map(len, found.values()))
        return found

    def since(self, known: Mapping[TableId, Seq]) -> dict[TableId, list[Row]]:
        if self.away:
            raise LedgerError("away")
        found = super().since(known)
        self.read += sum(map(len, found.values()))
        return found


def table(house: House, game: str = "tafl") -> LiveTable:
    return house.open(Opening(game=game), "ann", "ann", "bob")


def rebuilt(rebuilding: Rebuilding, live: LiveTable) -> None:
    (found,) = rebuilding.tables([live.id]).values()
    assert found.whole.state == live.whole.state
    assert found.whole.seq == live.whole.seq
    assert list(map(codec.encode, found.whole_log)) == list(map(codec.encode, live.whole_log))
    assert found.checksum == live.checksum
    assert live.id not in rebuilding.known, "its log is the live table's own"


async def so(what: Callable[[], bool]) -> None:
    for _ in range(100_000):
        if what():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never is")


def test_only_what_happened_since_is_read_when_the_turn_has_come() -> None:
    storage = Counted()
    house = make_hall(storage, played=GAMES)
    live = table(house)
    for _ in range(4):
        house.act(live)
    rebuilding = Rebuilding(storage, GAMES)
    rebuilding.read_ahead([live.id])
    house.act(live)
    storage.read = 0
    rebuilt(rebuilding, live)
    assert storage.read == 2, "the last that was known, and the move"


@pytest.mark.parametrize("game", ["tafl", "powerchess", "topple", "acquire", "tower"])
def test_whatever_happens_meanwhile_the_table_is_as_its_log_says(game: str) -> None:
    storage = Counted()
    house = make_hall(storage, played=GAMES)
    options = {"mode": "singles_2", "order": "exact"} if game == "acquire" else {}
    seats = {"topple": 2}.get(game)
    live = house.open(Opening(game=game, options=options, seats=seats), "ann", "ann", "bob")
    if game == "tower":
        house.sit(live, "cem")
    rebuilding = Rebuilding(storage, GAMES)
    rebuilding.read_ahead([live.id])
    for _ in range(6):
        house.act(live)
        rebuilding.read_ahead([live.id])
    house.act(live)
    rebuilt(rebuilding, live)


def test_a_log_that_was_written_anew_is_read_as_it_is_now() -> None:
    storage = Counted()
    house = make_hall(storage, played=GAMES)
    live = table(house)
    house.do(live, c.Say(PersonId("bob"), "bob", "my secret", "table"))
    rebuilding = Rebuilding(storage, GAMES)
    rebuilding.read_ahead([live.id])

    async def erased() -> None:
        erasing = asyncio.ensure_future(erase(house.hall, PersonId("bob")))
        while not erasing.done():
            house.settle()
            await asyncio.sleep(0)
        erasing.result()

    asyncio.run(erased())
    rebuilding.read_ahead([live.id])
    assert "my secret" not in repr(rebuilding.known[live.id])
    rebuilt(rebuilding, live)


def test_a_move_that_was_taken_back_makes_the_log_be_folded_anew() -> None:
    storage = Counted()
    house = make_hall(storage, played=GAMES)
    live = house.open(Opening(game="tower", start="host"), "ann", "ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "casual"))
    house.do(live, c.Start(ANN))
    house.act(live, 0)
    rebuilding = Rebuilding(storage, GAMES)
    rebuilding.read_ahead([live.id])
    house.do(live, c.TakeBack(ANN, 0))
    assert any(type(event) is e.TakenBack for event in live.whole_log)
    rebuilt(rebuilding, live)


def test_what_was_read_ahead_and_nobody_needed_is_forgotten_when_the_hall_goes_on() -> None:
    storage = Counted()
    house = make_hall(storage, played=GAMES)
    live = table(house)
    again = make_hall(storage, played=GAMES)
    again.hall.rebuilding.read_ahead([live.id])
    assert again.hall.rebuilding.known
    asyncio.run(again.start())
    assert not again.hall.rebuilding.known
    assert live.id in again.hall.register.unfinished


def test_only_tables_of_the_own_wing_are_read_ahead() -> None:
    storage = Counted()
    house = make_hall(storage, played=GAMES)
    tables: set[TableId] = set()
    for number in range(40):
        tables.add(house.open(Opening(game="tower"), f"host {number}").id)
        house.advance(1)  # those of one moment may all be in one slot
    wings = [Wings(wing, 2) for wing in range(2)]
    found: list[set[TableId]] = []

    async def story() -> None:
        for wing in wings:
            rebuilding = Rebuilding(storage, GAMES)
            reading = asyncio.ensure_future(read_ahead(storage, rebuilding, wings=wing, every=0.0))
            own = {table for table in tables if wing.has(table)}
            await so(lambda own=own, rebuilding=rebuilding: len(rebuilding.known) >= len(own))  # type: ignore[misc]
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading
            found.append(set(rebuilding.known))

    asyncio.run(asyncio.wait_for(story(), 30))
    assert found == [{table for table in tables if wing.has(table)} for wing in wings]
    assert all(found)


def test_what_is_over_is_not_kept_and_a_store_that_is_away_is_waited_for() -> None:
    storage = Counted()
    house = make_hall(storage, played=GAMES)
    one, other = table(house), table(house)
    rebuilding = Rebuilding(storage, GAMES)

    async def story() -> None:
        reading = asyncio.ensure_future(read_ahead(storage, rebuilding, every=0.0))
        await so(lambda: len(rebuilding.known) == 2)
        storage.away = True
        house.do(one, c.Resign(PersonId("ann")))
        await so(lambda: set(rebuilding.known) == {other.id})
        storage.away = False
        house.act(other)
        seq = other.table.seq
        await so(lambda: rebuilding.known[other.id].table.seq == seq)
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading

    asyncio.run(asyncio.wait_for(story(), 30))


@pytest.mark.parametrize(("looks_for", "rests"), [(0.001, 0.5), (0.2, 1.8), (3.0, 10.0)])
def test_whoever_reads_ahead_rests_for_longer_than_it_reads(
    looks_for: float, rests: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process may have a wing of the hall, whose players wait meanwhile."""
    clock = count(0.0, looks_for)
    rested: list[float] = []

    async def rest(seconds: float) -> None:
        rested.append(seconds)
        raise asyncio.CancelledError

    async def story() -> None:
        # asyncio.to_thread and the loop have clocks of their own.
        monkeypatch.setattr(reading_ahead, "monotonic", clock.__next__)
        monkeypatch.setattr(asyncio, "sleep", rest)
        with suppress(asyncio.CancelledError):
            await read_ahead(storage, Rebuilding(storage, GAMES))

    storage = Counted()
    table(make_hall(storage, played=GAMES))
    asyncio.run(story())
    assert rested == [pytest.approx(rests)]
