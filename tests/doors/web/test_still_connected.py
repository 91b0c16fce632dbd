"""What people of the page hear when another node takes over, and when others are cut off by a fault of ours."""

from typing import Any

import pytest
from tests.doors.support.inn import Guest, Inn, Message
from tests.doors.web.test_tables import WIN_FOR_0, events, place, play, sitting
from tests.doors.web.test_watchers import names, told, watching

from gamut.doors.web.pieces import TABLES
from gamut.hall.live.opening import Opening

MOMENT = 250
CLOCK = {"kind": "bank", "main": 60_000}


def happened(guest: Guest) -> list[tuple[str, Any]]:
    return [(event["type"], event.get("cut_off")) for event in events(guest.read())]


def lobbies(guest: Guest) -> list[Message]:
    return [message for message in guest.read() if message["type"].startswith("lobby")]


def test_everybody_who_is_still_here_hears_that_the_table_was_handed_over_and_what_clocks_show(
    inn: Inn,
) -> None:
    table, people = sitting(inn, "Ann Bob Cyd", clock=CLOCK)
    inn.advance(10_000)
    seq, now = inn.load(table).table.seq, inn.time.now()
    inn.take_over(*people, pause=4_000)
    for guest in people:
        (heard,) = guest.read()
        assert (heard["type"], heard["after"], heard["seq"]) == ("events", seq, seq + 1)
        assert heard["events"] == [{"type": "handed", "at": now + 4_000, "charged": now, "node": 2}]
        assert [time["main"] for time in heard["times"]["times"]] == [50_000, 60_000, 60_000]
        assert (heard["times"]["running"], heard["times"]["since"]) == ([0], now + 4_000)
    people[0].sure("act", table=table, action=place(0))
    assert happened(people[1]) == [("played", None)]


@pytest.mark.parametrize("clock", [CLOCK, {"kind": "none"}])
@pytest.mark.parametrize("phase", ["setup", "playing", "paused", "over"])
def test_those_who_were_cut_off_are_named(inn: Inn, phase: str, clock: Message) -> None:
    people = "Ann Bob" if phase == "setup" else "Ann Bob Cyd"
    table, guests = sitting(inn, people, clock=clock)
    if phase == "paused":
        guests[0].sure("pause", table=table)
    elif phase == "over":
        play(table, guests, *WIN_FOR_0)
    ann, bob = guests[:2]
    others = guests[2:]
    inn.take_over(ann, *others)
    expected = [] if phase == "over" else [("handed", None), ("woken", [bob.person])]
    for guest in (ann, *others):
        assert happened(guest) == expected
    again = inn.guest("Bob")
    again.sure("watch", table=table)
    assert happened(ann) == ([] if phase == "over" else [("returned", None)])


def test_who_is_cut_off_while_the_hall_lives_on_is_named_to_the_others(inn: Inn) -> None:
    table, (ann, bob, cyd) = sitting(inn, "Ann Bob Cyd", clock=CLOCK)
    inn.cut_off(bob, cyd)
    assert happened(ann) == [("woken", [bob.person, cyd.person])]
    inn.guest("Cyd").sure("watch", table=table)
    assert happened(ann) == [("returned", None)]


def test_who_is_back_in_time_was_not_cut_off(inn: Inn) -> None:
    table, (ann, bob, _) = sitting(inn, "Ann Bob Cyd")
    followed = bob.session.cut_off()
    again = inn.guest("Bob")
    again.sure("watch", table=table)
    for live in followed:
        inn.hall.attendance.cut_off(live)
    assert happened(ann) == []
    assert inn.hall.connected[again.person] == 1


def test_somebody_with_two_connections_is_there_as_long_as_one_of_them_is(inn: Inn) -> None:
    table, (ann, bob, _) = sitting(inn, "Ann Bob Cyd")
    other = inn.guest("Bob")
    other.sure("watch", table=table)
    inn.cut_off(bob)
    assert happened(ann) == []
    inn.cut_off(other)
    assert happened(ann) == [("woken", [bob.person])]


def test_whoever_is_told_nothing_any_more_and_waits_for_something_can_be_cut_off(inn: Inn) -> None:
    _, (ann, bob, _) = sitting(inn, "Ann Bob Cyd")
    bob.session.waits = True
    bob.session.closing()
    inn.cut_off(bob)
    assert happened(ann) == [("woken", [bob.person])]
    bob.session.closed()
    assert happened(ann) == []
    assert bob.person not in inn.hall.connected


# What is not stored


def test_the_lobby_is_told_anew_to_those_who_follow_it(inn: Inn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    ann.sure("lobby")
    first = bob.open()
    inn.advance(1_000)
    # Of this nobody was told before the node was gone.
    second = bob.open()
    inn.take_over(ann, bob)
    (told,) = lobbies(ann)
    assert (told["type"], told["anew"]) == ("lobby", True)
    assert {summary["id"] for summary in told["tables"]} == {first, second}
    assert lobbies(bob) == []
    inn.advance(1_000)
    third = bob.open()
    inn.advance(1_000)
    changed = [summary["id"] for told in lobbies(ann) for summary in told.get("changed", [])]
    assert third in changed
    assert len(changed) < 4, "not all tables of the hall are news"


def test_a_lobby_that_was_asked_for_is_answered_once_at_the_end(inn: Inn) -> None:
    for _ in range(2 * TABLES):
        inn.hall.open(Opening(game="tower"), None)
    inn.settle()
    inn.advance(1_000)
    ann = inn.guest("Ann")
    ann.raw_say(b'{"type":"lobby","id":7}')
    inn.take_over(ann)
    inn.advance(1_000)
    told = ann.read()
    assert [message["type"] for message in told if message["type"] == "lobby"] == ["lobby"]
    assert "anew" not in told[0], "an answer follows"
    assert [message for message in told if message["type"] == "ok"] == [{"type": "ok", "id": 7}]
    tables = {
        summary["id"]
        for message in told
        for summary in (message.get("tables") or message.get("changed") or [])
    }
    assert len(tables) == 2 * TABLES


def test_who_watches_is_told_again(inn: Inn) -> None:
    table, (ann, bob, _) = sitting(inn, "Ann Bob Cyd")
    wim, wanda = watching(inn, table, "Wim", "Wanda")
    inn.advance(MOMENT)
    assert names(told(ann)[0]) == ["Wanda", "Wim"]
    inn.take_over(ann, wim)
    inn.advance(MOMENT)
    assert [names(message) for message in told(ann)] == [["Wim"]]
    assert [names(message) for message in told(wim)] == [["Wim"]]
    inn.take_over(ann)
    inn.advance(MOMENT)
    assert [message["count"] for message in told(ann)] == [0]
    del bob, wanda


def test_a_watcher_who_was_cut_off_watches_no_more(inn: Inn) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd")
    wim, wanda = watching(inn, table, "Wim", "Wanda")
    inn.advance(MOMENT)
    told(ann)
    inn.cut_off(wanda)
    assert [names(message) for message in told(ann)] == [["Wim"]]
    del wim
