"""Names of rooms in a hall of several servers: whose they are, and until when."""

import asyncio

import pytest
from tests.conftest import Contained
from tests.hall.names.test_naming import Counted
from tests.hall.support.inmemory import House, make_hall
from tests.hall.support.restarts import told
from tests.hall.support.waiting_names import Name, WaitingNames

from gamut.games.game import Refused
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.names.room_names import Alone, HeldNames, RoomTaken
from gamut.hall.store.storage import LedgerError
from gamut.hall.table import commands as c

ATTIC = ("tower", "attic")
ANN, BOB, CID = (PersonId(name) for name in ("ann", "bob", "cid"))
TOWER = Opening(game="tower")


async def turns() -> None:
    """Whoever waits for something that has come goes on."""
    for _ in range(10):
        await asyncio.sleep(0)


class Newcomer:
    """Holds a name until the test says that it goes."""

    def __init__(self, held: HeldNames) -> None:
        self.has_it = False
        self._going = asyncio.Event()
        self.task = asyncio.ensure_future(self._hold(held))

    async def _hold(self, held: HeldNames) -> None:
        async with held.holding(*ATTIC):
            self.has_it = True
            await self._going.wait()

    async def goes(self) -> None:
        self._going.set()
        await self.task


# Whose a name is


@told
async def test_a_server_that_is_alone_has_every_name_and_every_number() -> None:
    held = HeldNames(Alone(), {})
    assert held.is_ours(*ATTIC)
    async with held.holding(*ATTIC):
        assert held.is_ours(*ATTIC)
    assert held.is_ours(*ATTIC)
    assert (await Alone().numbers("tower", 7))[:3] == range(8, 11)


@told
async def test_a_name_is_ours_while_it_is_held_and_free_if_no_table_was_opened() -> None:
    names = WaitingNames()
    held = HeldNames(names, {})
    one = Newcomer(held)
    await turns()
    assert not one.has_it
    assert not held.is_ours(*ATTIC)
    names.let_go()
    await turns()
    assert one.has_it
    assert held.is_ours(*ATTIC)
    await one.goes()
    assert not names.ours


@told
async def test_a_name_stays_ours_as_long_as_a_table_has_it() -> None:
    names, rooms = WaitingNames(), dict[Name, str]()
    held = HeldNames(names, rooms)
    one = Newcomer(held)
    await turns()
    names.let_go()
    await turns()
    rooms[ATTIC] = "table"
    await one.goes()
    assert names.ours == {ATTIC}
    del rooms[ATTIC]
    held.let_go(*ATTIC)
    assert not names.ours


@told
async def test_a_name_is_free_when_the_last_of_those_who_hold_it_has_gone() -> None:
    """Also if a table had it meanwhile."""
    names = WaitingNames()
    held = HeldNames(names, {})
    one, two = Newcomer(held), Newcomer(held)
    await turns()
    names.let_go()
    await turns()
    await one.goes()
    held.let_go(*ATTIC)
    assert names.ours == {ATTIC}, "the other one is about to open a table"
    await two.goes()
    assert not names.ours


@told
async def test_a_name_that_is_somebody_else_s_can_be_tried_again() -> None:
    names = WaitingNames()
    names.elsewhere.add(ATTIC)
    held = HeldNames(names, {})
    one = Newcomer(held)
    await turns()
    names.let_go()
    with pytest.raises(RoomTaken):
        await one.task
    names.elsewhere.clear()
    again = Newcomer(held)
    await turns()
    names.let_go()
    await turns()
    assert again.has_it
    await again.goes()


@told
async def test_whoever_waits_no_longer_leaves_no_name_behind() -> None:
    names = WaitingNames()
    held = HeldNames(names, {})
    one, two = Newcomer(held), Newcomer(held)
    await turns()
    one.task.cancel()
    await turns()
    assert not names.released, "the other one still waits"
    two.task.cancel()
    await turns()
    assert names.released == [ATTIC]


# Tables that have names


def with_room(names: WaitingNames | None, *, returns: bool) -> tuple[House, LiveTable]:
    """Three people in the attic."""
    house = make_hall(names=names)
    if names is not None:
        names.ours.add(ATTIC)
    live = house.open(Opening(game="tower", room="attic"), "ann")
    for name in ("ann", "bob", "cid"):
        house.sit(live, name, returns=returns)
    return house, live


