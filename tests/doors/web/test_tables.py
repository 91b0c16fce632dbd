"""At a table through the web door: every message with what it does, and every way in which it is refused."""

from typing import Any

import pytest
from tests.doors.support.inn import Guest, Inn, Message

from gamut.games.game import Seat
from gamut.hall.ids import TableId

WIN_FOR_0 = (0, 8, 16, 1, 9, 17, 2)


def sitting(inn: Inn, names: str, game: str = "tower", **fields: Any) -> tuple[TableId, list[Guest]]:
    """A table with these people, the first of them its host; nothing is left to be read."""
    people = [inn.guest(name) for name in names.split()]
    table = people[0].open(game, **fields)
    key = inn.hall.live[table].table.key
    for person in people[1:]:
        person.sure("sit", table=table, key=key)
    for person in people:
        person.read()
    return table, people


def place(tile: int) -> Message:
    return {"type": "place", "tile": tile}


def play(table: TableId, people: list[Guest], *tiles: int) -> None:
    for number, tile in enumerate(tiles):
        people[number % len(people)].sure("act", table=table, action=place(tile))
    for person in people:
        person.read()


def events(heard: list[Message]) -> list[Message]:
    return [event for message in heard if message["type"] == "events" for event in message["events"]]


def event_types(heard: list[Message]) -> list[str]:
    return [event["type"] for event in events(heard)]


def pictures(heard: list[Message]) -> list[Message]:
    return [message for message in heard if message["type"] == "table"]


# Watching and sitting


def test_watching_gives_a_picture_and_then_what_happens(inn: Inn) -> None:
    table, (ann, bob, cyd) = sitting(inn, "Ann Bob Cyd")
    watcher = inn.guest("Wim")
    (picture,) = watcher.sure("watch", table=table)
    assert picture["type"] == "table"
    assert picture["seq"] == inn.hall.live[table].table.seq
    assert picture["you"] is None
    assert picture["watchers"] == 1
    assert picture["awaited"] == [0]
    assert [seat["name"] for seat in picture["seats"]] == ["Ann", "Bob", "Cyd"]
    assert "key" not in picture
    ann.sure("act", table=table, action=place(4), seen=picture["seq"])
    (told,) = watcher.read()
    assert told == bob.read()[0] == cyd.read()[0]
    assert (told["after"], told["seq"]) == (picture["seq"], picture["seq"] + 1)
    assert told["events"][0]["events"] == [{"type": "placed", "seat": 0, "tile": 4}]
    watcher.sure("unwatch", table=table)
    watcher.sure("unwatch", table=table)
    bob.sure("act", table=table, action=place(5))
    assert watcher.read() == []


def test_a_person_who_sits_gets_a_fresh_picture_wherever_connected(inn: Inn) -> None:
    table, _ = sitting(inn, "Ann")
    bob, twin, idle = inn.guest("Bob"), inn.guest("Bob"), inn.guest("Bob")
    twin.sure("watch", table=table)
    (first,) = bob.sure("sit", table=table, seat=2)
    assert first["you"] == 2
    assert first["key"]
    heard = twin.read()
    assert event_types(heard) == ["sat"]
    assert pictures(heard)[0]["you"] == 2
    assert idle.read() == []
    heard = bob.sure("leave", table=table)
    assert event_types(heard) == ["stood"]
    assert pictures(heard)[0]["you"] is None
    assert pictures(twin.read())[0]["you"] is None


def test_the_lowest_free_seat_or_the_one_asked_for(inn: Inn) -> None:
    table, _ = sitting(inn, "Ann")
    bob, cyd, dee = (inn.guest(name) for name in ("Bob", "Cyd", "Dee"))
    assert bob.refused("sit", table=table, seat=0) == "taken"
    assert bob.refused("sit", table=table, seat=3) == "taken"
    bob.sure("sit", table=table, seat=2)
    assert bob.refused("sit", table=table, seat=1) == "seated"
    cyd.sure("sit", table=table)
    assert inn.hall.live[table].table.seat_of(cyd.person) == 1
    assert dee.refused("sit", table=table) == "full"
    dee.sure("watch", table=table)
    assert dee.refused("leave", table=table) == "not_seated"


