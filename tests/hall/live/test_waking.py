"""The tables of a hall that goes on are woken one after the other, and first those of which somebody is waiting."""

import asyncio
from collections.abc import Collection, Iterable

import pytest
from tests.hall.live.test_still_connected import GAMES, TAFL, happened, opened
from tests.hall.support.inmemory import FakeListener, House, make_hall
from tests.hall.support.restarts import told

from gamut.hall.ids import PersonId, TableId
from gamut.hall.live import waking as waking_module
from gamut.hall.live.opening import Opening
from gamut.hall.store.storage import LedgerError, Row
from gamut.hall.table import commands as c


class People:
    """Implements `Returning`: each follows some tables, and goes on at all of them at once."""

    def __init__(self, house: House, following: dict[str, list[TableId]]) -> None:
        self._house = house
        self._following = following
        self.listeners: dict[str, FakeListener] = {}
        self.order: list[TableId] = []
        for tables in following.values():
            house.hall.waking.want(tables)

    def beside(self, tables: Collection[TableId]) -> Iterable[TableId]:
        return [also for mine in self._following.values() if set(mine) & set(tables) for also in mine]

    def take_up(self, tables: Collection[TableId]) -> None:
        self.order += tables
        for name, mine in self._following.items():
            if name not in self.listeners and set(mine) & set(tables):
                listener = self.listeners[name] = self._house.listener(name)
                for table in mine:
                    live = self._house.hall.in_memory(table)
                    assert live is not None, "it was read before"
                    self._house.hall.attendance.attend_again(live, listener)

    def woken(self) -> None:
        """They wait for nothing."""


def halls_with(number: int, opening: Opening = TAFL) -> tuple[House, list[TableId]]:
    house = make_hall(played=GAMES)
    return house, [house.open(opening, f"ann{n}", f"ann{n}", f"bob{n}").id for n in range(number)]


@pytest.fixture
def one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking_module, "_AT_ONCE", 1)
    monkeypatch.setattr(waking_module, "_NEEDED_AT_ONCE", 1)


@pytest.mark.usefixtures("one_at_a_time")
def test_a_table_of_which_somebody_is_waiting_is_woken_before_the_others() -> None:
    @told
    async def story() -> None:
        house, tables = halls_with(6)
        again = await opened(house)
        waking = asyncio.ensure_future(again.hall.wake())
        await asyncio.sleep(0)
        assert again.hall.here(tables[5]) is None, "it is asleep, and nobody may act there"
        live = await again.hall.load(tables[5])
        assert live is not None
        assert happened(live)[-2:] == ["Handed", "Woken"]
        assert not waking.done()
        assert again.hall.here(tables[4]) is None
        again.do(live, c.Leave(PersonId("ann5")))
        await waking
        assert all(again.hall.here(table) is not None for table in tables)

    story()


@pytest.mark.usefixtures("one_at_a_time")
def test_many_who_wait_for_one_table_all_get_it() -> None:
    @told
    async def story() -> None:
        house, tables = halls_with(4)
        again = await opened(house)
        waking = asyncio.ensure_future(again.hall.wake())
        await asyncio.sleep(0)
        asked = [asyncio.ensure_future(again.hall.load(tables[3])) for _ in range(3)]
        await asyncio.sleep(0)
        asked[0].cancel()
        await waking
        assert {await each for each in asked[1:]} == {again.hall.live[tables[3]]}

    story()


@pytest.mark.usefixtures("one_at_a_time")
def test_who_returns_is_at_a_table_before_it_is_woken_whichever_comes_first() -> None:
    @told
    async def story() -> None:
        house, tables = halls_with(3, Opening(game="tafl"))  # nobody would read these
        again = await opened(house)
        people = People(again, {"ann0": tables[:1], "bob1": tables[1:], "ann2": tables[2:]})
        again.hall.waking.need(tables[2:])
        await again.hall.wake(people)
        assert people.order[0] == tables[2]
        assert sorted(people.order) == sorted(tables)
        away = [{gone.person for gone in again.hall.live[table].table.away} for table in tables]
        assert [len(gone) for gone in away] == [1, 1, 1]
        assert all(listener.person not in gone for listener in people.listeners.values() for gone in away)
        # Who follows two tables heard of both.
        heard = [type(event).__name__ for event in people.listeners["bob1"].events]
        assert heard == ["Handed", "Woken"] * 2

    story()


@told
async def test_a_game_that_is_over_is_there_for_those_who_follow_it() -> None:
    house, (table, other) = halls_with(2)
    live = house.hall.live[table]
    house.act(live)
    house.act(live)
    house.do(live, c.Resign(PersonId("ann0")))
    assert live.table.phase == "over"
    again = await opened(house)
    people = People(again, {"ann0": [table], "ann1": [other]})
    await again.hall.wake(people)
    assert set(people.listeners) == {"ann0", "ann1"}
    assert again.hall.here(table) is not None


@told
async def test_whoever_leaves_a_table_that_is_asleep_is_away_when_it_is_woken() -> None:
    house, (table,) = halls_with(1)
    again = await opened(house)
    live = again.hall.in_memory(table)
    assert live is not None
    ann, bob = again.listener("ann0"), again.listener("bob0")
    for listener in (ann, bob):
        again.hall.attendance.attend_again(live, listener)
    again.hall.attendance.depart(live, ann)
    await again.hall.wake()
    assert {gone.person for gone in live.table.away} == {ann.person}


def test_while_the_store_is_away_tables_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking_module, "_PAUSE", 0.0)
    asyncio.run(_while_the_store_is_away(monkeypatch))


async def _while_the_store_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    house, tables = halls_with(2, Opening(game="tafl"))
    again = await opened(house)
    people = People(again, {"ann0": tables})
    storage, failures = again.hall.storage, 3
    logs = storage.logs

    def away(wanted: list[TableId]) -> dict[TableId, list[Row]]:
        nonlocal failures
        if failures:
            failures -= 1
            raise LedgerError("The store is away.")
        return logs(wanted)

    monkeypatch.setattr(storage, "logs", away)
    await again.hall.wake(people)
    assert failures == 0
    assert set(people.listeners) == {"ann0"}


@told
async def test_after_the_last_table_was_woken_others_may_return_to_more() -> None:
    house, tables = halls_with(2, Opening(game="tafl"))
    again = await opened(house)
    await again.hall.wake()
    people = People(again, {"ann1": tables[1:]})
    await again.hall.wake(people)
    live = again.hall.live[tables[1]]
    assert {gone.person for gone in live.table.away} == {live.table.persons[1]}
    assert tables[0] not in again.hall.live
