"""Games of this hall as files: finished ones as `.topl`, suspended ones as `.stpl`.

Writing one takes some milliseconds. What has ended does not change any more, so that is done in a thread.
"""

from typing import Any

from gamut.doors.topple import bots
from gamut.doors.topple.keys import Keys
from gamut.doors.topple.rules import scored
from gamut.doors.topple.views import seconds
from gamut.games.game import AnyGame
from gamut.games.topple.files.reader import read
from gamut.games.topple.files.record import Clock, Person
from gamut.games.topple.files.recording import recorded
from gamut.games.topple.files.writer import write
from gamut.hall import clock as clocks
from gamut.hall.clock import Bank, Overtime, PerTurn
from gamut.hall.ids import Millis
from gamut.hall.live import LiveTable
from gamut.hall.table import events as e
from gamut.hall.table.seats import BotSitter, Holder, Sitter
from gamut.hall.table.state import Table


def replay(live: LiveTable, keys: Keys) -> bytes:
    """The `.topl` file of a game that was played to its end."""
    first = live.log[0]
    assert isinstance(first, e.Opened)
    table = live.table
    at_first = clocks.fresh(table.clock_setting, len(table.seats), first.times)
    return _written(live, keys, [time.main for time in at_first.times], None)


def suspension(live: LiveTable, keys: Keys, now: Millis) -> bytes:
    """The `.stpl` file with which a game can go on later, here or elsewhere."""
    times = clocks.charge(live.table.clock, now).times
    return _written(live, keys, [time.main for time in times], now)


def suspended_file(live: LiveTable, keys: Keys) -> bytes | None:
    """The same file of a game that was exported, whenever it is asked for; None if this one was not."""
    for event in reversed(live.log):
        if type(event) is e.Closed and event.why == "exported":
            return suspension(live, keys, event.at)
    return None


def _written(live: LiveTable, keys: Keys, left: list[int], suspended_at: Millis | None) -> bytes:
    table = live.table
    log = [
        (event.at, happened)
        for event in live.log
        if type(event) in (e.Started, e.Played)
        for happened in event.events
    ]
    resumed = read(table.options.resume) if table.options.resume else None
    teams = log[0][1].setup.teams
    # As long as the file's own list of players.
    count = max(place + 1 for place, team in enumerate(teams) if team) if resumed is None else len(teams)
    colours = table.decor.get("colours")
    return write(
        recorded(
            log,
            room=table.room if table.room is not None and len(table.room) == 8 else table.id[-8:],
            people=_people(live.game, live.log),
            clock=_clock(table, left[:count]),
            scoring=table.options.scoring if scored(table) else None,
            colours=None if colours is None else tuple(colours),
            # Ascending, as a running number is, and the same whenever the file is asked for.
            sequence=table.opened,
            fingerprint=keys.fingerprint,
            resumed=resumed,
            suspended_at=suspended_at,
        )
    )


def _people(game: AnyGame, log: list[Any]) -> list[Person | None]:
    """Who sat where when the game began."""
    people = [_person(game, holder) for holder in log[0].holders] or [None] * log[0].seats
    for event in log:
        match event:
            case e.Sat(seat=seat, sitter=sitter):
                people[seat] = _person(game, sitter)
            case e.BotSat(seat=seat, level=level, name=name):
                people[seat] = _person(game, BotSitter(level, name))
            case e.Stood(seat=seat):
                people[seat] = None
            case e.Started():
                break
    return people


def _clock(table: Table, left: list[int]) -> Clock | None:
    setting, penalty = table.clock_setting, table.options.penalty
    match setting:
        case PerTurn(limit=limit):
            return Clock(style="per turn", limit=seconds(limit), penalty=penalty)
        case Bank(main=main) | Overtime(main=main):
            return Clock(style="chess", limit=seconds(main), penalty=penalty, left=tuple(map(seconds, left)))
    return None


def _person(game: AnyGame, holder: Holder | None) -> Person | None:
    match holder:
        case Sitter(name=name, guest=guest):
            return Person(account="" if guest else name)
        case BotSitter(level=level):
            return Person(bot=bots.resource_of(game, level))
    return None
