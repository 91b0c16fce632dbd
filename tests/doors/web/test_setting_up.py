"""Setting a table up through the web door: modes, swaps, approval, an order that is drawn, kicks and calling it off."""

from typing import Any

from tests.doors.support.inn import Guest, Inn
from tests.doors.web.test_tables import event_types, events, pictures, sitting

from gamut.games.game import Seat
from gamut.hall.ids import TableId


def names(picture: dict[str, Any]) -> list[str | None]:
    return [seat and seat["name"] for seat in picture["seats"]]


def seats_of(inn: Inn, table: TableId) -> list[str | None]:
    return [None if holder is None else holder.name for holder in inn.hall.live[table].table.seats]


def setting_up(inn: Inn, people: str, **fields: Any) -> tuple[TableId, list[Guest]]:
    return sitting(inn, people, "parlour", **{"start": "host", **fields})


def test_a_mode_says_how_many_seats_a_table_has(inn: Inn) -> None:
    ann = inn.guest("Ann")
    table = ann.open("parlour", options={"mode": "duel"}, start="host")
    assert seats_of(inn, table) == ["Ann", None]
    assert ann.refused("open", game="parlour", options={"mode": "duel"}, seats=3) == "bad_seats"
    assert ann.refused("open", game="parlour", seats=1) == "bad_seats", "alone one plays in a mode of its own"
    assert ann.refused("open", game="parlour", seats=9) == "bad_seats"
    assert ann.refused("open", game="parlour", options={"mode": "duel"}, bots=["hasty"] * 2) == "bad_seats"
    solo = ann.open("parlour", options={"mode": "solo"})
    assert inn.hall.live[solo].table.phase == "playing"


def test_whoever_opens_a_table_sits_where_they_like(inn: Inn) -> None:
    ann = inn.guest("Ann")
    table = ann.open("parlour", seats=3, start="host", seat=2)
    assert seats_of(inn, table) == [None, None, "Ann"]
    before = len(inn.hall.live)
    assert ann.refused("open", game="parlour", seats=3, seat=3) == "no_such_seat"
    assert ann.refused("open", game="parlour", options={"mode": "duel"}, seat=2) == "no_such_seat"
    assert len(inn.hall.live) == before, "what is refused opens nothing"
    with_bots = ann.open("tower", seat=1, bots=["casual", "casual"])
    assert seats_of(inn, with_bots)[1] == "Ann"
    assert inn.hall.live[with_bots].table.phase == "playing"


def test_whoever_is_moved_by_another_mode_is_told_where_they_sit(inn: Inn) -> None:
    table, (ann, bob) = setting_up(inn, "Ann Bob")
    bob.sure("leave", table=table)
    bob.sure("sit", table=table, seat=2)
    ann.read()
    heard = ann.sure("configure", table=table, options={"mode": "duel"})
    (configured,) = events(heard)
    assert [holder["name"] for holder in configured["holders"]] == ["Ann", "Bob"]
    bob_hears = [message for message in bob.read() if message["type"] in ("events", "table")]
    assert [message["type"] for message in bob_hears[-2:]] == ["events", "table"]
    assert bob_hears[-1]["you"] == 1
    cyd = inn.guest("Cyd")
    assert cyd.refused("sit", table=table) == "full"
    assert ann.refused("configure", table=table, options={"mode": "solo"}) == "too_many_seated"


def test_the_host_says_how_many_seats_there_are_until_play_begins(inn: Inn) -> None:
    table, (ann,) = sitting(inn, "Ann", "parlour", seats=2)
    (configured,) = events(ann.sure("configure", table=table, seats=3))
    assert [holder and holder["name"] for holder in configured["holders"]] == ["Ann", None, None]
    assert seats_of(inn, table) == ["Ann", None, None]
    bob = inn.guest("Bob")
    bob.sure("sit", table=table, seat=2)
    before = inn.bytes_of(table)
    ann.sure("configure", table=table, seats=3)
    assert bob.refused("configure", table=table, seats=2) == "not_host"
    for many in (0, 1, 9, 99):
        assert ann.refused("configure", table=table, seats=many) == "bad_seats"
    assert ann.refused("configure", table=table, seats=2) == "too_many_seated", "nobody is moved or sent away"
    assert inn.bytes_of(table) == before, "what is refused, or says nothing new, changes nothing"
    bob.sure("leave", table=table)
    bob.sure("sit", table=table, seat=1)
    ann.sure("configure", table=table, seats=2)
    assert inn.hall.live[table].table.phase == "playing", "every seat is taken now"
    assert ann.refused("configure", table=table, seats=3) == "started"


def test_where_a_mode_says_how_many_seats_there_are_nobody_says_otherwise(inn: Inn) -> None:
    table, (ann,) = setting_up(inn, "Ann", options={"mode": "duel"})
    assert ann.refused("configure", table=table, seats=3) == "bad_seats"
    assert seats_of(inn, table) == ["Ann", None]


