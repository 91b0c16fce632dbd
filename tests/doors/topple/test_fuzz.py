"""Whatever is said at the Topple door, by whomever and in whatever order: an answer, never a fault, nothing broken."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.doors.support.topple_inn import Client, ToppleInn, message, topple_inn
from tests.doors.test_fuzz import check, json_values, leaves, with_change, without
from tests.doors.topple.test_bad_input import cast, sound

from gamut.doors.topple.from_client import TYPES

COLOURS = [3355443, 16711680, 255, 12517567, 49087, 12566272, 1193046]

VALID: list[dict[str, Any]] = [
    message("waiting:leave"),
    message("player:leave"),
    message("spectator:leave"),
    message("waiting:start"),
    message("waiting:promote", n=2),
    message("waiting:setready", r=True),
    message("waiting:teamcolors", c=COLOURS),
    message("waiting:teamcols", c=COLOURS),
    message("game:rules", turnTime={"style": "chess", "limit": 60_000, "penalty": "lose"}),
    message("game:rules", turnTime={"limit": None}, scoring={"style": "piece"}),
    message("game:move", n=4),
    message("game:download"),
    message("game:export"),
    message("game:kick", n=2),
    message("waiting:kick", n="IFNAWkXDOaU"),
    message("game:pause"),
    message("game:resume"),
    message("ping", n=1, kind="flash"),
    message("game:password", pw="x"),
    message("game:bot", bot="constantine/0"),
    message("resjoin:select", n=1),
    message("player:spectate"),
    message("player:switch", t=5),
]
"""One of each message of this door, right in every respect."""


def faultless(people: list[Client]) -> None:
    """All that was heard is of the protocol's kind, and none of it says that we failed."""
    for person in people:
        heard = person.read()
        sound(heard)
        for said in heard:
            assert isinstance(said, bytes) or said["payload"].get("message") != "internal error"


@settings(max_examples=100, deadline=None)
@given(value=json_values, place=st.integers(0, 8))
def test_arbitrary_json_is_answered_or_unknown(value: Any, place: int) -> None:
    with topple_inn() as inn:
        people = cast(inn)
        before = {table: inn.bytes_of(table) for table in inn.hall.live}
        heard = people[place].raw_say(msgspec.json.encode(value))
        sound(heard)
        # None of these has a type that anybody knows.
        if not (isinstance(value, dict) and isinstance(value.get("type"), str)):
            assert heard[0]["payload"]["code"] == 100
        assert {table: inn.bytes_of(table) for table in before} == before
        check(inn)


@settings(max_examples=30, deadline=None)
@given(
    depth=st.sampled_from([10, 100, 900, 1000, 1100, 2000, 5_000]),
    opening=st.sampled_from([b"[", b'{"a":', b'{"type":"game:move","payload":', b'{"turnTime":']),
    closed=st.booleans(),
    place=st.integers(0, 8),
)
def test_deep_nesting_is_refused(depth: int, opening: bytes, closed: bool, place: int) -> None:
    frame = opening * depth
    if closed:
        frame += b"1" + (b"]" if opening == b"[" else b"}") * depth
    with topple_inn() as inn:
        people = cast(inn)
        for prefix, end in (
            (b"", b""),
            (b'{"type":"game:rules","payload":', b"}"),
            (b'{"type":"game:move","payload":{"n":', b"}}"),
            (b'{"type":"waiting:teamcolors","payload":{"c":', b"}}"),
        ):
            sound(people[place].raw_say(prefix + frame + end))
        faultless(people)
        check(inn)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_valid_messages_with_something_wrong_in_them(data: st.DataObject) -> None:
    with topple_inn() as inn:
        people = cast(inn)
        for _ in range(data.draw(st.integers(1, 6))):
            said: Any = data.draw(st.sampled_from(VALID))
            path = data.draw(st.sampled_from(list(leaves(said))))
            how = data.draw(st.sampled_from(["change", "without", "with", "cut", "flip"]))
            if how == "change":
                said = with_change(said, path, data.draw(json_values))
            elif how == "without" and path:
                said = without(said, path)
            elif how == "with":
                said = {**said, data.draw(st.text(max_size=6)): data.draw(json_values)}
            frame = bytearray(msgspec.json.encode(said))
            if how == "cut":
                frame = frame[: data.draw(st.integers(0, len(frame)))]
            elif how == "flip" and frame:
                frame[data.draw(st.integers(0, len(frame) - 1))] ^= data.draw(st.integers(1, 255))
            person = people[data.draw(st.integers(0, 8))]
            heard = person.raw_say(bytes(frame))
            sound(heard)
            assert all(isinstance(m, bytes) or m["payload"].get("message") != "internal error" for m in heard)
            faultless(people)
            check(inn)


# Coming, going, playing, stopping


