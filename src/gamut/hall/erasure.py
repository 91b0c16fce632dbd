"""Taking a person out of what is kept. Games stay as they were played; whose games they were is gone."""

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from gamut.games.game import Refused
from gamut.hall.checksum import START, chained
from gamut.hall.ids import PersonId, Seq, TableId
from gamut.hall.live import LiveTable
from gamut.hall.storage import Row
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.evolve import replayed
from gamut.hall.table.seats import Holder, Sitter

if TYPE_CHECKING:
    from gamut.hall.hall import Hall

NOBODY = "A former player"
UNSAID = "(taken back)"
_EVERY = 1_000_000


def without(person: PersonId, event: Any) -> Any:
    """The event with nothing in it that says who this was, or what they said."""
    if type(event) is e.Sat and event.sitter.person == person:
        return replace(event, sitter=_unnamed(person, event.sitter))
    if type(event) is e.Opened and any(_is(person, holder) for holder in event.holders):
        return replace(event, holders=tuple(_unnamed(person, holder) for holder in event.holders))
    if type(event) is e.Said and event.person == person:
        return replace(event, name=NOBODY, text=UNSAID)
    return event


def _is(person: PersonId, holder: Holder | None) -> bool:
    return isinstance(holder, Sitter) and holder.person == person


def _unnamed(person: PersonId, holder: Any) -> Any:
    return replace(holder, name=NOBODY) if _is(person, holder) else holder


def chain(table: TableId, events: list[Any]) -> list[Row]:
    """A whole log as rows."""
    rows, checksum = [], START
    for number, event in enumerate(events, 1):
        body = codec.encode(event)
        checksum = chained(checksum, body)
        rows.append(Row(table, Seq(number), body, checksum))
    return rows


async def erase(hall: "Hall", person: PersonId) -> None:
    """They leave the games they are in, and their name and words leave every log."""
    for table_id in list(hall.seated.get(person, ())):
        live = await _readable(hall, table_id)
        if live is not None and live.table.seat_of(person) is not None:
            hall.do(live, c.Leave(person))
    await hall.durable()
    for entry in await hall.run_blocking(hall.storage.played_by, person, _EVERY):
        live = await _readable(hall, entry.table)
        if live is not None:
            _rewrite(hall, live, person)
    await hall.lobby.take_back(hall, person)
    await hall.durable()
    await hall.run_blocking(hall.storage.forget, person)


async def _readable(hall: "Hall", table_id: TableId) -> LiveTable | None:
    try:
        return await hall.load(table_id)
    except Refused:
        return None  # a damaged log is nobody's reason to stay


def _rewrite(hall: "Hall", live: LiveTable, person: PersonId) -> None:
    live.log = [without(person, event) for event in live.log]
    # The position stays the very same: a bot may be thinking about it.
    live.table = replace(replayed(live.game, live.log), state=live.table.state)
    rows = chain(live.id, live.log)
    live.checksum = rows[-1].checksum
    hall.journal.rewrite(live.id, rows)
    hall.note(live)
