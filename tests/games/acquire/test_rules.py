"""Acquire: what is true after every action, and the rules one by one."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from gamut.games.acquire.actions import (
    Action,
    DisposeOfShares,
    PlayTile,
    PurchaseShares,
    SelectChainToDisposeOfNext,
    SelectNewChain,
    action_of,
    params_of,
)
from gamut.games.acquire.bag import KnownBag
from gamut.games.acquire.board import CHAINS, LETTERS, NEIGHBOURS, PRICES, painted, rows_of, tile_name
from gamut.games.acquire.checks import Purchases, legal
from gamut.games.acquire.decide import default_action, done
from gamut.games.acquire.evolve import evolve
from gamut.games.acquire.kinds import rack_kinds
from gamut.games.acquire.options import MODES, AcquireOptions, ModeName, Order
from gamut.games.acquire.rules import Acquire
from gamut.games.acquire.scores import bonuses, nets, places, team_scores
from gamut.games.acquire.state import AcquireState, Acted, Awaited, Event, Forfeited
from gamut.games.game import Refused, Seat

GAME = Acquire()
L, T, A, F, W, C, I = range(7)  # noqa: E741 - the letters of the chains


def positions(mode: ModeName, seed: int) -> Iterator[tuple[Sequence[Event], AcquireState]]:
    """A random game: what each action did, and the position after it."""
    chance = Random(f"{mode} {seed}")
    options = AcquireOptions(mode=mode)
    events = GAME.begin(options, MODES[mode].seats, chance)
    state = GAME.replay(events)
    yield events, state
    while GAME.outcome(state) is None:
        seat = state.next.seat
        events = GAME.decide(state, seat, chance.choice(GAME.legal(state, seat)), chance)
        for event in events:
            state = GAME.evolve(state, event)
        yield events, state


# What is always true


def check_invariants(state: AcquireState) -> None:
    for chain in range(7):
        held = sum(shares[chain] for shares in state.shares)
        assert held + state.available[chain] == 25
        assert state.available[chain] >= 0
    assert min(state.cash) >= 0
    assert min(count for shares in state.shares for count in shares) >= 0
    racked = [tile for rack in state.racks for tile in rack if tile is not None]
    laid = [tile for tile, cell in enumerate(state.board) if cell != "."]
    assert sorted([*racked, *laid, *state.unseen]) == list(range(108)), "every tile is in one place"
    assert len(state.unseen) == state.bag
    for chain, letter in enumerate(LETTERS):
        cells = state.board.count(letter)
        assert cells != 1
        assert state.sizes[chain] == cells or (cells == 0 and state.next.survivor is not None)
    for tile, cell in enumerate(state.board):
        around = {state.board[near] for near in NEIGHBOURS[tile]}
        if cell in LETTERS:
            assert not around & (set(LETTERS) - {cell}), "two chains never touch"
        if cell == "O" and tile != state.next.tile and state.next.tile is None:
            assert not around & set(LETTERS), "a tile beside a chain belongs to it"


@pytest.mark.parametrize("mode", MODES)
def test_money_shares_and_tiles_are_never_lost_or_made(mode: ModeName) -> None:
    for seed in range(6):
        safe: set[str] = set()
        for _, state in positions(mode, seed):
            check_invariants(state)
            assert all(state.board.count(letter) >= 11 for letter in safe), "a safe chain stays"
            safe = {letter for letter in LETTERS if state.board.count(letter) >= 11}


def test_every_action_of_a_game_is_one_event() -> None:
    for number, (events, state) in enumerate(positions("singles_6", 1), 1):
        assert len(events) == 1
        assert state.actions == number


# Numbers


def test_prices_rise_with_the_size_and_the_tier_of_a_chain() -> None:
    sizes = (0, 2, 3, 4, 5, 6, 10, 11, 20, 21, 30, 31, 40, 41, 108)
    assert [PRICES[L][size] for size in sizes] == [0, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10]
    assert [PRICES[F][2], PRICES[I][2], PRICES[C][41]] == [3, 4, 12]
    assert len(CHAINS) == len(PRICES) == 7


def test_tiles_are_named_by_column_and_row() -> None:
    assert [tile_name(tile) for tile in (0, 1, 8, 9, 107)] == ["1A", "1B", "1I", "2A", "12I"]


def test_a_tie_for_the_most_shares_is_paid_to_all_who_tie_and_rounded_up() -> None:
    assert bonuses([3, 0, 3, 1], 7) == [(0, 53), (2, 53)]
    assert bonuses([0, 0], 7) == []
    assert bonuses([4, 2, 2], 7) == [(0, 70), (1, 18), (2, 18)]


def test_teams_are_worth_what_their_members_are() -> None:
    assert team_scores([1, 2, 3, 4, 5, 6], 2) == [9, 12]
    assert team_scores([1, 2, 3, 4, 5, 6], 3) == [5, 7, 9]
    assert places([5, 9, 9, 2]) == [3, 1, 1, 4]


# A table of positions


def board(*rows: str) -> str:
    """A board from its first rows as people see them."""
    full = [row.replace(" ", "").ljust(12, ".") for row in (*rows, *[""] * (9 - len(rows)))]
    return "".join(full[tile % 9][tile // 9] for tile in range(108))


def position(cells: str, racks: Sequence[Sequence[int | None]], **changes: Any) -> AcquireState:
    """A position in which the first player is to play a tile."""
    full = tuple((*rack, *[None] * (6 - len(rack))) for rack in racks)
    held = {tile for rack in full for tile in rack}
    unseen = tuple(tile for tile in range(108) if cells[tile] == "." and tile not in held)
    shares = changes.pop("shares", ((0,) * 7,) * len(full))
    state = AcquireState(
        teams=len(full),
        board=cells,
        racks=full,
        unseen=unseen,
        bag=len(unseen),
        shares=shares,
        cash=(60,) * len(full),
        available=tuple(25 - sum(held[chain] for held in shares) for chain in range(7)),
        sizes=tuple(cells.count(letter) for letter in LETTERS),
        next=Awaited(Seat(0), "PlayTile", Seat(0)),
        actions=2,
    )
    return replace(state, **changes)


def after(state: AcquireState, *actions: Action) -> AcquireState:
    for action in actions:
        state = evolve(state, done(state, state.next.seat, action, KnownBag(state.unseen)))
    return state


def history(state: AcquireState, action: Action) -> list[Any]:
    event = done(state, state.next.seat, action, KnownBag(state.unseen))
    assert isinstance(event, Acted)
    return list(event.history)


def test_tiles_in_a_rack_are_classed_by_what_they_would_do() -> None:
    cells = board("LL.TT.O...", "..........")
    rack = (18, 45, 63, 107, 106, None)
    assert rack_kinds(cells, rack) == "mTnhh-"
    full = board("LL.TT.AA.FF.", "............", "WW.CC.II.O..")
    assert rack_kinds(full, (84, 107, 106, None, None, None)) == "cll---", "no chain is free"


def test_a_tile_between_two_safe_chains_is_dead_and_replaced_at_the_end_of_the_turn() -> None:
    cells = board("LLLLLLLLLLLL", "............", "TTTTTTTTTTTT")
    state = position(cells, [[1, 107], [100]], cash=(0, 0))
    assert rack_kinds(cells, state.racks[0]) == "#l----"
    with pytest.raises(Refused, match="safe chains"):
        done(state, Seat(0), PlayTile(1), KnownBag(()))
    # Both chains are safe, so the game may be ended: the purchase step waits, though nobody has any money.
    state = after(state, PlayTile(107))
    assert state.next.can_end
    told = history(state, PurchaseShares(()))
    assert told[0] == ("CouldNotAffordAnyShares", 0)
    assert ("ReplacedDeadTile", 0, 1) in told
    assert after(state, PurchaseShares(())).board[1] == "#"


def test_the_founder_gets_a_share_if_there_is_one_left() -> None:
    cells = board("O")
    state = position(cells, [[1], [50]])
    state = after(state, PlayTile(1), SelectNewChain(I))
    assert state.shares[0] == (0, 0, 0, 0, 0, 0, 1)
    none_left = position(cells, [[1], [50]], shares=((0,) * 7, (0, 0, 0, 0, 0, 0, 25)))
    state = after(none_left, PlayTile(1), SelectNewChain(I))
    assert state.shares[0] == (0,) * 7
    assert state.available[I] == 0


def test_swallowed_chains_keep_their_price_until_the_purchase() -> None:
    cells = board("LLL.TT", "...", "...FF")
    cells = painted(cells, [9 * 3 + 1], "F")
    shares = ((0, 3, 0, 2, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0))
    state = position(cells, [[9 * 3], [50]], shares=shares)
    assert rows_of(cells)[0].startswith("LLL.TT")
    state = after(state, PlayTile(9 * 3))
    assert state.next.action == "SelectMergerSurvivor"
    state = after(state, action_of("SelectMergerSurvivor", [L]))
    assert state.next.defunct == F
    assert state.cash == (60 + 15 * 4 + 10 * 2, 60 + 5 * 2)
    state = after(state, DisposeOfShares(2, 0))
    assert (state.next.defunct, state.next.seat) == (T, 0)
    assert state.sizes[F] == 3
    state = after(state, DisposeOfShares(2, 1), DisposeOfShares(0, 0))
    assert state.next.action == "PurchaseShares"
    assert (state.sizes[T], state.sizes[F]) == (0, 0)
    assert state.shares == ((2, 0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0))
    assert nets(state)[1] == state.cash[1], "kept shares are worth nothing until the chain is founded again"


def test_among_equal_swallowed_chains_the_turn_player_says_which_comes_first() -> None:
    cells = board("LLL.TT", "...", "...FF")
    cells = painted(painted(cells, [9 * 3 + 2, 9 * 4 + 2], "."), [9 * 3 + 1, 9 * 3 + 2], "F")
    shares = ((0, 1, 0, 1, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0))
    state = after(position(cells, [[9 * 3], [50]], shares=shares), PlayTile(9 * 3))
    assert state.next.action == "SelectChainToDisposeOfNext"
    assert state.next.chains == (T, F)
    state = after(state, SelectChainToDisposeOfNext(F))
    assert (state.next.defunct, state.next.left) == (F, (T,))


def test_an_end_that_is_not_allowed_is_ignored_and_the_purchase_counts() -> None:
    state = after(position(board("LL"), [[50], [60]]), PlayTile(50))
    assert not state.next.can_end
    state = after(state, PurchaseShares((L, L), end=True))
    assert state.shares[0][L] == 2
    assert GAME.outcome(state) is None


def test_shares_may_be_named_in_any_order() -> None:
    state = after(position(board("LL.TT"), [[50], [60]]), PlayTile(50))
    allowed = legal(state)
    assert isinstance(allowed, Purchases)
    assert PurchaseShares((T, L, T)) in allowed
    assert PurchaseShares((L, T, T)) in allowed
    assert PurchaseShares((T, L, A)) not in allowed
    event = done(state, Seat(0), PurchaseShares((T, L, T)), KnownBag(state.unseen))
    assert params_of(event.action) == [[T, L, T], 0], "told as it was said"
    assert event.history[0] == ("PurchasedShares", 0, ((L, 1), (T, 2)))


def test_parameters_of_the_wrong_type_are_refused_by_the_code_of_what_they_should_be() -> None:
    wrong: list[tuple[Any, Any, str]] = [
        ("PlayTile", [True], "invalid_tile"),
        ("PlayTile", [], "invalid_message"),
        ("PlayTile", "5", "invalid_message"),
        ("SelectNewChain", ["L"], "invalid_chain"),
        ("DisposeOfShares", [None, 0], "invalid_trade_amount"),
        ("DisposeOfShares", [0, 1.0], "invalid_sell_amount"),
        ("PurchaseShares", [5, 0], "invalid_chain"),
        ("PurchaseShares", [[None], 0], "invalid_chain"),
        ("PurchaseShares", [[], 2], "invalid_message"),
        ("PurchaseShares", [[], "1"], "invalid_message"),
    ]
    for name, params, code in wrong:
        with pytest.raises(Refused) as refused:
            action_of(name, params)
        assert refused.value.code == code, (name, params)


# The server plays


def test_the_server_does_the_first_thing_there_is_for_those_who_do_not() -> None:
    cells = board("LLLLLLLLLLLL", "............", "TTTTTTTTTTTT")
    state = position(cells, [[1, 107, 50], [100]])
    assert default_action(state) == PlayTile(107), "the first one that can be played"
    state = after(state, PlayTile(107))
    assert default_action(state) == PurchaseShares((), end=False)
    everybody = replace(state, forfeited=(Seat(0), Seat(1)))
    assert default_action(everybody) == PurchaseShares((), end=True), "nobody would go on"


def test_after_a_forfeit_each_action_of_the_server_is_an_event_of_its_own() -> None:
    chance = Random(1)
    state = GAME.replay(GAME.begin(AcquireOptions(mode="singles_3"), 3, chance))
    first, *played = GAME.quit(state, Seat(0), chance)
    assert first == Forfeited(Seat(0))
    assert all(isinstance(event, Acted) and event.auto and event.seat == 0 for event in played)
    state = GAME.replay([*GAME.begin(AcquireOptions(mode="singles_3"), 3, Random(1)), first, *played])
    assert state.next.seat == 1
    state = evolve(state, Forfeited(Seat(2)))
    acted, *others = GAME.decide(state, Seat(1), GAME.legal(state, Seat(1))[0], chance)
    assert isinstance(acted, Acted)
    assert not acted.auto
    assert all(isinstance(event, Acted) and event.auto and event.seat in (0, 2) for event in others)


# Options


def test_options_are_told_in_words() -> None:
    orders: tuple[Order, ...] = ("random", "exact", "teams")
    for mode in MODES:
        for order in orders:
            words = GAME.in_words(AcquireOptions(mode=mode, order=order))
            assert words
            assert all(word.endswith(".") for word in words)


def test_a_mode_without_teams_forgets_that_they_were_chosen() -> None:
    options = AcquireOptions(mode="teams_3_vs_3", order="teams")
    assert options.with_mode("singles_6") == AcquireOptions(mode="singles_6", order="random")
    assert options.with_mode("teams_2_vs_2").order == "teams"
    assert replace(options, order="exact").with_mode("singles_6").order == "exact"
