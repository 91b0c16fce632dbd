"""`gamut replay`: recorded games shown to people, and turned from one kind of file into another."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamut.cli import main
from gamut.games.files import BadFile
from gamut.games.topple.files.reader import read
from gamut.games.topple.files.record import Clock, Marked, Moved, Person, Record, Removed, Waited
from gamut.games.topple.files.showing import told
from gamut.games.topple.files.suspended import EXTENSION, suspension
from gamut.games.topple.files.text import as_json, from_json
from gamut.games.topple.files.writer import write

VECTORS = Path(__file__).parent / "vectors" / "topple"


def recorded(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((VECTORS / name).read_text(encoding="utf-8"))["cases"]
    return [case for case in cases if case["decoded"]["tile_count"] <= 1296]


NEW, OLD = recorded("replays.json"), recorded("replays_old.json")


def named(case: dict[str, Any]) -> str:
    return f"{case['decoded']['name']} version {case['hex'][1]}"


@pytest.fixture
def put(tmp_path: Path) -> Any:
    """Makes a file in a folder of its own; gives its name."""

    def made(name: str, data: bytes) -> str:
        path = tmp_path / name
        path.write_bytes(data)
        return str(path)

    return made


def small(**changes: Any) -> Record:
    fields: dict[str, Any] = {
        "room": "ABCDEFGH",
        "started": 1_794_549_500_699,
        "topology": 0,
        "x": 2,
        "y": 2,
        "teams": (1, 2),
        "people": (Person("alice"), Person("", "constantine/0")),
        "events": (Moved(1, 0, 1_200), Moved(2, 3, 61_000), Moved(1, 0), Moved(2, 3)),
    }
    return Record(**(fields | changes))


def shown(capsysbinary: pytest.CaptureFixture[bytes], *arguments: str) -> str:
    assert main(["replay", *arguments]) == 0
    out, err = capsysbinary.readouterr()
    assert err == b""
    return out.decode()


def refused(capsysbinary: pytest.CaptureFixture[bytes], *arguments: str) -> str:
    """The one line that is said when something cannot be done."""
    assert main(["replay", *arguments]) == 1
    out, err = capsysbinary.readouterr()
    assert out == b""
    (line,) = err.decode().splitlines()
    assert line.startswith("gamut: ")
    return line.removeprefix("gamut: ")


# Showing


def test_what_a_game_looks_like(put: Any, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert (
        shown(capsysbinary, "show", put("game.topl", write(small())))
        == """\
Topple game ABCDEFGH
  file     version 6
  began    2026-11-13 05:58:20 UTC
  board    2 wide, 2 high; grid: no edges joined
  players  1: team A, alice
           2: team B, bot constantine/0
  clock    none
  scoring  elim, because nothing was said

   1.     0:01.2  player 1  1x1    team A has 1 tile
   2.     1:02.2  player 2  2x2    team B has 1 tile
   3.     1:02.2  player 1  1x1    1 topple; team A has 3 tiles
   4.     1:02.2  player 2  2x2    2 topples; takes 3 of team A; team B has 4 tiles

The board, pieces and team of each tile (. is neutral):
  2/B  1/B
  2/B  2/B
0 tiles neutral, team A 0, team B 4

