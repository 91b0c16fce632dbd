"""Files of Topple: byte for byte as recorded, old versions too, and never more than one kind of error."""

import json
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gamut.games.files import BadFile
from gamut.games.game import Refused, Seat
from gamut.games.topple.events import Moved as Played
from gamut.games.topple.events import Place, Resumed
from gamut.games.topple.files.layout import LONGEST_FILE, size_for
from gamut.games.topple.files.playback import LARGEST_BOARD, final, positions
from gamut.games.topple.files.reader import read, read_all
from gamut.games.topple.files.record import (
    Clock,
    Compared,
    Event,
    Extension,
    ExtraField,
    Flagged,
    Marked,
    Moved,
    Person,
    Record,
    Removed,
    Waited,
)
from gamut.games.topple.files.recording import recorded
from gamut.games.topple.files.suspended import EXTENSION, LONGEST_SUSPENDED, resumption, suspended, suspension
from gamut.games.topple.files.text import as_json, from_json
from gamut.games.topple.files.writer import write
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.rules import Topple
from gamut.games.topple.state import ToppleState

VECTORS = Path(__file__).parents[2] / "vectors" / "topple"
GAME = Topple()
CHANCE = Random(0)


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))["cases"]


def file_of(case: dict[str, Any]) -> bytes:
    return bytes.fromhex(case["hex"])


RECORDED = vectors("replays.json")
OLD = vectors("replays_old.json")
SUSPENDED = [case for case in RECORDED if case["kind"] == "stpl"]
SMALL = [case for case in SUSPENDED if case["decoded"]["tile_count"] <= 225]

VERSION_1 = bytes.fromhex(
    "01 4f4c444741 4d4531 a0 000001951f240d10 0002 0002 02 aa bb f00f 01061e 0000 01 0354 0001 01 03ee 0000"
    "00 0000 02 fff00fff"
)
"""2x2, two players in standard order, something unknown before the events."""
VERSION_2 = bytes.fromhex(
    "02 4f4c4447414d4532 90 000001953dcfc046 0002 0002 03 00 00 020305 00 f00f"
    "01 0000 0400 01 0000 0801 01 0000 0c20 00 0000 01 fff00fff"
)
"""2x2, three players in teams 2, 3 and 5, each move with its player, a padding byte after an odd number of teams."""


def digest(state: ToppleState) -> str:
    text = ",".join(map(str, state.board)) + "|" + ",".join(map(str, state.owners))
    return sha256(text.encode()).hexdigest()[:16]


def told(event: Event) -> dict[str, Any]:
    """An event in the words of the vectors."""
    match event:
        case Moved(player=player, tile=tile, after=after):
            return {"type": 1, "dt": after, "player": player, "tile": tile}
        case Removed(player=player, after=after):
            return {"type": 0, "dt": after, "player": player}
        case Waited(after=after):
            return {"type": 2, "dt": after}
        case Marked(extra=extra):
            return {"type": 3, "ext": {name: value.hex() for name, value in extra.items()}}


def trouble(data: bytes) -> str:
    with pytest.raises(BadFile) as refused:
        read(data)
    assert str(refused.value).endswith(".")
    return refused.value.trouble


# Reading and writing what was recorded


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["decoded"]["name"])
def test_a_recorded_file_is_read_and_written_byte_for_byte(case: dict[str, Any]) -> None:
    expected = case["decoded"]
    record = read(file_of(case))
    assert record.version == 6
    assert record.room == expected["name"]
    assert record.started == expected["start_ms"]
    assert record.timed == expected["timestamp"]
    assert record.size == expected["size"]
    assert record.teams == tuple(expected["team_table"])
    assert len(record.teams) == expected["player_count"]
    assert {"t": record.topology, "x": record.x, "y": record.y} == expected["topology"]
    assert record.sequence == expected["game_seq"]
    assert record.fingerprint.hex() == expected["fingerprint"]
    assert record.suspended == (case["kind"] == "stpl")
    assert bool(record.extensions) == expected["extevs"]
    assert [told(event) for event in record.events] == expected["events"]

    people = [None if player is None else Person(player["acc"] or "", player["botq"] or "") for player in
              expected["players"][1:]]  # fmt: skip
    assert record.people == tuple(people)
    clock, rules = record.clock, expected["rules"]
    assert record.scoring == rules["scoring"]
    if rules["turnTime"] is None:
        assert clock is None
    else:
        assert clock is not None
        told_clock = {"style": clock.style, "limit": clock.limit * 1000, "penalty": clock.penalty}
        assert told_clock == rules["turnTime"]
        if record.suspended and "time_left" in expected:
            assert clock.left == tuple(expected["time_left"][1:])
    colours = expected["meta"].get("col0")
    assert ("".join(f"{colour:06x}" for colour in record.colours) if record.colours else None) == colours

    assert write(record) == file_of(case)


