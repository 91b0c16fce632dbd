"""What a bot is called at its table."""

from collections.abc import Iterator, Mapping
from itertools import count, islice

from gamut.games.game import AnyGame, Level, Refused
from gamut.hall.names.lookalikes import looks
from gamut.hall.table.seats import Holder, Sitter
from gamut.hall.table.state import Table

_BOT = " bot"


def bot_names(games: Mapping[str, AnyGame]) -> list[str]:
    """Everything that bots are called: by name, plain, with "bot" behind it, or with their strength as in
    lists; and by strength alone, as those without a name are."""
    found: list[str] = []
    for game in games.values():
        for level in game.traits.levels:
            for name in (*level.names, *islice(_numbered(level), max(game.traits.seats))):
                found += (name, _told(name), _listed(level, name))
            found += (level.title + _BOT, *level.elsewhere)
    return found


def _numbered(level: Level) -> Iterator[str]:
    """Further names for a strength whose own are all taken; none if it has no names."""
    return (f"{level.names[0]} {number}" for number in count(2)) if level.names else iter(())


def usual_name(level: Level) -> str:
    """Of a bot at a table where nobody has that name, nor one that looks like it."""
    return level.names[0] if level.names else level.title + _BOT


def level_named(game: AnyGame, name: str) -> Level:
    """The strength of this name, or Refused."""
    for level in game.traits.levels:
        if level.name == name:
            return level
    known = ", ".join(level.name for level in game.traits.levels)
    raise Refused("no_such_level", f"There is no such bot; choose one of {known}.")


def name_for(level: Level, table: Table) -> str:
    """The first name of its strength that nobody at the table has, nor one that looks like it."""
    taken = {look for holder in table.seats if holder is not None for look in looks(holder.name)}
    for name in level.names:
        if not taken & looks(name):
            return name
    if not level.names:
        return usual_name(level)
    return next(name for name in _numbered(level) if not taken & looks(name))


def shown_name(holder: Holder) -> str:
    """The name for protocols that say nothing else of a player: that of a bot ends with "bot"."""
    return holder.name if type(holder) is Sitter else _told(holder.name)


def _told(name: str) -> str:
    # Names made of the strength end with "bot" already. Bots in old logs have only such names.
    return name if name.endswith(_BOT) else name + _BOT


def listed_name(level: Level) -> str:
    """The name of a bot that waits in a list: that which it will have at the table, with its strength unless
    the name says it."""
    return _listed(level, usual_name(level))


def _listed(level: Level, name: str) -> str:
    return f"{_told(name)} ({level.title.lower()})" if level.names else _told(name)
