"""Topple: the recorded vectors, and the rules around them."""

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from gamut.games.game import Outcome, Refused, Seat
from gamut.games.topple import scoring
from gamut.games.topple.cascade import cascade
from gamut.games.topple.events import Began, Event, Moved, Place, Removed, Resumed, Skipped
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.rules import Topple
from gamut.games.topple.state import Setup, ToppleState, following, usual_team
from gamut.games.topple.topology import MOST_TILES, TOPOLOGIES, described, field, tile_name

VECTORS = Path(__file__).parents[2] / "vectors" / "topple"
GAME = Topple()
CHANCE = Random(0)


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))["cases"]


def digest(board: Iterable[int], owners: Iterable[int]) -> str:
    text = ",".join(map(str, board)) + "|" + ",".join(map(str, owners))
    return sha256(text.encode()).hexdigest()[:16]


def begun(seats: int = 2, **options: Any) -> ToppleState:
    return GAME.replay(GAME.begin(msgspec.convert(options, ToppleOptions), seats, CHANCE))


def after(state: ToppleState, *tiles: int) -> ToppleState:
    """The position after these tiles were played in turn."""
    for tile in tiles:
        assert state.turn is not None
        for event in GAME.decide(state, state.turn, Place(tile), CHANCE):
            state = GAME.evolve(state, event)
    return state


def happened(state: ToppleState, events: Iterable[Event]) -> ToppleState:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def flagged(state: ToppleState) -> ToppleState:
    assert state.turn is not None
    return happened(state, GAME.flag(state, state.turn, CHANCE))


def left(state: ToppleState, seat: int) -> ToppleState:
    return happened(state, GAME.quit(state, Seat(seat), CHANCE))


