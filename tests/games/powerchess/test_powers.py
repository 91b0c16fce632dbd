"""Power Chess move by move: promotion, en passant, castling, and powers that meet each other."""

from random import Random

import pytest
from msgspec.structs import replace
from tests.games.support.powerchess_tables import (
    WrittenDraws,
    choosing,
    done,
    from_fen,
    played,
    refused,
    sq,
    step,
)

from gamut.games.game import Refused, Seat
from gamut.games.powerchess.decide import decided, legal
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.state import Box, Ended, Hole, Marks, Move, Moved, PowerChessState, Use

GAME = PowerChess()
WHITE, BLACK = Seat(0), Seat(1)


def at(state: PowerChessState, name: str) -> str:
    return state.board[sq(name)]


# Promotion


def test_a_pawn_becomes_what_its_player_says_and_only_on_the_last_rank() -> None:
    state = from_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    for promotion, letter in (("queen", "Q"), ("rook", "R"), ("bishop", "B"), ("knight", "N")):
        move = Move(sq("a7"), sq("a8"), promotion)  # type: ignore[arg-type]
        assert move in legal(state, WHITE)
        assert at(done(state, move), "a8") == letter
    assert refused(state, Move(sq("e1"), sq("e2"), "rook")) == "illegal_move"
    energized = replace(state, energized=(10, 0))
    assert refused(energized, Move(sq("a7"), sq("a8"), "rook")) == "illegal_move"
    assert at(done(energized, step("a7a8")), "a8") == "P"


def test_an_energized_pawn_on_the_last_rank_becomes_a_queen_when_energize_ends() -> None:
    state = replace(from_fen("8/8/4k3/8/P7/8/8/4K3 w - - 0 1"), energized=(2, 0))
    state = played(state, "a4a8")
    assert at(state, "a8") == "P"
    (moved,) = decided(state, BLACK, step("e6e5"), WrittenDraws())
    assert isinstance(moved, Moved)
    assert [(update.square, update.shown) for update in moved.updates] == [(sq("a8"), "Q")]
    assert moved.energized == (0, 0)


# En passant


