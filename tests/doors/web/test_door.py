"""The web door: coming in, the lobby, opening tables, and what is asked of every message."""

import asyncio
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.doors.support.inn import QUICK, Inn, Register, TextWire, inn

from gamut.doors.messages import declared
from gamut.doors.offer import Newcomer
from gamut.doors.web import from_client as f
from gamut.doors.web.session import MOST_FOLLOWED, WebSession
from gamut.hall.people.person import Person
from gamut.hall.settings import HallSettings

MINIMAL: dict[str, dict[str, object]] = {
    "ping": {},
    "lobby": {},
    "open": {"game": "tower"},
    "watch": {"table": "T"},
    "unwatch": {"table": "T"},
    "sit": {"table": "T"},
    "leave": {"table": "T"},
    "bot": {"table": "T", "level": "casual"},
    "unseat": {"table": "T", "seat": 0},
    "swap": {"table": "T", "a": 0, "b": 1},
    "ready": {"table": "T"},
    "start": {"table": "T"},
    "promote": {"table": "T", "seat": 0},
    "configure": {"table": "T"},
    "decorate": {"table": "T", "decor": {}},
    "export": {"table": "T"},
    "call_off": {"table": "T"},
    "act": {"table": "T", "action": {"type": "place", "tile": 0}},
    "legal": {"table": "T"},
    "resign": {"table": "T"},
    "take_back": {"table": "T", "moves": 0},
    "flag": {"table": "T"},
    "draw": {"table": "T"},
    "pause": {"table": "T"},
    "resume": {"table": "T"},
    "rematch": {"table": "T"},
    "say": {"text": "hello"},
}
"""Every message but hello, with no more than it needs."""


def test_the_tests_know_every_message() -> None:
    known = {kind.__struct_config__.tag for kind in declared(f.FromClient)}
    assert known == {*MINIMAL, "hello"}


# Coming in


def test_a_new_guest_gets_a_token_and_is_the_same_person_with_it(inn: Inn) -> None:
    stranger = inn.stranger()
    assert stranger.read() == [], "without a cookie nothing is said first"
    (welcome,) = stranger.say({"type": "hello", "name": " Ann ", "id": 3})
    assert welcome["type"] == "welcome"
    assert welcome["id"] == 3
    assert welcome["name"] == "Ann"
    assert welcome["guest"] is True
    assert welcome["now"] == inn.time.now()
    assert welcome["protocol"] == 1
    assert "tables" not in welcome
    again = inn.stranger()
    (second,) = again.say({"type": "hello", "token": welcome["token"]})
    assert second["person"] == welcome["person"]
    assert "token" not in second
    assert len(inn.hall.connected) == 1
    stranger.hang_up()
    again.hang_up()
    assert not inn.hall.connected


def test_with_a_cookie_the_welcome_comes_at_once(inn: Inn) -> None:
    guest = inn.guest("Ann")
    assert guest.refused("hello", name="Bob") == "greeted"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "no_name"),
        ({"name": ""}, "bad_name"),
        ({"name": "x" * 33}, "bad_name"),
        ({"name": "\u202e"}, "bad_name"),
        ({"name": "Ann"}, "name_taken"),
        ({"token": ""}, "bad_token"),
        ({"token": "token of nobody"}, "bad_token"),
        ({"token": "token of nobody", "name": "Bob"}, "bad_token"),
    ],
)
def test_a_hello_that_is_refused_can_be_said_again(inn: Inn, fields: dict[str, str], code: str) -> None:
    inn.guest("Ann")
    stranger = inn.stranger()
    assert stranger.refused("hello", **fields) == code
    assert not stranger.session.greeted
    (welcome,) = stranger.sure("hello", name="Bob")
    assert welcome["type"] == "welcome"


@pytest.mark.parametrize("kind", MINIMAL)
def test_hello_comes_first(inn: Inn, kind: str) -> None:
    assert inn.stranger().refused(kind, **MINIMAL[kind]) == "hello_first"


