"""Bots that wait in the lists of games of protocols that have no word for seating one.

Where a bot waits there is no table yet: it is opened when somebody joins, so that nothing is stored while nobody does.
"""

from typing import NamedTuple

from gamut.games.game import AnyGame, Seat
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.bot_names import listed_name


class WaitingBot(NamedTuple):
    level: str
    name: str
    """As lists show it."""


def bots_of(game: AnyGame) -> list[WaitingBot]:
    """One of each strength."""
    return [WaitingBot(level.name, listed_name(level)) for level in game.traits.levels]


def opened_with(hall: Hall, opening: Opening, person: PersonId, bot: WaitingBot, seat: Seat) -> LiveTable:
    """A new table at which the bot sits, for somebody who is about to sit down. Limits are those for any table."""
    live = hall.open(opening, person)
    hall.do(live, c.SeatBot(person, bot.level, seat), granted=True)
    return live
