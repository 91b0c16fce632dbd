"""`gamut replay` on any game that has files, and every position of a game as a line of JSON."""

import io
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.support.parlour import Left, Parlour, ParlourOptions
from tests.games.support.parlour_files import First, Happened, ParlourFiles, ParlourRecord, games_with_parlour

from gamut.games.files import BadFile, Player
from gamut.games.game import Seat
from gamut.games.topple.files.playback import final
from gamut.games.topple.files.record import Moved, Record, Waited
from gamut.games.topple.files.writer import write
from gamut.games.topple.rules import Topple
from gamut.replay import main

PARLOUR, FILES = Parlour(), ParlourFiles()
SHORT = Record(
    room="ABCDEFGH",
    started=1_000,
    topology=0,
    x=2,
    y=2,
    teams=(1, 2),
    events=(Moved(1, 0, 100), Waited(50), Moved(2, 3), Moved(1, 0), Moved(2, 3)),
)


def played() -> ParlourRecord:
    chance = Random(3)
    events = tuple(PARLOUR.begin(ParlourOptions(hand=2), 2, chance))
    lines = [Happened(1, None, "acted", events)]
    state = PARLOUR.replay(events)
    while seats := PARLOUR.awaited(state):
        events = tuple(PARLOUR.decide(state, seats[0], PARLOUR.legal(state, seats[0])[0], chance))
        lines.append(Happened(len(lines) + 1, seats[0], "acted", events))
        for event in events:
            state = PARLOUR.evolve(state, event)
    return ParlourRecord(First(2, (Player("Ann"), Player("Ben"))), tuple(lines))


def run(*arguments: str) -> int:
    return main(arguments, games_with_parlour)


@pytest.fixture
def put(tmp_path: Path) -> Any:
    def made(name: str, data: bytes) -> str:
        path = tmp_path / name
        path.write_bytes(data)
        return str(path)

    return made


Capture = pytest.CaptureFixture[bytes]


def states(capsysbinary: Capture, file: str) -> list[dict[str, Any]]:
    assert run("states", file) == 0
    out, err = capsysbinary.readouterr()
    assert err == b""
    return [json.loads(line) for line in out.splitlines()]


def test_every_position_is_a_line(put: Any, capsysbinary: Capture) -> None:
    lines = states(capsysbinary, put("game.topl", write(SHORT)))
    assert [line["number"] for line in lines] == [0, 1, 2, 3, 4], "time that only passes is no position"
    assert [line["event"]["type"] for line in lines] == ["began", *["moved"] * 4]
    assert [line["seat"] for line in lines] == [None, 0, 1, 0, 1]
    assert [line["awaited"] for line in lines] == [[0], [1], [0], [1], []]
    assert [line["at"] for line in lines] == [1_000, 1_100, 1_150, 1_150, 1_150]
    assert lines[1]["state"]["board"] == [2, 1, 1, 1]
    assert lines[1]["state"]["owners"] == [1, 0, 0, 0]
    assert lines[-1]["state"]["board"] == list(final(SHORT).board)
    assert lines[-1]["outcome"] == {"winners": [1], "reason": "everything", "scores": None, "places": None}
    assert all("outcome" not in line and "game" not in line for line in lines[:-1])


def test_the_events_are_those_that_the_server_stores(put: Any, capsysbinary: Capture) -> None:
    lines = states(capsysbinary, put("game.topl", write(SHORT)))
    events = [msgspec.convert(line["event"], Topple.event_type) for line in lines]
    assert Topple().replay(events) == final(SHORT)


def test_a_game_that_was_not_played_to_its_end_has_no_outcome(put: Any, capsysbinary: Capture) -> None:
    short = msgspec.structs.replace(SHORT, events=(Moved(1, 0),), timed=False)
    lines = states(capsysbinary, put("game.topl", write(short)))
    assert lines[-1]["outcome"] is None
    assert "at" not in lines[-1], "the file does not say when"


def test_several_games_in_a_file_are_told_apart(put: Any, capsysbinary: Capture) -> None:
    lines = states(capsysbinary, put("both.topl", 2 * write(SHORT)))
    assert [(line["game"], line["number"]) for line in lines] == [(g, n) for g in (1, 2) for n in range(5)]
    assert [line["number"] for line in lines if "outcome" in line] == [4, 4]


