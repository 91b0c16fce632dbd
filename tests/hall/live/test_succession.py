"""A table holds one game; when its people play on, the next game is a table of its own."""

import asyncio
from typing import Any

import pytest
from tests.hall.support.inmemory import House, make_hall, sitter

from gamut.games.game import Refused, Seat
from gamut.games.topple.rules import Topple
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.lobby.summary import summary_from
from gamut.hall.settings import HallSettings
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank
from gamut.hall.table.seats import BotSitter

ANN, BOB, CID, DOT = (PersonId(name) for name in ("ann", "bob", "cid", "dot"))


def finished(house: House, opening: Opening, *people: str, returns: bool = True) -> LiveTable:
    live = house.open(opening, people[0])
    for person in people:
        house.sit(live, person, returns=returns)
    finish(house, live)
    return live


def finish(house: House, live: LiveTable) -> None:
    while live.table.phase != "over":
        house.act(live)


def following(house: House, live: LiveTable) -> LiveTable:
    assert live.table.successor is not None
    return house.hall.live[live.table.successor]


def holders(live: LiveTable) -> list[str | None]:
    return [None if holder is None else holder.name for holder in live.table.seats]


def names(events: list[Any]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_a_rematch_rotates_the_seats_and_begins_at_once() -> None:
    house = make_hall()
    opening = Opening(game="tower", clock=Bank(60_000), start="ready", private=True)
    live = house.open(opening, "ann", "ann", "bob", "cid")
    for person in (ANN, BOB, CID):
        house.do(live, c.Ready(person, True))
    finish(house, live)
    for person in (ANN, BOB, CID):
        house.do(live, c.Rematch(person))
    after = following(house, live)
    assert holders(after) == ["bob", "cid", "ann"]
    assert after.table.phase == "playing"
    assert after.table.host == "ann"
    assert after.table.before == live.id
    assert (after.table.clock_setting, after.table.private) == (Bank(60_000), True)
    assert after.table.key == live.table.key, "who was given a link to the first game gets into this one"
    assert house.hall.register.seated == {ANN: {after.id}, BOB: {after.id}, CID: {after.id}}
    assert [row.seq for row in house.storage.log(after.id)] == list(range(1, after.table.seq + 1))


def test_everybody_around_the_table_is_moved_and_hears_of_the_new_game() -> None:
    house = make_hall()
    live = finished(house, Opening(game="tower"), "ann", "bob", "cid")
    listeners = [house.attend(live, name) for name in ("ann", "bob", "cid", "wim")]
    for person in (ANN, BOB, CID):
        house.do(live, c.Rematch(person))
    after = following(house, live)
    for listener in listeners:
        assert listener.moves == [(live.id, after.id)]
        assert "Succeeded" in names(listener.events)
        assert names(listener.events)[-1] == "Started", "what came before is in the picture of the new table"
    assert live.listeners == {}
    assert live.here == {}
    assert after.watchers == 1
    assert not after.table.away
    house.act(after)
    assert names(listeners[-1].events)[-1] == "Played"


def test_who_is_not_connected_is_away_at_the_next_table_too() -> None:
    house = make_hall()
    live = finished(house, Opening(game="tower"), "ann", "bob", "cid")
    house.attend(live, "ann")
    for person in (ANN, BOB, CID):
        house.do(live, c.Rematch(person))
    after = following(house, live)
    assert {gone.person for gone in after.table.away} == {BOB, CID}
    assert after.table.phase == "playing"


def test_if_somebody_left_the_rest_play_again_when_the_seat_is_filled() -> None:
    house = make_hall()
    live = finished(house, Opening(game="tower"), "ann", "bob", "cid")
    house.do(live, c.Leave(ANN))
    house.do(live, c.Rematch(BOB))
    house.do(live, c.Rematch(CID))
    after = following(house, live)
    assert holders(after) == ["bob", "cid", None]
    assert after.table.state is None
    assert after.table.host == "bob"
    house.sit(after, "dot")
    assert after.table.phase == "playing"


def test_the_last_who_does_not_want_to_leaves_and_the_rematch_begins() -> None:
    house = make_hall()
    live = finished(house, Opening(game="tower"), "ann", "bob", "cid")
    house.do(live, c.Rematch(ANN))
    house.do(live, c.Rematch(BOB))
    assert live.table.successor is None
    house.do(live, c.Leave(CID))
    assert holders(following(house, live)) == ["bob", None, "ann"]


def test_bots_always_want_to_play_again() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower"), "ann", "ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "casual"))
    finish(house, live)
    house.do(live, c.Rematch(ANN))
    after = following(house, live)
    assert holders(after) == ["Pebble", "Cobble", "ann"]
    assert after.table.phase == "playing"
    assert after.table.state.turn == 2, "the bots have begun"


