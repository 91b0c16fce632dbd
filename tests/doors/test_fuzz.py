"""Whatever is said at a door, by whomever and in whatever order: an answer, never an exception, nothing broken."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.doors.support.inn import Guest, Inn, Message, Player, Visitor, coordinate, inn
from tests.doors.tower.test_door import kinds, three
from tests.doors.web.test_door import MINIMAL
from tests.doors.web.test_tables import place, sitting

from gamut.hall.ids import TableId
from gamut.hall.table import codec
from gamut.hall.table.evolve import replayed

TOWER_ERRORS = range(7)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def valid_messages(table: str) -> list[Any]:
    """One of each message of either door, right in every respect."""
    web = [{"type": kind, "id": 7, **fields} for kind, fields in MINIMAL.items()]
    for message in web:
        if "table" in message:
            message["table"] = table
    return [
        *web,
        {"type": "hello", "name": "Newcomer"},
        {"type": "say", "table": table, "text": "hi", "room": "kibitz"},
        {"type": "watch", "table": table, "since": 1, "key": "k"},
        {"type": "open", "game": "parlour", "options": {"hand": 3}, "clock": {"kind": "turn", "limit": 9}},
        {"type": "join_room", "data": {"room": "r1", "name": "Newcomer"}},
        {"type": "place_mark", "data": {"position": {"x": 0, "y": 0, "z": 0}}},
    ]


@contextmanager
def busy(house: Inn) -> Iterator[tuple[list[Visitor], TableId]]:
    """Visitors at both doors, greeted and not; and a game among others, which must not notice any of it."""
    quiet = three(house, "quiet")
    quiet[0].place(coordinate(5))
    for player in quiet:
        player.read()
    (bystander,) = house.hall.live
    before = house.bytes_of(bystander)
    table, people = sitting(house, "Ann Bob", "parlour", seats=3)
    joined = house.player()
    joined.join("r1", "Joined")
    joined.read()
    yield [people[0], house.stranger(), joined, house.player()], table
    assert house.bytes_of(bystander) == before
    for player in quiet:
        assert player.read() == []
    assert kinds(quiet[1].place(coordinate(6))) == ["mark_placed", "player_turn"]
    check(house)


def check(house: Inn) -> None:
    """What is always true of a hall, between messages."""
    hall = house.hall
    seated: dict[str, set[str]] = {}
    for table, live in hall.live.items():
        assert live.whole == replayed(live.game, live.whole_log)
        assert [row.body for row in house.storage.log(table)] == [
            codec.encode(event) for event in live.whole_log
        ]
        assert (table in hall.register.unfinished) == (live.table.phase != "over")
        if live.table.phase != "over":
            for _, sitter in live.table.sitters():
                seated.setdefault(sitter.person, set()).add(table)
        here = Counter(listener.person for door in live.listeners.values() for listener in door)
        assert here == live.here
        for listeners in live.listeners.values():
            for listener in listeners:
                followed = getattr(listener, "following", None)
                assert table in followed if followed is not None else listener.live is live  # type: ignore[attr-defined]
        assert (table in hall.lobby.tables) <= (not live.table.private)
    assert seated == hall.register.seated
    for (_, room), table in hall.register.rooms.items():
        assert hall.live[table].table.room == room
    assert all(count > 0 for count in hall.connected.values())


def answers(visitor: Visitor) -> list[Message]:
    """What came; all of it is of the door's own kind."""
    heard = visitor.read()
    for message in heard:
        assert isinstance(message["type"], str)
        if message["type"] == "error" and isinstance(visitor, Player):
            assert message["data"]["type"] in TOWER_ERRORS
            assert message["data"]["data"]
        elif message["type"] == "error":
            assert message["code"]
            assert message["message"]
    return heard


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=80))
@example(b"\xff" * 10)
@example(b'{"type":"join_room","data":{"room":"r\xff","name":"x"}}')
@example(b'{"type":"act","table":"T","action":"\xed\xa0\x80"}')
@example(b'{"type":"place_mark","data":{"position":{"x":' + b"9" * 4000 + b',"y":0,"z":0}}}')
@example(b'{"type":"say","text":"\\ud800"}')
def test_arbitrary_bytes_are_refused(data: bytes) -> None:
    with inn() as house, busy(house) as (visitors, _):
        for visitor in visitors:
            visitor.send(data)
            (error,) = answers(visitor)
            assert error["type"] == "error"