Team B has won: it owns every tile.
"""
    )


@pytest.mark.parametrize("case", NEW + OLD, ids=named)
def test_every_recorded_game_is_shown_from_its_file_and_from_its_json(
    case: dict[str, Any], put: Any, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file, expected = bytes.fromhex(case["hex"]), case["decoded"]
    text = shown(capsysbinary, "show", put("game", file))
    assert expected["name"] in text
    assert f"version {file[0]}" in text
    moves = sum(event["type"] == 1 for event in expected["events"])
    assert f"{moves:>4}." in text
    if "final" in expected:
        final = expected["final"]
        row = list(zip(final["board"], final["teamboard"], strict=True))[-read(file).x :]
        assert "  ".join(f"{pieces}/{'.ABCDEF'[team]}" for pieces, team in row) in text
    assert shown(capsysbinary, "show", put("game.json", as_json(read(file)))) == text


def test_several_games_in_a_file_are_all_shown(put: Any, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    both = put("both.topl", write(small()) + write(small(room="ZYXWVUTS")))
    text = shown(capsysbinary, "show", both)
    assert text.index("ABCDEFGH") < text.index("ZYXWVUTS")
    assert "2 games" in refused(capsysbinary, "convert", both, both + ".json")


def test_names_cannot_command_a_terminal(put: Any, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    people = (Person("\x1b[2Jal\nice"), Person("", "\x9bevil/\u202e0"))
    text = shown(capsysbinary, "show", put("game.topl", write(small(room="\x1b]0;ABC\7", people=people))))
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert "al\N{REPLACEMENT CHARACTER}ice" in text


@pytest.mark.parametrize("whole", [write(small()), as_json(small())], ids=["topl", "json"])
def test_a_damaged_file_gets_one_line(
    whole: bytes, put: Any, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for data in (b"", b"\6", b"GIF89a", whole[: len(whole) // 2], whole[:-3]):
        file = put("bad", data)
        assert refused(capsysbinary, "show", file).startswith(f"{file}: ")
        assert refused(capsysbinary, "convert", file, file + ".json").startswith(f"{file}: ")
        assert not Path(file + ".json").exists()


def test_a_game_against_the_rules_gets_one_line_and_nothing_is_shown(
    put: Any, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = put("bad.topl", write(small(events=(Moved(1, 0), Moved(2, 0)))))
    assert "player 2 moves on a tile of others" in refused(capsysbinary, "show", file)


def test_a_file_that_cannot_be_read_gets_one_line(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert "No such file" in refused(capsysbinary, "show", str(tmp_path / "nothing.topl"))
    assert "directory" in refused(capsysbinary, "show", str(tmp_path))


@settings(max_examples=200)
@given(
    file=st.sampled_from([bytes.fromhex(case["hex"]) for case in NEW + OLD]),
    at=st.integers(0, 400),
    byte=st.integers(0, 255),
)
def test_a_file_with_a_wrong_byte_is_shown_or_refused(file: bytes, at: int, byte: int) -> None:
    damaged = bytearray(file)
    damaged[at % len(file)] = byte
    try:
        lines = list(told(read(bytes(damaged))))
    except BadFile:
        return
    assert lines[0].startswith("Topple ")
    assert all(line.isprintable() for line in lines)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(("1x1", "3x3", "9999999x1", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a value that has something inside it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield (*path, name)
        yield from places(each, (*path, name))


@settings(max_examples=300)
@given(data=st.data())
def test_json_with_anything_in_any_place_is_shown_or_refused(data: st.DataObject) -> None:
    clock = Clock("chess", 60, "lose", (60, 50))
    marks = (Waited(5), Removed(1), suspension(7), Marked({"stpl:*": b"\0"}))
    game = json.loads(
        as_json(
            small(
                x=3,
                y=3,
                clock=clock,
                colours=(1,) * 7,
                suspended=True,
                extensions=(EXTENSION,),
                events=(Moved(1, 0, 9), Moved(2, 8), *marks),
                other={"abcd": b"x"},
            )
        )
    )
    for _ in range(data.draw(st.integers(1, 3))):
        *parents, last = data.draw(st.sampled_from(list(places(game))))
        inner = game
        for name in parents:
            inner = inner[name]
        inner[last] = data.draw(ANYTHING)
    try:
        record = from_json(json.dumps(game).encode())
        assert from_json(as_json(record)) == record
        lines = list(told(record))
    except BadFile:
        return
    assert all(line.isprintable() for line in lines)


def test_whoever_reads_the_output_may_stop_at_any_time(tmp_path: Path) -> None:
    longest = max((bytes.fromhex(case["hex"]) for case in NEW), key=len)
    file = tmp_path / "long.topl"
    file.write_bytes(longest)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "gamut", "replay", "show", str(file)],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


# Converting


@pytest.mark.parametrize("case", NEW, ids=named)
def test_a_recorded_file_goes_to_json_and_back_byte_for_byte(
    case: dict[str, Any], tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    first = tmp_path / f"first.{case['kind']}"
    again = tmp_path / f"again.{case['kind']}"
    first.write_bytes(bytes.fromhex(case["hex"]))
    assert shown(capsysbinary, "convert", str(first), str(tmp_path / "game.JSON")) == ""
    assert json.loads((tmp_path / "game.JSON").read_bytes())["room"] == case["decoded"]["name"]
    assert shown(capsysbinary, "convert", str(tmp_path / "game.JSON"), str(again)) == ""
    assert again.read_bytes() == first.read_bytes()


@pytest.mark.parametrize("case", OLD, ids=named)
def test_an_old_file_becomes_a_new_one(
    case: dict[str, Any], put: Any, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    old = put("old.topl", bytes.fromhex(case["hex"]))
    shown(capsysbinary, "convert", old, str(tmp_path / "new.topl"))
    new = read((tmp_path / "new.topl").read_bytes())
    assert new.version == 6
    assert new.events == read(bytes.fromhex(case["hex"])).events


def test_a_file_is_overwritten_only_by_force(
    put: Any, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    game, there = put("game.topl", write(small())), put("there.json", b"precious")
    assert "--force" in refused(capsysbinary, "convert", game, there)
    assert Path(there).read_bytes() == b"precious"
    shown(capsysbinary, "convert", game, there, "--force")
    assert Path(there).read_bytes() == as_json(small())
    bad = put("bad.topl", b"\6")
    refused(capsysbinary, "convert", bad, there, "--force")
    assert Path(there).read_bytes() == as_json(small())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.topl", "game.topl", "there.json"]
    assert "No such file" in refused(capsysbinary, "convert", game, str(tmp_path / "no" / "where.json"))


def test_the_ending_must_fit_the_game(
    put: Any, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    finished = put("finished.topl", write(small()))
    going_on = put("going_on.json", as_json(small(suspended=True, events=())))
    assert "not suspended" in refused(capsysbinary, "convert", finished, str(tmp_path / "x.stpl"))
    assert "is suspended" in refused(capsysbinary, "convert", going_on, str(tmp_path / "x.topl"))
    assert "--to" in refused(capsysbinary, "convert", finished, str(tmp_path / "x.txt"))
    assert "--to" in refused(capsysbinary, "convert", finished, "-")
    assert not list(tmp_path.glob("x.*"))


def test_a_pipe_will_do(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    def from_pipe(data: bytes, *arguments: str) -> bytes:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert main(["replay", *arguments]) == 0
        return capsysbinary.readouterr().out

    file = write(small())
    text = from_pipe(file, "convert", "-", "-", "--to", "json")
    assert text == as_json(small())
    assert from_pipe(b"\n " + text, "convert", "-", "-", "--to", "topl") == file
    assert from_pipe(file, "show", "-").startswith(b"Topple game ABCDEFGH\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\6")))
    assert refused(capsysbinary, "show", "-").startswith("standard input: ")


def test_help_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], ["show", "--help"], ["convert", "--help"]):
        with pytest.raises(SystemExit) as ended:
            main(["replay", *arguments])
        assert ended.value.code == 0
        assert ".stpl" in capsys.readouterr().out
