"""Events without the person who is to be taken out of them."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from gamut.games.game import AnyGame
from gamut.hall.ids import PersonId, Seq, TableId
from gamut.hall.store.checksum import START, chained
from gamut.hall.store.storage import Row
from gamut.hall.table import codec
from gamut.hall.table import events as e
from gamut.hall.table.seats import Holder, Sitter
from gamut.hall.table.state import Table

NOBODY = "A former player"
UNSAID = "(taken back)"


def nameless(game: AnyGame, event: Any) -> Any:
    """The event with nobody's name in its options: those of a game that goes on were once kept with names."""
    if type(event) is e.Opened or type(event) is e.Configured:
        options = msgspec.convert(event.options, game.options_type)
        anonymous = game.anonymous(options)
        if anonymous is not options:
            return replace(event, options=msgspec.to_builtins(anonymous))
    return event


def without(person: PersonId, event: Any) -> Any:
    """The event with nothing in it that says who this was, or what they said."""
    if type(event) is e.Sat and event.sitter.person == person:
        return replace(event, sitter=_unnamed(person, event.sitter))
    if type(event) in (e.Opened, e.Configured) and any(_is(person, holder) for holder in event.holders):
        return replace(event, holders=tuple(_unnamed(person, holder) for holder in event.holders))
    if type(event) is e.Said and event.person == person:
        return replace(event, name=NOBODY, text=UNSAID)
    if type(event) is e.Renamed and event.person == person:
        return replace(event, name=NOBODY)
    return event


def is_nobody(holder: Holder | None) -> bool:
    """Whoever sat there was taken out of what is kept, and is no more."""
    return isinstance(holder, Sitter) and holder.name == NOBODY


def _is(person: PersonId, holder: Holder | None) -> bool:
    return isinstance(holder, Sitter) and holder.person == person


def _unnamed(person: PersonId, holder: Any) -> Any:
    return replace(holder, name=NOBODY) if _is(person, holder) else holder


def unnamed(game: AnyGame, person: PersonId, table: Table) -> Table:
    """The table that the log makes without the person's name: nothing else of it is another."""
    return replace(
        table,
        options=game.anonymous(table.options),
        seats=tuple(_unnamed(person, holder) for holder in table.seats),
        players=tuple(_unnamed(person, holder) for holder in table.players),
    )


def chain(table: TableId, events: Iterable[Any], after: int = 0, checksum: bytes = START) -> list[Row]:
    """A whole log as rows; or what comes after the event of that number, which has that checksum."""
    rows = []
    for number, event in enumerate(events, after + 1):
        body = codec.encode(event)
        checksum = chained(checksum, body)
        rows.append(Row(table, Seq(number), body, checksum))
    return rows
