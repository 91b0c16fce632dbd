"""Rows and entries for tests of the ledger."""

from collections.abc import Iterable

from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.store.checksum import START, chained
from gamut.hall.store.storage import Entry, Row


def chain(table: str, bodies: Iterable[bytes]) -> list[Row]:
    """A log with these bodies, its checksums right."""
    rows: list[Row] = []
    checksum = START
    for number, body in enumerate(bodies, 1):
        checksum = chained(checksum, body)
        rows.append(Row(TableId(table), Seq(number), body, checksum))
    return rows


def entry(
    table: str,
    phase: str = "setup",
    *,
    game: str = "tower",
    updated: int = 0,
    people: Iterable[str] = (),
    listed: bool = False,
) -> Entry:
    return Entry(
        table=TableId(table),
        game=game,
        phase=phase,
        load_at_start=phase == "setup",
        updated=Millis(updated),
        summary=f"{table} {phase}".encode(),
        people=tuple(map(PersonId, people)),
        listed=listed,
    )
