"""The one statement that stores a batch (`gamut_commit` in `versions.py`)."""

from collections.abc import Sequence

import psycopg
from psycopg import pq

from gamut.hall.store.storage import Entry, Row
from gamut.ledger.moment import moment_of
from gamut.ledger.notes import note_of, rooms_of, seats_of
from gamut.ledger.postgres.arrays import bigints, blobs, bools, ints, texts
from gamut.ledger.postgres.fence import Connection

_NAME = b"gamut_commit"
_TYPES = (
    *("bigint", "bigint", "bigint", "text[]"),
    *("text[]", "integer[]", "bytea[]", "bytea[]"),
    *("text[]", "text[]", "text[]", "boolean[]", "bigint[]", "bytea[]", "boolean[]", "bigint[]"),
    *("text[]", "text[]", "text[]", "text[]", "text[]"),
)
_CALL = f"SELECT gamut_commit({', '.join(f'${at}::{kind}' for at, kind in enumerate(_TYPES, 1))})".encode()
_BINARY = [pq.Format.BINARY] * len(_TYPES)
_NO_NOTES = [texts(())] * 3 + [bools(()), bigints(()), blobs(()), bools(()), bigints(()), *[texts(())] * 5]


def prepare(connection: Connection) -> None:
    """To be called once for each connection on which batches are stored."""
    _checked(connection.pgconn.prepare(_NAME, _CALL), pq.ExecStatus.COMMAND_OK)


class Commit:
    """A batch as it is sent, also when it has to be sent again."""

    def __init__(self, node: int, rows: Sequence[Row], entries: Sequence[Entry]) -> None:
        cleared = {row.table: place for place, row in enumerate(rows) if not row.seq}
        if cleared:
            # Such a log comes whole, after the row that clears it. What came before that row goes.
            rows = [row for place, row in enumerate(rows) if row.seq and place > cleared.get(row.table, -1)]
        self._node = node.to_bytes(8)
        self._values = [
            (moment_of(rows[-1].body) if rows else 0).to_bytes(8),
            texts(cleared),
            texts([row.table for row in rows]),
            ints([row.seq for row in rows]),
            blobs([row.body for row in rows]),
            blobs([row.checksum for row in rows]),
            *(_notes(entries) if entries else _NO_NOTES),
        ]

    def __call__(self, connection: Connection, number: int) -> bool | None:
        values = [self._node, number.to_bytes(8), *self._values]
        # Past what psycopg does for each parameter, which takes as long as storing it.
        result = connection.pgconn.exec_prepared(_NAME, values, _BINARY, pq.Format.BINARY)
        _checked(result, pq.ExecStatus.TUPLES_OK)
        return True if result.get_value(0, 0) == b"\x01" else None


def _notes(entries: Sequence[Entry]) -> list[bytes]:
    ids, games, phases, wakes, updated, summaries, listed, sums = zip(*map(note_of, entries), strict=True)
    rooms, seats = list(rooms_of(entries)), list(seats_of(entries))
    return [
        texts(ids),
        texts(games),
        texts(phases),
        bools(wakes),
        bigints(updated),
        blobs(summaries),
        bools(listed),
        bigints(sums),
        *(texts([room[column] for room in rooms]) for column in range(3)),
        *(texts([seat[column] for seat in seats]) for column in range(2)),
    ]


def _checked(result: pq.abc.PGresult, wanted: pq.ExecStatus) -> None:
    if result.status != wanted:
        raise psycopg.errors.error_from_result(result)
