"""Games in files, looked at like any finished game."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamut.games.files import BadFile
from gamut.games.topple import events as happened
from gamut.games.topple.files.playback import final
from gamut.games.topple.files.reader import read
from gamut.games.topple.files.record import Moved, Person, Record, Removed
from gamut.games.topple.files.writer import write
from gamut.games.topple.rules import Topple
from gamut.hall.files.viewing import viewed
from gamut.hall.table import events as e
from gamut.hall.table.evolve import replayed

TOPPLE = Topple()
VECTORS = Path(__file__).parents[2] / "vectors" / "topple"


def record(*events: Moved | Removed, **fields: object) -> Record:
    settings: dict[str, object] = {"room": "ABCD4567", "started": 1_000, "topology": 0, "x": 2, "y": 2}
    return Record(**{"teams": (1, 2), "size": 1, **settings, **fields}, events=events)  # type: ignore[arg-type]


SHORT = (Moved(1, 0, 100), Moved(2, 3, 200), Moved(1, 0, 300), Moved(2, 3, 400))


def test_a_file_is_the_log_of_a_finished_table() -> None:
    found = viewed(TOPPLE, write(record(*SHORT, people=(Person("Ann"), Person(bot="freya/3")))))
    table = replayed(TOPPLE, found.log)
    assert [holder and holder.name for holder in table.seats] == ["Ann", "Freya (Moderate)"]
    assert table.phase == "over"
    assert table.state == final(record(*SHORT))
    assert table.outcome == found.outcome
    assert found.outcome is not None
    assert not found.suspended
    assert [event.at for event in found.log if isinstance(event, e.Played)] == [1_100, 1_300, 1_600, 2_000]


def test_who_nobody_named_is_called_by_number_and_empty_slots_stay_empty() -> None:
    found = viewed(TOPPLE, write(record(*SHORT[:1], teams=(1, 0, 3), people=(Person(), None, Person()))))
    names = [holder and holder.name for holder in replayed(TOPPLE, found.log).seats]
    assert names == ["Player 1", None, "Player 3"]


@pytest.mark.parametrize("name", ["admin", "Server", "\u202ennA", "\u200b", "A" + 7 * "\u0301"])
def test_a_name_that_nobody_can_have_here_is_not_shown_because_a_file_says_it(name: str) -> None:
    found = viewed(TOPPLE, write(record(*SHORT, people=(Person(name), Person("Bo")))))
    assert [holder and holder.name for holder in replayed(TOPPLE, found.log).seats] == ["Player 1", "Bo"]


@pytest.mark.parametrize("name", ["admin", "\u202ennA", "\x07", "A" * 60])
def test_what_people_and_bots_are_called_counts_only_if_it_may_be_shown(name: str) -> None:
    people = (Person("Ann", called=name), Person(bot="freya/3", called=name), Person(bot=name, called=name))
    found = viewed(TOPPLE, write(record(*SHORT[:1], teams=(1, 2, 3), people=people)))
    seats = replayed(TOPPLE, found.log).seats
    assert [holder and holder.name for holder in seats] == ["Ann", "Freya (Moderate)", "bot"]
    assert [getattr(holder, "level", None) for holder in seats] == [None, "strong", "bot"]


def test_whoever_was_captured_out_does_not_leave_once_more() -> None:
    moves = (Moved(1, 0), Moved(2, 3), Moved(1, 0), Moved(2, 3))
    state = final(record(*moves))
    assert state.ending == "everything"
    found = viewed(TOPPLE, write(record(*moves, Removed(1))))
    inner = [event for told in found.log if isinstance(told, e.Played) for event in told.events]
    assert not any(isinstance(event, happened.Removed) for event in inner)
    assert len(inner) == len(moves)


def test_a_game_that_did_not_end_says_so() -> None:
    found = viewed(TOPPLE, write(record(*SHORT[:2])))
    assert found.outcome is None
    assert found.log[-1] == e.Closed(at=found.log[-1].at, why="abandoned")
    table = replayed(TOPPLE, found.log)
    assert (table.phase, table.outcome) == ("over", None)


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (b"", "nothing in it"),
        (b"hello", "not a Topple game"),
        (write(record(*SHORT))[:-3], "damaged"),
        (write(record(*SHORT)) * 2, "2 games"),
        (write(record(Moved(1, 0), Moved(2, 0))), "a tile of others"),
        (write(record(teams=(1,) * 11)), "11 players"),
        (write(record(x=20, y=20, size=1)), "too large"),
        (write(record(x=40, y=1, size=1)), "too large"),
    ],
)
def test_what_cannot_be_shown_is_told_in_a_sentence(file: bytes, words: str) -> None:
    with pytest.raises(BadFile, match=words) as bad:
        viewed(TOPPLE, file)
    assert bad.value.reason.endswith(".")


def test_recorded_games_of_every_version_are_shown_as_they_were_played() -> None:
    shown = 0
    for name in ("replays.json", "replays_old.json"):
        for case in json.loads((VECTORS / name).read_text())["cases"]:
            file = bytes.fromhex(case["hex"])
            try:
                found = viewed(TOPPLE, file)
            except BadFile:
                continue
            assert replayed(TOPPLE, found.log).state == final(read(file))
            shown += 1
    assert shown > 10


@given(st.binary(max_size=400))
def test_anything_else_is_a_bad_file_and_nothing_worse(file: bytes) -> None:
    with pytest.raises(BadFile):
        viewed(TOPPLE, file)


@given(st.data())
def test_a_file_that_was_tampered_with_is_shown_or_refused(data: st.DataObject) -> None:
    file = bytearray(write(record(*SHORT)))
    for _ in range(data.draw(st.integers(1, 4))):
        file[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = viewed(TOPPLE, bytes(file))
    except BadFile:
        return
    replayed(TOPPLE, found.log)
