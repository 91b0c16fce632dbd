"""Tafl: every recorded case of the engine whose clients we serve."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.games.support.tafl_tables import VECTORS, code, move_named, names, shown, simple, vectors

from gamut.games.tafl.compiled import Compiled, compiled
from gamut.games.tafl.endings import ending
from gamut.games.tafl.layout import written_layout
from gamut.games.tafl.notation import space_name
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.pieces import SIDES
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import END, SHIFT, Position
from gamut.games.tafl.records import record_of
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.state import Move, Moved

MOST_NODES = [pytest.param(5_000, id="shallow"), pytest.param(40_000, id="deep", marks=pytest.mark.slow)]
"""Of a perft that is counted in the tests; `python -m bench.games.tafl_perft` counts all."""
with_or_without_quirks = pytest.mark.parametrize("quirks", [False, True], ids=["rules", "quirks"])


def berserk_of(position: Position, size: int) -> str | None:
    return None if position.berserk < 0 else space_name(position.berserk, size)


@with_or_without_quirks
def test_every_move_of_the_recorded_positions_does_what_was_recorded(quirks: bool) -> None:
    for case in vectors("positions.json"):
        on = compiled(case["rules"], quirks)
        position = on.start()
        assert SIDES[position.turn] == case["to_move"]
        assert code(ending(on, position)) == case["victory_check"], case["id"]
        if case["victory_check"]:
            continue
        possible = {simple(move, on.size): move for move in moves(on, position)}
        eventful = {move[0]: move for move in case["eventful_moves"]}
        assert sorted(possible) == sorted([*case["quiet_moves"], *eventful]), case["id"]
        for name, move in possible.items():
            following = after(on, position, move)
            captures, result = names(following.captured, on.size), code(ending(on, following))
            if name not in eventful:
                assert (captures, result) == ([], 0), (case["id"], name)
                continue
            found = [
                name,
                str(record_of(on, position, move, following.captured)),
                captures,
                shown(on, following),
                "ad"[following.turn],
                berserk_of(following, on.size),
                result,
            ]
            assert found == eventful[name], case["id"]


@with_or_without_quirks
@pytest.mark.parametrize("file", sorted((VECTORS / "games").iterdir()), ids=lambda file: file.stem)
def test_recorded_games_go_as_they_went(file: Path, quirks: bool) -> None:
    for case in vectors(f"games/{file.name}"):
        on = compiled(case["rules"], quirks)
        position = on.start()
        seen = Counter([(shown(on, position), position.turn)])
        for name, record, captures, layout, side, berserk, legal, result in case["moves"]:
            assert len(moves(on, position)) == legal
            move = move_named(name, on.size)
            before, position = position, after(on, position, move)
            assert str(record_of(on, before, move, position.captured)) == record
            seen[layout, position.turn] += 1
            found = (
                names(position.captured, on.size),
                shown(on, position),
                "ad"[position.turn],
                berserk_of(position, on.size),
                code(ending(on, position, seen[layout, position.turn] >= 3)),
            )
            assert found == (captures, layout, side, berserk, result), (case["id"], name)


@pytest.mark.parametrize("file", sorted((VECTORS / "games").iterdir()), ids=lambda file: file.stem)
def test_recorded_games_can_be_played_at_a_table(file: Path) -> None:
    game = Tafl()
    for case in vectors(f"games/{file.name}"):
        options = game.checked(TaflOptions(rules=case["rules"]))
        state = game.replay(game.begin(options, 2, Random(0)))
        size = compiled(options.rules_string).size
        for name, record, _, layout, side, *_, result in case["moves"]:
            move = move_named(name, size)
            assert state.turn is not None
            events = game.decide(state, state.turn, Move(move >> SHIFT, move & END), Random(0))
            assert isinstance(events[0], Moved)
            assert events[0].record == record
            for event in events:
                state = game.evolve(state, event)
            assert written_layout(state.board, size) == layout
            if state.ending is None:
                assert state.turn == "ad".index(side)
                assert result == 0
            elif state.ending.reason != "no_moves":
                winner = state.ending.winner
                assert result == (4 if winner is None else 2 + winner)


def counted(on: Compiled, position: Position, depth: int) -> tuple[int, int, int]:
    """Move sequences of this length, and how many of them end with a capture or with the game."""
    nodes = captures = ended = 0
    for move in moves(on, position):
        following = after(on, position, move)
        over = code(ending(on, following)) != 0
        if depth == 1:
            nodes += 1
            captures += following.captured != 0
            ended += over
        elif not over:
            below = counted(on, following, depth - 1)
            nodes, captures, ended = nodes + below[0], captures + below[1], ended + below[2]
    return nodes, captures, ended


@pytest.mark.parametrize("most", MOST_NODES)
@pytest.mark.parametrize("case", vectors("perft.json"), ids=lambda case: case["id"])
def test_perft_agrees(case: Any, most: int) -> None:
    on = compiled(case["rules"])
    for row in case["perft"]:
        if row["nodes"] <= most:
            expected = (row["nodes"], row["captures"], row["ended"])
            assert counted(on, on.start(), row["depth"]) == expected


def played(case: Any, quirks: bool) -> Any:
    """What a case of disagreement comes to here."""
    on = compiled(case["rules"], quirks)
    position = on.start()
    for name in case.get("moves_before", ()):
        position = after(on, position, move_named(name, on.size))
    if case["move"] == "victory":
        return code(ending(on, position))
    following = after(on, position, move_named(case["move"], on.size))
    return [
        names(following.captured, on.size),
        shown(on, following),
        SIDES[following.turn],
        berserk_of(following, on.size),
        code(ending(on, following)),
    ]


@pytest.mark.parametrize(
    "case", vectors("upstream_quirks.json"), ids=lambda case: f"{case['id']} {case['move']}"
)
def test_where_clients_deviate_the_rules_count_unless_the_table_plays_their_way(case: Any) -> None:
    def told(values: Any) -> Any:
        return values if isinstance(values, int) else values[1:]

    assert played(case, quirks=False) == told(case["specified"])
    assert played(case, quirks=True) == told(case["upstream"])
