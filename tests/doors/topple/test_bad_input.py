"""Whatever is said at the Topple door: an answer with its number, the connection kept, nothing changed."""

from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.doors.support.topple_inn import Client, ToppleInn, message, soft, topple_inn
from tests.doors.test_fuzz import check, json_values
from tests.doors.topple.test_playing import moved, turn

from gamut.doors.topple.from_client import TYPES


@pytest.fixture(name="inn")
def _inn() -> Any:
    with topple_inn() as house:
        yield house


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"{",
        b"null",
        b"7",
        b'"game:move"',
        b"[]",
        b"{}",
        b'{"type":"game:move"}',
        b'{"type":"game:move","payload":null}',
        b'{"type":"game:move","payload":[]}',
        b'{"type":"game:move","payload":"x"}',
        b'{"type":null,"payload":{}}',
        b'{"type":5,"payload":{}}',
        b'{"type":["game:move"],"payload":{}}',
        b'{"payload":{}}',
        b'{"type":"nobody:knows"}',
        b"\xff\xfe",
        b'{"type":"game:move","payload":{"n":\xff}}',
        b"[" * 60_000,
        b'{"type":"game:move","payload":' * 2_000,
    ],
)
def test_what_is_no_message_is_answered_and_changes_nothing(inn: ToppleInn, data: bytes) -> None:
    one, two = inn.playing(2)
    before = inn.bytes_of(inn.table(one.room).id)
    assert one.raw_say(data) == [soft(100)]
    assert two.read() == []
    assert inn.bytes_of(inn.table(one.room).id) == before
    assert one.say("game:move", n=0) == [moved(0, 1), turn(2)]


def test_types_and_fields_that_nobody_knows_are_ignored(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    assert one.say("game:teleport", n=1) == []
    assert one.say("") == []
    assert one.raw_say(b'{"type":"game:move","payload":{"n":0,"x":[1]},"more":true}') == [
        moved(0, 1),
        turn(2),
    ]
    assert two.read() == [moved(0, 1), turn(2)]


def test_binary_that_nobody_expects_is_refused(inn: ToppleInn) -> None:
    host = inn.create()
    one, _ = inn.playing(2)
    for client in (host, one, inn.watch(one.room)):
        for data in (b"", b"\x55\x99", bytes(500)):
            assert client.say_binary(data)[-1] == soft(102)
        assert not client.closed


def test_a_message_that_is_too_large_is_refused_and_the_next_one_ends_it(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    assert one.raw_say(b" " * (64 * 1024) + b"{}") == [soft(110)]
    assert not one.closed
    assert one.say("game:move", n=0)[0] == moved(0, 1)
    assert one.raw_say(b" " * (64 * 1024 + 1)) == [soft(110)]
    assert one.wire.closed == 1009
    assert two.read() == [moved(0, 1), turn(2)]


def test_messages_that_come_too_fast_are_answered_unread(inn: ToppleInn) -> None:
    one, _ = inn.playing(2)
    one.session.rate_limited()
    assert one.read() == [soft(110)]
    assert one.say("game:move", n=0)[0] == moved(0, 1)


def test_what_is_said_too_early_waits_for_nobody(inn: ToppleInn) -> None:
    importer = inn.connect("t=1&res=1&p=1")
    assert importer.say("game:move", n=0) == [soft(102)]
    assert importer.say("resjoin:select", n=1) == [soft(102)]
    one, _ = inn.playing(2)
    assert one.say("resjoin:select", n=1) == [soft(102)]
    assert one.say("game:password", pw="x") == [soft(102)]


HOST_ONLY: dict[str, dict[str, Any]] = {
    "waiting:start": {},
    "waiting:promote": {"n": 1},
    "waiting:teamcolors": {"c": [0] * 7},
    "waiting:teamcols": {"c": [0] * 7},
    "game:export": {},
    "game:kick": {"n": 1},
    "waiting:kick": {"n": 1},
    "game:pause": {},
    "game:resume": {},
    "game:bot": {"bot": "constantine/0"},
}


@pytest.mark.parametrize("kind", HOST_ONLY)
def test_what_hosts_do_nobody_else_does(inn: ToppleInn, kind: str) -> None:
    host = inn.create("t=1&d=0,3,3&p=4")
    other, watcher = inn.join(host.room), inn.watch(host.room)
    host.read(), other.read()
    for person in (other, watcher):
        assert person.say(kind, **HOST_ONLY[kind]) == [soft(103)]
    host.say("waiting:start")
    other.read(), watcher.read()
    for person in (other, watcher):
        assert person.say(kind, **HOST_ONLY[kind]) == [soft(103)]


# Anything at all


def cast(inn: ToppleInn) -> list[Client]:
    """Everybody who can be at this door: host, player, spectators, and some on the way in."""
    host = inn.create("t=1&d=0,3,3&p=3")
    other, watcher = inn.join(host.room), inn.watch(host.room)
    one, two = inn.playing(2, turnTime={"limit": 5_000})
    locked = inn.create("t=1&d=0,3,3&p=3&pw=x&S=1")
    on_the_way = [
        inn.connect(f"t=0&g={locked.room}"),
        inn.connect("t=1&res=1"),
        inn.connect("t=1&d=0,2,2&p=2"),
    ]
    people: list[Client] = [host, other, watcher, one, two, locked, *on_the_way]
    for person in people:
        person.read()
    return people


def sound(heard: list[Any]) -> None:
    for said in heard:
        if isinstance(said, bytes):
            assert said[0] in (0, 1, 2)
        else:
            assert set(said) == {"type", "payload"}
            assert isinstance(said["payload"], dict)


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=60), place=st.integers(0, 8))
@example(b"\xff" * 10, 0)
def test_arbitrary_bytes_never_break_anything(data: bytes, place: int) -> None:
    with topple_inn() as inn:
        people = cast(inn)
        sound(people[place].raw_say(data))
        sound(people[place].say_binary(data))
        check(inn)


