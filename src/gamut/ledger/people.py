"""The people of the server in SQL: one row each, and the key that signs their sessions."""

import secrets
from collections.abc import Mapping, Sequence

from sqlalchemy import Engine, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from gamut.hall.ids import Millis, PersonId
from gamut.hall.names import NameTaken
from gamut.hall.person import PersonRow, UnknownPerson
from gamut.ledger.schema import meta, people

SECRET = "session_secret"  # noqa: S105 - the name of the entry, not the secret
_COLUMNS = (
    people.c.id,
    people.c.name,
    people.c.name_key,
    people.c.password,
    people.c.created,
    people.c.seen,
    people.c.epoch,
)


def _values(row: PersonRow) -> dict[str, str | int | None]:
    return {column.name: getattr(row, column.name) for column in _COLUMNS}


class SqlPeopleStore:
    """A PeopleStore on the ledger's engine. Each call is one transaction of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def secret(self) -> str:
        known = self._secret()
        if known is not None:
            return known
        made = secrets.token_hex(32)
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(meta).values(key=SECRET, value=made))
        except IntegrityError:
            # Another node started at the same moment and was first: its key is everyone's.
            known = self._secret()
            if known is None:
                raise
            return known
        return made

    def _secret(self) -> str | None:
        with self._engine.connect() as connection:
            return connection.execute(select(meta.c.value).where(meta.c.key == SECRET)).scalar_one_or_none()

    def load(self) -> Sequence[PersonRow]:
        with self._engine.connect() as connection:
            return [PersonRow(**row) for row in connection.execute(select(*_COLUMNS)).mappings()]

    def add(self, row: PersonRow) -> None:
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(people).values(_values(row)))
        except IntegrityError as error:
            self._refuse_taken(row, error)

    def change(self, row: PersonRow) -> None:
        try:
            with self._engine.begin() as connection:
                result = connection.execute(update(people).where(people.c.id == row.id).values(_values(row)))
        except IntegrityError as error:
            self._refuse_taken(row, error)
        else:
            if result.rowcount == 0:
                raise UnknownPerson

    def _refuse_taken(self, row: PersonRow, error: IntegrityError) -> None:
        with self._engine.connect() as connection:
            holder = connection.execute(
                select(people.c.id).where(people.c.name_key == row.name_key)
            ).scalar_one_or_none()
        if holder is None or holder == row.id:
            raise error
        # Not from the database's error: that carries the row, and the hash has no place in a log.
        raise NameTaken from None

    def delete(self, id: PersonId) -> None:
        with self._engine.begin() as connection:
            connection.execute(delete(people).where(people.c.id == id))

    def saw(self, seen: Mapping[PersonId, Millis]) -> None:
        if not seen:
            return
        statement = (
            update(people)
            .where(people.c.id == bindparam("who"), people.c.seen < bindparam("at"))
            .values(seen=bindparam("at"))
        )
        with self._engine.begin() as connection:
            connection.execute(statement, [{"who": id, "at": at} for id, at in seen.items()])

    def expire_guests(self, unseen_since: Millis) -> Sequence[PersonId]:
        statement = (
            delete(people)
            .where(people.c.password.is_(None), people.c.seen < unseen_since)
            .returning(people.c.id)
        )
        with self._engine.begin() as connection:
            return [PersonId(id) for id in connection.execute(statement).scalars()]
