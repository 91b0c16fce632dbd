"""Questions about a game that is played nowhere: what options mean, and what may be done in a position.

Whoever asks says all that was done from the start, and it is checked as at a table: nobody can make up a position that
the rules do not allow. What chance brought is said as well, and checked in the same way. Nothing of it is kept.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from gamut.games.game import AnyGame, BadText, Refused, Seat

MOST_ACTIONS = 2000
_LONGEST_REASON = 500


class BadOptions(Refused):
    """The game cannot be played like that; where a text cannot be read, line and column say at which place."""

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        # It may repeat what was sent, however long that was.
        super().__init__("bad_options", reason[:_LONGEST_REASON])
        self.line = line
        self.column = column


class Explained(NamedTuple):
    """Options that a game can be played with."""

    options: Any
    """As a table keeps them."""
    words: Sequence[str]
    state: Any
    """With which the game would begin; None where that is a secret or a matter of chance."""


class Analysis(NamedTuple):
    """A position that was reached."""

    events: Sequence[Any]
    """What the last action did; without any, how the game begins."""
    awaited: Sequence[Seat]
    legal: Sequence[Any]
    """What the first of those may do."""


class Done(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What somebody did; for games with chance also what came of it, or else that is drawn."""

    seat: int
    action: Any
    events: list[Any] | None = None


def can_be_analysed(game: AnyGame) -> bool:
    """Whether what happens follows from the actions, or from what chance is said to have brought."""
    return _is_open(game) or game.retraceable


def _is_open(game: AnyGame) -> bool:
    """What happens follows from the actions alone, and all of it is seen by everybody."""
    return not game.traits.hidden and not game.traits.chance


def explained(game: AnyGame, sent: dict[str, Any]) -> Explained:
    """What these options mean. Raises BadOptions."""
    options = _checked(game, sent)
    state = None
    if _is_open(game):
        state = game.replay(_begun(game, options))
    return Explained(options, game.in_words(options), state)


def analysed(game: AnyGame, sent: dict[str, Any], actions: Sequence[Done]) -> Analysis:
    """The position after these actions. Raises BadOptions, or Refused where one of them is against the rules."""
    # Whoever asks the same gets the same answer: nobody asks again until chance is kind.
    chance = Random(msgspec.json.encode(actions))
    events: Sequence[Any] = _begun(game, _checked(game, sent))
    state = game.replay(events)
    for number, done in enumerate(actions, 1):
        try:
            action = msgspec.convert(done.action, game.action_type)
            told = None if done.events is None else msgspec.convert(done.events, list[game.event_type])  # type: ignore[name-defined]
        except msgspec.ValidationError as error:
            raise Refused("bad_action", f"Action {number} is none of this game: {error}.") from None
        seat = Seat(done.seat)
        if told is None or not game.retraceable:
            events = game.decide(state, seat, action, chance)
        else:
            events = game.retraced(state, seat, action, told)
        for event in events:
            state = game.evolve(state, event)
    awaited = game.awaited(state)
    return Analysis(events, awaited, game.legal(state, awaited[0]) if awaited else ())


def _begun(game: AnyGame, options: Any) -> Sequence[Any]:
    return game.begin(options, game.seats_for(options)[-1], Random(0))


def _checked(game: AnyGame, sent: dict[str, Any]) -> Any:
    try:
        return game.checked(msgspec.convert(sent, game.options_type))
    except BadText as bad:
        raise BadOptions(bad.reason, bad.line, bad.column) from None
    except ValueError as bad:
        raise BadOptions(str(bad)) from None
