"""Acquire: what is carried on from action to action is what it would be if it were worked out anew."""

import pytest
from tests.games.support.acquire_tables import random_game

from gamut.games.acquire.board import EMPTY, LETTERS, NEIGHBOURS, PRICES, TILES
from gamut.games.acquire.kinds import LONELY, NEIGHBOUR, NO_TILE, Kinds, Rack, a_chain_is_free, kind_of
from gamut.games.acquire.options import MODES, ModeName
from gamut.games.acquire.scores import nets
from gamut.games.acquire.state import AcquireState, Acted


def kinds_by_the_rules(board: str, rack: Rack) -> str:
    """What each tile would do; of two lonely ones side by side both have a neighbour, if a chain is free."""
    lonely = [tile for tile in rack if tile is not None and kind_of(board, tile) == LONELY]
    kinds = ""
    for tile in rack:
        if tile is None:
            kinds += NO_TILE
        elif tile in lonely and a_chain_is_free(board) and any(near in lonely for near in NEIGHBOURS[tile]):
            kinds += NEIGHBOUR
        else:
            kinds += kind_of(board, tile)
    return kinds


def worth(state: AcquireState, seat: int) -> int:
    """Cash, shares at their price, and the bonuses if every chain on the board were wound up."""
    found = state.cash[seat]
    for chain, letter in enumerate(LETTERS):
        price = PRICES[chain][state.sizes[chain]]
        held = [shares[chain] for shares in state.shares]
        found += held[seat] * price
        if letter not in state.board or not held[seat]:
            continue
        first, *others = sorted(set(held), reverse=True)
        second = others[0] if others else 0
        if held[seat] == first:
            alone = held.count(first) == 1 and second
            found += 10 * price if alone else -(-15 * price // held.count(first))
        elif held[seat] == second and held.count(first) == 1:
            found += -(-5 * price // held.count(second))
    return found


@pytest.mark.parametrize("mode", MODES)
def test_kinds_that_are_kept_are_those_of_the_board(mode: ModeName) -> None:
    for seed in range(2):
        kept: Kinds | None = None
        for event, state in random_game(mode, seed):
            if kept is None:
                kept = Kinds(state.board)
            elif isinstance(event, Acted) and event.cells:
                before = [kept[tile] for tile in range(TILES)]
                changed = kept.change(state.board, event.cells)
                free = [tile for tile, cell in enumerate(state.board) if cell == EMPTY]
                assert all(kept[tile] == kind_of(state.board, tile) for tile in free)
                assert changed is None or all(
                    kept[tile] == before[tile] for tile in free if tile not in changed
                )
            for rack in state.racks:
                assert kept.of_rack(rack) == kinds_by_the_rules(state.board, rack)


@pytest.mark.parametrize("mode", MODES)
def test_everybody_is_worth_what_the_rules_say(mode: ModeName) -> None:
    for seed in range(2):
        for _, state in random_game(mode, seed):
            assert nets(state) == [worth(state, seat) for seat in range(len(state.cash))]