def position(
    board: list[int],
    owners: list[int],
    *,
    x: int,
    teams: tuple[int, ...] = (1, 2),
    turn: int = 0,
    **more: Any,
) -> ToppleState:
    setup = Setup(0, x, len(board) // x, teams, **more)
    scores = scoring.start(setup.scoring)
    alive = tuple(team > 0 for team in teams)
    return GAME.evolve(None, Resumed(setup, bytes(board), bytes(owners), alive, Seat(turn), scores))


def refusal(state: ToppleState, seat: int, tile: int) -> str:
    with pytest.raises(Refused) as refused:
        GAME.decide(state, Seat(seat), Place(tile), CHANCE)
    return refused.value.code


# Recorded


@pytest.mark.parametrize("case", vectors("topologies.json"), ids=lambda case: case["dstr"])
def test_neighbours_are_listed_as_recorded(case: dict[str, Any]) -> None:
    on = field(case["t"], **case["d"])
    assert on.tiles == case["c"]
    assert [list(near) for near in on.neighbours] == case["neighbors"]
    assert list(on.limits) == [len(near) for near in case["neighbors"]]
    assert described(case["t"], **case["d"]) == case["dstr"]


def test_every_recorded_move_has_the_recorded_consequences() -> None:
    cases = vectors("cascades.json")
    for case in cases:
        topology, players, expected = case["topology"], case["players"], case["after"]
        count = max(player["n"] for player in players)
        teams, alive = [0] * count, [False] * count
        for player in players:
            teams[player["n"] - 1], alive[player["n"] - 1] = player["team"], player["alive"]
        mover = Seat(case["turn"] - 1)
        state = ToppleState(
            setup=Setup(topology["t"], topology["x"], topology["y"], tuple(teams)),
            board=bytes(case["board"]),
            owners=bytes(case["teamboard"]),
            owned=tuple(case["owned"]),
            alive=tuple(alive),
            turn=mover,
            scores=(None,) * 7,
        )
        state = GAME.evolve(state, Moved(mover, case["move"]))
        assert list(state.board) == expected["board"]
        assert list(state.owners) == expected["teamboard"]
        assert list(state.owned) == expected["owned"]
        assert [seat + 1 for seat in state.fell] == expected["eliminated"]
        assert [seat for seat, living in enumerate(state.alive) if living] == [
            seat for seat, living in enumerate(alive) if living and seat + 1 not in expected["eliminated"]
        ]
        assert (state.turn is None) == expected["win"]
        assert state.winner == expected["winner"]
        assert (None if state.turn is None else state.turn + 1) == expected["turn"]
    assert len(cases) == 400


@pytest.mark.parametrize("case", vectors("games.json"), ids=lambda case: f"game {case['id']}")
def test_a_recorded_game_plays_as_it_did(case: dict[str, Any]) -> None:
    topology = case["topology"]
    teams = tuple(team for _, team in case["players"])
    assert teams == tuple(map(usual_team, range(len(teams))))
    state = begun(
        len(teams),
        topology=TOPOLOGIES[topology["t"]],
        x=topology["x"],
        y=topology["y"],
        scoring=case["scoring"],
    )
    eliminations = []
    for move, ((player, tile), recorded) in enumerate(zip(case["moves"], case["digests"], strict=True)):
        assert GAME.awaited(state) == (player - 1,)
        state = after(state, tile)
        assert digest(state.board, state.owners) == recorded
        eliminations += [[move, seat + 1] for seat in sorted(state.fell)]
    final = case["final"]
    assert eliminations == case["eliminations"]
    assert list(state.board) == final["board"]
    assert list(state.owners) == final["teamboard"]
    assert list(state.owned) == final["owned"]
    assert state.turn is None
    if case["scoring"] == "elim":
        assert state.winner == final["winner_team"]
        assert state.scores == ranked_among_players(final["scores"], len(teams))
    else:
        assert list(state.scores) == final["scores"]
        assert final["scores"][state.winner] == max(final["scores"])


def ranked_among_players(recorded: list[int | None], players: int) -> tuple[int | None, ...]:
    """The recorded ranks, with those left out that were given to teams without players."""
    playing = range(1, min(6, players) + 1)
    order = sorted((rank, team) for team in playing if (rank := recorded[team]) is not None)
    scores: list[int | None] = [None] * 7
    for place, (_, team) in enumerate(reversed(order)):
        scores[team] = players - place
    return tuple(scores)


def test_ranks_are_given_as_recorded_when_every_team_counts() -> None:
    for case in vectors("games.json"):
        if case["scoring"] != "elim":
            continue
        topology, players = case["topology"], case["players"]
        state = GAME.evolve(
            None,
            Began(Setup(topology["t"], topology["x"], topology["y"], tuple(team for _, team in players))),
        )
        scores = state.scores
        for player, tile in case["moves"]:
            state = GAME.evolve(state, Moved(Seat(player - 1), tile))
            if not state.owned[0]:
                scores = scoring.after_move("elim", scores, state.owned, range(1, 7), len(players), list)
        assert list(scores) == case["final"]["scores"]


# Topologies and moves


def test_a_joined_side_of_one_or_two_lists_neighbours_twice() -> None:
    assert field(3, 1, 1).neighbours == ((0, 0, 0, 0),)
    assert field(1, 2, 1).neighbours == ((1, 1), (0, 0))
    assert field(0, 1, 1).neighbours == ((),)


def test_a_tile_is_named_by_column_and_row() -> None:
    assert tile_name(0, 4) == "1x1"
    assert tile_name(7, 4) == "4x2"


def test_what_is_wrong_is_said() -> None:
    start = begun(x=2, y=2)
    assert refusal(start, 1, 0) == "not_your_turn"
    assert refusal(start, -1, 0) == "not_your_turn"
    assert refusal(start, 0, 4) == "no_such_tile"
    assert refusal(start, 0, -1) == "no_such_tile"
    assert refusal(after(start, 0), 1, 0) == "not_yours"
    won = after(start, 0, 3, 0, 3)
    assert won.winner == 2
    assert refusal(won, 0, 0) == "over"
    assert refusal(won, 1, 0) == "over"


def test_an_action_on_the_wire() -> None:
    assert msgspec.json.decode(b'{"type":"place","tile":5}', type=Place) == Place(5)
    assert msgspec.json.encode(Moved(Seat(1), 5)) == b'{"type":"moved","seat":1,"tile":5}'
    for wrong in (
        b'{"type":"place","tile":1296}',
        b'{"type":"place","tile":-1}',
        b'{"type":"place","tile":1.5}',
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(wrong, type=Place)


def test_the_little_game_of_the_protocol_ends_half_settled() -> None:
    state = after(begun(x=2, y=2), 0, 3, 0, 3)
    assert list(state.owners) == [2, 2, 2, 2]
    assert sum(state.board) < 4 + 4, "the pieces that were still falling are gone"
    assert GAME.outcome(state) == Outcome(winners=(Seat(1),), reason="everything")


def test_a_tile_topples_with_one_piece_more_than_neighbours_and_keeps_one() -> None:
    state = after(begun(x=3, y=3), 4, 0, 4, 0)
    assert state.board[4] == 3
    assert state.board[0] == 1
    assert list(state.owners) == [2, 2, 0, 2, 1, 0, 0, 0, 0]


def test_the_last_capture_wins_before_its_piece_is_placed() -> None:
    board, owners, owned = bytearray([1, 1]), bytearray([1, 2]), [0, 1, 1, 0, 0, 0, 0]
    topples, emptied = cascade(field(0, 2, 1), board, owners, owned, 0, 1)
    assert (topples, emptied) == (1, [2])
    assert (list(board), list(owners)) == ([1, 1], [1, 1])


def test_a_board_of_one_tile_is_won_with_the_first_move() -> None:
    for topology in TOPOLOGIES:
        state = after(begun(topology=topology, x=1, y=1), 0)
        assert state.winner == 1
        assert list(state.board) == [1]


def test_a_cascade_that_would_never_settle_wins() -> None:
    for topology in range(4):
        on = field(topology, 36, 36)
        board, owners = bytearray(on.limits), bytearray([2]) * on.tiles
        owners[0] = 1
        owned = [0, 1, on.tiles - 1, 0, 0, 0, 0]
        cascade(on, board, owners, owned, 0, 1)
        assert owned[1] == on.tiles


# Players and turns


def test_seven_and_up_share_teams_but_have_turns_of_their_own() -> None:
    state = begun(10)
    assert state.setup.teams == (1, 2, 3, 4, 5, 6, 1, 2, 3, 4)
    state = after(state, *range(10))
    assert state.turn == 0
    assert (state.owners[0], state.owners[6]) == (1, 1)
    assert refusal(after(state, 6), 1, 0) == "not_yours"


def test_the_turn_goes_round_over_those_who_are_left() -> None:
    assert following((True, False, True), 0) == 2
    assert following((True, False, True), 2) == 0
    assert following((False, True, False), 1) is None
    assert following((False, False), 1) is None


def test_the_first_turn_belongs_to_the_lowest_seat_that_is_taken() -> None:
    state = GAME.replay(GAME.begin_with_empty_seats(ToppleOptions(), 5, [Seat(0), Seat(2), Seat(3)], CHANCE))
    assert state.setup.teams == (0, 2, 0, 0, 5)
    assert GAME.awaited(state) == (1,)
    state = after(state, 0)
    assert state.turn == 4
    assert after(state, 1).turn == 1
    with pytest.raises(Refused):
        GAME.quit(state, Seat(0), CHANCE)


def test_only_the_first_turn_is_not_timed() -> None:
    start = begun(3)
    assert start.first
    assert not after(start, 0).first
    assert not left(start, 0).first, "the turn has passed"
    assert left(start, 1).first


def test_teams_can_be_agreed_but_there_must_be_two() -> None:
    assert begun(4, teams=(1, 2, 1)).setup.teams == (1, 2, 1, 4)
    assert begun(2, teams=(6, 5, 4)).setup.teams == (6, 5)
    for options, seats, empty in (
        (ToppleOptions(teams=(3, 3)), 2, ()),
        (ToppleOptions(), 7, map(Seat, range(1, 6))),
    ):
        with pytest.raises(Refused) as refused:
            GAME.begin_with_empty_seats(options, seats, list(empty), CHANCE)
        assert refused.value.code == "one_team"


# The end


def test_nobody_falls_while_a_tile_is_neutral() -> None:
    state = position([2, 1, 1, 1], [1, 2, 0, 0], x=4, teams=(1, 2, 3))
    state = after(state, 0)
    assert state.owned[2] == 0
    assert state.alive == (True, True, True)
    assert state.turn == 1


def test_whoever_had_nothing_falls_with_the_last_neutral_tile() -> None:
    state = position([1, 1, 2, 1], [1, 1, 3, 0], x=4, teams=(1, 2, 3, 4), turn=2)
    assert state.owned[2] == 0
    state = after(state, 3)
    assert state.fell == (1, 3)
    assert state.alive == (True, False, True, False)
    assert state.turn == 0
    assert state.winner is None
    with pytest.raises(Refused):
        GAME.quit(state, Seat(1), CHANCE)


def test_the_mover_wins_when_nobody_else_is_left_in_the_turn_order() -> None:
    state = left(position([1, 2, 1, 1], [1, 1, 2, 3], x=4, teams=(1, 2, 3)), 2)
    assert state.winner is None
    state = after(state, 1)
    assert list(state.owners) == [1, 1, 1, 3], "the leaver's tile stays the leaver's"
    assert GAME.outcome(state) == Outcome(winners=(Seat(0),), reason="alone")


def test_tiles_of_a_leaver_stay_and_the_turn_passes() -> None:
    state = left(after(begun(3), 0, 1, 2), 0)
    assert list(state.owners[:3]) == [1, 2, 3]
    assert state.turn == 1
    assert state.winner is None
    assert after(left(after(begun(3), 0), 2), 1).turn == 0


def test_the_last_team_standing_wins_at_once() -> None:
    state = left(after(begun(2), 0), 0)
    assert GAME.outcome(state) == Outcome(winners=(Seat(1),), reason="alone")
    assert GAME.awaited(state) == ()
    with pytest.raises(Refused):
        GAME.quit(state, Seat(1), CHANCE)
    partners = left(left(begun(8), 2), 3)
    for seat in (4, 5, 1):
        partners = left(partners, seat)
        assert partners.winner is None
    assert GAME.outcome(left(partners, 7)) == Outcome(winners=(Seat(0), Seat(6)), reason="alone")


def test_a_fallen_flag_moves_at_random_by_default() -> None:
    state = flagged(after(begun(), 0))
    assert state.turn == 0
    assert state.owned[2] == 1


def test_a_fallen_flag_may_skip_the_turn() -> None:
    before = after(begun(penalty="skip"), 0)
    state = flagged(before)
    assert (state.board, state.owners, state.alive) == (before.board, before.owners, before.alive)
    assert state.turn == 0
    assert GAME.flag(before, Seat(1), CHANCE) == (Skipped(Seat(1)),)


def test_a_fallen_flag_may_lose_the_game() -> None:
    state = flagged(after(begun(3, penalty="lose"), 0))
    assert state.alive == (True, False, True)
    assert state.turn == 2
    state = flagged(state)
    assert GAME.outcome(state) == Outcome(winners=(Seat(0),), reason="alone")
    assert GAME.flag(begun(penalty="lose"), Seat(0), CHANCE) == (Removed(Seat(0), "lost"),)


def resigned(state: ToppleState, seat: int) -> ToppleState:
    return happened(state, GAME.resign(state, Seat(seat), CHANCE))


@pytest.mark.parametrize("counted", ["elim", "tile", "piece"])
@pytest.mark.parametrize("seat", [0, 1])
def test_where_two_play_either_may_resign_and_has_not_won_whatever_the_points(
    counted: str, seat: int
) -> None:
    state = resigned(after(begun(scoring=counted), 0), seat)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((Seat(1 - seat),), "resigned")
    assert GAME.awaited(state) == ()


def test_among_more_nobody_resigns_until_two_are_left() -> None:
    state = after(begun(3), 0)
    with pytest.raises(Refused) as refusal:
        GAME.resign(state, Seat(0), CHANCE)
    assert refusal.value.code == "no_resigning"
    state = left(state, 1)
    with pytest.raises(Refused) as refusal:
        GAME.resign(state, Seat(1), CHANCE)
    assert refusal.value.code == "out"
    assert resigned(state, 2).winner == 1


def test_when_everybody_is_skipped_for_too_long_tiles_are_counted() -> None:
    state = after(begun(3, penalty="skip", idle_rounds=2), 0, 1, 2, 3)
    for _ in range(5):
        state = flagged(state)
        assert state.winner is None
    moved = after(state, 0)
    assert moved.idle == 0
    assert GAME.outcome(flagged(state)) == Outcome(winners=(Seat(0),), reason="idle")


def test_with_time_for_the_whole_game_it_ends_when_nobody_has_any_left() -> None:
    state = after(flagged(begun(penalty="skip", idle_rounds=1)), 0)
    assert state.winner is None
    state = flagged(after(flagged(state), 0))
    assert state.winner is None
    assert flagged(state).winner == 2


@pytest.mark.parametrize(
    ("board", "owners", "winner"),
    [
        ([1, 1, 1, 1], [1, 2, 2, 0], 2),
        ([1, 3, 2, 1], [1, 2, 1, 2], 2),
        ([1, 2, 2, 1], [2, 1, 2, 1], 1),
    ],
    ids=["tiles", "pieces", "lowest team"],
)
def test_counting_goes_by_tiles_then_pieces_then_the_lowest_team(
    board: list[int], owners: list[int], winner: int
) -> None:
    state = position(board, owners, x=4, penalty="skip", idle_rounds=1)
    assert flagged(flagged(state)).winner == winner


# Scoring


def test_tiles_and_pieces_are_added_up_after_each_move() -> None:
    assert after(begun(scoring="tile"), 7, 8, 7).scores[:3] == (0, 3, 2)
    assert after(begun(scoring="piece"), 7, 8, 7).scores[:3] == (0, 2 + 2 + 3, 2 + 2)


def test_the_best_score_wins_and_in_a_tie_whoever_is_left_standing() -> None:
    assert scoring.best("tile", (0, 5, 9, 0, 0, 0, 0), standing=1) == 2
    assert scoring.best("tile", (0, 9, 9, 0, 0, 0, 0), standing=2) == 2
    assert scoring.best("piece", (0, 1, 9, 9, 0, 0, 0), standing=1) == 2
    assert scoring.best("elim", (None, 5, None, None, None, None, None), standing=2) == 2


def test_scores_decide_and_are_told_by_seat() -> None:
    state = after(begun(3, scoring="tile"), 0, 1, 2, 3)
    state = left(left(state, 0), 1)
    assert GAME.outcome(state) == Outcome(winners=(Seat(0),), reason="alone", scores=(5, 3, 2))


# Options


def test_a_board_has_at_most_225_tiles() -> None:
    assert msgspec.convert({"x": 15, "y": 15}, ToppleOptions).x == 15
    assert msgspec.convert({"x": 36, "y": 6}, ToppleOptions).x * 6 <= MOST_TILES
    for wrong in (
        {"x": 16, "y": 15},
        {"x": 0},
        {"y": 37},
        {"topology": "torus"},
        {"teams": [7]},
        {"speed": 1},
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, ToppleOptions)


def test_events_from_before_are_still_understood() -> None:
    log = [
        b'{"type":"began","setup":{"topology":3,"x":3,"y":2,"teams":[1,2]}}',
        b'{"type":"moved","seat":0,"tile":0}',
        b'{"type":"skipped","seat":1}',
        b'{"type":"moved","seat":0,"tile":0}',
        b'{"type":"removed","seat":0,"why":"left"}',
    ]
    state = GAME.replay(msgspec.json.decode(line, type=GAME.event_type) for line in log)
    assert list(state.board) == [3, 1, 1, 1, 1, 1]
    assert state.winner == 2
