"""`gamut replay` with games of Power Chess."""

import json
from pathlib import Path

import pytest

from gamut.replay import main

GAME = """\
[Variant "Power Chess"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]
[Termination "resignation"]
[TimeControl "300+5"]

1. e2-e4 1... d7-d5 {[%box e3 common]} 2. d2-e3 {[%offer shield rewind]} {[%use shield]} 2... d5xe4
{[%box c5 rare]} {[%end white resigned]} 0-1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.pgn"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_a_game_is_shown_with_its_boxes_and_powers(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "The clock is the one called quick." in shown
    assert "1. Black  d7-d5  (a common box comes on e3)" in shown
    assert "2. White  d2-e3  (opens a common box)" in shown
    assert "the box has shield and rewind" in shown
    assert "  5  . . ? . . . . ." in shown
    assert "Black has won: the other has resigned." in shown


def test_every_position_is_told_to_programs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["states", str(file)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"]["type"] for line in lines] == [
        *("began", "moved", "moved", "moved", "offered", "used", "moved", "ended")
    ]
    assert [line["awaited"] for line in lines] == [[0], [1], [0], [1], [0], [1], [0], []]
    assert lines[5]["state"]["marks"] == [{"square": 20, "shield": 9}]
    assert lines[-1]["state"]["placement"] == "rnbqkbnr/ppp1pppp/8/8/4p3/4P3/PPP2PPP/RNBQKBNR"
    assert lines[-1]["outcome"] == {"winners": [1], "reason": "resigned", "scores": None, "places": None}


def test_through_json_and_back_a_file_is_the_same(file: Path, tmp_path: Path) -> None:
    text, again = tmp_path / "game.json", tmp_path / "again.pgn"
    assert main(["convert", str(file), str(text)]) == 0
    assert main(["convert", str(text), str(again)]) == 0
    assert again.read_text(encoding="utf-8").split() == GAME.split()


def test_whatever_is_wrong_is_said_in_one_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for old, new, reason in (
        ("d5xe4", "d5xx4", "Line 8, column 95: 'd5xx4' is no move such as"),
        ("[%use shield]", "[%use swap]", "Move 2, swap: You can choose between Shield and Rewind."),
        ('[Result "0-1"]', '[Result "1-0"]', "The result is 0-1, and not 1-0."),
        (
            '[Variant "Power Chess"]',
            '[Event "Casual"]',
            "This is an ordinary chess game, not one of Power Chess.",
        ),
    ):
        file.write_text(GAME.replace(old, new), encoding="utf-8")
        assert main(["show", str(file)]) == 1
        complaint = capsys.readouterr().err
        assert reason in complaint
        assert complaint.count("\n") == 1


def test_the_positions_before_a_wrong_move_are_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(GAME.replace("d5xe4", "d5xe5"), encoding="utf-8")
    assert main(["states", str(file)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 6