words = st.text(max_size=5) | st.sampled_from(
    ["random", "skip", "lose", "chess", "per turn", "tile", "freya/3"]
)
values = (
    st.integers(-2, 12)
    | words
    | st.booleans()
    | st.none()
    | st.just([1] * 7)
    | st.fixed_dictionaries(
        {}, optional={"style": words, "limit": st.integers(0, 9) | st.just(4000), "penalty": words}
    )
    | json_values
)
payloads = st.dictionaries(
    st.sampled_from(["n", "r", "c", "t", "kind", "pw", "bot", "turnTime", "scoring"]), values, max_size=3
)
steps = st.tuples(
    st.integers(0, 8),
    st.sampled_from([*sorted(TYPES), "hang up", "time", "nobody:knows"]),
    payloads,
)


@settings(max_examples=120, deadline=None)
@given(steps=st.lists(steps, max_size=40))
def test_any_messages_in_any_order_leave_everything_whole(
    steps: list[tuple[int, str, dict[str, Any]]],
) -> None:
    with topple_inn() as inn:
        people = cast(inn)
        for place, kind, payload in steps:
            person = people[place]
            if kind == "time":
                inn.advance(place * 1_000)
            elif kind == "hang up":
                if place % 2:
                    person.hang_up()
            else:
                sound(person.raw_say(msgspec.json.encode({"type": kind, "payload": payload})))
            for other in people:
                heard = other.read()
                sound(heard)
                faults = [
                    m
                    for m in heard
                    if isinstance(m, dict) and m["payload"].get("message") == "internal error"
                ]
                assert not faults
        check(inn)
        inn.restart()
        check(inn)


@settings(max_examples=200, deadline=None)
@given(
    query=st.text(max_size=60)
    | st.dictionaries(
        st.sampled_from(["t", "g", "d", "p", "s", "S", "pw", "sid", "res", "i", "k", "n", "a"]),
        st.text(max_size=8) | st.integers(-3, 12).map(str) | st.sampled_from(["0,3,3", "3,36,1", "1,0,2"]),
        max_size=8,
    ).map(lambda fields: "&".join(f"{name}={value}" for name, value in fields.items()))
)
def test_any_query_gets_a_room_or_an_error(query: str) -> None:
    with topple_inn() as inn:
        client = inn.connect(query)
        heard = client.read()
        sound(heard)
        assert not [m for m in heard if m["payload"].get("message") == "internal error"]
        inn.advance(2_000)
        check(inn)


def test_a_bystander_notices_nothing(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    bad = inn.create()
    for data in (b"x", b'{"type":"game:move","payload":null}', b'{"type":"waiting:leave","payload":{}}'):
        bad.raw_say(data)
    bad.say_binary(b"\x01")
    assert one.read() == two.read() == []
    assert one.say("game:move", n=0) == [moved(0, 1), turn(2)]
    assert message("x") == {"type": "x", "payload": {}}
