"""How the ledgers of former versions in this folder were made: `python -m tests.ledger.old.make VERSION`.

Each was made once, by the steps up to its version, and is never made again: it stands for those that are out there.
"""

import sqlite3
import sys
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine
from tests.hall.support.inmemory import MemoryStorage, make_hall
from tests.ledger.support.years import someone

from gamut.hall.live.opening import Opening
from gamut.hall.people.person import PersonRow
from gamut.hall.store.checksum import START
from gamut.hall.store.storage import Row
from gamut.hall.table import commands as c
from gamut.ledger.versions import STEPS

HERE = Path(__file__).parent
SECRET = "5e" * 32


def games() -> tuple[MemoryStorage, list[PersonRow]]:
    """One that was played to its end, one that goes on, one that waits in a room; and some talk."""
    house = make_hall()
    people = [someone(number) for number in range(3)]
    ids = [person.id for person in people]
    played = house.open(Opening(game="tower"), ids[0], *ids)
    while played.table.phase != "over":
        house.act(played)
    running = house.open(Opening(game="tower"), ids[1], *ids)
    for _ in range(4):
        house.act(running)
    house.do(running, c.Say(ids[2], "Player 2", "good luck", "table"))
    house.open(Opening(game="tower", room="den"), ids[2], ids[2])
    for line in ("hello", "anybody here?", "a game?"):
        house.hall.lobby.say(ids[0], "Player 0", line)
    house.settle()
    return house.storage, people


def with_former_checksums(rows: list[Row]) -> list[Row]:
    former, checksum = [], START
    for row in rows:
        checksum = blake2b(row.body, digest_size=8, key=checksum).digest()
        former.append(Row(row.table, row.seq, row.body, checksum))
    return former


def make(version: int) -> None:
    file = HERE / f"v{version}.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA page_size = 512")
        connection.execute("VACUUM")
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as stepping:
        for step in STEPS[:version]:
            step(stepping)
    engine.dispose()
    storage, people = games()
    with closing(sqlite3.connect(file)) as connection, connection:
        if version == 1:
            connection.execute("CREATE INDEX ix_tables_phase ON tables (phase)")
        connection.executemany(
            "INSERT INTO meta VALUES (?, ?)", [("schema_version", str(version)), ("session_secret", SECRET)]
        )
        for person in people:
            _insert(
                connection,
                "people",
                {name: getattr(person, name) for name in PersonRow.__struct_fields__},
            )
        for rows in storage.rows.values():
            for row in with_former_checksums(rows) if version < 3 else rows:
                values = {"table_id": row.table, "seq": row.seq, "body": row.body, "checksum": row.checksum}
                _insert(connection, "events", values)
        for entry in storage.entries.values():
            note: dict[str, Any] = {
                "id": entry.table,
                "game": entry.game,
                "phase": entry.phase,
                "wakes": entry.load_at_start,
                "updated": entry.updated,
                "summary": entry.summary,
            }
            _insert(connection, "tables", note | ({"listed": entry.listed} if version >= 4 else {}))
            if version >= 2 and entry.room is not None:
                room = {"game": entry.game, "room": entry.room, "table_id": entry.table}
                _insert(connection, "rooms", room)
        for who, tables in storage.seats.items():
            for table in tables:
                _insert(connection, "seats", {"person_id": who, "table_id": table})


def _insert(connection: sqlite3.Connection, table: str, values: dict[str, Any]) -> None:
    marks = ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))


if __name__ == "__main__":
    make(int(sys.argv[1]))
