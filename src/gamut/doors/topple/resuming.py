"""The seats in which a suspended game can be taken up."""

from gamut.games.game import Seat
from gamut.games.topple.files.suspended import Suspended
from gamut.games.topple.state import number
from gamut.hall.names.person_names import harmless_name
from gamut.hall.table.state import Table

Places = list[tuple[int, str | None, int]]
"""Number, account and team."""


def saved_places(saved: Suspended) -> Places:
    """Those who are still in the game and are people. Whoever brings a file knows the names in it."""
    return [
        (number(Seat(seat)), harmless_name(person.account), saved.record.teams[seat])
        for seat, person in enumerate(saved.record.people or ())
        if person is not None and not person.bot and saved.state.alive[seat]
    ]


def free_places(table: Table) -> Places:
    """Those of a resumed room that nobody has taken yet. It knows no names any more."""
    standing = table.options.standing()
    return [
        (number(Seat(seat)), None, standing.setup.teams[seat])
        for seat, living in enumerate(standing.alive)
        if living and table.seats[seat] is None
    ]
