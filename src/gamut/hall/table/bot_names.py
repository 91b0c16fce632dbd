"""What a bot is called at its table."""

from collections.abc import Iterator, Mapping
from itertools import count, islice

from gamut.games.game import AnyGame, Level
from gamut.hall.lookalikes import looks
from gamut.hall.table.seats import Holder, Sitter
from gamut.hall.table.state import Table

_BOT = " bot"


def bot_names(games: Mapping[str, AnyGame]) -> list[str]:
    """All that bots are called here: by their names, alone and as other protocols say them, and by what they are."""
    levels = [(level, max(game.traits.seats)) for game in games.values() for level in game.traits.levels]
    names = [name for level, _ in levels for name in level.names]
    names += [name for level, seats in levels for name in islice(_numbered(level), seats)]
    others = [name for level, _ in levels for name in (level.title + _BOT, *level.elsewhere)]
    return [*names, *(name + _BOT for name in names), *others]


def _numbered(level: Level) -> Iterator[str]:
    """For more bots of a strength than it has names, if it has any."""
    return (f"{level.names[0]} {number}" for number in count(2)) if level.names else iter(())


def usual_name(level: Level) -> str:
    """Of a bot at a table where nobody has that name, nor one that looks like it."""
    return level.names[0] if level.names else level.title + _BOT


def name_for(level: Level, table: Table) -> str:
    """The first name of its strength that nobody at the table has, nor one that looks like it."""
    taken = {look for holder in table.seats if holder is not None for look in looks(holder.name)}
    for name in level.names:
        if not taken & looks(name):
            return name
    if not level.names:
        return usual_name(level)
    return next(name for name in _numbered(level) if not taken & looks(name))


def told_name(holder: Holder) -> str:
    """For protocols that say nothing of somebody but the name: there it says that a bot is one."""
    if type(holder) is Sitter or holder.name.endswith(_BOT):
        # As bots without a name of their own are called, and all of them once were.
        return holder.name
    return holder.name + _BOT