def test_a_connection_lost_keeps_the_seat_and_several_count_once(inn: Inn) -> None:
    table, (ann, bob) = sitting(inn, "Ann Bob")
    twin = inn.guest("Bob")
    twin.sure("watch", table=table)
    bob.hang_up()
    assert ann.read() == [], "Bob is still here"
    twin.hang_up()
    assert event_types(ann.read()) == ["dropped"]
    back = inn.guest("Bob")
    (picture,) = back.sure("watch", table=table)
    assert picture["you"] == 1
    assert event_types(ann.read()) == ["returned"]


def test_a_kicked_person_watches_on_but_may_not_sit(inn: Inn) -> None:
    table, (ann, bob) = sitting(inn, "Ann Bob")
    assert bob.refused("unseat", table=table, seat=0) == "not_host"
    assert ann.refused("unseat", table=table, seat=0) == "own_seat"
    assert ann.refused("unseat", table=table, seat=2) == "empty_seat"
    assert ann.refused("unseat", table=table, seat=9) == "empty_seat"
    ann.sure("unseat", table=table, seat=1)
    heard = bob.read()
    assert events(heard)[0]["why"] == "kicked"
    assert pictures(heard)[0]["you"] is None
    assert bob.refused("sit", table=table) == "barred"


# The host's part


def test_bots_are_seated_and_sent_off_by_the_host(inn: Inn) -> None:
    table, (ann, bob) = sitting(inn, "Ann Bob")
    assert bob.refused("bot", table=table, level="casual") == "not_host"
    assert ann.refused("bot", table=table, level="genius") == "no_such_level"
    assert ann.refused("bot", table=table, level="casual", seat=1) == "taken"
    ann.sure("configure", table=table, start="host")
    heard = ann.sure("bot", table=table, level="casual", seat=2)
    assert event_types(heard) == ["bot_sat"]
    assert ann.refused("bot", table=table, level="casual") == "full"
    heard = ann.sure("unseat", table=table, seat=2)
    assert events(heard)[0]["why"] == "removed"


def test_a_table_starts_when_all_are_ready(inn: Inn) -> None:
    table, (ann, bob) = sitting(inn, "Ann Bob", "parlour", seats=2, start="ready")
    assert inn.guest("Wim").refused("ready", table=table) == "not_seated"
    assert event_types(ann.sure("ready", table=table)) == ["readied"]
    assert ann.sure("ready", table=table) == [], "nothing new"
    ann.sure("ready", table=table, ready=False)
    bob.sure("ready", table=table)
    heard = ann.sure("ready", table=table)
    assert event_types(heard)[-2:] == ["readied", "started"]
    assert ann.refused("ready", table=table) == "started"


def test_a_table_starts_when_the_host_says_so(inn: Inn) -> None:
    table, (ann, bob) = sitting(inn, "Ann Bob", "parlour", seats=3, start="host")
    assert bob.refused("start", table=table) == "not_host"
    assert ann.refused("start", table=table) == "not_full"
    inn.guest("Cyd").sure("sit", table=table)
    assert inn.hall.live[table].table.phase == "setup"
    assert event_types(ann.sure("start", table=table))[-1] == "started"
    assert ann.refused("start", table=table) == "started"


def test_the_host_can_make_somebody_else_host(inn: Inn) -> None:
    table, (ann, bob) = sitting(inn, "Ann Bob", bots=["casual"])
    bob.sure("leave", table=table)
    bob.sure("sit", table=table)
    assert bob.refused("promote", table=table, seat=0) == "not_host"
    assert ann.refused("promote", table=table, seat=0) == "own_seat"
    assert ann.refused("promote", table=table, seat=1) == "bot"
    assert ann.refused("promote", table=table, seat=7) == "empty_seat"
    assert event_types(ann.sure("promote", table=table, seat=2)) == ["host_changed"]
    assert ann.refused("promote", table=table, seat=2) == "not_host"