def test_whoever_plays_with_bots_alone_chooses_how_strong_those_of_the_rematch_are() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower"), "ann", "ann")
    for level in ("casual", "strong"):
        house.do(live, c.SeatBot(ANN, level))
    finish(house, live)
    with pytest.raises(Refused, match="no such bot"):
        house.do(live, c.Rematch(ANN, "divine"))
    house.do(live, c.Rematch(ANN, "sensible"))
    after = following(house, live)
    bots = [holder for holder in after.table.seats if isinstance(holder, BotSitter)]
    assert [bot.level for bot in bots] == ["sensible", "sensible"]
    assert len({bot.name for bot in bots}) == 2
    assert after.table.persons[2] == ANN
    assert after.table.phase == "playing"


def test_among_people_nobody_chooses_how_strong_the_bots_are() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower"), "ann", "ann", "bob")
    house.do(live, c.SeatBot(ANN, "casual"))
    finish(house, live)
    with pytest.raises(Refused) as refusal:
        house.do(live, c.Rematch(ANN, "strong"))
    assert refusal.value.code == "other_people"
    assert not live.table.rematch


def test_a_rematch_against_bots_begins_at_once_also_where_seats_stay_empty() -> None:
    house = make_hall(played={"topple": Topple()})
    live = house.open(Opening(game="topple", seats=4, start="host"), "ann", "ann")
    house.do(live, c.SeatBot(ANN, "casual"))
    house.do(live, c.Start(ANN))
    house.do(live, c.Resign(ANN))
    house.do(live, c.Rematch(ANN))
    assert following(house, live).table.phase == "playing"


def test_a_rematch_in_which_all_would_be_of_one_team_waits_for_them_to_change_sides() -> None:
    house = make_hall(played={"topple": Topple()})
    options = {"teams": [1, 1, 2, 2]}
    live = house.open(Opening(game="topple", options=options, seats=4, start="host"), "ann")
    house.sit(live, "ann", seat=1)
    house.do(live, c.SeatBot(ANN, "casual", Seat(2)))
    house.do(live, c.Start(ANN))
    house.do(live, c.Resign(ANN))
    house.do(live, c.Rematch(ANN))
    again = following(house, live)
    assert holders(again)[0] == "ann"
    assert again.table.phase == "setup"


def test_a_rematch_does_not_need_room_in_a_full_hall() -> None:
    house = make_hall(settings=HallSettings(most_tables=1, tables_per_person=1))
    live = finished(house, Opening(game="tower"), "ann", "bob", "cid")
    house.open(Opening(game="tower"), "dot", "dot")
    for person in (ANN, BOB, CID):
        house.do(live, c.Rematch(person))
    assert following(house, live).table.phase == "playing"


def test_a_kicked_player_cannot_sit_at_the_rematch() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower"), "ann", "ann", "dot")
    house.do(live, c.Unseat(ANN, Seat(1)))
    house.sit(live, "bob")
    house.sit(live, "cid")
    finish(house, live)
    house.do(live, c.Leave(CID))
    house.do(live, c.Rematch(ANN))
    house.do(live, c.Rematch(BOB))
    after = following(house, live)
    with pytest.raises(Refused) as refusal:
        house.sit(after, "dot")
    assert refusal.value.code == "barred"


# Rooms of protocols that know no rematch


ROOM = Opening(game="tower", room="den")


def test_a_room_is_found_by_its_name_while_it_is_there() -> None:
    house = make_hall()
    live = house.open(ROOM, "ann")
    house.sit(live, "ann", returns=False)
    assert house.hall.register.room("tower", "den") == live.id
    assert house.hall.register.room("parlour", "den") is None
    assert house.hall.register.room("tower", live.id) == live.id, "a table's id will do as well"
    house.do(live, c.Leave(ANN))
    assert house.hall.register.room("tower", "den") is None
    assert house.hall.register.room("tower", live.id) is None


