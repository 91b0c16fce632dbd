"""Games in files, as the log of a table that has ended: so they are looked at as any other game is."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import to_builtins

from gamut.games.files import BadFile, PlayedGame, Puzzle, only
from gamut.games.game import AnyGame, Outcome, Seat
from gamut.hall.files.annotations import NotedLine, noted
from gamut.hall.files.clocks import setting_of
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.names.person_names import harmless_name
from gamut.hall.table import events as e
from gamut.hall.table.seats import Sitter

TABLE = TableId("file")
"""In the place of a table's id."""
_UNKNOWN_BOT = "bot"
"""A bot of another server, of which a file says nothing that could be shown."""


class Viewed(NamedTuple):
    log: list[e.Happening]
    outcome: Outcome | None
    suspended: bool
    line: NotedLine | None = None
    """What was written about the game; None if nothing was."""
    puzzle: Puzzle | None = None


def viewed(game: AnyGame, file: bytes, number: int | None = None) -> Viewed:
    """A game in a file: the only one, or where there are several the one of this number, counted from 1.

    Raises BadFile if there is none, or none that can be shown here.
    """
    files = game.files
    assert files is not None
    records = files.read(file)
    if number is None:
        record = only(records)
    elif 1 <= number <= len(records):
        record = records[number - 1]
    else:
        raise BadFile("unsupported", f"There is no game {number} in this file: it has {len(records)}.")
    played = files.played(record)
    outcome = game.outcome(played.state)
    log = list(_log(game, played))
    suspended = played.suspended is not None
    if outcome is None:
        log.append(e.Closed(at=log[-1].at, why="exported" if suspended else "abandoned"))
    return Viewed(log, outcome, suspended, noted(played), played.puzzle)


def _log(game: AnyGame, played: PlayedGame) -> Iterator[e.Happening]:
    at = Millis(played.opened)
    yield e.Opened(
        at=at,
        table=TABLE,
        game=game.traits.name,
        options=to_builtins(played.options),
        seats=played.seats,
        clock=setting_of(played.clock),
        start="host",
        private=False,
        key="",
        host=None,
        room=played.room,
        decor=dict(played.decor),
    )
    for place, player in enumerate(played.players):
        seat = Seat(place)
        if player is None:
            continue
        # What may not be shown is as if it were not in the file.
        name = harmless_name(player.called) or harmless_name(player.name)
        if player.level:
            level = harmless_name(player.level) or _UNKNOWN_BOT
            yield e.BotSat(at=at, seat=seat, level=level, name=name or level)
        else:
            sitter = Sitter(PersonId(f"player {place + 1}"), name or f"Player {place + 1}")
            yield e.Sat(at=at, seat=seat, sitter=sitter)
    first, *later = played.turns
    yield e.Started[Any](at=Millis(first.at), events=first.events)
    for turn in later:
        yield e.Played[Any](at=Millis(turn.at), seat=turn.seat, why=turn.why, events=turn.events)