def test_the_host_sets_the_table_up(inn: Inn) -> None:
    table, (ann, bob) = sitting(inn, "Ann Bob", "parlour", seats=3)
    assert bob.refused("configure", table=table, private=True) == "not_host"
    assert ann.refused("configure", table=table, options={"hand": 1}) == "bad_options"
    heard = ann.sure("configure", table=table, options={"hand": 5}, clock={"kind": "turn", "limit": 5000})
    (configured,) = events(heard)
    assert configured["options"] == {"hand": 5, "mode": "free", "order": "exact"}
    assert configured["clock"] == {"kind": "turn", "limit": 5000}
    assert configured["start"] == "full"
    ann.sure("bot", table=table, level="hasty")
    assert ann.refused("configure", table=table, private=True) == "started"


def test_the_host_pauses_and_resumes(inn: Inn) -> None:
    table, (ann, bob, _) = sitting(inn, "Ann Bob Cyd")
    assert bob.refused("pause", table=table) == "not_host"
    assert ann.refused("resume", table=table) == "not_paused"
    assert event_types(ann.sure("pause", table=table)) == ["paused"]
    assert ann.refused("act", table=table, action=place(0)) == "paused"
    assert ann.refused("pause", table=table) == "paused"
    assert ann.sure("legal", table=table)[0].get("actions", []) == []
    assert bob.refused("resume", table=table) == "not_host"
    assert event_types(ann.sure("resume", table=table)) == ["resumed"]
    ann.sure("act", table=table, action=place(0))


# Playing


def test_actions_and_their_refusals(inn: Inn) -> None:
    table, (ann, bob) = sitting(inn, "Ann Bob")
    assert ann.refused("act", table=table, action=place(0)) == "not_started"
    cyd = inn.guest("Cyd")
    assert cyd.refused("act", table=table, action=place(0)) == "not_seated"
    cyd.sure("sit", table=table)
    ann.read(), bob.read()
    action: Any
    for action in (None, 5, "place", [], {}, {"type": "place"}, place(24), place(-1)):
        assert ann.refused("act", table=table, action=action) == "bad_action"
    for action in (
        {"type": "place", "tile": "0"},
        {"type": "place", "tile": True},
        {"type": "lay", "card": 1},
    ):
        assert ann.refused("act", table=table, action=action) == "bad_action"
    assert bob.refused("act", table=table, action=place(0)) == "not_your_turn"
    ann.sure("act", table=table, action=place(0))
    bob.read()
    assert bob.refused("act", table=table, action=place(0)) == "taken"
    cyd.sure("leave", table=table)
    bob.read()
    assert bob.refused("act", table=table, action=place(1)) == "waiting"


def test_an_action_that_comes_late_does_nothing(inn: Inn) -> None:
    table, people = sitting(inn, "Ann Bob Cyd")
    ann, bob, cyd = people
    seen = inn.hall.live[table].table.seq
    ann.sure("act", table=table, action=place(0), seen=seen)
    assert ann.refused("act", table=table, action=place(1), seen=seen) == "stale", "a doubled click"
    bob.read()
    assert bob.refused("act", table=table, action=place(8), seen=seen) == "stale"
    ann.sure("say", table=table, text="your turn")
    bob.read()
    bob.sure("act", table=table, action=place(8), seen=seen + 1)
    assert cyd.read()[-1]["awaited"] == [2]


def test_what_is_legal_is_told_to_whoever_is_to_act(inn: Inn) -> None:
    table, (ann, bob, _) = sitting(inn, "Ann Bob Cyd")
    (legal,) = ann.sure("legal", table=table)
    assert legal["type"] == "legal"
    assert legal["seq"] == inn.hall.live[table].table.seq
    assert legal["actions"] == [place(tile) for tile in range(24)]
    assert bob.sure("legal", table=table)[0]["actions"] == []
    watcher = inn.guest("Wim")
    assert watcher.refused("legal", table=table) == "not_here"
    watcher.sure("watch", table=table)
    assert watcher.sure("legal", table=table)[0]["actions"] == []
    ann.sure("act", table=table, action=legal["actions"][3])
    bob.read()
    assert place(3) not in bob.sure("legal", table=table)[0]["actions"]


