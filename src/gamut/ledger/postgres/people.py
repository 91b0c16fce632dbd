"""People on PostgreSQL. What changes them is numbered and fenced, as commits are."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import psycopg
from psycopg import errors

from gamut.hall.ids import Millis, PersonId
from gamut.hall.names.person_names import NameTaken
from gamut.hall.people.person import PersonRow, UnknownPerson
from gamut.hall.store.storage import Damage, LedgerError
from gamut.ledger.meta import SECRET
from gamut.ledger.people import seen_again, sound_people, values_of
from gamut.ledger.postgres.connecting import Source, line_of
from gamut.ledger.postgres.fence import FENCE, Connection, Fence
from gamut.ledger.schema import people

_COLUMNS = tuple(column.name for column in people.c)
_TYPES = dict.fromkeys(_COLUMNS, "text") | dict.fromkeys(("created", "seen", "epoch", "checksum"), "bigint")
_ARRAYS = ", ".join(f"%({name})s::{_TYPES[name]}[]" for name in _COLUMNS)
_NAMED = ", ".join(_COLUMNS)
# Each of these is one statement, and the number of people that it has changed is its answer.
_DONE = ") SELECT (SELECT count(*) FROM done) FROM fence"
_ADD = (
    f"{FENCE}, done AS (INSERT INTO people ({_NAMED})"
    f" SELECT row.* FROM fence, unnest({_ARRAYS}) AS row RETURNING 1{_DONE}"
)
_SET = ", ".join(f"{name} = %({name})s" for name in _COLUMNS)
_CHANGE = f"{FENCE}, done AS (UPDATE people SET {_SET} FROM fence WHERE people.id = %(id)s RETURNING 1{_DONE}"
_DELETE = (
    f"{FENCE}, done AS (DELETE FROM people USING fence WHERE people.id = ANY (%(ids)s) RETURNING 1{_DONE}"
)
_SAW = (
    f"{FENCE}, done AS (UPDATE people SET seen = row.at, checksum = row.checksum"
    " FROM fence, unnest(%(ids)s::text[], %(ats)s::bigint[], %(sums)s::bigint[]) AS row (id, at, checksum)"
    f" WHERE people.id = row.id RETURNING 1{_DONE}"
)
_ALL = f"SELECT {_NAMED} FROM people"
_EXPIRED = "SELECT id FROM people WHERE password IS NULL AND seen < %s"
_ONE_OF_EACH_NAME = "people_name_key_key"
_MAKE_SECRET = "INSERT INTO meta (key, value) VALUES (%s, %s) ON CONFLICT DO NOTHING"  # noqa: S105
_THE_SECRET = "SELECT value FROM meta WHERE key = %s"  # noqa: S105


class PostgresPeopleReading:
    """What also a node may that is not active."""

    def __init__(self, source: Source, damage: Damage) -> None:
        self._source = source
        self._damage = damage

    def checksums(self) -> dict[PersonId, int]:
        return dict(self._read("SELECT id, checksum FROM people", ()))

    def rows(self, people: Collection[PersonId]) -> Sequence[PersonRow]:
        return sound_people(self._read(f"{_ALL} WHERE id = ANY (%s)", (list(people),)), self._damage)

    def _read(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        try:
            with self._source.connect() as connection:
                return connection.execute(query, values).fetchall()
        except psycopg.Error as error:
            raise LedgerError(line_of(error)) from None


class PostgresPeopleStore(PostgresPeopleReading):
    """A PeopleStore. Called by one thread at a time."""

    def __init__(self, source: Source, node: int, changes: Fence, damage: Damage) -> None:
        super().__init__(source, damage)
        self._node = node
        self._changes = changes
        self._secret = ""

    def secret(self) -> str:
        if not self._secret:
            with self._source.first_connection() as connection:
                connection.execute(_MAKE_SECRET, (SECRET, secrets.token_hex(32)))
                row = connection.execute(_THE_SECRET, (SECRET,)).fetchone()
            assert row is not None
            self._secret = str(row[0])
        return self._secret

    def load(self) -> Sequence[PersonRow]:
        with self._source.first_connection() as connection:
            return sound_people(connection.execute(_ALL).fetchall(), self._damage)

    def add(self, *rows: PersonRow) -> None:
        columns = [values_of(row) for row in rows]
        self._change(_ADD, {name: [each[name] for each in columns] for name in _COLUMNS})

    def change(self, row: PersonRow) -> None:
        if self._change(_CHANGE, values_of(row)) == 0:
            raise UnknownPerson

    def delete(self, id: PersonId) -> None:
        self._change(_DELETE, {"ids": [id]})

    def saw(self, seen: Mapping[PersonId, Millis]) -> None:
        if not seen:
            return
        rows = self._read(f"{_ALL} WHERE id = ANY (%s)", (list(seen),))
        later = [change for row in rows if (change := seen_again(row, seen[row[0]])) is not None]
        if later:
            columns = {"ids": "who", "ats": "at", "sums": "sum"}
            self._change(_SAW, {name: [each[key] for each in later] for name, key in columns.items()})

    def expire_guests(self, unseen_since: Millis) -> Sequence[PersonId]:
        expired = [PersonId(row[0]) for row in self._read(_EXPIRED, (unseen_since,))]
        if expired:
            self._change(_DELETE, {"ids": expired})
        return expired

    def _change(self, query: str, values: Mapping[str, Any]) -> int | None:
        """How many people this has changed; None if that is done but the answer was lost."""

        def statement(connection: Connection, number: int) -> int | None:
            row = connection.execute(query, {**values, "node": self._node, "number": number}).fetchone()
            return None if row is None else int(row[0])

        try:
            return self._changes.run(statement)
        except errors.UniqueViolation as error:
            if error.diag.constraint_name != _ONE_OF_EACH_NAME:
                raise LedgerError("Somebody with this id is stored already.") from None
            # Not from the database's error: that carries the row, and the hash has no place in a log.
            raise NameTaken from None
        except psycopg.Error as error:
            raise LedgerError(line_of(error)) from None


class PostgresPeopleOfMain(PostgresPeopleStore):
    """The same for a node of another wing than the main one. That one alone changes people: it has all of them in its
    memory."""

    def saw(self, seen: Mapping[PersonId, Millis]) -> None:
        """The main wing hears from all others who is there, and notes it."""

    def expire_guests(self, unseen_since: Millis) -> Sequence[PersonId]:
        return ()

    def _change(self, query: str, values: Mapping[str, Any]) -> int | None:
        raise LedgerError("Only the main wing of the hall changes people.")