@pytest.mark.parametrize("case", RECORDED + OLD, ids=lambda case: case["decoded"]["name"])
def test_a_recorded_file_plays_to_its_recorded_end(case: dict[str, Any]) -> None:
    expected = case["decoded"]
    record = read(file_of(case))
    states = list(positions(record))
    assert len(states) == len(record.events)
    state = final(record)
    assert state == states[-1]
    if "final" in expected:
        assert list(state.board) == expected["final"]["board"]
        assert list(state.owners) == expected["final"]["teamboard"]
    else:
        assert digest(state) == expected["final_digest"]
    assert (state.winner is not None) == expected["ended_by_win"]
    if "next_turn" in expected:
        assert state.turn == expected["next_turn"] - 1


@pytest.mark.parametrize("case", OLD, ids=lambda case: case["decoded"]["name"])
def test_older_versions_are_read_and_become_version_6(case: dict[str, Any]) -> None:
    expected = case["decoded"]
    record = read(file_of(case))
    assert record.version == expected["version"]
    assert record.room == expected["name"]
    assert record.started == expected["start_ms"]
    assert record.teams == tuple(expected["team_table"])
    assert {"t": record.topology, "x": record.x, "y": record.y} == expected["topology"]
    assert [told(event) for event in record.events] == expected["events"]
    assert read(write(record)) == msgspec.structs.replace(record, version=6)


def test_the_old_files_are_of_versions_3_to_5() -> None:
    assert {case["decoded"]["version"] for case in OLD} == {3, 4, 5}


def test_version_1_has_rows_and_columns_and_a_standard_order() -> None:
    record = read(VERSION_1)
    assert (record.version, record.x, record.y, record.teams) == (1, 2, 2, (1, 2))
    assert record.events == (Moved(1, 0, 1566), Moved(2, 1, 852), Moved(1, 0, 1006), Removed(2))
    assert final(record).winner == 1


def test_version_1_in_all_its_sizes_and_without_times() -> None:
    for size, move in ((0, "0021"), (1, "0101"), (2, "001001"), (3, "00010001")):
        flags = bytes([size << 5])
        data = VERSION_1[:9] + flags + VERSION_1[10:23] + bytes.fromhex(f"f00f 01{move} 01{move} fff00fff")
        record = read(data)
        assert not record.timed
        assert record.events == (Moved(1, 3), Moved(2, 3))


def test_version_2_names_players_and_teams() -> None:
    record = read(VERSION_2)
    assert record.teams == (2, 3, 5)
    assert record.events == (
        Moved(1, 0),
        Moved(2, 1),
        Moved(3, 2),
        Removed(1),
    )


def test_in_standard_order_whoever_was_removed_is_passed_over() -> None:
    head = VERSION_2[:23] + bytes.fromhex("01 00 010203 00 f00f")
    moves = bytes.fromhex("0100000000 0100000001 00000003 0100000020 00000001 0100000021 0100000021 fff00fff")
    events = read(head + moves).events
    assert [event.player for event in events if isinstance(event, Moved)] == [1, 2, 1, 2, 2]


def test_without_players_in_version_6_all_bits_are_the_tile() -> None:
    file = file_of(RECORDED[1])
    at = 9 + 1 + 8 + 4 + 1
    bare = file[:9] + bytes([0x80]) + file[10:at] + file[at + 3 : at + 3 + 28]
    moves = bytes.fromhex("f00f 01000005 01000006 01000009 fff00fff")
    record = read(bare + moves)
    assert record.events == (Moved(1, 5), Moved(2, 6), Moved(1, 9))
    assert (record.people, record.ruled) == (None, False)
    assert read(write(record)) == record


def test_several_games_in_one_file() -> None:
    both = file_of(RECORDED[0]) + VERSION_1
    assert [record.version for record in read_all(both)] == [6, 1]
    assert trouble(both) == "unsupported"


# The format


def test_moves_are_as_wide_as_they_must_be() -> None:
    assert size_for(7, 32) == 0
    assert size_for(8, 32) == size_for(7, 33) == size_for(63, 1024) == 1
    assert size_for(64, 4) == size_for(2, 1025) == size_for(255, 65536) == 2
    assert size_for(2, 65537) == 3


def some_record(**changes: Any) -> Record:
    fields: dict[str, Any] = {
        "room": "ABCDEFGH",
        "started": 0,
        "topology": 0,
        "x": 4,
        "y": 4,
        "teams": (1, 2),
    }
    fields["events"] = (Moved(1, 5), Moved(2, 6), Removed(2, 3))
    return Record(**{**fields, **changes})


def test_a_list_of_players_may_be_too_long_for_one_entry() -> None:
    people = tuple(Person("a" * 255, "b" * 255) for _ in range(200))
    record = some_record(teams=(1, 2) * 100, people=people, size=2)
    file = write(record)
    assert b"pn00" in file
    assert b"pn01" in file
    assert read(file) == record


