"""What the rules of Power Chess say beyond the recorded cases: chance, secrets, and powers that meet each other."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.games.support.powerchess_tables import WrittenDraws, choosing, from_fen, refused, sq, step

from gamut.games.game import Seat
from gamut.games.powerchess.decide import PROMOTIONS, decided, legal
from gamut.games.powerchess.draws import ChanceDraws, spawn_squares
from gamut.games.powerchess.evolve import evolve
from gamut.games.powerchess.moves import can_move, moves, targets_of
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.powerchess.pieces import EMPTY, KIND, PIECES
from gamut.games.powerchess.play import after
from gamut.games.powerchess.position import Position
from gamut.games.powerchess.powers import POWERS, RARITIES, Drawn, after_power, playable
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.squares import ALL, NAMES, NOWHERE, squares_in
from gamut.games.powerchess.state import (
    UNSEEN,
    Action,
    Box,
    Event,
    Move,
    Moved,
    Offered,
    PowerChessState,
    Use,
    Used,
)
from gamut.games.powerchess.translation import marks_of, position_of, translated

GAME = PowerChess()
WHITE, BLACK = Seat(0), Seat(1)
LONGEST = 600
PEACE = 200
"""Moves for which nobody takes a king."""


# Whole games


def long_games(number: int) -> Iterator[tuple[list[tuple[PowerChessState, list[Event]]], PowerChessState]]:
    """Random games to their end: each state with what happened in it, and the last one."""
    for seed in range(number):
        chance = Random(seed)
        state = GAME.replay(GAME.begin(PowerChessOptions(), 2, chance))
        steps: list[tuple[PowerChessState, list[Event]]] = []
        while state.turn is not None and len(steps) < LONGEST:
            possible = legal(state, state.turn)
            # Kings live longer than chance alone would have it, so that everything comes up in a game.
            tame = [each for each in possible if not _takes_king(state, each)]
            choice = chance.choice(tame if tame and state.ply < PEACE else possible)
            events = decided(state, state.turn, choice, ChanceDraws(chance))
            steps.append((state, events))
            for event in events:
                state = evolve(state, event)
        yield steps, state


def _takes_king(state: PowerChessState, action: Action) -> bool:
    end = action.end if isinstance(action, Move) else action.target
    return end is not None and state.board[end] in "Kk"


@pytest.fixture(scope="module")
def games() -> list[tuple[list[tuple[PowerChessState, list[Event]]], PowerChessState]]:
    return list(long_games(25))


def everything(position: Position) -> tuple[Any, ...]:
    effects = position.effects
    return (
        bytes(position.board),
        (position.white, position.black, position.turn, position.castling, position.passed, position.ply),
        (marks_of(effects), dict(effects.holes), effects.energized, effects.first_end),
        (dict(position.boxes), position.box_bits, position.graves, position.relocations),
        (position.chosen_for, position.winner),
    )


def followed(position: Position, events: list[Event]) -> Position:
    """The position after what happened, made by the rules alone and not out of what the events say of it."""
    happened = events[0]
    if isinstance(happened, Moved):
        promotion = next((u.shown for u in happened.updates if u.square == happened.end), "")
        kind = PIECES.get(promotion[:1], EMPTY) & KIND if len(promotion) <= 2 else EMPTY
        refuge = NOWHERE if happened.saved is None else happened.saved
        move = happened.start << 6 | happened.end
        following = after(
            position, move, kind if kind in PROMOTIONS.values() else PROMOTIONS["queen"], refuge
        )
        if happened.box is not None:
            following.put_box(happened.box.square, RARITIES.index(happened.box.rarity))
        return following
    assert isinstance(happened, Used)
    drawn = Drawn(
        NOWHERE if happened.drawn is None else happened.drawn,
        PIECES[happened.reanimated] & KIND if happened.reanimated else EMPTY,
    )
    target = NOWHERE if happened.target is None else happened.target
    return after_power(position, happened.power, target, drawn)


def test_states_made_of_events_are_the_positions_that_the_rules_make(games: Any) -> None:
    for steps, last in games:
        position = translated(steps[0][0])
        for (state, events), following in zip(steps, [*(s for s, _ in steps[1:]), last], strict=True):
            assert everything(position) == everything(translated(state))
            position = followed(position, events)
            if following.ending is not None and following.ending.reason == "king":
                assert position.winner is not None
                assert everything(position)[0] == everything(translated(following))[0]
                assert everything(position)[2:4] == everything(translated(following))[2:4]


def test_the_position_that_goes_with_a_state_is_the_one_that_it_describes(games: Any) -> None:
    for steps, last in games:
        for state in (*(state for state, _ in steps), last):
            assert everything(position_of(state)) == everything(translated(state))


def test_the_position_that_goes_with_a_state_is_no_part_of_it(games: Any) -> None:
    for steps, _ in games:
        state = steps[-1][0]
        alone = replace(state)
        assert state.__dict__
        assert not alone.__dict__
        assert state == alone
        assert msgspec.json.encode(state) == msgspec.json.encode(alone)


def test_a_decision_that_is_not_carried_out_leaves_nothing_behind() -> None:
    state = GAME.replay(GAME.begin(PowerChessOptions(), 2, Random(1)))
    e4, d4, again = (
        decided(state, WHITE, Move(sq(move[:2]), sq(move[2:])), ChanceDraws(Random(1)))[0]
        for move in ("e2e4", "d2d4", "d2d4")
    )
    for event in (e4, d4, again, again):
        following = evolve(state, event)
        assert everything(position_of(following)) == everything(translated(following))


def test_every_power_and_every_kind_of_box_comes_up_in_those_games(games: Any) -> None:
    used = {
        event.power
        for steps, _ in games
        for _, events in steps
        for event in events
        if isinstance(event, Used)
    }
    assert used == {power for known in POWERS for power in known}
    assert any(
        event.saved is not None for steps, _ in games for _, (event, *_) in steps if isinstance(event, Moved)
    )


def test_one_by_one_the_pieces_have_the_moves_that_all_have_together(games: Any) -> None:
    for steps, _ in games:
        for state, _ in steps:
            if state.choice is None:
                position = position_of(state)
                one_by_one = [
                    start << 6 | end
                    for start in squares_in(position.own(position.turn))
                    for end in squares_in(targets_of(position, start))
                ]
                assert sorted(one_by_one) == sorted(moves(position))
                assert can_move(position)


def test_a_square_holds_one_thing_and_sides_are_where_their_pieces_are(games: Any) -> None:
    for steps, _ in games:
        for state, _ in steps:
            position = position_of(state)
            holes, boxes = position.effects.hole_bits, position.box_bits
            pieces = position.white | position.black
            assert not pieces & (holes | boxes)
            assert not holes & boxes
            assert position.effects.marked & ~pieces == 0
            assert all(
                bool(piece) == bool(pieces >> square & 1) for square, piece in enumerate(position.board)
            )


def test_the_updates_are_what_differs_from_the_picture_before(games: Any) -> None:
    for steps, last in games:
        for (state, events), following in zip(steps, [*(s for s, _ in steps[1:]), last], strict=True):
            picture, happened = pictured(state), events[0]
            assert isinstance(happened, Moved | Used)
            if isinstance(happened, Moved):
                picture[happened.end], picture[happened.start] = picture[happened.start], "."
            elif happened.power in ("adjust", "second_effort"):
                assert happened.target is not None
                picture[happened.target], picture[happened.square] = picture[happened.square], "."
            now = pictured(following)
            told = {update.square: update.shown for update in happened.updates}
            assert told == {square: now[square] for square in range(64) if now[square] != picture[square]}


def pictured(state: PowerChessState) -> list[str]:
    """What is to be seen, square by square, told from the state alone."""
    found = list(state.board)
    for box in state.boxes:
        found[box.square] = box.rarity
    for hole in state.holes:
        found[hole.square] = "hole"
    for mark in state.marks:
        found[mark.square] += "+" if mark.shield or mark.guard else ""
    return found


# Secrets


def test_nobody_but_the_chooser_is_shown_what_is_offered(games: Any) -> None:
    for steps, _ in games:
        for viewer in (WHITE, BLACK, None):
            seen = GAME.replay(GAME.begin(PowerChessOptions(), 2, Random(0)))
            for _, events in steps:
                for event in events:
                    shown = GAME.view(event, viewer)
                    assert shown is not None
                    if isinstance(event, Offered) and event.seat != viewer:
                        assert not any(
                            power.encode() in msgspec.json.encode(shown) for power in event.powers
                        ), "what is told names no power"
                    seen = GAME.evolve(seen, shown)
                if seen.choice is not None and seen.turn != viewer:
                    assert seen.choice.powers == (UNSEEN, UNSEEN)


def test_when_the_next_box_comes_stands_nowhere() -> None:
    """Two games whose boxes come at different times are the same game until the first of them comes."""
    states = []
    for seed in range(40):
        state = GAME.replay(GAME.begin(PowerChessOptions(), 2, Random(seed)))
        for event in GAME.decide(state, WHITE, step("e2e4"), Random(seed)):
            state = GAME.evolve(state, event)
        states.append(state)
    assert len(set(map(msgspec.json.encode, states))) == 1


# Chance


def test_a_box_comes_with_the_second_third_or_fourth_move_each_as_likely() -> None:
    draws = ChanceDraws(Random(5))
    waits = Counter(next(wait for wait in range(1, 9) if draws.box_is_due(wait)) for _ in range(9_000))
    assert set(waits) == {2, 3, 4}
    assert all(2_800 < count < 3_200 for count in waits.values())


def test_boxes_come_in_the_middle_ranks_with_their_weights() -> None:
    draws = ChanceDraws(Random(5))
    squares = spawn_squares(ALL)
    assert {square >> 3 for square in squares} == {2, 3, 4, 5}
    drawn = [draws.box(squares) for _ in range(40_000)]
    where = Counter(NAMES[square] for square, _ in drawn)
    whole = 8 * 40 + 8 * 50 + 8 * 70 + 8 * 80
    for name, weight in (("a3", 40), ("g6", 40), ("c3", 50), ("f6", 50), ("b4", 70), ("h5", 70), ("d4", 80)):
        assert where[name] == pytest.approx(40_000 * weight / whole, rel=0.15)
    rarities = Counter(rarity for _, rarity in drawn)
    assert rarities["common"] == pytest.approx(28_000, rel=0.03)
    assert rarities["rare"] == pytest.approx(10_000, rel=0.05)
    assert rarities["legendary"] == pytest.approx(2_000, rel=0.1)


def test_two_powers_that_can_be_used_are_offered(games: Any) -> None:
    offers = 0
    for steps, _ in games:
        for state, _ in steps:
            if state.choice is not None:
                first, second = state.choice.powers
                position = position_of(state)
                assert first != second
                assert playable(position, first)
                assert playable(position, second)
                offers += 1
    assert offers > 100


def test_a_king_is_never_offered_to_be_awakened() -> None:
    state = replace(from_fen("4k3/8/8/8/8/8/3K4/8 w - - 0 1"), boxes=(Box(sq("d3"), "legendary"),))
    for seed in range(50):
        events = decided(state, WHITE, step("d2d3"), WrittenDraws(Random(seed)))
        assert isinstance(events[-1], Offered)
        assert "awaken" not in events[-1].powers
    assert refused(choosing(state, "d2", "awaken"), Use("awaken")) == "illegal_power"


def test_a_box_that_finds_no_vacant_square_begins_the_wait_anew() -> None:
    full = "4k3/8/" + "/".join(["PpPpPpPp"] * 4) + "/8/4K3 w - - 0 1"
    state = replace(from_fen(full), waiting_since=0, ply=3)
    (moved,) = decided(state, WHITE, step("e1d1"), WrittenDraws(next_box_in=4))
    assert isinstance(moved, Moved)
    assert (moved.due, moved.box) == (True, None)
    assert evolve(state, moved).waiting_since == 4