@settings(max_examples=150, deadline=None)
@given(value=json_values)
def test_arbitrary_json_is_refused(value: Any) -> None:
    with inn() as house, busy(house) as (visitors, _):
        for visitor in visitors:
            visitor.send(msgspec.json.encode(value))
            (error,) = answers(visitor)
            assert error["type"] == "error"


@settings(max_examples=20, deadline=None)
@given(
    depth=st.sampled_from([10, 100, 900, 1000, 1100, 2000, 4000, 10_000]),
    opening=st.sampled_from(
        [b"[", b'{"a":', b'{"type":"join_room","data":', b'{"type":"act","table":"T","action":']
    ),
    closed=st.booleans(),
)
def test_deep_nesting_is_refused(depth: int, opening: bytes, closed: bool) -> None:
    frame = opening * depth
    if closed:
        frame += b"1" + (b"]" if opening == b"[" else b"}") * depth
    with inn() as house, busy(house) as (visitors, table):
        for visitor in visitors:
            for prefix, end in (
                (b"", b""),
                (b'{"type":"act","table":"%s","action":' % table.encode(), b"}"),
                (b'{"type":"open","game":"parlour","options":{"x":', b"}}"),
                (b'{"type":"place_mark","data":{"position":', b"}}"),
            ):
                visitor.send(prefix + frame + end)
            assert all(message["type"] == "error" for message in answers(visitor))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a message."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))


def with_change(message: Any, path: tuple[Any, ...], change: Any) -> Any:
    if not path:
        return change
    first, *rest = path
    return {**message, first: with_change(message[first], tuple(rest), change)}


def without(message: Any, path: tuple[Any, ...]) -> Any:
    first, *rest = path
    if not rest:
        return {key: value for key, value in message.items() if key != first}
    return {**message, first: without(message[first], tuple(rest))}


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_valid_messages_with_something_wrong_in_them(data: st.DataObject) -> None:
    with inn() as house, busy(house) as (visitors, table):
        for _ in range(data.draw(st.integers(1, 6))):
            message = data.draw(st.sampled_from(valid_messages(table)))
            path = data.draw(st.sampled_from(list(leaves(message))))
            how = data.draw(st.sampled_from(["change", "without", "with", "cut", "flip"]))
            if how == "change":
                message = with_change(message, path, data.draw(json_values))
            elif how == "without" and path:
                message = without(message, path)
            elif how == "with":
                message = {**message, data.draw(st.text(max_size=6)): data.draw(json_values)}
            frame = bytearray(msgspec.json.encode(message))
            if how == "cut":
                frame = frame[: data.draw(st.integers(0, len(frame)))]
            elif how == "flip" and frame:
                frame[data.draw(st.integers(0, len(frame) - 1))] ^= data.draw(st.integers(1, 255))
            visitor = data.draw(st.sampled_from(visitors))
            visitor.send(bytes(frame))
            answers(visitor)
            check(house)


MESSAGES = st.one_of(
    st.sampled_from(
        [
            {"type": "lobby"},
            {"type": "lobby", "follow": False},
            {"type": "ping", "id": 1},
            {"type": "open", "game": "tower"},
            {"type": "open", "game": "parlour", "seats": 2, "start": "ready"},
            {"type": "open", "game": "tower", "bots": ["casual"], "clock": {"kind": "turn", "limit": 500}},
            {"type": "open", "game": "parlour", "private": True, "start": "host", "seats": 3},
            {"type": "say", "text": "hello"},
        ]
    ),
    st.builds(
        lambda kind, number, more: {"type": kind, "table": number, **more},
        st.sampled_from(["watch", "unwatch", "sit", "leave", "ready", "start", "legal", "resign", "pause"]),
        st.integers(0, 4),
        st.just({}),
    ),
    st.builds(
        lambda base, number: {**base, "table": number},
        st.sampled_from(
            [
                {"type": "sit", "seat": 1},
                {"type": "watch", "since": 3},
                {"type": "rematch"},
                {"type": "draw"},
                {"type": "draw", "accept": False},
                {"type": "resume"},
                {"type": "take_back", "moves": 0},
                {"type": "take_back", "moves": 2},
                {"type": "bot", "level": "casual"},
                {"type": "bot", "level": "hasty"},
                {"type": "unseat", "seat": 1},
                {"type": "unseat", "seat": 2},
                {"type": "promote", "seat": 1},
                {"type": "configure", "private": True},
                {"type": "configure", "clock": {"kind": "bank", "main": 1000}},
                {"type": "say", "text": "psst", "room": "kibitz"},
                {"type": "say", "text": "hi"},
                {"type": "act"},
                {"type": "act"},
                {"type": "act"},
                {"type": "act"},
            ]
        ),
        st.integers(0, 4),
    ),
    st.builds(
        lambda room, name: {"type": "join_room", "data": {"room": room, "name": name}},
        st.sampled_from(["r1", "r2", 0, 1, 2]),
        st.sampled_from(["Ann", "Xan", "Yan", "Zan", "Wan"]),
    ),
    st.builds(
        lambda tile: {"type": "place_mark", "data": {"position": coordinate(tile)}}, st.integers(0, 23)
    ),
    st.just("mark"),
    st.just("mark"),
)

