"""A game that is over, as one of its players saw it while it was played."""

from typing import Any

from gamut.games.game import AnyGame, Refused, Seat
from gamut.hall.table import events as e
from gamut.hall.table.state import Table
from gamut.hall.table.view import view


def may_be_looked_through(game: AnyGame, table: Table, seat: int) -> Seat:
    """The seat, if everybody may know by now what it saw; otherwise Refused."""
    if not 0 <= seat < len(table.seats):
        raise Refused("no_such_seat", f"The seats of this table are 0 to {len(table.seats) - 1}.")
    if table.outcome is None:
        raise Refused("not_over", "What a player saw is shown when the game is over.")
    if game.traits.hidden and not game.traits.reveals:
        raise Refused("not_revealed", f"What was hidden in {game.traits.title} stays hidden.")
    return Seat(seat)


def seen_through(game: AnyGame, event: Any, seat: Seat, viewer: Seat | None) -> Any | None:
    """The game itself as that seat saw it; all else (the key, the talk) as the viewer may see it."""
    playing = type(event) in (e.Started, e.Played)
    return view(game, event, seat if playing else viewer)
