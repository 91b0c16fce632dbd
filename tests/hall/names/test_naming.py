"""Names of a door's own kind, for every table of its game, wherever it was opened."""

import asyncio
from collections.abc import Iterator
from random import Random
from uuid import UUID

import pytest
from tests.hall.support.inmemory import House, ManualTime, make_hall
from tests.hall.support.restarts import told

from gamut.games.game import Refused
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.names.numbers import NumberBlocks
from gamut.hall.names.table_names import Namer
from gamut.hall.table import commands as c

ANN, BOB, CID = (PersonId(name) for name in ("ann", "bob", "cid"))
TOWER = Opening(game="tower")


class Counted:
    """Numbers, one after the other, for ever."""

    continues = False

    _numbers: NumberBlocks

    async def resume(self, last: str | None, numbers: NumberBlocks) -> None:
        await numbers.begin(0 if last is None else int(last))
        self._numbers = numbers

    def next(self, now: Millis) -> str:
        return str(self._numbers.next())


class Unique:
    continues = False

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    async def resume(self, last: str | None, numbers: NumberBlocks) -> None:
        """Chance remembers nothing."""

    def next(self, now: Millis) -> str:
        return str(UUID(int=self._chance.getrandbits(128), version=4))


class Lasting(Counted):
    """A room keeps its number, whoever goes on playing there."""

    continues = True


class Listed:
    """Names from a list that others may know, too."""

    continues = False

    def __init__(self, *names: str) -> None:
        self._names: Iterator[str] = iter(names)

    async def resume(self, last: str | None, numbers: NumberBlocks) -> None:
        pass

    def next(self, now: Millis) -> str:
        return next(self._names)


async def restarted(house: House, namer: Namer) -> House:
    again = make_hall(house.storage, time=ManualTime(house.time.now()))
    await again.start()
    await again.hall.naming.use("tower", namer)
    return again


def finished(house: House) -> LiveTable:
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    while live.table.phase != "over":
        house.act(live)
    return live


@told
async def test_every_table_of_the_game_gets_a_name_and_those_of_others_do_not() -> None:
    house = make_hall()
    await house.hall.naming.use("tower", Counted())
    assert [house.open(TOWER, "ann").table.room for _ in range(3)] == ["1", "2", "3"]
    assert house.open(Opening(game="parlour"), "ann").table.room is None
    assert house.open(Opening(game="tower", room="attic"), "ann").table.room == "attic"


@told
async def test_a_count_goes_on_after_a_restart_also_when_the_last_table_was_closed_at_once() -> None:
    house = make_hall()
    await house.hall.naming.use("tower", Counted())
    house.open(TOWER, "ann")
    live = house.hall.open(TOWER, BOB)
    house.hall.do(live, c.CallOff(BOB))
    house.settle()
    again = await restarted(house, Counted())
    assert again.open(TOWER, "cid").table.room == "3"
    found = await again.hall.find("tower", "2")
    assert found is not None
    assert found.id == live.id


@told
async def test_a_table_is_found_by_its_name_while_it_is_played_when_it_is_over_and_after_a_restart() -> None:
    house = make_hall()
    await house.hall.naming.use("tower", Unique(1))
    live = finished(house)
    name = live.table.room
    assert name is not None
    assert str(UUID(name)) == name
    playing = house.open(TOWER, "ann")
    for hall in (house.hall, (await restarted(house, Unique(2))).hall):
        for table in (live, playing):
            found = await hall.find("tower", str(table.table.room))
            assert found is not None
            assert found.id == table.id
        assert await hall.find("parlour", name) is None


@told
async def test_a_rematch_gets_a_name_of_its_own() -> None:
    house = make_hall()
    await house.hall.naming.use("tower", Counted())
    live = finished(house)
    for person in (ANN, BOB, CID):
        house.do(live, c.Rematch(person))
    assert live.table.successor is not None
    after = house.hall.live[live.table.successor]
    assert (live.table.room, after.table.room) == ("1", "2")
    before = await house.hall.find("tower", "1")
    assert before is not None
    assert before.id == live.id, "the old name leads to the old game"


@told
async def test_a_door_may_want_rooms_to_go_on_under_their_name() -> None:
    house = make_hall()
    await house.hall.naming.use("tower", Lasting())
    live = finished(house)
    for person in (ANN, BOB, CID):
        house.do(live, c.Rematch(person))
    assert live.table.successor is not None
    assert house.hall.live[live.table.successor].table.room == "1"
    assert house.open(TOWER, "dot").table.room == "2"


@told
async def test_a_name_that_is_taken_is_not_given_again() -> None:
    house = make_hall()
    house.open(Opening(game="tower", room="2"), "ann")
    await house.hall.naming.use("tower", Listed("1", "2", "3", *("1",) * 50))
    assert [house.open(TOWER, "ann").table.room for _ in range(2)] == ["1", "3"]
    tables = len(house.hall.register.unfinished)
    with pytest.raises(Refused) as refusal:
        house.hall.open(TOWER, ANN)
    assert refusal.value.code == "no_name"
    assert len(house.hall.register.unfinished) == tables


def test_a_name_is_given_before_anything_is_waited_for() -> None:
    """Two tables that are opened in the same moment, before anything is stored, have two names."""

    async def scene() -> None:
        house = make_hall()
        await house.hall.naming.use("tower", Counted())
        first, second = house.hall.open(TOWER, ANN), house.hall.open(TOWER, BOB)
        assert {first.table.room, second.table.room} == {"1", "2"}
        house.settle()

    asyncio.run(scene())
