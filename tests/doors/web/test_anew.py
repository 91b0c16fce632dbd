"""Whoever sees a game through other eyes gets all of it anew, once; and what was hidden is public in the end."""

from random import Random
from typing import Any

import msgspec
from tests.doors.support.inn import Guest, Inn, Message, unframed
from tests.doors.web.test_pieces import MANY, pieces
from tests.doors.web.test_secrets import face_up, play_cards
from tests.doors.web.test_tables import place, sitting

from gamut.doors.pieces import MOMENT
from gamut.hall.ids import PersonId, TableId
from gamut.hall.table import commands as c


def pictures(heard: list[Message]) -> list[Message]:
    return [message for message in heard if message["type"] == "table"]


def everything_told(guest: Guest) -> list[Message]:
    return [msgspec.json.decode(message) for message in unframed(guest.raw)]


def cards(messages: list[Any]) -> set[int]:
    """Every card that can be read off these messages, but for those that were turned over for all to see."""
    found: set[int] = set()
    for message in messages:
        for event in message.get("events", ()):
            for happened in event.get("events", ()):
                found |= {*happened.get("cards", ())} if happened["type"] == "dealt" else set()
    return found - {0}


def over(inn: Inn) -> tuple[TableId, list[Guest], Guest]:
    table, players = sitting(inn, "Ann Bob Cyd", "parlour")
    watcher = inn.guest("Wim")
    watcher.sure("watch", table=table, since=0)
    play_cards(inn, table, Random(1), 100)
    assert inn.load(table).table.outcome is not None
    return table, players, watcher


def test_who_gives_up_a_seat_in_mid_game_is_shown_the_table_anew(inn: Inn) -> None:
    table, (ann, bob, _) = sitting(inn, "Ann Bob Cyd", "parlour")
    play_cards(inn, table, Random(1), 2)
    bob.read()
    ann.read()
    heard = ann.sure("leave", table=table)
    (picture,) = pictures(heard)
    assert picture["anew"] is True
    assert picture["you"] is None
    face_up(picture, None)
    assert [message["type"] for message in heard[:2]] == ["events", "table"]
    assert pictures(bob.read()) == [], "nobody else's view has changed"


def test_all_that_was_told_of_a_game_fits_together_up_to_its_end(inn: Inn) -> None:
    """Cards that are turned over with the last play cannot be taken from a hand that nobody has seen."""
    table, players, watcher = over(inn)
    game = inn.load(table).game
    for guest in (*players, watcher):
        state = None
        for message in everything_told(guest):
            if message["type"] == "table" and not message.get("anew"):
                state = msgspec.convert(message["state"], game.state_type | None)
            for event in message.get("events", ()):
                for happened in event.get("events", ()):
                    state = game.evolve(state, msgspec.convert(happened, game.event_type))
        assert state is not None
        assert game.outcome(state) == inn.load(table).table.outcome


def test_taking_a_seat_before_the_game_has_begun_changes_nothing_that_was_seen(inn: Inn) -> None:
    _, people = sitting(inn, "Ann Bob", "parlour", seats=2)
    for guest in people:
        shown = pictures(everything_told(guest))
        assert shown
        assert not any("anew" in picture for picture in shown)


def test_in_a_game_that_hides_nothing_no_table_is_shown_anew(inn: Inn) -> None:
    table, (ann, bob, _) = sitting(inn, "Ann Bob Cyd")
    ann.sure("act", table=table, action=place(3))
    (picture,) = pictures(bob.sure("leave", table=table))
    assert "anew" not in picture
    (picture,) = pictures(bob.sure("sit", table=table))
    assert "anew" not in picture


def test_a_table_that_was_asked_for_is_not_shown_anew(inn: Inn) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd", "parlour")
    play_cards(inn, table, Random(1), 2)
    ann.sure("leave", table=table)
    for fields in ({}, {"since": 0}, {"since": 0, "stamp": 0}):
        assert not any("anew" in message for message in ann.sure("watch", table=table, **fields))


def test_the_history_from_the_first_event_is_never_answered_by_a_picture(inn: Inn) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd", "parlour")
    play_cards(inn, table, Random(1), 2)
    ann.sure("leave", table=table)
    for fields in ({"since": 0}, {"since": 0, "stamp": 0}):
        history, *_ = ann.sure("watch", table=table, **fields)
        assert (history["type"], history["after"]) == ("events", 0)
        assert history["seq"] == inn.load(table).table.seq
        face_up(history, None)