def test_resigning_where_the_game_has_it(inn: Inn) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd")
    assert ann.refused("resign", table=table) == "no_resigning"
    cards, (dee, eve) = sitting(inn, "Dee Eve", "parlour", seats=2)
    assert ann.refused("resign", table=cards) == "not_seated"
    heard = dee.sure("resign", table=cards)
    assert heard[-1]["phase"] == "over"
    assert eve.read()[-1]["phase"] == "over"
    assert dee.refused("resign", table=cards) == "over"


def test_draws_where_the_game_has_them(inn: Inn) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd")
    assert ann.refused("draw", table=table) == "no_draws"
    assert ann.refused("draw", table=table, accept=False) == "no_offer"
    cards, (dee, eve) = sitting(inn, "Dee Eve", "parlour", seats=2)
    assert ann.refused("draw", table=cards) == "not_seated"
    assert event_types(dee.sure("draw", table=cards)) == ["draw_offered"]
    assert dee.refused("draw", table=cards) == "offered"
    eve.read()
    assert event_types(eve.sure("draw", table=cards, accept=False)) == ["draw_declined"]
    assert dee.refused("draw", table=cards) == "turned_down"
    eve.sure("draw", table=cards)
    dee.read()
    assert dee.sure("draw", table=cards)[-1]["phase"] == "over"
    assert eve.read()[-1]["phase"] == "over"
    assert dee.refused("draw", table=cards) == "over"
    against_a_bot, (fay,) = sitting(inn, "Fay", "parlour", seats=2, bots=["hasty"])
    heard = fay.sure("draw", table=against_a_bot)
    assert event_types(heard) == ["draw_offered", "draw_offered", "played"], (
        "this bot takes whatever it is offered"
    )
    assert heard[-1]["phase"] == "over"


def test_after_the_end_nothing_is_played(inn: Inn) -> None:
    table, people = sitting(inn, "Ann Bob Cyd")
    ann, bob, _ = people
    assert ann.refused("rematch", table=table) == "not_over"
    play(table, people, *WIN_FOR_0)
    (picture,) = inn.guest("Wim").sure("watch", table=table)
    assert picture["outcome"] == {"winners": [0], "reason": "line", "scores": None, "places": None}
    assert bob.refused("act", table=table, action=place(20)) == "over"
    assert ann.refused("pause", table=table) == "over"
    assert ann.refused("bot", table=table, level="casual") == "over"
    assert ann.refused("unseat", table=table, seat=1) == "over"
    assert ann.refused("configure", table=table, private=True) == "started"
    assert inn.guest("Dee").refused("sit", table=table) == "over"
    assert inn.guest("Dee").refused("rematch", table=table) == "not_seated"


def test_a_rematch_takes_everybody_along(inn: Inn) -> None:
    table, people = sitting(inn, "Ann Bob Cyd")
    ann, bob, cyd = people
    watcher, twin = inn.guest("Wim"), inn.guest("Ann")
    for visitor in (watcher, twin):
        visitor.sure("watch", table=table)
    play(table, people, *WIN_FOR_0)
    for visitor in (watcher, twin):
        visitor.read()
    ann.sure("rematch", table=table)
    assert ann.refused("rematch", table=table) == "asked"
    bob.sure("rematch", table=table)
    cyd.sure("rematch", table=table)
    news: TableId | None = None
    for visitor, seat in ((ann, 2), (twin, 2), (bob, 0), (watcher, None)):
        heard = visitor.read()
        moved = next(message for message in heard if message["type"] == "continued")
        assert moved["table"] == table
        picture = pictures(heard)[0]
        assert picture["table"] == moved["to"]
        assert picture["you"] == seat, "whoever began last time is last this time"
        assert picture["before"] == table
        news = TableId(moved["to"])
        last = heard[-1]
        assert (last["table"], last["phase"]) == (news, "playing")
    assert news is not None
    assert ann.refused("rematch", table=table) == "succeeded"
    bob.sure("act", table=news, action=place(0))
    assert [heard[-1]["table"] for heard in (ann.read(), twin.read(), cyd.read(), watcher.read())] == [
        news
    ] * 4
    assert table not in ann.session.following


