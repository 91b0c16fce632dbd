"""A game as its review data has it: who played, the whole bag, and the parameters of every action."""

import msgspec

Params = tuple[int | tuple[int, ...], ...]


class RecordedAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    params: Params
    at: int | None = None
    """Milliseconds since 1970; None where it is not known."""
    auto: bool = False
    """The server did it, because the player's time was over or the player had forfeited."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    mode: int
    """Its number, 1 to 9."""
    starting: int | None
    """Seconds that everybody has at first; None: as long as they like."""
    increment: int
    """Seconds that are added after each action."""
    user_ids: tuple[int, ...]
    """In the order of play."""
    names: tuple[str, ...]
    starter: int
    """The id of whoever hosted the game."""
    bag: tuple[int, ...]
    """In the order in which tiles are drawn. Of games that were broken off elsewhere some may be missing."""
    actions: tuple[RecordedAction, ...]
    """The first one is the start of the game."""
    ended: int | None = None
    """Milliseconds since 1970; None where the game is not over, or it is not known when it was."""
    forfeits: tuple[tuple[int, int], ...] = ()
    """Who, by the order of play, and when, in milliseconds since 1970."""