def test_the_host_swaps_two_seats(inn: Inn) -> None:
    table, (ann, bob) = setting_up(inn, "Ann Bob")
    heard = ann.sure("swap", table=table, a=0, b=2)
    assert events(heard)[0]["type"] == "swapped"
    assert (events(heard)[0]["a"], events(heard)[0]["b"]) == (0, 2)
    (picture,) = pictures(heard)
    assert picture["you"] == 2
    assert names(picture) == [None, "Bob", "Ann"]
    assert bob.refused("swap", table=table, a=0, b=1) == "not_host"
    assert ann.refused("swap", table=table, a=0, b=99) == "no_such_seat"
    tower, (cyd,) = sitting(inn, "Cyd")
    assert cyd.refused("swap", table=tower, a=0, b=1) == "not_arrangeable"


def test_play_begins_when_everybody_approves(inn: Inn) -> None:
    table, (ann, bob) = setting_up(inn, "Ann Bob", start="approval")
    assert ann.refused("ready", table=table) == "not_full"
    ann.sure("bot", table=table, level="hasty")
    bob.sure("ready", table=table)
    assert bob.refused("ready", table=table, ready=False) == "approved"
    ann.sure("configure", table=table, options={"hand": 2})
    assert inn.hall.live[table].table.ready == ()
    bob.sure("ready", table=table)
    ann.read()
    assert event_types(ann.sure("ready", table=table))[:2] == ["readied", "started"]


def test_whoever_sits_elsewhere_when_play_begins_sees_the_game_from_there(inn: Inn) -> None:
    order: tuple[int, ...] = ()
    while not order:  # chance may leave everybody where they sat
        table, people = setting_up(inn, "Ann Bob Cyd", options={"order": "random"})
        known = inn.hall.live[table].table.seq
        people[0].sure("start", table=table)
        order = inn.hall.live[table].log[-1].order
    for guest in people:
        heard = guest.read() if guest is not people[0] else guest.sure("watch", table=table)
        picture = pictures(heard)[-1]
        seat = picture["you"]
        assert people[order[seat]] is guest
        assert all(picture["state"]["hands"][seat]), "one's own cards"
        assert not any(
            card for other, hand in enumerate(picture["state"]["hands"]) for card in hand if other != seat
        )
    late = people[1].sure("watch", table=table, since=known)
    (started,) = [event for event in events(late) if event["type"] == "started"]
    assert started["order"] == list(order)
    assert pictures(late), "also who was away when people were moved gets the picture anew"


def test_a_kick_may_leave_the_way_back_open(inn: Inn) -> None:
    table, (ann, bob) = setting_up(inn, "Ann Bob")
    ann.sure("unseat", table=table, seat=1, bar=False)
    bob.read()
    bob.sure("sit", table=table)
    ann.sure("unseat", table=table, seat=1)
    bob.read()
    assert bob.refused("sit", table=table) == "barred"


def test_everybody_is_told_that_a_table_is_called_off(inn: Inn) -> None:
    table, (ann, bob) = setting_up(inn, "Ann Bob")
    assert bob.refused("call_off", table=table) == "not_host"
    ann.sure("call_off", table=table)
    (told,) = bob.read()
    assert told["phase"] == "over"
    assert [(event["type"], event["why"]) for event in told["events"]] == [("closed", "called_off")]
    assert table not in inn.hall.register.unfinished
    assert not inn.hall.register.seated
    playing, (cyd, *_) = sitting(inn, "Cyd Dee Eve")
    assert cyd.refused("call_off", table=playing) == "started"


def test_a_player_reports_the_own_flag(inn: Inn) -> None:
    table, (ann, bob, _) = sitting(inn, "Ann Bob Cyd", clock={"kind": "turn", "limit": 5000, "lag": 500})
    assert bob.refused("flag", table=table) == "not_your_turn"
    inn.advance(4_999)
    assert ann.refused("flag", table=table) == "time_left"
    inn.advance(1)
    assert bob.refused("flag", table=table) == "not_your_turn"
    heard = ann.sure("flag", table=table)
    assert [(event["type"], event["why"], event["seat"]) for event in events(heard)] == [
        ("played", "flagged", 0)
    ]
    untimed, (dee, *_) = sitting(inn, "Dee Eve Fay")
    assert dee.refused("flag", table=untimed) == "no_clock"


def test_in_one_chat_watchers_talk_with_the_players(inn: Inn) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd", one_chat=True)
    wim = inn.guest("Wim")
    (picture,) = wim.sure("watch", table=table)
    assert picture["one_chat"]
    ann.read()
    wim.sure("say", table=table, text="hello", room="table")
    (said,) = events(ann.read())
    assert (said["type"], said["text"], said["room"]) == ("said", "hello", "table")
    apart, _ = sitting(inn, "Dee Eve Fay")
    (picture,) = wim.sure("watch", table=apart)
    assert "one_chat" not in picture
    assert wim.refused("say", table=apart, text="hello", room="table") == "not_seated"


def test_lists_show_who_played_a_game_that_ended_because_they_left(inn: Inn) -> None:
    table, (ann, bob) = setting_up(inn, "Ann Bob", options={"mode": "duel"})
    ann.sure("start", table=table)
    live = inn.hall.live[table]
    bob.sure("leave", table=table)
    assert live.table.seats[Seat(1)] is None
    entry = inn.hall.storage.entry(table)
    assert entry is not None
    assert b'"name":"Bob"' in entry.summary
    assert live.table.outcome is not None
    assert live.table.outcome.places == (1, 2)
