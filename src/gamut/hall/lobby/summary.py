"""What the lobby shows of a table."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from gamut.games.game import AnyGame, Outcome
from gamut.hall.faults import Fault, Faults
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.store.storage import Damage, Entry
from gamut.hall.table.clock import ClockSetting, NoClock
from gamut.hall.table.deciding.presence import clock_decides
from gamut.hall.table.events import StartRule
from gamut.hall.table.seats import BotSitter, Holder, Sitter
from gamut.hall.table.state import Phase, Table

log = logging.getLogger("gamut.hall")


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
    guards_watching: bool = False
    """And who watches, too."""
    one_chat: bool = False
    """Watchers talk at the table, too."""
    deserted: bool = False
    """The game is on, and nobody has been there for a while. The lobby says so; it is not noted."""


LONGEST_OPTIONS = 2048
"""Bytes of JSON. Everybody in the lobby gets them each time that something happens at the table."""


def shown_options(game: AnyGame, options: Any) -> dict[str, Any]:
    """What a list shows of a table's options: nothing, rather than too much."""
    shown = game.brief(options)
    return shown if len(msgspec.json.encode(shown)) <= LONGEST_OPTIONS else {}


def _contained_options(game: AnyGame, table: Table, faults: Faults | None) -> dict[str, Any]:
    try:
        return shown_options(game, table.options)
    except Fault as fault:
        if faults is None:
            raise
        faults.contained("brief", fault, table=table.id)
        return {}


def summary_of(game: AnyGame, table: Table, faults: Faults | None = None) -> Summary:
    """What is shown of a table. With `faults`, a game that fails to say its options in brief shows none of them."""
    return Summary(
        id=table.id,
        game=table.game,
        phase=table.phase,
        # Whoever gets up after a game has played it all the same.
        seats=table.players if table.phase == "over" and table.players else table.seats,
        host=table.host,
        options=_contained_options(game, table, faults),
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
        guards_watching=table.guards_watching,
        one_chat=table.one_chat,
    )


def load_at_start(game: AnyGame, table: Table) -> bool:
    """Whether something will happen at this table although nobody does anything."""
    if table.phase == "over":
        return False
    if table.phase == "setup" or clock_decides(table):
        return True
    if table.untimed and type(table.clock_setting) is not NoClock:
        return True  # the next move starts the clock, and a move does not change the note
    for holder in table.seats:
        if type(holder) is BotSitter:
            return True
        # After a while somebody for whom play rests, or whose seat is kept for a time only, loses the seat.
        if type(holder) is Sitter and (holder.rests or holder.kept_for is not None):
            return True
    return False


def entry_of(
    game: AnyGame,
    table: Table,
    people: tuple[PersonId, ...],
    room: str | None,
    faults: Faults | None = None,
) -> Entry:
    return Entry(
        table=table.id,
        game=table.game,
        phase=table.phase,
        load_at_start=load_at_start(game, table),
        updated=table.at,
        summary=msgspec.json.encode(summary_of(game, table, faults)),
        people=people,
        room=room,
        listed=table.phase == "over" and table.outcome is not None and not table.private,
    )


_decoder = msgspec.json.Decoder(Summary)


def summary_from(game: AnyGame | None, entry: Entry) -> Summary:
    """The summary in a table's note. `game` is None if this server does not have the game any more."""
    summary = _decoder.decode(entry.summary)
    if len(entry.summary) <= LONGEST_OPTIONS:
        return summary
    # Perhaps from a time when all of the options were noted.
    if len(msgspec.json.encode(summary.options)) <= LONGEST_OPTIONS:
        return summary
    try:
        options = (
            {} if game is None else shown_options(game, msgspec.convert(summary.options, game.options_type))
        )
    except Fault:
        # Not options of this game any more, or it fails to say them in brief.
        options = {}
    return replace(summary, options=options)


def summaries_from(games: Mapping[str, AnyGame], entries: Iterable[Entry], damage: Damage) -> list[Summary]:
    """The summaries of these tables. A damaged one is left out, and logged once."""
    found = []
    for entry in entries:
        try:
            found.append(summary_from(games.get(entry.game), entry))
        except msgspec.DecodeError as error:
            if entry.table not in damage.notes:
                damage.notes[entry.table] = None
                log.error("damaged note", extra={"table": entry.table, "error": str(error)})
    return found
