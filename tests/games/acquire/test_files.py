"""Review data of Acquire: read and written exactly, played through, and never more than one kind of error."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.support.acquire_tables import RECORDED, plain, recorded
from tests.hall.support.inmemory import House, make_hall

from gamut.games.acquire.files.array import parsed, written
from gamut.games.acquire.files.formats import REVIEW, AcquireFiles
from gamut.games.acquire.files.record import Record
from gamut.games.acquire.rules import Acquire
from gamut.games.files import BadFile
from gamut.games.game import Seat
from gamut.hall.files.recording import file_of
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.clock import Bank
from gamut.replay import main

FILES = AcquireFiles()
STEP_FIELDS = ("player", "action", "params", "history", "drawn", "revealed", "playableTilePlayer")


def review(name: str = "singles_1-09") -> list[Any]:
    found: list[Any] = recorded(name)["review"]
    return found


def read(array: Any) -> Record:
    return parsed(json.dumps(array).encode())


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_review_data_is_read_and_written_exactly(name: str) -> None:
    case = recorded(name)
    record = read(case["review"])
    assert json.loads(written(record)) == case["review"]
    assert [action.at for action in record.actions] == case["timestamps"]
    assert FILES.recognises(written(record))
    assert FILES.from_json(FILES.as_json(record)) == record
    steps = list(FILES.replay(record))
    assert len(steps) == len(case["steps"])
    for found, step in zip(steps, case["steps"], strict=True):
        position, action = plain(FILES.shown(found.state)), plain(FILES.beside(found))
        assert {field: position[field] for field in position if field in step} == {
            field: step[field] for field in step if field in position
        }
        assert [action.get(field) for field in STEP_FIELDS] == [step.get(field) for field in STEP_FIELDS]
    assert all(line.isprintable() for line in FILES.tell(record))


def test_the_recorded_data_has_every_kind_of_time() -> None:
    entries = [entry for name in RECORDED for entry in review(name)[7]]
    assert {len(entry) for entry in entries} == {1, 2, 3}
    assert any(len(entry) == 3 and entry[1] is None for entry in entries)
    assert {len(review(name)) for name in RECORDED} == {8, 9}


def test_times_are_since_the_action_before_and_absolute_after_one_that_is_not_known() -> None:
    array = review()
    array[7][:4] = [[[], 5_000], [[24], 10], [[80]], [[7], 6_000, 1]]
    array[7][4:] = [[entry[0], None, 1] for entry in array[7][4:]]
    del array[8]
    record = read(array)
    assert [action.at for action in record.actions[:5]] == [5_000, 5_010, None, 6_000, None]
    assert json.loads(written(record)) == array


def test_names_of_modes_and_true_and_false_are_read_and_written_as_numbers() -> None:
    array = review()
    named = ["SINGLES_1", *array[1:]]
    named[7] = [
        [[entry[0][0], bool(entry[0][1])], *entry[1:]] if len(entry[0]) == 2 else entry for entry in array[7]
    ]
    assert "false" in json.dumps(named)
    assert written(read(named)) == written(read(array))


def test_elements_that_come_later_are_accepted() -> None:
    assert read([*review(), [], "what there may be one day"]) == read(review())


def test_a_bag_may_lack_tiles_that_nobody_draws() -> None:
    array = review()
    array[6] = array[6][:20]
    array[7] = array[7][:4]
    assert len(list(FILES.replay(read(array)))) == 4
    array[6] = array[6][:7]
    with pytest.raises(BadFile, match="needs a tile that is not in the bag"):
        list(FILES.replay(read(array)))


def changed(place: int, value: Any) -> list[Any]:
    array = review("singles_2-05")
    array[place] = value
    return array


BAD = {
    "not an array": {"mode": 1},
    "too short": review()[:7],
    "no such mode": changed(0, 10),
    "mode as a truth": changed(0, True),
    "no such mode by name": changed(0, "SINGLES_7"),
    "time control": changed(1, 0),
    "time control as a text": changed(1, "900"),
    "increment": changed(2, -1),
    "increment missing": changed(2, None),
    "too few players": changed(3, [1]),
    "a player twice": changed(3, [1, 1]),
    "a player with a name for an id": changed(3, ["a", "b"]),
    "too few names": changed(4, ["a"]),
    "a name that is none": changed(4, ["a", 5]),
    "a stranger started it": changed(5, 999_999),
    "a tile twice": changed(6, [0, 0]),
    "no such tile": changed(6, [108]),
    "actions that are none": changed(7, {}),
    "no actions": changed(7, []),
    "a start with parameters": changed(7, [[[1], 5]]),
    "an action without parameters": changed(7, [[]]),
    "a negative time": changed(7, [[[], -5]]),
    "a time too late": changed(7, [[[], 2**53], [[1], 2**53]]),
    "parameters too deep": changed(7, [[[], 5], [[[[1]]], 5]]),
    "a truth for a tile": changed(7, [[[], 5], [[True], 5]]),
    "parameters with fractions": changed(7, [[[], 5], [[1.5], 5]]),
    "flag that is none": changed(7, [[[], 5, 2]]),
    "end that is none": changed(8, "now"),
    "forfeit of nobody": [*changed(8, None), [[2, 5]]],
    "forfeit without a time": [*changed(8, None), [[1]]],
    "two forfeits of one player": [*changed(8, None), [[1, 5], [1, 6]]],
}


@pytest.mark.parametrize("why", BAD)
def test_what_is_wrong_with_review_data_is_said_in_a_sentence(why: str) -> None:
    with pytest.raises(BadFile) as bad:
        read(BAD[why])
    assert bad.value.trouble == "damaged"
    assert bad.value.reason.endswith(".")


def test_an_action_against_the_rules_is_named() -> None:
    array = review()
    array[7][1][0] = [89]
    with pytest.raises(BadFile, match="Action 1: You do not hold 10I"):
        list(FILES.replay(read(array)))
    array = review()
    array[7].append([[5]])
    with pytest.raises(BadFile, match="The game is over"):
        list(FILES.replay(read(array)))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


def used(data: bytes) -> None:
    try:
        for record in FILES.load(data):
            list(FILES.tell(record))
            FILES.played(record)
            assert FILES.from_json(FILES.as_json(record)) == record
    except BadFile:
        pass


@settings(max_examples=300)
@given(name=st.sampled_from(RECORDED), place=st.integers(0, 9), inner=st.integers(0, 200), value=values)
def test_whatever_stands_in_review_data_is_read_or_refused(
    name: str, place: int, inner: int, value: Any
) -> None:
    array = review(name)
    if place < len(array) and isinstance(array[place], list) and inner % 2:
        array[place][inner % len(array[place])] = value
    else:
        array[place:] = [value]
    used(json.dumps(array).encode())


@settings(max_examples=300)
@given(data=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_whatever_bytes_there_are_nothing_else_is_raised(data: bytes) -> None:
    used(data)
    used(b"[" * 5_000 + data)
    used(b'{"format":"acquire 1",' + data)


# Games of a table


def at_a_table(seed: int) -> tuple[House, LiveTable]:
    """A game of three in which the first runs out of time, and the second forfeits in the middle."""
    house, chance = make_hall(played={"acquire": Acquire()}, seed=seed), Random(seed)
    opening = Opening(
        game="acquire", options={"mode": "singles_3", "order": "exact"}, clock=Bank(90_000, 1_000)
    )
    live = house.open(opening, "Ben", "Ann", "Ben", "Cid")
    acted = 0
    while live.whole.outcome is None:
        state = live.whole.state
        if state.next.seat == 0 and state.actions < 20:
            house.advance(30_000)
            continue
        house.advance(700)
        if live.whole.outcome is not None:
            break
        if acted == 30:
            house.do(live, c.Resign(PersonId("Ben")))
        else:
            seat = live.whole.state.next.seat
            house.act(live, seat, chance.choice(live.game.legal(live.whole.state, seat)))
        acted += 1
    return house, live


@pytest.mark.parametrize("seed", range(4))
def test_flags_and_forfeits_of_a_table_are_in_its_review_data(seed: int) -> None:
    _, live = at_a_table(seed)
    file = file_of(live, REVIEW, None, bytes(16))
    array = json.loads(file)
    assert array[:6] == [3, 90, 1, [1, 2, 3], ["Ann", "Ben", "Cid"], 2]
    assert sorted(array[6]) == list(range(108)), "the whole bag, in the order of the draws and what was left"
    (record,) = FILES.load(file)
    assert json.loads(written(record)) == array
    *_, last = FILES.replay(record)
    assert last.state == live.whole.state
    assert {action.auto for action in record.actions} == {False, True}
    assert [player for player, _ in record.forfeits] == [1]
    assert record.ended == record.actions[-1].at == array[8]
    assert len(array) == 10


def test_a_file_of_a_game_that_is_not_over_holds_no_tile_that_its_viewer_did_not_see() -> None:
    house = make_hall(played={"acquire": Acquire()})
    live = house.open(
        Opening(game="acquire", options={"mode": "singles_2", "order": "exact"}), "Ann", "Ann", "Ben"
    )
    for viewer in (None, Seat(0), Seat(1)):
        bag = json.loads(file_of(live, REVIEW, viewer, bytes(16)))[6]
        assert [tile for tile, cell in enumerate(live.whole.state.board) if cell == "O"] == sorted(bag)


# The command


def test_gamut_replay_shows_converts_and_tells_a_game(tmp_path: Any, capsysbinary: Any) -> None:
    file = tmp_path / "game.acquire"
    file.write_bytes(json.dumps(review()).encode())
    assert main(["show", str(file)]) == 0
    told = capsysbinary.readouterr().out.decode()
    assert told.startswith("Acquire: Singles 1\n")
    assert "1. Alice: $42800" in told
    assert main(["convert", str(file), str(tmp_path / "game.json")]) == 0
    assert main(["convert", str(tmp_path / "game.json"), str(tmp_path / "again.acquire")]) == 0
    assert json.loads((tmp_path / "again.acquire").read_bytes()) == review()
    assert main(["states", str(tmp_path / "game.json")]) == 0
    lines = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    for line, step in zip(lines, recorded("singles_1-09")["steps"], strict=True):
        assert [line.get(field) for field in STEP_FIELDS] == [step.get(field) for field in STEP_FIELDS]
        assert line["state"]["board"] == step["board"]
        assert line["state"]["next"] == step["next"]
    assert lines[-1]["outcome"]["scores"] == [428]


@pytest.mark.parametrize(
    ("index", "change", "why"),
    [
        (7, lambda actions: [*actions, [[0], 1]], "The game is over."),
        (6, lambda bag: bag[:20], "needs a tile that is not in the bag"),
        (7, lambda actions: [*actions[:2], *actions[1:]], "Action 2: "),
    ],
    ids=["after the end", "bag too short", "against the rules"],
)
def test_what_cannot_be_played_through_is_converted_to_nothing(
    index: int, change: Any, why: str, tmp_path: Any, capsysbinary: Any
) -> None:
    array = review()
    array[index] = change(array[index])
    file, out = tmp_path / "game", tmp_path / "out.json"
    for data in (json.dumps(array).encode(), FILES.as_json(read(array))):
        file.write_bytes(data)
        assert main(["convert", str(file), str(out)]) == 1
        assert why.encode() in capsysbinary.readouterr().err
        assert not out.exists()
