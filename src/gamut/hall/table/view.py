"""Who may see what of a table's events. All that leaves the hall passes through here: live, resumed, replayed."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from gamut.games.game import AnyGame, Seat
from gamut.hall.ids import PersonId
from gamut.hall.table import events as e
from gamut.hall.table.state import Table


def hides(game: AnyGame, table: Table) -> bool:
    """Whether there is anything in the game at this table that somebody may not see, as things stand."""
    traits = game.traits
    return traits.hidden and not (traits.reveals and table.outcome is not None)


def view(game: AnyGame, event: Any, viewer: Seat | None, *, revealed: bool = False) -> Any | None:
    """What a viewer (a seat, or None for a watcher) may see of an event; None hides it.

    Where nothing of it is hidden it is the same object, so that it can be encoded once for all who see the same.
    `revealed`: the game itself hides nothing any more.
    """
    kind = type(event)
    if kind is e.Played or kind is e.Started:
        return _as_seen(game, event, viewer) if game.traits.hidden and not revealed else event
    if kind is e.Said:
        return None if event.channel == "kibitz" and viewer is not None else event
    if kind is e.Opened:
        # The key opens a private table: only those who sit there may pass it on. A password is nobody's to see,
        # but that there is one is no secret.
        event = replace(event, password=None if event.password is None else "")
        return event if viewer is not None else replace(event, key="")
    return event


def views(game: AnyGame, events: Iterable[Any], viewer: Seat | None, *, revealed: bool) -> list[Any]:
    """What a viewer may see of these events."""
    found = []
    for event in events:
        seen = view(game, event, viewer, revealed=revealed)
        if seen is not None:
            found.append(seen)
    return found


def _as_seen(game: AnyGame, event: Any, viewer: Seat | None) -> Any:
    seen, same = [], True
    for happened in event.events:
        shown = game.view(happened, viewer)
        same = same and shown is happened
        if shown is not None:
            seen.append(shown)
    return event if same else replace(event, events=tuple(seen))


def reseated(table: Table, events: Iterable[Any]) -> set[PersonId]:
    """Whose seat has changed, or may have, by these events, after which the table is this.

    Another seat is another view: what was hidden so far may now be seen.
    """
    changed: set[PersonId] = set()
    for event in events:
        if type(event) is e.Sat:
            changed.add(event.sitter.person)
        elif type(event) is e.Stood and event.person is not None:
            changed.add(event.person)
        elif _rearranges(event):
            changed.update(person for person in table.persons if person is not None)
    return changed


def _rearranges(event: Any) -> bool:
    """Whether people were moved to other seats, all at once."""
    kind = type(event)
    if kind is e.Configured:
        return bool(event.holders)
    return kind is e.Swapped or (kind is e.Started and bool(event.order))
