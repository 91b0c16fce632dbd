"""Suspended games that go on at a new table."""

from typing import TYPE_CHECKING

from gamut.games.files import Resumption
from gamut.hall.files.clocks import setting_of
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.hall.hall import Hall


def opening_for(
    game: str,
    saved: Resumption,
    *,
    room: str | None = None,
    password: str | None = None,
    watchable: bool = True,
) -> Opening:
    """A table at which the game goes on: not in the list, with the clocks as they were."""
    return Opening(
        game=game,
        options=saved.options,
        seats=saved.seats,
        clock=setting_of(saved.clock),
        start="host",
        private=True,
        room=room,
        password=password,
        watchable=watchable,
        decor=saved.decor,
        times=tuple(map(Millis, saved.left)),
        # Whoever brings the file is here.
        stays=True,
    )


def reseat_bots(hall: "Hall", live: LiveTable, host: PersonId, saved: Resumption) -> None:
    """The bots of the game sit down again; one that is not known here is replaced by the weakest that is."""
    for seat, level in saved.bots:
        hall.do(live, c.SeatBot(host, level or live.game.traits.levels[0].name, seat))
