"""Power Chess agrees with what was recorded: positions, whole games, powers, and what is told of them."""

from random import Random
from typing import Any

import pytest
from bench.games.powerchess_perft import perft
from tests.games.support.powerchess_tables import (
    COLOURS,
    PIECE_IDS,
    WrittenDraws,
    answers,
    final_of,
    from_fen,
    seat_of,
    set_up,
    square_of,
    vectors,
)

from gamut.games.game import Refused, Seat
from gamut.games.powerchess.decide import decided, legal
from gamut.games.powerchess.evolve import evolve
from gamut.games.powerchess.fen import START, parse_fen, written_placement
from gamut.games.powerchess.moves import can_move, moves, targets_of
from gamut.games.powerchess.powers import RARITIES
from gamut.games.powerchess.squares import NAMES, square_named, squares_in
from gamut.games.powerchess.state import Move

PERFT = vectors("perft")["positions"]
POSITIONS = vectors("positions")["positions"]
BASE_GAMES = vectors("base_games")["games"]
POWER_GAMES = vectors("power_games")["games"]
SCENARIOS = vectors("power_scenarios")["scenarios"]


def named(cases: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


@pytest.mark.parametrize("depth", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", PERFT, ids=[case["fen"] for case in PERFT])
def test_there_are_as_many_sequences_of_moves_as_recorded(case: dict[str, Any], depth: int) -> None:
    assert perft(parse_fen(case["fen"]), depth) == case["perft"][depth - 1]


def test_every_position_has_the_moves_that_were_recorded() -> None:
    for case in POSITIONS:
        position = parse_fen(case["fen"])
        found = [NAMES[move >> 6] + NAMES[move & 63] for move in moves(position)]
        assert sorted(found) == sorted(case["moves"]), case["fen"]
        assert len(found) == case["count"]
        assert can_move(position)
        one_by_one = [
            start << 6 | end
            for start in squares_in(position.own(position.turn))
            for end in squares_in(targets_of(position, start))
        ]
        assert sorted(one_by_one) == sorted(moves(position)), case["fen"]
        state = from_fen(case["fen"])
        assert {(move.start, move.end) for move in legal(state, seat_of(COLOURS[position.turn]))} == {  # type: ignore[union-attr]
            (move >> 6, move & 63) for move in moves(position)
        }


def move_named(text: str) -> Move:
    return Move(square_named(text[:2]), square_named(text[2:4]))


@named(BASE_GAMES)
def test_games_without_boxes_go_as_recorded(case: dict[str, Any]) -> None:
    state = from_fen(START)
    probes: dict[int, list[str]] = {}
    for probe in case["illegal_probes"]:
        probes.setdefault(probe["before_ply"], []).append(probe["move"])
    for ply, text in enumerate(case["moves"]):
        seat = Seat(ply % 2)
        for probe in probes.get(ply, ()):
            with pytest.raises(Refused) as refusal:
                decided(state, seat, move_named(probe), WrittenDraws())
            assert refusal.value.code == "illegal_move"
        for event in decided(state, seat, move_named(text), WrittenDraws()):
            state = evolve(state, event)
    assert written_placement(state.board) == case["final_placement"]
    assert (None if state.turn is None else COLOURS[state.turn]) == case["final_turn"]
    winner = None if state.ending is None else state.ending.winner
    assert (None if winner is None else COLOURS[winner]) == case["winner"]


@named(POWER_GAMES)
def test_games_with_powers_go_as_recorded(case: dict[str, Any]) -> None:
    state = set_up(
        {
            "fen": START,
            "effects": [],
            "boxes": [],
            "holes": [],
            "energize": {"white": 0, "black": 0},
            "graveyard": {"white": [], "black": []},
            "last_move": {},
            "next_box_in": case["first_box_in"],
        }
    )
    draws = WrittenDraws(next_box_in=case["first_box_in"])
    for number, step in enumerate(case["steps"]):
        seat = seat_of(step["by"])
        if step.get("illegal"):
            after, actor, other = answers(state, seat, step["send"], draws)
            assert (after, actor, other) == (state, [{"type": 6}], []), number
            continue
        chance, expected = step["chance"], step["expect"]
        spawn = chance.get("spawn")
        draws.spawn = None if spawn is None else (square_of(spawn), RARITIES[spawn["rarity"]])
        draws.then = chance.get("next_box_in")
        draws.offers = [tuple(chance["offer"])] if "offer" in chance else []
        draws.home = square_of(chance["square"]) if "square" in chance else None
        draws.piece = PIECE_IDS[chance["piece"]] if "piece" in chance else ""
        state, actor, other = answers(state, seat, step["send"], draws)
        assert in_order(actor[0]["updates"]) == in_order(expected["updates"]), number
        assert (actor[0]["action"], other[0]["action"]) == (
            expected["actor_action"],
            expected["other_action"],
        ), number
        assert other[0].get("move") == expected["other_move"], number
        assert actor[0].get("options") == expected.get("offer"), number
        assert [other[0].get(key) for key in ("rarity", "power")] == [
            expected.get(key) for key in ("rarity", "power")
        ], number
        assert (len(actor) == 2) == ("over" in expected), number
        if "over" in expected:
            over = expected["over"]
            assert actor[1] == {"type": 2, "reason": over["reason"], "result": over["results"]["actor"]}
            assert other[1] == {"type": 2, "reason": over["reason"], "result": over["results"]["other"]}


def in_order(updates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(updates, key=lambda update: (update["row"], update["col"]))


def normal(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**message, "updates": in_order(message["updates"])} if "updates" in message else message
        for message in messages
    ]


@named(SCENARIOS)
def test_scenarios_go_as_recorded(case: dict[str, Any]) -> None:
    """Where chance decides, whatever it brings is one of what may come, and not always the same."""
    outcomes = set()
    uncertain = "expect_any_of" in case["steps"][-1]
    for seed in range(40 if uncertain else 1):
        state = set_up(case["setup"])
        draws = WrittenDraws(Random(seed), case["setup"]["next_box_in"])
        draws.offers = [tuple(offer) for offer in case["setup"]["offers"]]
        for number, step in enumerate(case["steps"]):
            state, actor, other = answers(state, seat_of(step["by"]), step["send"], draws)
            heard = {"actor": normal(actor), "other": normal(other)}
            possible = step.get("expect_any_of") or [step["expect"]]
            wanted = [{"actor": normal(each["actor"]), "other": normal(each["other"])} for each in possible]
            assert heard in wanted, (number, heard)
            outcomes.add(wanted.index(heard))
        if "final" in case:
            assert final_of(state) == case["final"]
    if uncertain:
        assert len(outcomes) >= min(len(case["steps"][-1]["expect_any_of"]), 8)