def test_the_welcome_says_where_you_sit(inn: Inn) -> None:
    ann = inn.guest("Ann")
    tables = sorted([ann.open(), ann.open("parlour")])
    other = inn.stranger()
    token = inn.people.issue(inn.people.people[ann.person])
    assert other.sure("hello", token=token)[0]["tables"] == tables
    ann.sure("leave", table=tables[0])
    assert inn.stranger().sure("hello", token=token)[0]["tables"] == tables[1:]


def test_logging_out_ends_every_connection_of_that_person_alone(inn: Inn) -> None:
    ann, twin, bob = inn.guest("Ann"), inn.guest("Ann"), inn.guest("Bob")
    inn.web.logged_out(ann.person)
    for connection in (ann, twin):
        assert [message["code"] for message in connection.read()] == ["logged_out"]
        assert connection.wire.closed == 4001
        connection.hang_up()
    assert bob.wire.closed is None
    inn.web.logged_out(ann.person)
    assert list(inn.hall.connected) == [bob.person]


def test_who_is_logged_out_is_not_heard_any_more_and_told_nothing(inn: Inn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open()
    bob.sure("watch", table=table)
    ann.sure("lobby")
    before = inn.bytes_of(table)
    inn.web.logged_out(ann.person)
    ann.read()
    assert ann.wire.closed == 4001
    ann.wire.closed = None  # the connection itself takes a while to end
    assert ann.person not in inn.hall.connected
    assert ann.session not in inn.hall.lobby.listeners.get(inn.web, {})
    assert ann.session not in inn.hall.live[table].listeners[inn.web]
    for message in (
        {"type": "say", "table": table, "text": "still here"},
        {"type": "say", "text": "still here"},
        {"type": "leave", "table": table},
        {"type": "open", "game": "tower"},
        {"type": "watch", "table": table},
        {"type": "lobby"},
        {"type": "hello", "name": "Carl"},
    ):
        assert ann.say(message) == []
    assert len(inn.bytes_of(table)) <= len(before) + 1, "at most that the connection is gone"
    assert not inn.hall.lobby.talk.lines
    bob.sure("sit", table=table)
    bob.sure("say", text="hello")
    inn.advance(10_000)
    assert ann.read() == [], "nothing of the table or the lobby"
    ann.hang_up()
    inn.web.logged_out(ann.person)
    assert list(inn.hall.connected) == [bob.person]


def test_whoever_is_logged_out_while_they_come_by_a_cookie_has_to_come_in_anew(inn: Inn) -> None:
    ann = inn.people.add("Ann")
    wire = TextWire()
    session = WebSession.new(inn.web, wire, Newcomer("127.0.0.1", person=ann))
    inn.people.people[ann.id] = replace(ann, epoch=2)
    session.opened()
    inn.settle()
    assert not session.greeted
    assert list(inn.hall.connected) == []


def test_whoever_is_renamed_while_they_come_by_a_cookie_is_welcomed_by_the_new_name(inn: Inn) -> None:
    ann = inn.people.add("Ann")
    session = WebSession.new(inn.web, TextWire(), Newcomer("127.0.0.1", person=ann))
    inn.people.people[ann.id] = replace(ann, name="Anna")
    session.opened()
    assert session.known.name == "Anna"


class SlowRegister(Register):
    """Lets the connection or the person go before it answers."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[Person], object] = lambda person: None

    async def guest(self, name: str, address: str | None = None) -> Person:
        person = await super().guest(name, address)
        self.meanwhile(person)
        return person


@pytest.mark.parametrize("gone", ["person", "connection", "server"])
def test_a_guest_who_is_gone_before_being_let_in_does_not_come_in(inn: Inn, gone: str) -> None:
    inn.people = register = SlowRegister()
    inn.restart()
    stranger = inn.stranger()
    register.meanwhile = {
        "person": lambda person: register.people.pop(person.id),
        "connection": lambda person: stranger.session.closed(),
        "server": lambda person: stranger.session.closing(),
    }[gone]
    heard = stranger.say({"type": "hello", "name": "Ann"})
    assert not any(message["type"] == "welcome" for message in heard)
    assert not inn.hall.connected


def test_a_new_name_is_used_from_then_on(inn: Inn) -> None:
    ann = inn.guest("Ann")
    first = ann.open()
    again = inn.guest("Ann")
    for _ in range(2):
        inn.web.renamed(replace(inn.people.people[ann.person], name="Anna"))
    for connection in (ann, again):
        told = [message for message in connection.read() if message["type"] == "renamed"]
        assert told == [{"type": "renamed", "name": "Anna"}], "it is told once"
    second = ann.open()
    names = [
        holder.name for table in (first, second) for holder in inn.hall.live[table].table.seats[:1] if holder
    ]
    assert names == ["Anna", "Anna"]


def test_a_table_that_is_not_in_memory_shows_nobody_under_a_name_that_was_given_up(inn: Inn) -> None:
    ann = inn.guest("Ann")
    table = ann.open("tower")
    for name in ("Bob", "Cid"):
        inn.guest(name).sure("sit", table=table)
    assert inn.load(table).table.phase == "playing"
    person = inn.people.people[ann.person]
    inn.restart()
    assert inn.hall.here(table) is None

    async def take_two_names() -> None:
        inn.hall.renamed(replace(person, name="Anya"))
        inn.hall.renamed(replace(person, name="Anna"))
        for _ in range(100):
            await asyncio.sleep(0)

    inn.run(take_two_names())
    inn.settle()
    assert [holder.name for holder in inn.hall.lobby.tables[table].seats if holder] == ["Anna", "Bob", "Cid"]
    inn.restart()
    assert [holder.name for holder in inn.hall.lobby.tables[table].seats if holder] == ["Anna", "Bob", "Cid"]


def test_another_name_shows_at_the_table_in_the_lobby_and_after_a_restart(inn: Inn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("tower")
    bob.sure("watch", table=table)
    bob.sure("sit", table=table)
    ann.read()
    person = inn.people.people[ann.person] = replace(inn.people.people[ann.person], name="Anna")
    inn.web.renamed(person)
    inn.settle()
    for guest in (ann, bob):
        (told,) = [message for message in guest.read() if message["type"] == "events"]
        (event,) = told["events"]
        assert {**event, "at": 0} == {"type": "renamed", "at": 0, "person": ann.person, "name": "Anna"}
    assert [holder.name for holder in inn.hall.lobby.tables[table].seats if holder] == ["Anna", "Bob"]
    inn.web.renamed(person)
    inn.settle()
    assert bob.read() == [], "it is told once"
    inn.restart()
    assert [holder.name for holder in inn.load(table).table.seats if holder] == ["Anna", "Bob"]


def test_a_table_that_nobody_had_open_learns_a_new_name_when_its_bearer_comes(inn: Inn) -> None:
    ann = inn.guest("Ann")
    table = ann.open("tower")
    inn.restart()
    person = inn.people.people[ann.person]
    anna = inn.people.people[person.id] = replace(person, name="Anna")
    assert inn.guest("Anna").sure("watch", table=table)[0]["seats"][0]["name"] == "Anna"
    live = inn.load(table)
    inn.guest("Bob").sure("watch", table=table)
    assert live.log[-1].name == anna.name


# Every message


def test_an_answer_carries_the_id(inn: Inn) -> None:
    ann = inn.guest("Ann")
    assert ann.say({"type": "ping", "id": 0}) == [{"type": "pong", "now": inn.time.now(), "id": 0}]
    assert ann.say({"type": "ping"}) == [{"type": "pong", "now": inn.time.now()}]
    assert ann.say({"type": "lobby", "follow": False, "id": 2**53 - 1}) == [{"type": "ok", "id": 2**53 - 1}]
    assert ann.say({"type": "lobby", "follow": False}) == [], "no id, no answer"
    (error,) = ann.say({"type": "watch", "table": "T"})
    assert error["code"] == "no_such_table"
    assert "id" not in error


@pytest.mark.parametrize(
    "frame",
    [
        *(b"", b"{", b"\xff", b'"\xff"', b'{"type":"\xff"}', b"[" * 5000, b"[]", b"5", b"{}", b'{"type":5}'),
        *(b'{"type":"dance"}', b'{"type":"ping","now":5}', b'{"type":"ping","id":-1}', b'{"type":"watch"}'),
        *(
            b'{"type":"ping","id":1.5}',
            b'{"type":"ping","id":true}',
            b'{"type":"ping","id":9007199254740992}',
        ),
        *(b'{"type":"watch","table":5}', b'{"type":"open"}', b'{"type":"sit","table":"T","seat":100}'),
        b'{"type":"say","text":"' + b"x" * 2001 + b'"}',
        b'{"type":"open","game":"tower","start":"never"}',
        b'{"type":"open","game":"tower","clock":{"kind":"turn","limit":0}}',
        b'{"type":"open","game":"tower","clock":{"kind":"turn","limit":99999999999}}',
        b'{"type":"open","game":"tower","bots":[' + b",".join([b'"casual"'] * 17) + b"]}",
    ],
)
def test_a_bad_message_is_explained_and_the_connection_stays(inn: Inn, frame: bytes) -> None:
    for visitor in (inn.guest("Ann"), inn.stranger()):
        visitor.send(frame)
        (error,) = visitor.read()
        assert (error["type"], error["code"]) == ("error", "bad_message")
        assert error["message"].endswith(".")
        assert visitor.wire.closed is None
    assert not inn.hall.live


def test_a_bad_message_is_answered_with_its_id_if_it_has_one(inn: Inn) -> None:
    ann = inn.guest("Ann")
    assert ann.refused("dance") == "bad_message"
    assert ann.refused("watch", table=5) == "bad_message"
    assert ann.refused("ping", volume=11) == "bad_message"


@pytest.mark.parametrize("kind", [kind for kind in MINIMAL if "table" in MINIMAL[kind]])
def test_there_is_no_such_table(inn: Inn, kind: str) -> None:
    ann = inn.guest("Ann")
    for table in ("T", "", "lobby", "\x00", "x" * 32):
        assert ann.refused(kind, **{**MINIMAL[kind], "table": table}) == "no_such_table"
    assert ann.refused("say", text="hello", table="T") == "no_such_table"


def test_too_large_a_message_ends_the_connection(inn: Inn) -> None:
    ann = inn.guest("Ann")
    ping = b'{"type":"ping"}'
    ann.send(ping + b" " * (WebSession.most_bytes - len(ping)))
    assert ann.read()[0]["type"] == "pong"
    ann.send(ping + b" " * (WebSession.most_bytes + 1 - len(ping)))
    assert ann.read()[0]["code"] == "too_big"
    assert ann.wire.closed == 1009


def test_a_binary_message_ends_the_connection(inn: Inn) -> None:
    ann = inn.guest("Ann")
    ann.session.binary(b'{"type":"ping"}')
    assert ann.read()[0]["code"] == "bad_message"
    assert ann.wire.closed == 1003


def test_fast_talkers_are_told(inn: Inn) -> None:
    ann = inn.guest("Ann")
    ann.session.rate_limited()
    assert ann.read()[0]["code"] == "too_fast"
    assert ann.wire.closed is None


def test_nobody_is_gone_because_the_server_stops(inn: Inn) -> None:
    ann = inn.guest("Ann")
    table = ann.open()
    before = inn.bytes_of(table)
    ann.read()
    ann.session.closing()
    assert ann.read() == [{"type": "bye", "why": "restart"}]
    assert ann.wire.closed == 1001
    ann.send(b'{"type":"ping"}')
    ann.hang_up()
    assert inn.bytes_of(table) == before


# The lobby


def test_the_lobby_is_a_picture_and_then_its_changes(inn: Inn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    first = ann.open()
    inn.advance(1000)
    (picture,) = bob.sure("lobby")
    assert picture["type"] == "lobby"
    assert [table["id"] for table in picture["tables"]] == [first]
    assert picture["here"] == 2
    assert picture["said"] == []
    second, third = ann.open("parlour"), ann.open("parlour", private=True)
    ann.sure("leave", table=first)
    ann.sure("say", text="anyone?")
    assert bob.read() == [], "changes are gathered for a moment"
    cyd = inn.guest("Cyd")
    inn.advance(1000)
    (changed,) = bob.read()
    assert changed["type"] == "lobby_changed"
    assert [table["id"] for table in changed["changed"]] == [second]
    assert changed["gone"] == [first]
    assert [said["text"] for said in changed["said"]] == ["anyone?"]
    assert changed["here"] == 3
    assert third.encode() not in bob.raw
    inn.advance(1000)
    assert bob.read() == []
    bob.sure("lobby", follow=False)
    cyd.hang_up()
    inn.advance(1000)
    assert bob.read() == []
    (later,) = bob.sure("lobby")
    assert [said["text"] for said in later["said"]] == ["anyone?"]
    assert later["here"] == 2


def test_a_picture_of_the_lobby_and_its_changes_never_overlap(inn: Inn) -> None:
    """Whoever adds up the changes has what a new picture shows."""
    ann, bob, cyd = inn.guest("Ann"), inn.guest("Bob"), inn.guest("Cyd")
    (picture,) = bob.sure("lobby")
    known = {table["id"]: table for table in picture["tables"]}
    said = list(picture["said"])
    for round in range(12):
        table = ann.open("tower" if round % 2 else "parlour")
        ann.sure("say", text=f"round {round}")
        if round % 3 == 0:
            cyd.sure("lobby", follow=round % 2 == 0)
        if round % 3 == 1:
            ann.sure("leave", table=table)
        if round % 4 == 3:
            ann.sure("configure", table=table, private=True) if round % 3 != 1 else None
            inn.advance(150)
    inn.advance(150)
    for message in bob.read():
        known |= {table["id"]: table for table in message.get("changed", ())}
        for gone in message.get("gone", ()):
            known.pop(gone, None)  # one that came and went in between was never shown
        said += message.get("said", [])
    (now,) = bob.sure("lobby")
    assert known == {table["id"]: table for table in now["tables"]}
    assert said == now["said"]


def test_what_is_said_in_the_lobby_survives_a_restart(inn: Inn) -> None:
    ann = inn.guest("Ann")
    ann.sure("say", text="  hello\n\tthere ")
    assert ann.refused("say", text=" \n ") == "empty"
    assert ann.refused("say", text="x" * 501) == "too_long"
    inn.restart()
    (picture,) = inn.guest("Bob").sure("lobby")
    assert [(said["name"], said["text"]) for said in picture["said"]] == [("Ann", "hello there")]


# Opening a table


def test_opening_a_table_seats_and_shows_it(inn: Inn) -> None:
    ann = inn.guest("Ann")
    clock = {"kind": "bank", "main": 60_000, "increment": 1000}
    opened, *heard = ann.sure("open", game="parlour", seats=3, clock=clock, start="host", options={"hand": 2})
    assert opened["type"] == "opened"
    assert opened["key"]
    last = [message for message in heard if message["type"] == "table"][-1]
    assert last["table"] == opened["table"]
    assert last["you"] == 0
    assert last["host"] == ann.person
    assert last["options"] == {"hand": 2, "mode": "free", "order": "exact"}
    assert last["clock"] == clock
    assert last["start"] == "host"
    assert last["phase"] == "setup"
    assert last["key"] == opened["key"]
    assert len(last["seats"]) == 3


def test_bots_sit_down_with_you_and_play(inn: Inn) -> None:
    ann = inn.guest("Ann")
    _, *heard = ann.sure("open", game="tower", bots=["strong", "casual"])
    assert heard[-1]["phase"] == "playing"
    table = heard[-1]["table"]
    told = ann.sure("act", table=table, action={"type": "place", "tile": 0})
    assert told[-1]["awaited"] == [0], "both bots have answered"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "ludo"}, "no_such_game"),
        ({"game": ""}, "no_such_game"),
        ({"game": "parlour", "seats": 4}, "bad_seats"),
        ({"game": "tower", "seats": 0}, "bad_seats"),
        ({"game": "parlour", "options": {"hand": 7}}, "bad_options"),
        ({"game": "tower", "options": {"size": 4}}, "bad_options"),
        ({"game": "tower", "bots": ["genius"]}, "no_such_level"),
        ({"game": "tower", "bots": ["casual"] * 3}, "bad_seats"),
        ({"game": "parlour", "seats": 2, "bots": ["hasty"] * 2}, "bad_seats"),
    ],
)
def test_a_table_that_cannot_be(inn: Inn, fields: dict[str, object], code: str) -> None:
    ann = inn.guest("Ann")
    assert ann.refused("open", **fields) == code
    assert not inn.hall.live
    assert not inn.storage.rows


# Limits


def test_one_person_sits_at_so_many_tables() -> None:
    with inn(HallSettings(tables_per_person=2)) as house:
        ann, bob = house.guest("Ann"), house.guest("Bob")
        first, _ = ann.open(), ann.open()
        other = bob.open()
        assert ann.refused("open", game="tower") == "too_many_tables"
        assert ann.refused("sit", table=other) == "too_many_tables"
        ann.sure("leave", table=first)
        ann.sure("sit", table=other)
        assert house.hall.refusals["too_many_tables"] == 2


def test_the_hall_holds_so_many_tables() -> None:
    with inn(HallSettings(most_tables=2)) as house:
        ann = house.guest("Ann")
        ann.open()
        ann.open(private=True)
        assert ann.refused("open", game="tower") == "hall_full"


@pytest.mark.parametrize("most", [0, 1])
def test_so_many_may_watch_a_table_but_its_players_always_come_in(most: int) -> None:
    with inn(HallSettings(watchers_per_table=most)) as house:
        ann = house.guest("Ann")
        table = ann.open()
        watchers = [house.guest(f"W{number}") for number in range(most)]
        for watcher in watchers:
            watcher.sure("watch", table=table)
        bob = house.guest("Bob")
        assert bob.refused("watch", table=table) == "too_many_watchers"
        bob.sure("sit", table=table)
        twin = house.guest("Bob")
        twin.sure("watch", table=table)
        for watcher in watchers:
            watcher.hang_up()
        assert len(house.hall.live[table].here) == 2


def test_one_connection_follows_so_many_tables() -> None:
    with inn(replace(QUICK, tables_per_person=MOST_FOLLOWED + 2)) as house:
        ann, bob = house.guest("Ann"), house.guest("Bob")
        tables = [bob.open() for _ in range(MOST_FOLLOWED)]
        assert bob.refused("open", game="tower") == "too_many_followed"
        extra = house.guest("Cyd").open()
        for table in tables:
            ann.sure("watch", table=table)
        ann.sure("watch", table=tables[0])
        seats = house.bytes_of(extra)
        assert ann.refused("watch", table=extra) == "too_many_followed"
        assert ann.refused("sit", table=extra) == "too_many_followed"
        assert house.bytes_of(extra) == seats
        ann.sure("unwatch", table=tables[0])
        ann.sure("sit", table=extra)