STEPS = st.one_of(
    st.tuples(st.integers(0, 6), MESSAGES),
    st.tuples(st.integers(0, 6), MESSAGES),
    st.tuples(st.integers(0, 6), MESSAGES),
    st.tuples(st.integers(0, 6), st.just("hang up")),
    st.tuples(st.sampled_from([1, 100, 600, 70_000, 130_000]), st.just("wait")),
    st.tuples(st.just(0), st.just("restart")),
)


def suited(house: Inn, visitor: Visitor, message: Any) -> Any:
    """The message with real tables for numbers, and with an action that is often allowed."""
    tables = sorted(house.hall.live)
    if message == "mark":
        live = visitor.session.live if isinstance(visitor, Player) else None
        marks = live.table.state.marks if live is not None and live.table.state is not None else (3,)
        return {"type": "place_mark", "data": {"position": coordinate(marks.index(3) if 3 in marks else 0)}}
    if message["type"] == "join_room" and isinstance(message["data"]["room"], int):
        number = message["data"]["room"]
        room = tables[number] if number < len(tables) else "r3"
        return {**message, "data": {**message["data"], "room": room}}
    if "table" not in message:
        return message
    table = tables[message["table"]] if message["table"] < len(tables) else "nowhere"
    message = {**message, "table": table}
    if message["type"] == "act":
        live = house.hall.live.get(TableId(table))
        message["action"] = place(0)
        if live is not None and live.table.state is not None and isinstance(visitor, Guest):
            seat = live.table.seat_of(visitor.person)
            legal = () if seat is None else live.game.legal(live.table.state, seat)
            if legal:
                message["action"] = msgspec.to_builtins(legal[-1])
    return message


@settings(max_examples=200, deadline=None)
@given(steps=st.lists(STEPS, max_size=60))
def test_any_messages_in_any_order_from_anybody(steps: list[tuple[int, Any]]) -> None:
    with inn() as house:
        names = ("Ann", "Bob", "Cyd", "Ann")

        def enter(number: int) -> Visitor:
            return house.guest(names[number]) if number < len(names) else house.player()

        visitors = [enter(number) for number in range(7)]
        for number, step in steps:
            if step == "wait":
                house.advance(number)
            elif step == "restart":
                house.restart()
                visitors = [enter(number) for number in range(7)]
            elif step == "hang up":
                visitors[number].hang_up()
                visitors[number] = enter(number)
            else:
                visitor = visitors[number]
                message = suited(house, visitor, step)
                visitor.send(msgspec.json.encode(message))
                heard = answers(visitor)
                if visitor.wire.closed is not None:
                    visitor.hang_up()
                    visitors[number] = enter(number)
                if isinstance(visitor, Guest) and "id" in message:
                    assert sum(answer.get("id") == message["id"] for answer in heard) == 1
            for other in visitors:
                answers(other)
                if other.wire.closed is not None:
                    other.hang_up()
            visitors = [enter(n) if v.wire.closed is not None else v for n, v in enumerate(visitors)]
            check(house)
        for visitor in visitors:
            visitor.hang_up()
        check(house)
        assert not house.hall.connected
        assert not any(live.listeners or live.here for live in house.hall.live.values())