def play(house: House, live: LiveTable) -> None:
    while live.table.phase != "over":
        house.act(live)


@told
async def test_a_name_is_free_when_the_game_is_over() -> None:
    names = WaitingNames()
    house, live = with_room(names, returns=True)
    assert names.ours == {ATTIC}
    play(house, live)
    assert not names.ours


@told
async def test_a_name_is_free_when_the_table_is_called_off_or_out_of_order() -> None:
    names = WaitingNames()
    house = make_hall(names=names)
    for way in ("called off", "out of order"):
        names.ours.add(ATTIC)
        live = house.open(Opening(game="tower", room="attic"), "ann")
        if way == "called off":
            house.do(live, c.CallOff(ANN))
        else:
            house.hall._give_up(live)
        assert not names.ours, way


@told
async def test_a_room_that_goes_on_has_its_name_without_a_gap() -> None:
    names = WaitingNames()
    house, live = with_room(names, returns=False)
    play(house, live)
    house.do(live, c.Leave(BOB))
    assert live.table.successor is not None
    assert house.hall.live[live.table.successor].table.room == "attic"
    assert not names.released


@told
async def test_a_rematch_keeps_a_name_only_if_it_need_not_be_waited_for() -> None:
    """When the game was over the name was free: another server may have it by now."""
    for names in (None, WaitingNames()):
        house, live = with_room(names, returns=True)
        play(house, live)
        for person in (ANN, BOB, CID):
            house.do(live, c.Rematch(person))
        assert live.table.successor is not None
        assert house.hall.live[live.table.successor].table.room == ("attic" if names is None else None)


@told
async def test_a_rematch_with_a_number_of_its_own_leaves_the_old_one_free() -> None:
    names = WaitingNames()
    house = make_hall(names=names)
    await house.hall.naming.use("tower", Counted())
    live = house.open(TOWER, "ann")
    for name in ("ann", "bob", "cid"):
        house.sit(live, name, returns=False)
    play(house, live)
    house.do(live, c.Leave(BOB))
    assert live.table.successor is not None
    assert house.hall.live[live.table.successor].table.room == "2"
    assert names.released == [("tower", "1")]


# Numbers


@told
async def test_numbers_go_on_in_the_next_block_which_nobody_waits_for() -> None:
    names = WaitingNames(block=8)
    house = make_hall(names=names)
    await house.hall.naming.use("tower", Counted())
    given = []
    for number in range(1, 9):
        given.append(house.open(TOWER, "ann").table.room)
        await turns()
        assert names.blocks == (1 if number < 5 else 2), (
            "it is asked for once, when half of the first is given"
        )
    names.let_go()
    await turns()
    given += [house.open(TOWER, "bob").table.room for _ in range(2)]
    assert given == ["1", "2", "3", "4", "5", "6", "7", "8", "17", "18"]


@told
async def test_where_no_number_is_left_no_table_is_opened_until_there_is_one() -> None:
    names = WaitingNames(block=2)
    house = make_hall(names=names)
    await house.hall.naming.use("tower", Counted())
    assert [house.open(TOWER, "ann").table.room for _ in range(2)] == ["1", "2"]
    await turns()
    with pytest.raises(Refused) as refusal:
        house.hall.open(TOWER, ANN)
    assert refusal.value.code == "no_name"
    assert len(house.hall.register.unfinished) == 2
    names.let_go()
    await turns()
    assert house.open(TOWER, "ann").table.room == "5"


@pytest.mark.faults
def test_a_block_that_could_not_be_fetched_is_asked_for_again(contained: Contained) -> None:
    async def story() -> None:
        names = WaitingNames(block=2)
        house = make_hall(names=names)
        await house.hall.naming.use("tower", Counted())
        house.open(TOWER, "ann")
        house.open(TOWER, "ann")
        await turns()
        names.fail(LedgerError("The store is away."))
        await turns()
        with pytest.raises(Refused):
            house.hall.open(TOWER, ANN)
        await turns()
        names.let_go()
        await turns()
        assert house.open(TOWER, "ann").table.room == "5"

    asyncio.run(story())
    assert contained.kinds == ["numbers"]
