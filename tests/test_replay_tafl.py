"""`gamut replay` with games of Tafl."""

import json
from pathlib import Path

import pytest

from gamut.replay import main

PUZZLE = Path(__file__).parent / "vectors" / "tafl" / "puzzle.otg"


def test_a_game_is_shown_with_its_rules_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(PUZZLE)]) == 0
    shown = capsys.readouterr().out
    assert "Tafl: Brandub 7x7" in shown
    assert "The king is captured like any other piece, between two enemies." in shown
    assert "2. defenders  d3-a3xa2  takes 1" in shown
    assert "The game is not finished; the defenders are to move." in shown


def test_every_position_is_told_to_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["states", str(PUZZLE)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["awaited"] for line in lines] == [[0], [1], [0], [1]]
    assert lines[1]["state"]["position"] == "/3t3/t6/3T3/ttTKTtt/3T3/3t3/3t3/"
    assert "outcome" in lines[-1]


def test_through_json_and_back_a_file_is_the_same(tmp_path: Path) -> None:
    text, again = tmp_path / "game.json", tmp_path / "game.otg"
    assert main(["convert", str(PUZZLE), str(text)]) == 0
    assert main(["convert", str(text), str(again)]) == 0
    assert again.read_bytes() == PUZZLE.read_bytes()


def test_whatever_is_wrong_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.otg"
    for old, new, reason in (
        ("d1-b1", "d1b1", "Line 23, column 4: 'd1b1' is no move such as"),
        ("d1-b1", "d1-d3", "Move 2a, d1-d3: The piece on d1 cannot move to d3."),
        ("ttTKTtt", "ttTTTtt", "By the rules in this file no game can be played: There must be a king"),
    ):
        file.write_text(PUZZLE.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        assert main(["show", str(file)]) == 1
        complaint = capsys.readouterr().err
        assert reason in complaint
        assert complaint.count("\n") == 1


def test_the_positions_before_a_wrong_move_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.otg"
    file.write_text(PUZZLE.read_text(encoding="utf-8").replace("d1-b1", "d1-d3"), encoding="utf-8")
    assert main(["states", str(file)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 3
