"""What the lobby shows of a table."""

from typing import Any

import msgspec

from gamut.games.game import AnyGame, Outcome
from gamut.hall.clock import ClockSetting, NoClock
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.storage import Entry
from gamut.hall.table.events import StartRule
from gamut.hall.table.seats import BotSitter, Holder, Sitter
from gamut.hall.table.state import Phase, Table


class Summary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: TableId
    game: str
    phase: Phase
    seats: tuple[Holder | None, ...]
    host: PersonId | None
    options: dict[str, Any]
    clock: ClockSetting
    start: StartRule
    opened: Millis
    changed: Millis
    private: bool = False
    room: str | None = None
    waiting: bool = False
    """A seat was given up in mid-game and can be taken."""
    outcome: Outcome | None = None
    locked: bool = False
    """Who sits down must know a password."""
    watchable: bool = True


def summary_of(table: Table) -> Summary:
    return Summary(
        id=table.id,
        game=table.game,
        phase=table.phase,
        # Whoever gets up after a game has played it all the same.
        seats=table.players if table.phase == "over" and table.players else table.seats,
        host=table.host,
        options=msgspec.to_builtins(table.options),
        clock=table.clock_setting,
        start=table.start,
        opened=table.opened,
        changed=table.at,
        private=table.private,
        room=table.room,
        waiting=bool(table.waiting),
        outcome=table.outcome,
        locked=table.password is not None,
        watchable=table.watchable,
    )


def wakes(game: AnyGame, table: Table) -> bool:
    """Whether something will happen at this table although nobody does anything."""
    if table.phase == "over":
        return False
    if table.phase == "setup" or table.clock.running:
        return True
    if table.untimed and type(table.clock_setting) is not NoClock:
        return True  # the next move sets the clock going, and nothing is noted of moves
    for holder in table.seats:
        if type(holder) is BotSitter:
            return True
        # A seat that is not kept, or not for ever: who does not come back gives it up.
        if type(holder) is Sitter and (not holder.keeps or holder.hold is not None):
            return True
    return False


def entry_of(game: AnyGame, table: Table, people: tuple[PersonId, ...], room: str | None) -> Entry:
    return Entry(
        table=table.id,
        game=table.game,
        phase=table.phase,
        wakes=wakes(game, table),
        updated=table.at,
        summary=msgspec.json.encode(summary_of(table)),
        people=people,
        room=room,
        listed=table.phase == "over" and table.outcome is not None and not table.private,
    )


_decoder = msgspec.json.Decoder(Summary)


def summary_from(entry: Entry) -> Summary:
    return _decoder.decode(entry.summary)
