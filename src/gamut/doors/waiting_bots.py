"""Bots that wait in the lists of games of protocols that have no word for seating one.

Where a bot waits there is no table yet: it is opened when somebody joins, so that nothing is stored while nobody does.
"""

from typing import NamedTuple

from gamut.games.game import AnyGame, Level, Seat
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId
from gamut.hall.live import LiveTable
from gamut.hall.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.bot_names import told_name, usual_name
from gamut.hall.table.seats import BotSitter


class WaitingBot(NamedTuple):
    level: str
    name: str
    """As lists show it: what it will be called at the table, and how strong it is, if that does not say so."""


def bots_of(game: AnyGame) -> list[WaitingBot]:
    """One of each strength."""
    return [WaitingBot(level.name, _listed_name(level)) for level in game.traits.levels]


def _listed_name(level: Level) -> str:
    name = told_name(BotSitter(level.name, usual_name(level)))
    return f"{name} ({level.title.lower()})" if level.names else name


def opened_with(hall: Hall, opening: Opening, person: PersonId, bot: WaitingBot, seat: Seat) -> LiveTable:
    """A new table at which the bot sits, for somebody who is about to sit down. Limits are those for any table."""
    live = hall.open(opening, person)
    hall.do(live, c.SeatBot(person, bot.level, seat), granted=True)
    return live