class Crowd:
    """Connections that come and go at a few rooms, with what each of them knows: codes, keys, files."""

    def __init__(self, inn: ToppleInn) -> None:
        self.inn = inn
        self.here: list[Client] = []
        self.keys: list[tuple[str, int, str]] = []
        self.files: list[bytes] = []

    def hear(self, client: Client) -> None:
        heard = client.read()
        sound(heard)
        for said in heard:
            if isinstance(said, bytes):
                if said[0]:
                    self.files.append(said[1:])
                continue
            assert said["payload"].get("message") != "internal error"
            if said["type"] == "key:rejoin":
                payload = said["payload"]
                self.keys.append((payload["g"], payload["p"], payload["key"]))

    def connect(self, kind: int, number: int) -> None:
        rooms = [room for room, _, _ in self.keys]
        room = rooms[number % len(rooms)] if rooms else "NOSUCHRM"
        queries = [
            f"t=1&d={number % 4},3,3&p=3",
            f"t=0&g={room}",
            f"t=4&g={room}",
            "t=1&res=1&p=1",
            f"t=2&d=0,2,2&p=2&S={number % 2}",
        ]
        if kind < len(queries):
            self.here.append(self.inn.connect(queries[kind]))
        elif self.keys:
            room, seat, key = self.keys[-1 - number % len(self.keys)]
            self.here.append(self.inn.connect(f"t=3&g={room}&i={seat}&k={key}"))

    def move(self, number: int) -> None:
        """A move that is allowed, by somebody whose turn it is."""
        moves = []
        for client in self.here:
            live, seat = client.session.live, client.session.seat
            if live is not None and live.table.phase == "playing" and seat is not None:
                moves += [(client, place.tile) for place in live.game.legal(live.table.state, seat)]
        if moves:
            client, tile = moves[number * 7 % len(moves)]
            client.session.text(msgspec.json.encode(message("game:move", n=tile)))

    def stop(self, told: bool) -> None:
        for client in self.here:
            if told and not client.closed:
                client.session.closing()
            self.hear(client)
        self.inn.advance(100)
        self.inn.restart()
        self.here = []


STEPS = st.one_of(
    st.tuples(st.just("connect"), st.integers(0, 6), st.integers(0, 9)),
    st.tuples(st.just("say"), st.integers(0, 9), st.integers(0, len(VALID) - 1)),
    st.tuples(st.just("start"), st.integers(0, 9), st.just(0)),
    st.tuples(st.just("move"), st.integers(0, 9), st.just(0)),
    st.tuples(st.just("move"), st.integers(0, 9), st.just(0)),
    st.tuples(st.just("file"), st.integers(0, 9), st.integers(0, 300)),
    st.tuples(st.just("hang up"), st.integers(0, 9), st.just(0)),
    st.tuples(st.just("wait"), st.sampled_from([1, 200, 1_500, 31_000]), st.just(0)),
    st.tuples(st.just("stop"), st.integers(0, 1), st.just(0)),
)


@settings(max_examples=120, deadline=None)
@given(steps=st.lists(STEPS, min_size=5, max_size=50))
def test_any_coming_and_going_and_playing_and_stopping(steps: list[tuple[str, int, int]]) -> None:
    with topple_inn() as inn:
        crowd = Crowd(inn)
        for query in ("t=1&d=0,3,3&p=3", "t=1&d=0,2,2&p=2"):
            people = inn.playing(2, query)
            crowd.here += people
            crowd.keys += [(person.room, person.number, person.key) for person in people]
        crowd.connect(0, 0)
        for what, first, second in steps:
            if what == "connect":
                crowd.connect(first, second)
            elif what == "wait":
                inn.advance(first)
            elif what == "stop":
                crowd.stop(bool(first))
            elif crowd.here:
                client = crowd.here[first % len(crowd.here)]
                if what == "say":
                    inn.run(client.session.text(msgspec.json.encode(VALID[second])))
                elif what == "start":
                    inn.run(client.session.text(msgspec.json.encode(message("waiting:start"))))
                elif what == "move":
                    crowd.move(first)
                elif what == "file":
                    file = bytearray(crowd.files[-1] if crowd.files else b"\6nonsense")
                    if second < len(file):
                        file[second] ^= 0x5A
                    inn.run(client.session.binary(b"\x55\x99" + file))
                else:
                    client.hang_up()
                inn.settle()
            for client in list(crowd.here):
                crowd.hear(client)
                if client.closed:
                    client.hang_up()
                    crowd.here.remove(client)
            check(inn)
        for client in crowd.here:
            client.hang_up()
        inn.advance(31_000)
        check(inn)
        assert not inn.hall.connected


def test_what_is_fuzzed_is_what_there_is() -> None:
    assert {said["type"] for said in VALID} == TYPES