def test_unknown_metadata_is_kept() -> None:
    record = some_record(other={"zzz9": b"what?", "abcd": b""}, flags=b"\x05")
    assert read(write(record)) == record


EXTENDED = some_record(
    flags=b"\x40",
    extensions=(
        Extension(0, (ExtraField("why", 1),)),
        Extension(
            1,
            (
                ExtraField("mood", 2),
                ExtraField("never", 3, Flagged(0, 0)),
                ExtraField("always", 1, Flagged(0, 1)),
                ExtraField("beyond", 1, Flagged(9, 1)),
                ExtraField("even", 1, Compared(3, 6, b"\0\2")),
                ExtraField("after", 1, Compared(0, 4, b"\7")),
            ),
        ),
        Extension(2, (ExtraField("note", 1),)),
    ),
    events=(
        Moved(1, 5, 0, {"mood": b"\0\4", "always": b"\1", "even": b"\7", "after": b"\1"}),
        Moved(2, 6, 0, {"mood": b"\0\4", "always": b"\1", "even": b"\6"}),
        Moved(1, 5, 0, {"mood": b"\0\3", "always": b"\1"}),
        Waited(70000, {"note": b"!"}),
        Removed(2, 3, {"why": b"?"}),
    ),
)


def test_extra_fields_are_there_when_their_condition_holds() -> None:
    assert read(write(EXTENDED)) == EXTENDED


@pytest.mark.parametrize(
    ("check", "holds"), [(0, "4"), (1, "35"), (2, "5"), (3, "3"), (4, "45"), (5, "34"), (6, "4"), (7, "35")]
)
def test_every_comparison_of_extra_fields(check: int, holds: str) -> None:
    fields = (ExtraField("a", 1), ExtraField("b", 1, Compared(0, check, b"\4")))
    for value in "345":
        a = bytes([int(value)])
        extra = {"a": a, "b": b"!"} if value in holds else {"a": a}
        record = some_record(extensions=(Extension(3, fields),), events=(Marked(extra),))
        assert read(write(record)) == record


def test_nothing_is_divisible_by_zero() -> None:
    fields = (ExtraField("a", 1), ExtraField("b", 1, Compared(0, 7, b"\0")))
    record = some_record(extensions=(Extension(3, fields),), events=(Marked({"a": b"\4", "b": b"!"}),))
    assert read(write(record)) == record


def test_version_5_has_fields_without_names() -> None:
    file = bytearray(file_of(next(case for case in OLD if case["decoded"]["version"] == 5)))
    begin = file.index(b"\xf0\x0f")
    file[9] |= 0x02
    file[begin:] = bytes.fromhex("01 03 02 02 81 61 f00f 03 abcd fff00fff")
    record = read(bytes(file))
    fields = (ExtraField("field0", 2), ExtraField("field1", 1, Flagged(1, 3)))
    assert record.extensions == (Extension(3, fields),)
    assert record.events == (Marked({"field0": b"\xab\xcd"}),)


@pytest.mark.parametrize(
    "changes",
    [
        {"room": "SHORT"},
        {"room": "ÄBCDEFGH"},
        {"fingerprint": b"x"},
        {"sequence": 1 << 64},
        {"x": 2000, "y": 2000},
        {"teams": (0, 0), "events": ()},
        {"people": (None,)},
        {"ruled": False, "scoring": "tile"},
        {"clock": Clock("chess", 60, "lose", (1,))},
        {"clock": Clock("per turn", 60, "lose", (1, 2))},
        {"events": (Moved(3, 0),)},
        {"events": (Moved(1, 16),)},
        {"events": (Removed(3),)},
        {"teams": (1, 0)},
        {"teams": (1,) * 9, "events": (Moved(9, 0),)},
        {"timed": False},
        {"other": {"stpl": b""}},
        {"other": {"pn07": b""}},
        {"other": {"long key": b""}},
        {"other": {"long": bytes(70000)}},
        {"people": (Person("x" * 300), None)},
        {"events": (Marked({"x": b"y"}),)},
        {"extensions": (EXTENSION, EXTENSION)},
        {"extensions": (Extension(3, (ExtraField("a", 1), ExtraField("a", 1))),)},
        {"extensions": (Extension(3, (ExtraField("a", 200),)),)},
        {"extensions": (Extension(3, (ExtraField("a", 1, Compared(0, 0, b"x")),)),)},
        {"extensions": (Extension(3, (ExtraField("a", 1, Flagged(100, 0)),)),)},
        {"extensions": (Extension(1, (ExtraField("a", 1),)),)},
    ],
)
def test_a_record_that_makes_no_sense_is_not_written(changes: dict[str, Any]) -> None:
    with pytest.raises(BadFile):
        write(some_record(**changes))