def test_a_box_on_the_skipped_square_is_taken_with_the_pawn() -> None:
    state = played(from_fen("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), "e2e4")
    state = done(replace(state, boxes=(Box(sq("e3"), "common"),)), step("d4e3"))
    assert (at(state, "e4"), at(state, "e3"), state.graves) == (".", "p", ("P", ""))
    assert state.choice is not None
    assert state.turn == BLACK


def test_a_pawn_that_is_shielded_or_awake_is_not_taken_in_passing() -> None:
    state = played(from_fen("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), "e2e4")
    shielded = replace(state, marks=(Marks(sq("e4"), shield=6),))
    assert refused(shielded, step("d4e3")) == "illegal_move"
    boxed = done(replace(shielded, boxes=(Box(sq("e3"), "common"),)), step("d4e3"))
    assert at(boxed, "e4") == "P", "the box is taken, the pawn is not"
    board = state.board[: sq("e4")] + "Q" + state.board[sq("e4") + 1 :]
    awake = replace(state, board=board, marks=(Marks(sq("e4"), awake=8, really="P"),))
    assert refused(awake, step("d4e3")) == "illegal_move"
    holed = replace(state, holes=(Hole(sq("e3"), 9),))
    assert refused(holed, step("d4e3")) == "illegal_move"


def test_a_pawn_that_a_power_took_away_is_not_taken_in_passing_nor_is_what_stands_there_instead() -> None:
    state = from_fen("4k3/8/8/8/3p4/P7/4P3/4K3 w - - 0 1")
    state = replace(state, boxes=(Box(sq("e4"), "common"),))
    draws = WrittenDraws()
    draws.offers = [(4, 3)]
    state = done(done(state, step("e2e4"), draws), Use("swap", sq("a3")))
    assert (at(state, "e4"), at(state, "a3")) == ("P", "P")
    assert refused(state, step("d4e3")) == "illegal_move"


def test_a_net_saves_a_pawn_that_is_taken_in_passing() -> None:
    state = played(from_fen("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), "e2e4")
    state = replace(state, marks=(Marks(sq("e4"), net=True),))
    draws = WrittenDraws()
    draws.home = sq("a1")
    after_it = done(state, step("d4e3"), draws)
    assert (at(after_it, "a1"), at(after_it, "e4"), at(after_it, "e3")) == ("P", ".", "p")
    assert (after_it.graves, after_it.marks) == (("", ""), ())


# Castling


def test_castling_needs_vacant_squares_to_land_on_and_a_rook_that_is_not_awake() -> None:
    state = from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert at(played(state, "e1c1"), "d1") == "R"
    assert refused(replace(state, boxes=(Box(sq("d1"), "common"),)), step("e1c1")) == "illegal_move"
    assert at(done(replace(state, boxes=(Box(sq("b1"), "common"),)), step("e1c1")), "c1") == "K"
    awake = state.board[:7] + "Q" + state.board[8:]
    awake_rook = replace(state, board=awake, marks=(Marks(7, awake=8, really="R"),))
    assert refused(awake_rook, step("e1g1")) == "illegal_move"


def test_a_king_and_a_rook_take_what_lies_on_them_along_when_they_castle() -> None:
    state = replace(
        from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), marks=(Marks(4, shield=6), Marks(7, net=True))
    )
    assert played(state, "e1g1").marks == (Marks(5, net=True), Marks(6, shield=6))


# Powers that meet


def test_a_saved_king_is_not_lost_and_may_go_to_the_square_that_the_attacker_left() -> None:
    state = from_fen("Rnbqkbnr/8/8/8/8/8/8/K7 w - - 0 1")
    state = replace(state, marks=(Marks(sq("b8"), net=True),))
    (moved,) = decided(state, WHITE, step("a8b8"), WrittenDraws())
    assert isinstance(moved, Moved)
    assert (moved.saved, moved.captured) == (sq("a8"), "")
    king = replace(state, board=state.board.replace("nbqk", "kbqn"))
    after_it = done(king, step("a8b8"))
    assert (after_it.ending, at(after_it, "a8"), at(after_it, "b8")) == (None, "k", "R")


def test_both_last_kings_gone_by_an_eye_for_an_eye_is_a_draw() -> None:
    state = choosing(from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "e1", "eye_for_an_eye")
    assert done(state, Use("eye_for_an_eye", sq("e8"))).ending == Ended(None, "king")


def test_who_gives_the_own_last_king_for_a_piece_has_lost() -> None:
    state = choosing(from_fen("3rk3/8/8/8/8/8/8/4K3 w - - 0 1"), "e1", "eye_for_an_eye")
    assert done(state, Use("eye_for_an_eye", sq("d8"))).ending == Ended(BLACK, "king")


def test_with_two_kings_one_may_be_lost() -> None:
    state = from_fen("k2r3k/8/8/8/8/8/8/R3K3 w - - 0 1")
    after_it = played(state, "a1a8")
    assert (after_it.ending, after_it.graves) == (None, ("", ""))
    assert played(after_it, "d8d7", "a8h8").ending == Ended(WHITE, "king")


def test_rewind_does_not_take_back_a_piece_that_was_swapped_since() -> None:
    state = replace(from_fen("4k3/8/n7/8/8/8/8/RN2K3 b - - 0 1"), boxes=(Box(sq("b4"), "common"),))
    draws = WrittenDraws()
    draws.offers = [(4, 3)]
    state = done(done(state, step("a6b4"), draws), Use("swap", sq("e8")))
    assert at(state, "b4") == "k"
    rewound = done(choosing(state, "a1", "rewind"), Use("rewind"))
    assert rewound.board == state.board


def test_rewind_needs_a_vacant_start_square_and_works_once() -> None:
    state = played(from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1"), "e8e7")
    boxed = choosing(replace(state, boxes=(Box(sq("e8"), "common"),)), "a1", "rewind")
    assert done(boxed, Use("rewind")).board == state.board
    once = done(choosing(state, "a1", "rewind"), Use("rewind"))
    assert at(once, "e8") == "k"
    again = done(choosing(replace(once, turn=WHITE), "a1", "rewind"), Use("rewind"))
    assert again.board == once.board


def test_what_is_awake_is_buried_and_cloned_as_what_it_really_is() -> None:
    awake = (Marks(sq("d4"), awake=8, really="N"),)
    state = replace(from_fen("4k3/8/8/8/3Q4/8/8/4K2r w - - 0 1"), marks=awake)
    cloned = done(choosing(state, "d4", "clone"), Use("clone"))
    assert sorted(cloned.board[:8].replace(".", "")) == ["K", "N", "r"]
    attacked = from_fen("3rk3/8/8/8/3Q4/8/8/4K3 b - - 0 1")
    assert done(replace(attacked, marks=awake), step("d8d4")).graves == ("N", "")


def test_swap_takes_effects_along_and_promotes() -> None:
    state = replace(from_fen("3R4/4k3/8/8/3P4/8/8/4K3 w - - 0 1"), marks=(Marks(sq("d4"), shield=6),))
    swapped = done(choosing(state, "d4", "swap"), Use("swap", sq("d8")))
    assert (at(swapped, "d8"), at(swapped, "d4")) == ("Q", "R")
    assert swapped.marks == (Marks(sq("d8"), shield=6),)


def test_a_shield_ends_with_a_capture_but_not_when_a_net_saves() -> None:
    state = from_fen("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1")
    state = replace(state, marks=(Marks(sq("d1"), shield=6),))
    assert played(state, "d1d5").marks == ()
    netted = replace(state, marks=(*state.marks, Marks(sq("d5"), net=True)))
    assert played(netted, "d1d5").marks == (Marks(sq("d5"), shield=6),)


def test_a_power_never_shortens_what_lasts_already() -> None:
    state = replace(from_fen("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1"), marks=(Marks(sq("d4"), 9, 9),))
    awake = done(choosing(state, "d4", "awaken"), Use("awaken"))
    assert awake.marks == (Marks(sq("d4"), shield=9, guard=9, awake=8, really="N"),)
    assert done(choosing(state, "d4", "shield"), Use("shield")).marks == state.marks


def test_whoever_has_no_move_draws_also_after_a_power() -> None:
    state = from_fen("7k/6pp/6PP/8/8/8/8/4K3 w - - 0 1")
    marks = (Marks(sq("g6"), shield=6), Marks(sq("h6"), shield=6))
    state = choosing(replace(state, marks=marks), "e1", "black_hole")
    assert done(state, Use("black_hole", sq("g8"))).ending == Ended(None, "no_move")


def test_nothing_ends_or_comes_any_more_with_the_move_that_takes_the_last_king() -> None:
    state = from_fen("4k3/8/8/8/8/8/8/R3R1K1 w - - 0 1")
    state = replace(state, holes=(Hole(sq("d4"), 1),), energized=(0, 1), waiting_since=0)
    over = done(state, step("e1e8"), WrittenDraws(next_box_in=1))
    assert over.ending == Ended(WHITE, "king")
    assert (over.holes, over.energized, over.boxes, over.ply) == (state.holes, (0, 1), (), 0)


# Around the board


def test_an_offer_of_a_draw_lapses_with_a_move_and_not_with_a_power() -> None:
    state = replace(from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), boxes=(Box(sq("a4"), "common"),))
    moved = decided(state, WHITE, step("a1a4"), WrittenDraws())
    assert not GAME.keeps_offers(state, WHITE, moved)
    choice = choosing(state, "a1", "shield")
    assert GAME.keeps_offers(choice, WHITE, decided(choice, WHITE, Use("shield"), WrittenDraws()))


def test_either_side_may_resign_or_run_out_of_time_at_any_moment() -> None:
    state = from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    for seat in (WHITE, BLACK):
        assert GAME.quit(state, seat, Random(0)) == [Ended(Seat(1 - seat), "resigned")]
        assert GAME.flag(state, seat, Random(0)) == [Ended(Seat(1 - seat), "time")]
    assert GAME.draw(state) == [Ended(None, "agreed")]


def test_what_is_refused_says_why_in_a_code() -> None:
    state = from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    assert refused(state, Use("shield")) == "no_choice"
    assert refused(state, step("a2a3")) == "illegal_move"
    choice = choosing(state, "a1", "adjust")
    assert refused(choice, step("a1a2")) == "choose_first"
    assert refused(choice, Use("swap", sq("e1"))) == "not_offered"
    assert refused(choice, Use("adjust")) == "target_needed"
    assert refused(choice, Use("adjust", sq("c3"))) == "illegal_target"
    assert refused(choosing(state, "a1", "shield"), Use("shield", sq("a1"))) == "no_target"
    with pytest.raises(Refused, match="White's turn"):
        decided(state, BLACK, step("e8e7"), WrittenDraws())
