"""What was decided before, decided once more: chance is as the events have it, if it can have been like that."""

from collections.abc import Sequence

from gamut.games.game import Refused, Seat
from gamut.games.powerchess.decide import decided
from gamut.games.powerchess.powers import PowerName, Rarity
from gamut.games.powerchess.state import (
    UNSEEN,
    Action,
    Event,
    Moved,
    Offer,
    Offered,
    PowerChessState,
    Used,
)


def retraced(state: PowerChessState, seat: Seat, action: Action, events: Sequence[Event]) -> list[Event]:
    """Raises Refused where these events cannot have come of this action."""
    found = decided(state, seat, action, _ToldDraws(events))
    if found != list(events):
        raise _impossible("That is not what this action brings.")
    return found


def _impossible(reason: str) -> Refused:
    return Refused("impossible", reason)


class _ToldDraws:
    """Chance as some events tell it. They come from anybody: nothing of them is taken that chance could not bring."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._moved = next((event for event in events if isinstance(event, Moved)), None)
        self._used = next((event for event in events if isinstance(event, Used)), None)
        self._offered = next((event for event in events if isinstance(event, Offered)), None)

    def box_is_due(self, waited: int) -> bool:
        due = self._moved is not None and self._moved.due
        if (due and waited < 2) or (not due and waited >= 4):
            raise _impossible("There are two to four moves between one box and the next.")
        return due

    def box(self, squares: Sequence[int]) -> tuple[int, Rarity]:
        box = None if self._moved is None else self._moved.box
        if box is None or box.square not in squares:
            raise _impossible("A box comes onto a free square in the middle of the board.")
        return box.square, box.rarity

    def offer(self, powers: Sequence[PowerName]) -> Offer:
        offer = (UNSEEN, UNSEEN) if self._offered is None else self._offered.powers
        known = [power for power in offer if power != UNSEEN]
        if len(set(known)) < len(known) or not set(known) <= set(powers):
            raise _impossible("These two powers cannot have been offered.")
        return offer

    def square(self, squares: Sequence[int]) -> int:
        drawn = None
        if self._moved is not None:
            drawn = self._moved.saved
        elif self._used is not None:
            drawn = self._used.drawn
        if drawn is None or drawn not in squares:
            raise _impossible("Chance draws one of the free squares of a first rank.")
        return drawn

    def grave(self, buried: str) -> str:
        piece = "" if self._used is None else self._used.reanimated
        if len(piece) != 1 or piece not in buried:
            raise _impossible("Who comes back has been captured before.")
        return piece