def test_who_comes_back_with_what_they_saw_through_other_eyes_is_given_a_picture(inn: Inn) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd", "parlour")
    play_cards(inn, table, Random(1), 2)
    seq = inn.load(table).table.seq
    ann.hang_up()
    inn.guest("Ann").sure("leave", table=table)
    (picture,) = inn.guest("Ann").sure("watch", table=table, since=seq)
    assert picture["type"] == "table"
    assert "anew" not in picture
    face_up(picture, None)


def test_what_was_hidden_is_public_once_there_is_an_outcome(inn: Inn) -> None:
    table, players, watcher = over(inn)
    dealt = {card for hand in _dealt(inn, table) for card in hand}
    for guest in (*players, watcher, inn.guest("Wanda")):
        heard = guest.sure("watch", table=table, since=0)
        assert cards(heard) == dealt
        (picture,) = pictures(guest.sure("watch", table=table))
        assert picture["state"] == msgspec.json.decode(msgspec.json.encode(inn.load(table).state_for(None)))
    inn.restart()
    assert cards(inn.guest("Wanda").sure("watch", table=table, since=0)) == dealt, "for good"


def _dealt(inn: Inn, table: TableId) -> list[tuple[int, ...]]:
    started = next(event for event in inn.load(table).whole_log if hasattr(event, "events"))
    return [happened.cards for happened in started.events[1:]]


def test_whoever_is_there_when_all_is_revealed_is_shown_the_table_anew_once(inn: Inn) -> None:
    _, players, watcher = over(inn)
    for guest in (*players, watcher):
        told = everything_told(guest)
        anew = [message for message in told if message.get("anew")]
        assert len(anew) == 1
        assert anew[0]["outcome"] is not None
        last = told[told.index(anew[0]) - 1]
        assert last["type"] == "events"
        face_up(last, anew[0]["you"])
        assert last["seq"] == anew[0]["seq"], "the end is told as it was played, then all of it anew"


def test_who_was_away_when_all_was_revealed_is_given_a_picture(inn: Inn) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd", "parlour")
    seq = inn.load(table).table.seq
    ann.hang_up()
    play_cards(inn, table, Random(1), 100)
    back = inn.guest("Ann")
    (picture,) = back.sure("watch", table=table, since=seq)
    assert picture["type"] == "table"
    assert back.sure("watch", table=table, since=picture["seq"])[0]["type"] == "events"


def test_a_game_without_an_outcome_reveals_nothing(inn: Inn) -> None:
    table, players = sitting(inn, "Ann Bob Cyd", "parlour")
    watcher = inn.guest("Wim")
    watcher.sure("watch", table=table)
    for guest in players:
        guest.hang_up()
    inn.advance(inn.hall.settings.timeouts.abandoned_after)
    live = inn.load(table)
    assert live.table.phase == "over"
    assert not any("anew" in message for message in watcher.read())
    face_up(watcher.sure("watch", table=table, since=0), None)


def test_who_changes_eyes_while_being_told_gets_no_more_of_it_but_the_table_anew(inn: Inn) -> None:
    table, (_, bob, _) = sitting(inn, "Ann Bob Cyd", "parlour")
    live = inn.load(table)
    for number in range(MANY):
        inn.house.do(live, c.Say(PersonId(f"watcher {number % 100}"), "Wim", f"line {number}", "kibitz"))
    twin = inn.guest("Bob")
    twin.say({"type": "watch", "table": table, "since": 0, "id": 1})
    assert len(pieces(twin.read())) <= 1
    bob.sure("leave", table=table)
    inn.advance(20 * MOMENT)
    heard = twin.read()
    (picture,) = pictures(heard)
    assert picture["anew"] is True
    assert pieces(heard) == []
    assert {"type": "ok", "id": 1} in heard


def test_who_was_cut_off_between_the_end_and_what_it_revealed_is_shown_it_when_they_come_back(
    inn: Inn,
) -> None:
    table, players, _ = over(inn)
    told = everything_told(players[0])
    picture = next(message for message in told if message.get("anew"))
    end = told[told.index(picture) - 1]
    back = inn.guest("Ann")
    (again,) = back.sure("watch", table=table, since=end["seq"], stamp=end["stamp"])
    assert again["type"] == "table"
    assert (
        back.sure("watch", table=table, since=picture["seq"], stamp=picture["stamp"])[0]["type"] == "events"
    )
    inn.restart()
    assert inn.guest("Ann").sure("watch", table=table)[0]["stamp"] == picture["stamp"], "the same for ever"
