"""The people of the server in SQL: one row each, and the key that signs their sessions."""

import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec.structs import astuple, replace
from sqlalchemy import (
    ColumnClause,
    Connection,
    Engine,
    bindparam,
    delete,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError

from gamut.hall.ids import Millis, PersonId
from gamut.hall.names.person_names import NameTaken
from gamut.hall.people.person import PersonRow, UnknownPerson
from gamut.hall.store.storage import Damage, LedgerError
from gamut.ledger.checksums import of_person
from gamut.ledger.meta import SECRET
from gamut.ledger.schema import meta, people

log = logging.getLogger("gamut.ledger")

_NAMES = PersonRow.__struct_fields__  # in the order of the columns


# As they are stored, with the checksum: what is damaged may be of any type.
_STORED: list[ColumnClause[Any]] = [literal_column(f"people.{column.name}") for column in people.c]
_CHUNK = 500
# msgspec looks a type over when it first meets it, which must not happen in two threads at once.
msgspec.json.Decoder(PersonRow)


def values_of(row: PersonRow) -> dict[str, Any]:
    """The columns of somebody, by their names."""
    values = astuple(row)
    return dict(zip(people.c.keys(), (*values, of_person(*values)), strict=True))


def person_is_sound(row: Sequence[Any]) -> bool:
    """Whether a row of `people`, its columns in order, is what was stored."""
    checksum: int = row[-1]
    return checksum == of_person(*row[:-1])


def _person(row: Sequence[Any]) -> PersonRow | None:
    """The person; None if the row is damaged. An old row may have been damaged before it got its checksum."""
    if not person_is_sound(row):
        return None
    try:
        return msgspec.convert(dict(zip(_NAMES, row, strict=False)), PersonRow)
    except msgspec.ValidationError:
        return None


def seen_again(row: Sequence[Any], at: Millis) -> dict[str, Any] | None:
    """Somebody was seen at this time; None if that is nothing new."""
    person = _person(row)
    if person is None or person.last_seen >= at:
        return None
    values = values_of(replace(person, last_seen=at))
    return {"who": person.id, "at": at, "sum": values["checksum"]}


def sound_people(rows: Sequence[Sequence[Any]], damage: Damage) -> list[PersonRow]:
    """All but those whose rows are damaged, which are counted."""
    sound = [person for row in rows if (person := _person(row)) is not None]
    if len(sound) < len(rows):
        damage.people += len(rows) - len(sound)
        log.error("damaged people left out", extra={"people": len(rows) - len(sound)})
    return sound


class SqlPeopleStore:
    """A PeopleStore on SQLite. Each call is one transaction of its own."""

    def __init__(self, engine: Engine, damage: Damage | None = None) -> None:
        self._engine = engine
        self._damage = Damage() if damage is None else damage

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise LedgerError(str(error.orig)) from None

    def secret(self) -> str:
        known = self._secret()
        if known is not None:
            return known
        made = secrets.token_hex(32)
        try:
            with self._begin() as connection:
                connection.execute(insert(meta).values(key=SECRET, value=made))
        except IntegrityError:
            # Another node started at the same moment and was first: its key is everyone's.
            known = self._secret()
            if known is None:
                raise
            return known
        return made

    def _secret(self) -> str | None:
        with self._begin() as connection:
            return connection.execute(select(meta.c.value).where(meta.c.key == SECRET)).scalar_one_or_none()

    def load(self) -> Sequence[PersonRow]:
        with self._begin() as connection:
            return sound_people(connection.execute(select(*_STORED).select_from(people)).all(), self._damage)

    def add(self, *rows: PersonRow) -> None:
        try:
            with self._begin() as connection:
                connection.execute(insert(people), list(map(values_of, rows)))
        except IntegrityError as error:
            if len(rows) > 1:
                raise NameTaken from None
            self._refuse_taken(rows[0], error)

    def change(self, row: PersonRow) -> None:
        try:
            with self._begin() as connection:
                result = connection.execute(
                    update(people).where(people.c.id == row.id).values(values_of(row))
                )
        except IntegrityError as error:
            self._refuse_taken(row, error)
        else:
            if result.rowcount == 0:
                raise UnknownPerson

    def _refuse_taken(self, row: PersonRow, error: IntegrityError) -> None:
        with self._begin() as connection:
            holder = connection.execute(
                select(people.c.id).where(people.c.name_key == row.name_key)
            ).scalar_one_or_none()
        if holder is None or holder == row.id:
            raise error
        # Not from the database's error: that carries the row, and the hash has no place in a log.
        raise NameTaken from None

    def delete(self, id: PersonId) -> None:
        with self._begin() as connection:
            connection.execute(delete(people).where(people.c.id == id))

    def saw(self, seen: Mapping[PersonId, Millis]) -> None:
        if not seen:
            return
        statement = (
            update(people)
            .where(people.c.id == bindparam("who"))
            .values(seen=bindparam("at"), checksum=bindparam("sum"))
        )
        ids = list(seen)
        with self._begin() as connection:
            for start in range(0, len(ids), _CHUNK):
                some = people.c.id.in_(ids[start : start + _CHUNK])
                rows = connection.execute(select(*_STORED).select_from(people).where(some)).all()
                later = [seen_again(row, seen[row[0]]) for row in rows]
                changes = [change for change in later if change is not None]
                if changes:
                    connection.execute(statement, changes)

    def expire_guests(self, unseen_since: Millis) -> Sequence[PersonId]:
        statement = (
            delete(people)
            .where(people.c.password.is_(None), people.c.seen < unseen_since)
            .returning(people.c.id)
        )
        with self._begin() as connection:
            return [PersonId(id) for id in connection.execute(statement).scalars()]