def test_a_room_goes_on_when_a_seat_becomes_free_after_the_game() -> None:
    house = make_hall()
    live = finished(house, ROOM, "ann", "bob", "cid", returns=False)
    ann, bob = house.attend(live, "ann"), house.attend(live, "bob")
    assert house.hall.register.room("tower", "den") == live.id, "they look at the end of the game"
    house.do(live, c.Leave(CID))
    after = following(house, live)
    assert house.hall.register.room("tower", "den") == after.id
    assert holders(after) == ["ann", "bob", None], "everybody keeps the mark"
    assert after.table.state is None
    assert after.table.vacated
    assert ann.moves == bob.moves == [(live.id, after.id)]
    house.sit(after, "dot", returns=False)
    assert after.table.phase == "playing"


def test_a_room_goes_on_as_often_as_it_likes_and_ends_when_all_have_left() -> None:
    house = make_hall()
    live = finished(house, ROOM, "ann", "bob", "cid", returns=False)
    for person in ("ann", "bob", "cid"):
        house.attend(live, person)
    for round_number in range(3):
        leaver = next(live.table.sitters())[1].person
        house.do(live, c.Leave(leaver))
        live = following(house, live)
        house.attend(live, f"new-{round_number}")
        house.sit(live, f"new-{round_number}", returns=False)
        finish(house, live)
    for _, sitting in list(live.table.sitters()):
        house.do(live, c.Leave(sitting.person))
        live = following(house, live) if live.table.successor else live
    assert house.hall.register.room("tower", "den") is None
    assert house.hall.register.seated == {}


def test_a_room_that_was_given_up_can_be_opened_anew() -> None:
    house = make_hall()
    live = house.open(ROOM, "ann")
    for name in ("ann", "bob", "cid"):
        house.sit(live, name, returns=False)
    house.do(live, c.Wake())
    house.advance(house.hall.settings.timeouts.room_grace)
    assert live.table.phase == "over"
    assert house.hall.register.room("tower", "den") is None
    assert house.hall.register.rooms == {}


def test_a_mixed_table_goes_on_too() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower"), "ann", "ann")
    house.do(live, c.Sit(sitter("bob", returns=False)))
    house.do(live, c.Sit(sitter("cid", returns=False)))
    finish(house, live)
    house.do(live, c.Leave(CID))
    assert holders(following(house, live)) == ["ann", "bob", None]


def test_a_succession_survives_a_restart() -> None:
    async def story() -> None:
        house = make_hall()
        live = finished(house, Opening(game="tower"), "ann", "bob", "cid")
        for person in (ANN, BOB, CID):
            house.do(live, c.Rematch(person))
        after = following(house, live)
        again = make_hall(house.storage, time=house.time)
        await again.start()
        old, new = await again.hall.load(live.id), await again.hall.load(after.id)
        assert old is not None
        assert new is not None
        assert old.table.successor == new.id
        assert holders(new) == holders(after)
        assert type(old.log[-1]) is e.Succeeded

    asyncio.run(story())


def test_who_gets_up_from_an_old_table_takes_no_name_from_a_room_that_others_have_opened() -> None:
    async def story() -> None:
        house = make_hall()
        room = Opening(game="tower", room="attic")
        old = finished(house, room, "ann", "bob", "cid", returns=False)
        again = make_hall(house.storage)
        await again.start()
        assert again.hall.register.room("tower", "attic") is None, "its game is over"
        new = again.open(room, "dot", "dot")
        back = await again.hall.load(old.id)
        assert back is not None
        again.do(back, c.Leave(ANN))
        assert again.hall.register.room("tower", "attic") == new.id
        assert following(again, back).table.room is None

    asyncio.run(story())


def test_whoever_gets_up_after_a_game_has_played_it_all_the_same() -> None:
    house = make_hall()
    live = finished(house, Opening(game="tower"), "ann", "bob", "cid")
    house.do(live, c.Leave(BOB))
    house.settle()
    assert holders(live) == ["ann", None, "cid"]
    entry = house.storage.entry(live.id)
    assert entry is not None
    for shown in (summary_from(live.game, entry), house.hall.lobby.tables[live.id]):
        assert [holder and holder.name for holder in shown.seats] == ["ann", "bob", "cid"]
