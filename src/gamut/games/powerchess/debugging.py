"""What can be arranged in a game that serves to try a client: boxes and offers, without the chance that brings them.

These are no `Action`: nobody's message is read as one, so only a door that was told to do so arranges anything.
"""

import msgspec

from gamut.games.game import Refused
from gamut.games.powerchess.powers import PowerName, Rarity
from gamut.games.powerchess.squares import BIT, NAMES
from gamut.games.powerchess.state import Box, Event, Offered, Placed, PowerChessState
from gamut.games.powerchess.translation import position_of


class PlaceBox(msgspec.Struct, frozen=True, gc=False):
    """Let a box lie on a vacant square."""

    square: int
    rarity: Rarity


class OfferPowers(msgspec.Struct, frozen=True, gc=False):
    """Let whoever is to move choose as if the piece on this square had taken a box."""

    square: int
    rarity: Rarity
    powers: tuple[PowerName, PowerName]


Arrangement = PlaceBox | OfferPowers


def arranged(state: PowerChessState, wish: Arrangement) -> list[Event]:
    """Raises Refused."""
    turn = state.turn
    if turn is None:
        raise Refused("over", "The game is over.")
    if state.choice is not None:
        raise Refused("choose_first", "A power is to be chosen first.")
    position, name = position_of(state), NAMES[wish.square]
    if isinstance(wish, PlaceBox):
        if not position.vacant() & BIT[wish.square]:
            raise Refused("not_vacant", f"There is something on {name} already.")
        return [Placed(Box(wish.square, wish.rarity))]
    if not position.own(turn) & BIT[wish.square]:
        raise Refused("no_piece", f"Whoever is to move has no piece on {name}.")
    return [Offered(turn, wish.square, wish.rarity, wish.powers)]
