"""Coming back from a damaged ledger: what is lost is refused by itself, and keeps nothing else from coming back."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.hall.support.inmemory import (
    House,
    MemoryStorage,
    PonderingBots,
    make_hall,
)
from tests.hall.support.restarts import over_time, restarted, settled, told

from gamut.games.game import Refused
from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.erasure import erase
from gamut.hall.live.opening import Opening
from gamut.hall.lobby.talk import TALK
from gamut.hall.store.checksum import chained
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank
from gamut.hall.table.deciding.draft import Timeouts

ANN, BOB, CID = PersonId("ann"), PersonId("bob"), PersonId("cid")
TOWER = Opening(game="tower")
TIMED = Opening(game="tower", clock=Bank(600_000))
DAY = Timeouts().abandoned_after
pytestmark = pytest.mark.in_memory


def damage(storage: MemoryStorage, table: TableId, number: int = 2) -> None:
    rows = storage.rows[table]
    rows[number] = replace(rows[number], body=rows[number].body + b" ")


@told
async def test_a_damaged_log_refuses_only_that_table() -> None:
    house = make_hall()
    bad = house.open(Opening(game="tower", room="den", clock=Bank(60_000)), "ann", "ann", "bob", "cid")
    good = house.open(TIMED, "ann", "ann", "bob", "cid")
    damage(house.storage, bad.id)
    again = await restarted(house)
    assert set(again.hall.live) == {good.id}
    with pytest.raises(Refused) as refusal:
        await again.hall.load(bad.id)
    assert refusal.value.code == "damaged"
    assert again.hall.refusals["damaged"] >= 1


@told
async def test_a_damaged_table_stands_in_nobodys_way() -> None:
    house = make_hall()
    bad = house.open(Opening(game="tower", room="den", clock=Bank(60_000)), "ann", "ann", "bob", "cid")
    damage(house.storage, bad.id)
    again = await restarted(house)
    assert again.hall.register.room("tower", "den") is None
    assert again.hall.lobby.tables == {}
    assert again.hall.register.seated == {}
    await over_time(again, 2 * DAY)
    assert again.hall.refusals["damaged"] == 1, "it is not read again and again"
    assert len(house.storage.rows[bad.id]) == bad.table.seq, "but it is kept as it is"


@told
async def test_an_event_of_a_kind_that_this_server_does_not_know_refuses_only_that_table() -> None:
    house = make_hall()
    strange = house.open(TIMED, "ann", "ann", "bob", "cid")
    good = house.open(TIMED, "ann", "ann", "bob", "cid")
    body = b'{"type":"levitated","at":1}'
    last = house.storage.rows[strange.id][-1]
    house.storage.rows[strange.id].append(
        replace(last, seq=last.seq + 1, body=body, checksum=chained(last.checksum, body))
    )
    again = await restarted(house)
    assert set(again.hall.live) == {good.id}
    with pytest.raises(Refused):
        await again.hall.load(strange.id)


@told
async def test_a_note_that_cannot_be_read_keeps_no_other_table_from_coming_back() -> None:
    house = make_hall()
    bad = house.open(TIMED, "ann", "ann", "bob", "cid")
    good = house.open(TIMED, "ann", "ann", "bob", "cid")
    house.storage.entries[bad.id] = replace(house.storage.entries[bad.id], summary=b"{")
    again = await restarted(house)
    assert good.id in again.hall.live
    assert bad.id in again.hall.live, "and it is read from its log"


@told
async def test_a_damaged_note_is_written_anew_from_the_log() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", room="den", clock=Bank(60_000)), "ann", "ann", "bob", "cid")
    quiet = house.open(TOWER, "ann", "ann", "bob", "cid")
    over = house.open(TOWER, "bob", "bob")
    house.do(over, c.Leave(BOB))
    known = dict(house.storage.entries)
    house.storage.torn = {live.id, quiet.id, over.id}
    for table in house.storage.torn:
        house.storage.entries[table] = replace(known[table], summary=b"", phase="?")
    again = await restarted(house)
    assert set(again.hall.live) == {live.id}
    assert set(again.hall.register.unfinished) == {live.id, quiet.id}
    assert again.hall.register.room("tower", "den") == live.id
    assert again.hall.register.seated[ANN] == {live.id, quiet.id}
    assert house.storage.torn == set()
    assert house.storage.entries[over.id].phase == "over"
    assert house.storage.entries[quiet.id].summary == known[quiet.id].summary
    assert house.storage.entries[live.id].game == "tower"
    assert not again.storage.damage


@told
async def test_a_table_whose_note_and_log_are_damaged_is_refused_and_counted() -> None:
    house = make_hall()
    bad = house.open(TIMED, "ann", "ann", "bob", "cid")
    good = house.open(TIMED, "ann", "ann", "bob", "cid")
    house.storage.torn = {bad.id}
    damage(house.storage, bad.id)
    again = await restarted(house)
    assert set(again.hall.live) == {good.id}
    with pytest.raises(Refused):
        await again.hall.load(bad.id)
    assert set(again.storage.damage.tables) == {bad.id}


@told
async def test_a_table_that_is_known_to_be_damaged_is_not_in_the_lobby() -> None:
    house = make_hall()
    bad = house.open(TOWER, "ann", "ann", "bob", "cid")
    house.storage.damage.tables[bad.id] = None
    again = await restarted(house)
    assert again.hall.lobby.tables == {}
    assert again.hall.register.seated == {}


@told
async def test_talk_that_cannot_be_read_keeps_nobody_from_talking() -> None:
    house = make_hall()
    for text in ("one", "two", "three"):
        house.hall.lobby.say(ANN, "ann", text)
    house.settle()
    rows = house.storage.rows[TALK]
    rows[1] = replace(rows[1], body=b"{")
    again = await restarted(house)
    assert [said.text for said in again.hall.lobby.talk.lines] == ["one", "three"]
    again.hall.lobby.say(ANN, "ann", "four")
    again.settle()
    assert [row.seq for row in house.storage.rows[TALK]] == [1, 2, 3]
    assert house.storage.tail(TALK, 10).sound


@told
async def test_a_table_of_a_game_that_this_server_has_not_is_left_alone() -> None:
    house = make_hall()
    live = house.open(TIMED, "ann", "ann", "bob", "cid")
    entry = house.storage.entries[live.id]
    house.storage.entries[live.id] = replace(entry, game="checkers")
    again = await restarted(house)
    assert again.hall.live == {}
    assert again.hall.lobby.tables == {}


# Deleting oneself


async def erased(house: House, name: str) -> None:
    erasing = asyncio.ensure_future(erase(house.hall, PersonId(name)))
    while not erasing.done():
        await settled(house)
    await erasing


@told
async def test_a_damaged_table_keeps_nobody_from_deleting_themself() -> None:
    house = make_hall()
    bad = house.open(TOWER, "ann", "ann", "bob", "cid")
    good = house.open(TOWER, "ann", "ann", "bob", "cid")
    damage(house.storage, bad.id)
    again = await restarted(house)
    await erased(again, "ann")
    assert ANN not in again.storage.seats
    assert all(b'"name":"ann"' not in row.body for row in again.storage.log(good.id))


@told
async def test_a_bot_goes_on_thinking_though_somebody_is_taken_out_of_the_log() -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    live = house.open(TOWER, "ann", "ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "casual"))
    house.do(live, c.Say(PersonId("wim"), "wim", "hello", "kibitz"))
    house.act(live, 0)
    await erased(house, "wim")
    while bots.thoughts:
        bots.thoughts.pop(0).answer()
    assert live.whole.state.turn == 0, "both bots have played"
    assert not any(type(event) is e.Said and event.name == "wim" for event in live.log)