def test_what_cannot_be_read_is_said_to_be_so() -> None:
    good = file_of(RECORDED[0])
    assert trouble(b"") == "damaged"
    assert trouble(b"\0" + good[1:]) == "unsupported"
    assert trouble(b"\7" + good[1:]) == "version"
    assert trouble(b"GIF89a") == "version"
    assert trouble(good[:-1]) == "damaged"
    assert trouble(good + b"\6") == "damaged"
    assert trouble(good[:9] + bytes([good[9] | 0x08]) + good[10:]) == "unsupported"
    assert trouble(good[:23] + b"\1" + good[24:]) == "unsupported"
    assert trouble(bytes(LONGEST_FILE + 1)) == "unsupported"


def test_a_header_cannot_make_us_do_much() -> None:
    endless = some_record(x=1 << 10, y=1 << 10, size=3, events=())
    assert read(write(endless)) == endless
    assert endless.x * endless.y > LARGEST_BOARD
    with pytest.raises(BadFile):
        final(endless)
    good = file_of(RECORDED[0])
    assert trouble(good[:18] + b"\xff\xff\xff\xff" + good[22:]) == "damaged"
    many = some_record(extensions=(Extension(3, tuple(ExtraField(str(n), 1) for n in range(9))),), events=())
    assert trouble(write(many)) == "unsupported"


# Playing through


@pytest.mark.parametrize(
    "events",
    [
        (Moved(1, 5), Moved(2, 5)),
        (Moved(1, 5), Removed(2), Moved(2, 6)),
        (Moved(1, 0), Moved(2, 3), Moved(1, 0), Moved(2, 3), Moved(2, 0)),
    ],
    ids=["a tile of others", "somebody who is out", "after the end"],
)
def test_a_game_against_the_rules_is_not_played_through(events: tuple[Event, ...]) -> None:
    side = 2 if len(events) == 5 else 4
    with pytest.raises(BadFile):
        final(some_record(x=side, y=side, events=events))


def test_turns_may_have_been_skipped_and_the_last_team_may_move_once_more() -> None:
    state = final(some_record(events=(Moved(1, 5), Moved(1, 5), Removed(2), Moved(1, 5))))
    assert state.winner == 1


# JSON


@pytest.mark.parametrize("case", RECORDED[:6] + OLD, ids=lambda case: case["decoded"]["name"])
def test_a_record_survives_json(case: dict[str, Any]) -> None:
    record = read(file_of(case))
    assert from_json(as_json(record)) == record
    assert write(from_json(as_json(record))) == write(record)


def test_what_a_record_looks_like_in_json() -> None:
    record = some_record(
        started=1_794_549_500_699,
        people=(Person("alice"), Person("", "constantine/0", "Quince")),
        colours=(0, 255),
        events=(Moved(1, 5), Moved(2, 6), Removed(2, 3), Waited(70_000), suspension(1_794_549_600_000)),
        suspended=True,
        extensions=(EXTENSION,),
    )
    assert (
        as_json(record).decode()
        == """{
  "format": "topple 1",
  "room": "ABCDEFGH",
  "started": "2026-11-13T05:58:20.699000Z",
  "board": {"topology":"grid","x":4,"y":4},
  "players": [
    {"number":1,"team":1,"kind":"person","name":"alice"},
    {"number":2,"team":2,"kind":"bot","bot":"constantine/0","called":"Quince"}
  ],
  "suspended": true,
  "colours": ["#000000","#0000ff"],
  "events": [
    {"type":"move","player":1,"tile":"2x2"},
    {"type":"move","player":2,"tile":"3x2"},
    {"type":"removed","player":2,"after":3},
    {"type":"waited","after":70000},
    {"type":"suspended","at":"2026-11-13T06:00:00Z"}
  ]
}
"""
    )
    assert from_json(as_json(record)) == record
    assert from_json(as_json(EXTENDED)) == EXTENDED


@pytest.mark.parametrize("started", [0, 253_402_300_799_999, 253_402_300_800_000, 2**63 - 1])
def test_any_time_survives_json(started: int) -> None:
    record = some_record(started=started)
    assert from_json(as_json(record)) == record


def test_unknown_marks_and_unusual_widths_survive_json() -> None:
    late = Marked({"stpl:*": b"\1", "stpl:&": b"\xff" * 8})
    odd = Marked({"stpl:*": b"\3", "stpl:&": bytes(8)})
    record = some_record(events=(late, odd), extensions=(EXTENSION,), size=2, people=(None, Person()))
    assert from_json(as_json(record)) == record
    assert from_json(as_json(some_record(people=None))).people is None