def test_what_is_against_the_rules_ends_it_after_what_is_not(put: Any, capsysbinary: Capture) -> None:
    bad = msgspec.structs.replace(SHORT, events=(Moved(1, 0), Moved(2, 0)))
    assert run("states", put("bad.topl", write(bad))) == 1
    out, err = capsysbinary.readouterr()
    assert [json.loads(line)["number"] for line in out.splitlines()] == [0, 1]
    assert b"outcome" not in out
    (line,) = err.splitlines()
    assert b"player 2 moves on a tile of others" in line


def test_lines_are_written_while_the_game_is_played_through(
    put: Any, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Positions are told one by one: all of a long game at once would be a lot of memory."""
    made, told = list[int](), list[int]()
    steps = ParlourFiles.replay

    def counted(self: ParlourFiles, record: ParlourRecord) -> Any:
        for number, step in enumerate(steps(self, record)):
            told.append(capsysbinary.readouterr().out.count(b"\n"))
            made.append(number)
            yield step

    monkeypatch.setattr(ParlourFiles, "replay", counted)
    assert run("states", put("game.plog", FILES.write(played(), "plog"))) == 0
    assert len(made) > 10
    assert told[2:] == [1] * (len(told) - 2), "each was written before the one after the next was made"


def test_a_pipe_will_do(monkeypatch: pytest.MonkeyPatch, capsysbinary: Capture) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(write(SHORT))))
    assert len(states(capsysbinary, "-")) == 5


def test_which_game_a_file_is_of_shows_by_itself(put: Any, capsysbinary: Capture) -> None:
    record = played()
    file = put("no ending", FILES.write(record, "plog"))
    assert run("show", file) == 0
    assert capsysbinary.readouterr().out.startswith(b"Parlour game of 2\n")
    lines = states(capsysbinary, file)
    assert lines[0]["event"]["type"] == "began"
    assert lines[-1]["outcome"]["scores"]
    assert run("convert", file, "-", "--to", "json") == 0
    text = capsysbinary.readouterr().out
    assert run("convert", put("game.json", text), "-", "--to", "plog") == 0
    assert capsysbinary.readouterr().out == FILES.write(record, "plog")
    assert run("show", put("other", write(SHORT))) == 0
    assert capsysbinary.readouterr().out.startswith(b"Topple game ABCDEFGH\n")


def test_a_game_is_not_written_as_a_file_of_another(put: Any, capsysbinary: Capture, tmp_path: Path) -> None:
    file = put("game.plog", FILES.write(played(), "plog"))
    assert run("convert", file, str(tmp_path / "x.topl")) == 1
    assert b"A game of Parlour is written as .plog, .psus or .json." in capsysbinary.readouterr().err
    assert not (tmp_path / "x.topl").exists()


TITLES = [game.traits.title for game in games_with_parlour().values() if game.files is not None]
KNOWN = f"{', '.join(TITLES[:-1])} or {TITLES[-1]}"


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"{}", b'{"format":"chess 1"}', b"\xff" * 40])
def test_what_is_no_game_gets_one_line(data: bytes, put: Any, capsysbinary: Capture) -> None:
    file = put("bad", data)
    for command in ("show", "states"):
        assert run(command, file) == 1
        out, err = capsysbinary.readouterr()
        assert out == b""
        assert err.decode() == f"gamut: {file}: This is not a game of {KNOWN}, or it is damaged.\n"


def test_help_tells_what_the_lines_hold(capsysbinary: Capture) -> None:
    with pytest.raises(SystemExit):
        run("states", "--help")
    text = capsysbinary.readouterr().out.decode()
    for field in states_fields():
        assert f"\n  {field} " in text
    with pytest.raises(SystemExit):
        run("--help")
    assert ".plog (Parlour: recorded games)" in capsysbinary.readouterr().out.decode()


def states_fields() -> tuple[str, ...]:
    return ("game", "number", "event", "seat", "at", "awaited", "state", "outcome")


def test_the_toy_format_finds_faults_as_well(put: Any, capsysbinary: Capture) -> None:
    record = played()
    first = record.lines[0]
    twice = Happened(9, Seat(0), "quit", (Left(Seat(0)), Left(Seat(0))))
    bad = ParlourRecord(record.first, (first, twice))
    with pytest.raises(BadFile):
        list(FILES.replay(bad))
    assert run("states", put("bad.plog", FILES.write(bad, "plog"))) == 1
    assert capsysbinary.readouterr().err.endswith(b"somebody leaves twice.\n")
