"""The tables of the ledger as they are now; `versions.py` makes them. Portable SQL: SQLite now, PostgreSQL later."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    literal,
    literal_column,
    text,
)

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""Facts about this ledger (`meta.py`): its schema version, the key that signs sessions, and what it has counted."""

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("password", Text),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("checksum", BigInteger, nullable=False, server_default=text("0")),
)

events = Table(
    "events",
    metadata,
    # A rowid of its own keeps inserts at the end of the file; only the small index is touched at random places.
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("checksum", LargeBinary, nullable=False),
    UniqueConstraint("table_id", "seq"),
)
"""The log of every table. Append-only."""

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("wakes", Boolean, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("summary", LargeBinary, nullable=False),
    Column("listed", Boolean, nullable=False, server_default=false()),
    Column("checksum", BigInteger, nullable=False, server_default=text("0")),
)
"""What the lobby shows of each table, written in the commit of the events that changed it."""

unfinished = tables.c.phase != literal("over", literal_execute=True)
# Only what a start must find is in the index: it stays small however many games have been played.
Index("tables_unfinished", tables.c.id, sqlite_where=unfinished, postgresql_where=unfinished)

listed: ColumnElement[bool] = literal_column("listed")
# The same for the lists of finished games: what nobody is shown is not looked at.
Index("tables_listed", tables.c.id, sqlite_where=listed, postgresql_where=listed)
Index("tables_listed_by_game", tables.c.game, tables.c.id, sqlite_where=listed, postgresql_where=listed)

rooms = Table(
    "rooms",
    metadata,
    Column("game", Text, primary_key=True),
    Column("room", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
)
"""The last table of each name that a game's own door has given."""

seats = Table(
    "seats",
    metadata,
    Column("person_id", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
)
"""Who played where: a person's own list of games."""

damaged = Table(
    "damaged",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("event", Integer, nullable=False),
)
"""Tables of which something was lost for good, and from which event on: what is left of them is not shown as all."""
