"""Rooms of a hall that has several wings, found by their codes and by the ids of their tables."""

import pytest
from tests.hall.support.inmemory import House, make_hall
from tests.hall.support.restarts import told

from gamut.doors.topple.door import GAME, ToppleDoor
from gamut.games.topple.rules import Topple
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.wings import Elsewhere, Wings

ANN = PersonId("ann")


def wing(number: int, before: House | None = None) -> tuple[House, ToppleDoor]:
    storage = None if before is None else before.storage
    house = make_hall(storage, played={GAME: Topple()}, wings=Wings(number, 2))
    return house, ToppleDoor(house.hall, "a secret of these tests", lambda name: None)


def misleading(house: House) -> LiveTable:
    """A table without a code, on no list any more, whose id would be a name of the other wing in capitals."""
    while True:
        live = house.open(Opening(game=GAME), "ann")
        house.do(live, c.CallOff(ANN))
        if not house.hall.wings.has_name(GAME, live.id.upper()):
            return live


@told
async def test_a_table_is_found_by_its_id_whatever_that_is_in_capitals() -> None:
    house, door = wing(1)
    live = misleading(house)
    for find in (door.find, door.look_for):
        found = await find(live.id)
        assert found is not None
        assert found.id == live.id


@told
async def test_a_room_of_another_wing_is_not_come_into_here_and_looked_at_all_the_same() -> None:
    house, door = wing(1)
    live = house.open(Opening(game=GAME, room=door.new_code()), "ann", "ann", "bob")
    code = str(live.table.room)
    _, main = wing(0, house)
    for name in (code, code.lower()):
        with pytest.raises(Elsewhere):
            await main.find(name)
        found = await main.look_for(name)
        assert found is not None
        assert (found.is_copy, found.id) == (True, live.id)
    assert await main.look_for("NOSUCHRM") is None


@told
async def test_a_private_table_without_a_code_is_not_found_by_its_id_from_another_wing_either() -> None:
    house, _ = wing(1)
    live = house.open(Opening(game=GAME, private=True), "ann", "ann", "bob")
    _, main = wing(0, house)
    assert await main.look_for(live.id) is None
