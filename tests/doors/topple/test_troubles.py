"""What existing servers of the protocol died of, hung on, or passed on to everybody: here, one by one, by name.

Each has an answer, changes nothing that it should not, and is not noticed in the room next door.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.doors.support.topple_inn import Seated, ToppleInn, message, soft, topple_inn
from tests.doors.topple.test_coming_in import fatal
from tests.doors.topple.test_playing import moved, turn, win

MARK = b"\x55\x99"


@pytest.fixture(name="inn")
def _inn() -> Iterator[ToppleInn]:
    with topple_inn() as house:
        one, two = house.playing(2)
        yield house
        # The neighbours have heard nothing of it, and play on.
        assert one.read() == two.read() == []
        assert one.say("game:move", n=4) == two.read() == [moved(4, 1), turn(2)]


class Room:
    """Two who play on 3x3, the host having moved, and one who waits in a room of their own."""

    def __init__(self, inn: ToppleInn) -> None:
        self.inn = inn
        self.one, self.two = inn.playing(2)
        self.one.say("game:move", n=0)
        self.two.read()
        self.waiting = inn.create()
        self._before = self._logs()

    def _logs(self) -> list[Any]:
        return [self.inn.bytes_of(self.inn.table(person.room).id) for person in (self.one, self.waiting)]

    def untouched(self) -> None:
        """Nothing has happened in either room, everybody is there and has heard nothing."""
        assert self._logs() == self._before
        for person in (self.one, self.two, self.waiting):
            assert person.read() == []
            assert not person.closed
        assert self.two.say("game:move", n=8) == self.one.read() == [moved(8, 2), turn(1)]


@pytest.fixture(name="room")
def _room(inn: ToppleInn) -> Room:
    return Room(inn)


def test_text_that_is_not_json(room: Room) -> None:
    for data in (b"hello", b"", b"{", b"\xff\xfe", b"[" * 60_000, b"{'type':'ping'}"):
        assert room.two.raw_say(data) == [soft(100)]
    room.untouched()


def test_a_payload_that_is_missing_or_null(room: Room) -> None:
    for data in (b'{"type":"game:move"}', b'{"type":"game:move","payload":null}', b'{"type":"ping"}'):
        assert room.two.raw_say(data) == [soft(100)]
    room.untouched()


def test_an_unknown_type(room: Room) -> None:
    assert room.two.say("game:teleport", n=1) == []
    room.untouched()


def test_leaving_while_waiting(inn: ToppleInn) -> None:
    host = inn.create()
    other = inn.join(host.room)
    host.read()
    assert other.say("waiting:leave") == []
    assert other.closed
    assert host.read() == [message("player:leave", n=2)]
    assert not host.closed


def test_a_damaged_suspended_game(room: Room) -> None:
    for file in (b"", b"\6", b"\6hello", bytes(100), b"\xff" * 5_000):
        importer = room.inn.connect("t=1&res=1&p=1")
        room.inn.run(importer.session.binary(MARK + file))
        room.inn.settle()
        text = "not a suspended topple" if file[:1] in (b"", b"\6") else "format version incompatible"
        fatal(importer, text)
    room.untouched()


@pytest.mark.parametrize("limit", [700, 1, 0, -1000, 1500, 359_999_001, 360_000_000, 0.5, "60000", True])
def test_a_limit_that_is_no_whole_seconds(room: Room, limit: Any) -> None:
    assert room.waiting.say("game:rules", turnTime={"limit": limit}) == [soft(101)]
    room.untouched()


@pytest.mark.parametrize(
    ("tile", "code"), [(0, 105), (-1, 105), (9, 105), (999, 105), (1.5, 101), (None, 101), (True, 101)]
)
def test_a_move_onto_what_is_not_theirs_or_is_no_tile(room: Room, tile: Any, code: int) -> None:
    assert room.two.say("game:move", n=tile) == [soft(code)]
    room.untouched()


def test_a_move_out_of_turn(room: Room) -> None:
    assert room.one.say("game:move", n=0) == [soft(104)]
    room.untouched()


@pytest.mark.parametrize("tile", [[0], [8], "0", "8", {"n": 0}])
def test_a_tile_in_a_list_or_in_quotes(room: Room, tile: Any) -> None:
    assert room.two.say("game:move", n=tile) == [soft(101)]
    room.untouched()


def test_a_move_after_the_win_again_and_again(inn: ToppleInn) -> None:
    people = win(inn)
    before = inn.bytes_of(inn.table(people[0].room).id)
    for _ in range(3):
        for person in people:
            for tile in range(4):
                assert person.say("game:move", n=tile) == [soft(102)]
    assert inn.bytes_of(inn.table(people[0].room).id) == before


def test_a_move_while_the_game_is_paused(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    one.say("game:pause")
    two.read()
    assert one.say("game:move", n=0) == [soft(106)]
    assert two.read() == []
    one.say("game:resume")
    assert one.say("game:move", n=0) == [moved(0, 1), turn(2)]


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("waiting:start", {}),
        ("waiting:promote", {"n": 1}),
        ("waiting:teamcolors", {"c": [0] * 7}),
        ("game:kick", {"n": 1}),
        ("game:pause", {}),
        ("game:resume", {}),
        ("game:export", {}),
        ("game:bot", {"bot": "constantine/0"}),
    ],
)
def test_what_only_hosts_do(room: Room, kind: str, payload: dict[str, Any]) -> None:
    assert room.two.say(kind, **payload) == [soft(103)]
    room.untouched()


@pytest.mark.parametrize(
    "colours",
    [
        None,
        7,
        "red",
        [],
        [0] * 6,
        [0] * 8,
        [0] * 6 + [-1],
        [0] * 6 + [0x1000000],
        [0] * 6 + ["#fff"],
        [0.5] * 7,
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["waiting:teamcolors", "waiting:teamcols"])
def test_colours_that_are_none(room: Room, kind: str, colours: Any) -> None:
    assert room.waiting.say(kind, c=colours) == [soft(101)]
    room.untouched()


def test_bad_colours_do_not_spoil_a_win(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,2,2&p=2")
    other = inn.join(host.room)
    host.read()
    assert host.say("waiting:teamcolors", c=[-1] * 7) == [soft(101)]
    host.say("waiting:start")
    for number, tile in enumerate((0, 3, 0, 3)):
        (host, other)[number % 2].say("game:move", n=tile)
    assert host.read()[-1] == message("game:win", t=2, d=True)
    (file,) = host.say("game:download")
    assert file[0] == 1


@pytest.mark.parametrize("query", ["t=0&g=NOSUCHRM", "t=4&g=NOSUCHRM", "t=0&g=../../x", "t=0&g=%00"])
def test_an_unknown_room(room: Room, query: str) -> None:
    fatal(room.inn.connect(query), "Game Not Found")
    room.untouched()


@pytest.mark.parametrize(
    "query", ["d=0,-1,5&p=2", "d=0,0,0&p=2", "d=0,2.5,2&p=2", "d=0,5,5&p=0", "d=0,5,5&p=200", "d=,,&p=2"]
)
def test_a_board_or_a_number_of_players_that_cannot_be(room: Room, query: str) -> None:
    rooms = len(room.inn.hall.register.unfinished)
    fatal(room.inn.connect(f"t=1&{query}"), "Invalid Parameters", None, stored=False)
    assert len(room.inn.hall.register.unfinished) == rooms
    room.untouched()


def test_rejoining_a_seat_that_was_given_up(inn: ToppleInn) -> None:
    host = inn.create()
    other: Seated = inn.join(host.room)
    other.say("player:leave")
    gone = inn.connect(f"t=3&g={host.room}&i=2&k={other.key}")
    fatal(gone, "incorrect key", None, stored=False)


def test_binary_where_none_is_expected(room: Room) -> None:
    for data in (b"", b"\0", MARK, MARK + bytes(2_000), b"\xff" * 2_000):
        assert room.two.say_binary(data) == [soft(102)]
        assert room.waiting.say_binary(data) == [soft(102)]
    room.untouched()


def test_a_message_that_is_too_large_and_one_more(room: Room) -> None:
    third = room.inn.create()
    large = b'{"type":"ping","payload":{"n":1,"kind":"' + b"x" * 65_536 + b'"}}'
    assert third.raw_say(large) == [soft(110)]
    assert not third.closed
    assert third.raw_say(large) == [soft(110)]
    assert third.wire.closed == 1009
    room.untouched()


@pytest.mark.parametrize(
    "words",
    ["&sessionId=../../admin", "&sid=%2e%2e%2f", "&pw='%3b--", "&x=%0d%0aSet-Cookie:%20a=b", "&&&==&"],
)
def test_anything_else_in_a_query_is_only_text(room: Room, words: str) -> None:
    creator = room.inn.seated(f"t=1&d=0,3,3&p=2{words}")
    assert creator.number == 1
    assert len(creator.room) == 8
    room.untouched()