def test_a_rematch_without_the_one_who_left_waits_for_another(inn: Inn) -> None:
    table, people = sitting(inn, "Ann Bob Cyd")
    ann, bob, cyd = people
    play(table, people, *WIN_FOR_0)
    ann.sure("rematch", table=table)
    bob.sure("rematch", table=table)
    cyd.sure("leave", table=table)
    moved = next(message for message in ann.read() if message["type"] == "continued")
    new = inn.hall.live[TableId(moved["to"])].table
    assert new.phase == "setup"
    assert sum(holder is None for holder in new.seats) == 1
    assert new.seat_of(ann.person) == Seat(2)


# Talking


def test_players_talk_at_the_table_and_watchers_among_themselves(inn: Inn) -> None:
    table, (ann, bob) = sitting(inn, "Ann Bob")
    wim, wanda = inn.guest("Wim"), inn.guest("Wanda")
    assert wim.refused("say", table=table, text="psst", room="kibitz") == "not_here"
    for watcher in (wim, wanda):
        watcher.sure("watch", table=table)
    assert wim.refused("say", table=table, text="hello") == "not_seated"
    assert ann.refused("say", table=table, text="psst", room="kibitz") == "seated"
    assert ann.refused("say", table=table, text="\t") == "empty"
    assert ann.refused("say", table=table, text="x" * 501) == "too_long"
    ann.sure("say", table=table, text="hello <b>all</b>")
    for visitor in (bob, wim, wanda):
        assert events(visitor.read())[0]["text"] == "hello <b>all</b>"
    wim.sure("say", table=table, text="she will lose", room="kibitz")
    assert events(wanda.read())[0]["text"] == "she will lose"
    for player in (ann, bob):
        (told,) = player.read()
        assert told["events"] == [], "that something was said, but not what: the numbers must go on"
        assert told["seq"] == told["after"] + 1
        assert b"she will lose" not in player.raw
    for name in ("Ann", "Bob"):
        again = inn.guest(name)
        again.sure("watch", table=table, since=0)
        again.sure("watch", table=table)
        assert b"she will lose" not in again.raw


# Timed games


def test_the_clock_is_told_and_runs_out(inn: Inn) -> None:
    table, (ann, bob, _) = sitting(inn, "Ann Bob Cyd", clock={"kind": "turn", "limit": 5000})
    (picture,) = ann.sure("watch", table=table)
    assert picture["times"]["running"] == [0]
    assert picture["times"]["times"][0]["main"] == 5000
    inn.advance(4999)
    assert ann.read() == []
    inn.advance(1)
    (told,) = bob.read()
    assert told["events"][0]["why"] == "flagged"
    assert told["awaited"] == [1]
    assert told["times"]["running"] == [1]


def test_bots_answer_while_people_are_away(inn: Inn) -> None:
    table, (ann,) = sitting(inn, "Ann", bots=["casual", "casual"])
    ann.say({"type": "act", "table": table, "action": place(0)})
    ann.hang_up()
    inn.advance(1)
    back = inn.guest("Ann")
    (picture,) = back.sure("watch", table=table)
    assert sum(mark != 3 for mark in picture["state"]["marks"]) == 3
    assert picture["awaited"] == [0]


@pytest.mark.parametrize("restarted", [False, True])
def test_a_table_that_left_the_memory_comes_back_when_asked_for(inn: Inn, restarted: bool) -> None:
    table, people = sitting(inn, "Ann Bob Cyd")
    play(table, people, *WIN_FOR_0)
    for person in people:
        person.hang_up()
    if restarted:
        inn.restart()
    else:
        inn.advance(700_000)
    assert table not in inn.hall.live
    wim = inn.guest("Wim")
    (picture,) = wim.sure("watch", table=table)
    assert picture["phase"] == "over"
    assert wim.sure("watch", table=table, since=2)[0]["after"] == 2
