"""The game of a table as one that was played, for whoever wants it as a file.

Making a file takes some milliseconds. That is done in a thread: nothing here changes anything.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from gamut.games.files import PlayedGame, Player, Turn
from gamut.games.game import AnyGame, Seat
from gamut.hall.files.clocks import control_of
from gamut.hall.ids import Millis, PersonId, Seq
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import clock as clocks
from gamut.hall.table import events as e
from gamut.hall.table.deciding.bot_names import shown_name
from gamut.hall.table.evolve import replayed
from gamut.hall.table.seats import BotSitter, Holder, Sitter
from gamut.hall.table.standing import standing


def file_of(live: LiveTable, ending: str, viewer: Seat | None, server: bytes) -> bytes:
    """The game so far, as the viewer may see it: of a game that hides things, no more than that."""
    return _written(live, ending, played_game(live, viewer, server))


def played_game(live: LiveTable, viewer: Seat | None = None, server: bytes = b"") -> PlayedGame:
    """The same in the terms that all games share."""
    log = live.visible(viewer, Seq(0))
    setting = live.table.clock_setting
    times = clocks.fresh(setting, len(live.table.seats), log[0].times).times
    return _played(live, log, server, times)


def suspended_file_of(live: LiveTable, ending: str, at: Millis, server: bytes) -> bytes:
    """The game as it was broken off at that moment: it can go on later, here or elsewhere.

    All that is hidden would be in it, so there is none of a game that hides something.
    """
    assert not live.game.traits.hidden
    times = clocks.charge(live.table.clock, at).times
    return _written(live, ending, _played(live, live.visible(None, Seq(0)), server, times, at))


def exported_at(live: LiveTable) -> Millis | None:
    """When the host took the game away to go on with it later; None: nobody did."""
    for event in reversed(live.log):
        if type(event) is e.Closed and event.why == "exported":
            return event.at
    return None


def _written(live: LiveTable, ending: str, played: PlayedGame) -> bytes:
    files = live.game.files
    assert files is not None
    return files.save(files.recorded(played), ending)


def _played(
    live: LiveTable,
    log: list[Any],
    server: bytes,
    left: tuple[clocks.Time, ...],
    suspended: Millis | None = None,
) -> PlayedGame:
    game, table, renamed = live.game, live.table, _renamed(log)
    return PlayedGame(
        options=table.options,
        seats=len(table.seats),
        players=tuple(_player(holder, renamed) for holder in _seated(game, log)),
        turns=list(map(_turn, standing(log))),
        # Not the position that the table has, or remembers for a viewer: this one is made of what is in the log.
        state=_state(game, log) if game.traits.hidden else table.state,
        table=table.id,
        room=table.room,
        opened=table.opened,
        clock=control_of(table.clock_setting),
        left=tuple(time.main for time in left),
        decor=table.decor,
        suspended=suspended,
        server=server,
    )


def _turn(play: Any) -> Turn:
    if type(play) is e.Started:
        return Turn(play.at, play.events)
    return Turn(play.at, play.events, play.seat, play.why)


def _state(game: AnyGame, log: Iterable[Any]) -> Any:
    return game.replay(event for happening in log for event in getattr(happening, "events", ()))


def _seated(game: AnyGame, log: list[Any]) -> tuple[Holder | None, ...]:
    """Who sat where when the game began, whoever took a seat over later."""
    begun = next(place for place, event in enumerate(log) if type(event) is e.Started)
    return replayed(game, log[: begun + 1]).players


def _renamed(log: list[Any]) -> dict[PersonId, e.Renamed]:
    """What people were last called at this table who have been called something else before."""
    return {event.person: event for event in log if type(event) is e.Renamed}


def _player(holder: Holder | None, renamed: Mapping[PersonId, e.Renamed]) -> Player | None:
    match holder:
        case Sitter(person=person):
            called = renamed.get(person, holder)
            return Player(called.name, registered=not called.guest)
        case BotSitter(level=level):
            return Player(shown_name(holder), level=level, called=holder.name)
    return None
