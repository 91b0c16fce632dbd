"""What a bot is called at its table."""

from collections.abc import Mapping
from itertools import count

from gamut.games.game import AnyGame, Level
from gamut.hall.lookalikes import looks
from gamut.hall.table.seats import Holder, Sitter
from gamut.hall.table.state import Table

_BOT = " bot"


def bot_names(games: Mapping[str, AnyGame]) -> list[str]:
    """All names of their own that bots have here, alone and as other protocols say them."""
    names = [name for game in games.values() for level in game.traits.levels for name in level.names]
    return [*names, *(name + _BOT for name in names)]


def name_for(level: Level, table: Table) -> str:
    """The first name of its strength that nobody at the table has, nor one that looks like it."""
    taken = {look for holder in table.seats if holder is not None for look in looks(holder.name)}
    for name in level.names:
        if not taken & looks(name):
            return name
    if not level.names:
        return level.title + _BOT
    numbered = (f"{level.names[0]} {number}" for number in count(2))
    return next(name for name in numbered if not taken & looks(name))


def told_name(holder: Holder) -> str:
    """For protocols that say nothing of somebody but the name: there it says that a bot is one."""
    if type(holder) is Sitter or holder.name.endswith(_BOT):
        # As bots without a name of their own are called, and all of them once were.
        return holder.name
    return holder.name + _BOT
