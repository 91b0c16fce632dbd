"""Tower: the recorded vectors, and what the bots promise."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from gamut.games.game import Outcome, Refused, Seat
from gamut.games.tower.board import COORDINATES, EMPTY, LINES, LINES_THROUGH, TILES, Coordinate, tile_at
from gamut.games.tower.bots import LEVELS
from gamut.games.tower.rules import Place, Placed, Tower, TowerOptions, TowerState

VECTORS = Path(__file__).parents[2] / "vectors" / "tower"
GAME = Tower()
CHANCE = Random(0)


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


RECORDED = vectors("games.json")["games"]


def start() -> TowerState:
    return GAME.replay(GAME.begin(TowerOptions(), 3, CHANCE))


def after(*tiles: int) -> TowerState:
    """The position after these tiles were taken in turn."""
    state = start()
    for tile in tiles:
        assert state.turn is not None
        for event in GAME.decide(state, state.turn, Place(tile), CHANCE):
            state = GAME.evolve(state, event)
    return state


def refusal(state: TowerState, seat: int, tile: int) -> str:
    with pytest.raises(Refused) as refused:
        GAME.decide(state, Seat(seat), Place(tile), CHANCE)
    return refused.value.code


def test_tiles_are_where_the_vectors_say() -> None:
    recorded = vectors("tiles.json")
    assert len(recorded["tiles"]) == TILES
    for entry in recorded["tiles"]:
        coordinate = Coordinate(**entry["position"])
        assert tile_at(coordinate) == entry["tile"]
        assert COORDINATES[entry["tile"]] == coordinate
    assert all(tile_at(Coordinate(**hole)) is None for hole in recorded["not_playable"])


@pytest.mark.parametrize("position", vectors("tiles.json")["invalid_positions"], ids=json.dumps)
def test_a_position_that_is_none_is_no_tile(position: Any) -> None:
    try:
        coordinate = msgspec.convert(position, Coordinate)
    except msgspec.ValidationError:
        return
    assert tile_at(coordinate) is None


def test_the_lines_are_the_recorded_28() -> None:
    recorded = vectors("lines.json")
    assert recorded["count"] == len(LINES) == 28
    assert list(LINES) == [tuple(line["tiles"]) for line in recorded["lines"]]
    for line, entry in zip(LINES, recorded["lines"], strict=True):
        assert [COORDINATES[tile] for tile in line] == [Coordinate(**p) for p in entry["positions"]]


def test_corners_and_edges_have_as_many_lines_as_they_should() -> None:
    corners_above_and_below = (0, 2, 5, 7, 16, 18, 21, 23)
    assert all(len(LINES_THROUGH[tile]) == 5 for tile in corners_above_and_below)
    assert Counter(map(len, LINES_THROUGH)) == {5: 8, 2: 8, 3: 4, 4: 4}


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: recorded["name"])
def test_a_recorded_game_plays_as_it_did(recorded: dict[str, Any]) -> None:
    state = start()
    for move in recorded["moves"]:
        seat, tile = Seat(move["id"]), move["tile"]
        assert GAME.outcome(state) is None
        assert GAME.awaited(state) == (seat,)
        assert tile_at(Coordinate(**move["position"])) == tile
        events = GAME.decide(state, seat, Place(tile), CHANCE)
        assert events == (Placed(seat, tile),)
        state = GAME.evolve(state, events[0])

    result = recorded["result"]
    assert list(state.marks) == recorded["final_state"]
    assert state.turn is None
    marks = [tile_at(Coordinate(**position)) for position in result["winning_marks"]]
    if result["winner_id"] == EMPTY:
        assert GAME.outcome(state) == Outcome(winners=(), reason="full")
        assert state.line is None
        assert marks == []
    else:
        assert GAME.outcome(state) == Outcome(winners=(Seat(result["winner_id"]),), reason="line")
        assert state.line is not None
        assert list(state.line) == marks == result["all_winning_line_ids"][0]


def test_the_recorded_games_have_draws_and_double_lines() -> None:
    results = [recorded["result"] for recorded in RECORDED]
    assert any(result["winner_id"] == EMPTY for result in results)
    assert any(len(result.get("all_winning_line_ids", ())) > 1 for result in results)


def test_what_is_wrong_is_said() -> None:
    won = after(0, 8, 16, 1, 9, 17, 2)
    assert won.winner == 0
    assert won.line == (0, 1, 2)
    assert refusal(won, 1, 5) == "over"
    assert refusal(after(0), 0, 5) == "not_your_turn"
    assert refusal(after(0), 2, 5) == "not_your_turn"
    assert refusal(after(0), 1, 0) == "taken"
    assert refusal(after(0), 1, -1) == "no_such_tile"
    assert refusal(after(0), 1, TILES) == "no_such_tile"


def test_an_action_on_the_wire() -> None:
    assert msgspec.json.decode(b'{"type":"place","tile":5}', type=Place) == Place(5)
    assert msgspec.json.encode(Placed(Seat(1), 5)) == b'{"type":"placed","seat":1,"tile":5}'
    for wrong in (b'{"type":"place","tile":24}', b'{"type":"place","tile":-1}', b'{"type":"pass"}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(wrong, type=Place)


def wins(marks: tuple[int, ...], seat: int) -> set[int]:
    """The tiles where this seat would complete a line, found without the bots' own means."""
    return {
        tile
        for line in LINES
        for tile in line
        if marks[tile] == EMPTY and all(marks[other] == seat for other in line if other != tile)
    }