def changed(path: str, value: Any) -> bytes:
    """The JSON of a game with something else in one place."""
    game = json.loads(as_json(some_record(people=(Person("alice"), Person()))))
    *parents, last = path.split(".")
    inner = game
    for name in parents:
        inner = inner[int(name)] if name.isdigit() else inner[name]
    inner[last] = value
    return json.dumps(game).encode()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format", "topple 2"),
        ("room", "ABC"),
        ("started", -1),
        ("started", "1969-12-31T23:59:59Z"),
        ("started", "2026-11-13T05:58:20"),
        ("board.x", 0),
        ("board.x", 2),
        ("board.y", 1 << 20),
        ("board.topology", "torus"),
        ("players", []),
        ("players.0.number", 2),
        ("players.0.team", 7),
        ("players.0.kind", None),
        ("players.0.kind", "bot"),
        ("players.1.bot", "freya/3"),
        ("events.0.tile", 5),
        ("events.0.tile", "5x1"),
        ("events.0.tile", "1x5"),
        ("events.0.tile", "0x1"),
        ("events.0.tile", "\N{ARABIC-INDIC DIGIT ONE}x1"),
        ("events.0.player", 3),
        ("events.0.after", 65536),
        ("events.0.type", "jump"),
        ("colours", ["red"]),
        ("hat", 1),
    ],
)
def test_json_that_makes_no_sense_is_refused(path: str, value: Any) -> None:
    assert from_json(changed("room", "ABCDEFGH")) is not None
    with pytest.raises(BadFile) as refused:
        from_json(changed(path, value))
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b"\xff", b'{"room": 3}', b"[" * 100_000])
def test_what_is_not_json_of_a_game_is_refused(text: bytes) -> None:
    with pytest.raises(BadFile):
        from_json(text)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Anything that our writer writes; that the moves are allowed is another matter."""
    count = draw(st.integers(1, 10))
    x, y = draw(st.integers(1, 36)), draw(st.integers(1, 36))
    teams = draw(st.lists(st.integers(0, 6), min_size=count, max_size=count).filter(any))
    seated = [number for number, team in enumerate(teams, 1) if team]
    timed = draw(st.booleans())
    after = st.integers(0, 0xFFFF if timed else 0)
    kinds: list[st.SearchStrategy[Event]] = [
        st.builds(Moved, st.sampled_from(seated), st.integers(0, x * y - 1), after),
        st.builds(Removed, st.sampled_from(seated), after),
        st.builds(Waited, st.integers(0, 0xFFFFFF)),
    ]
    paused = draw(st.booleans())
    if paused:
        times = st.integers(0, 2**64 - 1)
        kinds += [st.builds(suspension, times), st.builds(resumption, times)]
    names = st.text(max_size=40).filter(lambda name: len(name.encode()) <= 0xFF)
    person = st.none() | st.builds(Person, names, names, names)
    left = st.lists(st.integers(0, 0xFFFFFFFF), min_size=count, max_size=count).map(tuple)
    chess = st.builds(Clock, st.just("chess"), st.just(60), st.just("lose"), left)
    return Record(
        room=draw(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ456789", min_size=8, max_size=8)),
        started=draw(st.integers(0, 2**63 - 1)),
        topology=draw(st.integers(0, 3)),
        x=x,
        y=y,
        teams=tuple(teams),
        events=tuple(draw(st.lists(st.one_of(kinds), max_size=20))),
        timed=timed,
        size=draw(st.integers(size_for(count, x * y), 3)),
        sequence=draw(st.integers(0, 2**64 - 1)),
        fingerprint=draw(st.binary(min_size=16, max_size=16)),
        colours=draw(st.none() | st.just((0xFFFFFF, 1, 2, 3, 4, 5, 6))),
        people=draw(st.none() | st.lists(person, min_size=count, max_size=count).map(tuple)),
        clock=draw(st.none() | st.just(Clock("per turn", 60, "skip")) | chess),
        scoring=draw(st.sampled_from(("elim", "tile", "piece", None))),
        suspended=paused and draw(st.booleans()),
        other=draw(st.dictionaries(st.sampled_from(("abcd", "zz00")), st.binary(max_size=9))),
        extensions=(EXTENSION,) if paused else (),
    )


@settings(max_examples=300)
@given(records())
def test_whatever_we_write_survives_json_byte_for_byte(record: Record) -> None:
    file = write(record)
    assert write(from_json(as_json(read(file)))) == file


# Damaged files


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    """A real file with some bytes changed, put in or taken out."""
    data = bytearray(draw(st.sampled_from(FILES)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        match draw(st.sampled_from(("flip", "set", "insert", "delete", "cut"))):
            case "flip":
                data[at : at + 1] = bytes(byte ^ 1 << draw(st.integers(0, 7)) for byte in data[at : at + 1])
            case "set":
                data[at : at + 1] = bytes([draw(st.sampled_from((0, 1, 2, 0x7F, 0x80, 0xC0, 0xF0, 0xFF)))])
            case "insert":
                data[at:at] = draw(st.binary(min_size=1, max_size=4))
            case "delete":
                del data[at : at + draw(st.integers(1, 4))]
            case _:
                del data[at:]
    return bytes(data)


FILES = [file_of(case) for case in RECORDED + OLD if case["decoded"]["tile_count"] <= 225]
FILES += [VERSION_1, VERSION_2, write(EXTENDED)]


@settings(max_examples=500)
@given(mutations() | st.binary(max_size=200) | st.binary(max_size=80).map(lambda data: b"\6ABCDEFGH" + data))
@example(b"\6")
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data: bytes) -> None:
    try:
        records = read_all(data)
    except BadFile:
        return
    for record in records:
        try:
            written = write(record)
        except BadFile:
            assert record.version == 5, "only version 5 can name flags that version 6 cannot"
            continue
        assert read(written) == msgspec.structs.replace(record, version=6)
        with suppress(BadFile):
            final(record)


@settings(max_examples=200)
@given(mutations().filter(bool))
def test_a_damaged_suspended_game_is_refused_by_the_options(data: bytes) -> None:
    try:
        options = ToppleOptions.resuming(suspended(data))
    except BadFile:
        with pytest.raises(BadFile):
            GAME.checked(ToppleOptions(resume=data))
        return
    assert GAME.checked(msgspec.convert(msgspec.to_builtins(options), ToppleOptions)) == options


# Suspending and resuming


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case["decoded"]["name"])
def test_a_recorded_suspended_game_goes_on(case: dict[str, Any]) -> None:
    expected = case["decoded"]
    options = ToppleOptions.resuming(suspended(file_of(case)))
    seats = expected["player_count"]
    state = GAME.replay(GAME.begin(options, seats, CHANCE))
    assert list(state.board) == expected["final"]["board"]
    assert list(state.owners) == expected["final"]["teamboard"]
    assert list(state.owned) == expected["final"]["owned"]
    assert state.turn == expected["next_turn"] - 1
    assert state.first, "the first turn after a resumption is not timed either"
    assert state.setup.scoring == (expected["rules"]["scoring"] or "elim")
    with pytest.raises(Refused):
        GAME.begin(options, seats + 1, CHANCE)


def test_scores_go_on_from_where_they_were() -> None:
    case = next(case for case in SMALL if case["decoded"]["rules"]["scoring"] == "piece")
    state = suspended(file_of(case)).state
    assert any(state.scores)
    resumed = GAME.replay(
        GAME.begin(ToppleOptions.resuming(suspended(file_of(case))), len(state.setup.teams), CHANCE)
    )
    assert resumed.scores == state.scores


def test_seats_that_nobody_took_are_out_of_a_resumed_game() -> None:
    case = next(case for case in SMALL if case["decoded"]["player_count"] == 4)
    options = ToppleOptions.resuming(suspended(file_of(case)))
    assert case["decoded"]["next_turn"] == 1
    (event,) = GAME.begin_with_empty_seats(options, 4, [Seat(0), Seat(2)], CHANCE)
    assert isinstance(event, Resumed)
    assert event.alive == (False, True, False, True)
    assert event.turn == 1
    with pytest.raises(Refused):
        GAME.begin_with_empty_seats(options, 4, [Seat(0), Seat(2), Seat(3)], CHANCE)


def test_the_board_and_the_scoring_of_a_suspended_game_are_its_own() -> None:
    case = SMALL[0]
    options = ToppleOptions.resuming(suspended(file_of(case)))
    wire = msgspec.json.encode(options)
    assert msgspec.json.decode(wire, type=ToppleOptions) == options
    for change in ({"x": 1}, {"topology": "grid"}, {"scoring": "tile"}):
        with pytest.raises(ValueError, match="not that of the suspended game"):
            GAME.checked(msgspec.structs.replace(options, **change))


def resumable(**changes: Any) -> bytes:
    record = some_record(
        people=(Person("alice"), Person()), suspended=True, extensions=(EXTENSION,), events=(Moved(1, 5),)
    )
    return write(msgspec.structs.replace(record, **changes))


def why_not(file: bytes) -> str:
    with pytest.raises(BadFile) as refused:
        suspended(file)
    return refused.value.trouble


def test_only_suspended_games_that_can_go_on_are_resumed() -> None:
    assert suspended(resumable()).state.turn == 1
    assert why_not(file_of(RECORDED[0])) == "not_suspended"
    assert why_not(VERSION_1) == "version"
    assert why_not(b"nonsense") == "version"
    assert why_not(resumable() + bytes(LONGEST_SUSPENDED)) == "unsupported"
    assert why_not(resumable(suspended=False)) == "not_suspended"
    assert why_not(resumable(people=None)) == "not_suspended"
    assert why_not(resumable(ruled=False)) == "not_suspended"
    assert why_not(resumable(extensions=())) == "unsupported"
    assert why_not(resumable(x=16, y=15, size=1)) == "unsupported"
    assert why_not(resumable(x=37, y=1, size=1)) == "unsupported"
    assert why_not(resumable(teams=(1, 2) * 6, people=(None,) * 12, size=1)) == "unsupported"
    assert why_not(resumable(events=(Moved(1, 5), Removed(2)))) == "unsupported"
    assert why_not(resumable(events=(Moved(1, 5), Moved(2, 5)))) == "damaged"


# Names


def named(case: dict[str, Any]) -> bytes:
    """A recorded suspended game in which everybody has a name, and something of unknown meaning stands."""
    record = read(file_of(case))
    assert record.people is not None
    people = tuple(
        None if person is None else Person("Mallory the Great", person.bot) for person in record.people
    )
    return write(msgspec.structs.replace(record, people=people, other={"acct": b"Mallory the Great"}))


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case["decoded"]["name"])
def test_a_table_keeps_a_suspended_game_without_the_names_of_people(case: dict[str, Any]) -> None:
    file = named(case)
    assert b"Mallory" in file
    options = GAME.checked(ToppleOptions.resuming(suspended(file)))
    assert b"Mallory" not in options.resume
    before, after = read(file), read(options.resume)
    assert before.people is not None
    bots = [None if person is None else person.bot for person in before.people]
    assert after.people is not None
    assert [None if person is None else person.bot for person in after.people] == bots
    assert not any(person.account for person in after.people if person is not None)
    assert digest(final(after)) == digest(final(before))
    assert after.events == before.events
    assert (after.clock, after.scoring, after.colours) == (before.clock, before.scoring, before.colours)
    assert GAME.checked(options) == options, "and a second check finds nothing more to take out"


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case["decoded"]["name"])
def test_names_are_taken_out_of_what_was_stored_with_them(case: dict[str, Any]) -> None:
    new = ToppleOptions.resuming(suspended(named(case)))
    old = msgspec.structs.replace(new, resume=named(case), position=None)
    seats = len(read(named(case)).teams)
    without = GAME.anonymous(old)
    assert without.resume == new.resume
    assert GAME.anonymous(without) == without
    assert GAME.anonymous(new) is new
    assert (
        GAME.begin(without, seats, CHANCE) == GAME.begin(old, seats, CHANCE) == GAME.begin(new, seats, CHANCE)
    )
    assert GAME.open_seats(without, seats) == GAME.open_seats(new, seats)
    assert GAME.again(without, {}) == GAME.again(new, {})
    assert GAME.anonymous(ToppleOptions()) == ToppleOptions()
    unreadable = msgspec.structs.replace(old, resume=b"Mallory")
    assert GAME.anonymous(unreadable).resume == b""


def test_long_files_of_earlier_tables_are_still_read() -> None:
    long = resumable(events=(Moved(1, 5), *[Waited(1)] * 10_000))
    assert len(long) > LONGEST_SUSPENDED
    assert why_not(long) == "unsupported"
    old = msgspec.convert({"resume": long}, ToppleOptions)
    (began,) = GAME.begin(old, 2, CHANCE)
    assert isinstance(began, Resumed)
    assert began.turn == 1
    assert GAME.anonymous(old).resume != long


# Recording games that were played here


def played(state: ToppleState, tiles: Iterable[int]) -> tuple[ToppleState, list[Played]]:
    events = []
    for tile in tiles:
        assert state.turn is not None
        (event,) = GAME.decide(state, state.turn, Place(tile), CHANCE)
        assert isinstance(event, Played)
        events.append(event)
        state = GAME.evolve(state, event)
    return state, events


@pytest.mark.parametrize("number", range(8))
def test_a_game_played_here_is_recorded_as_elsewhere(number: int) -> None:
    """Play a recorded game by our rules, and its file is the recorded one."""
    whole = [
        case
        for case in RECORDED
        if case["kind"] == "topl"
        and case["decoded"]["tile_count"] <= 225
        and all(event["type"] != 2 for event in case["decoded"]["events"])
        and left_only_by_capture(case)
    ]
    file = file_of(whole[number % len(whole)])
    record = read(file)
    options = ToppleOptions(
        topology=("grid", "hwrap", "vwrap", "bwrap")[record.topology], x=record.x, y=record.y
    )
    (began,) = GAME.begin(options, len(record.teams), CHANCE)
    now, log = record.started, [(record.started, began)]
    for event in record.events:
        assert not isinstance(event, Marked)
        now += event.after
        if isinstance(event, Moved):
            log.append((now, Played(Seat(event.player - 1), event.tile)))
    assert record.people is not None
    again = recorded(
        log,
        room=record.room,
        people=record.people,
        clock=record.clock,
        scoring=record.scoring,
        colours=record.colours,
        sequence=record.sequence,
        fingerprint=record.fingerprint,
    )
    assert again == record
    assert write(again) == file


def left_only_by_capture(case: dict[str, Any]) -> bool:
    states = positions(read(file_of(case)))
    return all(event["type"] != 0 or not event["dt"] for event in case["decoded"]["events"]) and any(
        state.fell for state in states
    )


def test_times_add_up_however_long_a_move_takes() -> None:
    state = GAME.replay(began := GAME.begin(ToppleOptions(), 2, CHANCE))
    state, moves = played(state, (0, 1, 2, 3))
    times = (1000, 1000 + 65535, 10**8, 10**8 + 65536)
    log = [(1000, began[0]), *zip(times, moves, strict=True)]
    record = recorded(log, room="ABCDEFGH", people=(None, None))
    assert read(write(record)) == record
    assert sum(event.after for event in record.events if not isinstance(event, Marked)) == times[-1] - 1000
    assert any(isinstance(event, Waited) and event.after == 0xFFFFFF for event in record.events)


def test_skipped_turns_are_not_noted_but_their_time_is() -> None:
    options = ToppleOptions(penalty="skip")
    (began,) = GAME.begin(options, 2, CHANCE)
    (skipped,) = GAME.flag(GAME.replay([began]), Seat(0), CHANCE)
    log = [(0, began), (500, skipped), (700, Played(Seat(1), 3))]
    record = recorded(log, room="ABCDEFGH", people=(None, None))
    assert record.events == (Moved(2, 3, 700),)
    assert final(record).turn == 0


def test_what_everybody_was_called_is_in_an_entry_that_other_programs_ignore() -> None:
    record = some_record(
        people=(Person("alice", called="Alice"), Person(bot="constantine/0", called="Quince"))
    )
    file, nameless = write(record), write(some_record(people=(Person("alice"), Person(bot="constantine/0"))))
    assert read(file) == record
    # One entry more, and all else as it was.
    entry = b"\0\x0dgmtn\5Alice\6Quince"
    assert entry in file
    assert len(file) == len(nameless) + len(entry)
    for wrong in (b"\0\x0dgmtn\5Alice\7Quince", b"\0\x0dgmtn\5Alice\5Quince"):
        assert trouble(file.replace(entry, wrong)) == "damaged"


def test_empty_seats_at_the_end_are_left_out_of_a_file() -> None:
    (began,) = GAME.begin_with_empty_seats(ToppleOptions(), 6, [Seat(1), Seat(4), Seat(5)], CHANCE)
    people = (Person("a"), None, Person("c"), Person("d"), None, None)
    record = recorded([(0, began), (9, Played(Seat(0), 0))], room="ABCDEFGH", people=people)
    assert record.teams == (1, 0, 3, 4)
    assert record.people == people[:4]
    assert read(write(record)) == record


def test_a_game_goes_on_after_being_suspended_twice() -> None:
    """Play, suspend, resume, suspend, resume, play: the position and the record are those of one game."""
    chance = Random(5)
    options = ToppleOptions(topology="bwrap", x=4, y=3, scoring="tile")
    log: list[tuple[int, Any]] = [(1000, GAME.begin(options, 3, chance)[0])]
    straight = GAME.replay([log[0][1]])
    resumed: Record | None = None
    clock = Clock("chess", 60, "lose", (60, 60, 60))
    for part in range(3):
        state = GAME.replay([event for _, event in log])
        assert (state.board, state.owners, state.scores) == (straight.board, straight.owners, straight.scores)
        assert state.turn == straight.turn
        for _ in range(7):
            assert state.turn is not None
            tile = chance.choice(GAME.legal(state, state.turn)).tile
            log.append((log[-1][0] + 100, Played(state.turn, tile)))
            state = GAME.evolve(state, log[-1][1])
            straight = GAME.evolve(straight, log[-1][1])
        now = log[-1][0]
        record = recorded(
            log,
            room=f"ROOM000{part}",
            people=(None, Person("b"), None),
            clock=clock,
            scoring="tile",
            resumed=resumed,
            suspended_at=now + 50,
        )
        file = write(record)
        assert read(file) == record
        assert record.events[-1] == Marked({"stpl:*": b"\1", "stpl:&": (now + 50).to_bytes(8, "big")})
        if resumed is not None:
            before = len(resumed.events)
            assert record.events[:before] == resumed.events
            assert record.events[before] == Marked({"stpl:*": b"\2", "stpl:&": log[0][0].to_bytes(8, "big")})
        resumed = record
        again = ToppleOptions.resuming(suspended(file))
        log = [(now + 9000, GAME.begin(again, 3, chance)[0])]
    assert resumed is not None
    assert sum(isinstance(event, Moved) for event in resumed.events) == 21
    assert digest(final(resumed)) == digest(straight)
