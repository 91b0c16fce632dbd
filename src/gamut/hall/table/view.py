"""Who may see what of a table's events. All that leaves the hall passes through here: live, resumed, replayed."""

from typing import Any

from msgspec.structs import replace

from gamut.games.game import AnyGame, Seat
from gamut.hall.table import events as e


def view(game: AnyGame, event: Any, viewer: Seat | None) -> Any | None:
    """What a viewer (a seat, or None for a watcher) may see of an event; None hides it."""
    kind = type(event)
    if kind is e.Played or kind is e.Started:
        if not game.traits.hidden:
            return event
        seen = (game.view(happened, viewer) for happened in event.events)
        return replace(event, events=tuple(happened for happened in seen if happened is not None))
    if kind is e.Said:
        return None if event.channel == "kibitz" and viewer is not None else event
    if kind is e.Opened:
        # The key opens a private table: only those who sit there may pass it on. A password is nobody's to see,
        # but that there is one is no secret.
        event = replace(event, password=None if event.password is None else "")
        return event if viewer is not None else replace(event, key="")
    return event