def random_positions(number: int) -> list[TowerState]:
    """Positions of random games that are not over."""
    found: list[TowerState] = []
    chance = Random(20)
    while len(found) < number:
        state = start()
        while state.turn is not None:
            found.append(state)
            place = chance.choice(GAME.legal(state, state.turn))
            state = GAME.evolve(state, Placed(state.turn, place.tile))
    return found


def urgent_positions() -> list[tuple[TowerState, set[int]]]:
    """Positions where a bot that thinks has no choice but among these tiles."""
    found = []
    for state in random_positions(3000):
        assert state.turn is not None
        for seat in (state.turn, (state.turn + 1) % 3, (state.turn + 2) % 3):
            tiles = wins(state.marks, seat)
            if tiles:
                found.append((state, tiles))
                break
    return found


@pytest.mark.parametrize("level", ["sensible", "strong"])
def test_a_bot_takes_a_win_else_blocks_the_next_player_else_the_one_after(level: str) -> None:
    # Where there is a choice the strong bot searches, which takes long: a share of those positions must do.
    cases = [case for number, case in enumerate(urgent_positions()) if len(case[1]) == 1 or number % 20 == 0]
    assert len(cases) > 500
    kinds: Counter[int] = Counter()
    for number, (state, tiles) in enumerate(cases):
        assert state.turn is not None
        assert GAME.choose(state, state.turn, level, Random(number)).tile in tiles
        kinds[min(seat for seat in range(3) if wins(state.marks, (state.turn + seat) % 3))] += 1
    assert set(kinds) == {0, 1, 2}


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_chance_gives_the_same_game(level: str) -> None:
    def game(seed: int) -> list[int]:
        chance, state = Random(seed), start()
        tiles = []
        while state.turn is not None:
            tiles.append(GAME.choose(state, state.turn, level, chance).tile)
            state = GAME.evolve(state, Placed(state.turn, tiles[-1]))
        return tiles

    first = game(1)
    assert game(1) == first
    assert game(2) != first


def test_the_strong_bot_finds_three_threats_at_once_which_two_others_cannot_block() -> None:
    state = after(1, 12, 14, 3, 22, 20, 16, 6, 10)
    assert not any(wins(state.marks, seat) for seat in range(3))
    assert len(wins(after(1, 12, 14, 3, 22, 20, 16, 6, 10, 0).marks, 0)) == 3
    assert {GAME.choose(state, Seat(0), "strong", Random(seed)).tile for seed in range(5)} == {0}
