"""People for tests: a store in memory, a clock that is set by hand, and hashing that costs nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from argon2 import PasswordHasher
from msgspec.structs import replace

from gamut.hall.ids import Millis, PersonId
from gamut.hall.names.person_names import NameTaken, name_key
from gamut.hall.people.passwords import kind_of
from gamut.hall.people.people import People, PeopleSettings, PeopleStore, PersonRow
from gamut.hall.people.person import UnknownPerson

CHEAP = PeopleSettings(hash_time_cost=1, hash_memory_cost=8, hash_parallelism=1)
SECRET = "5e" * 32
PASSWORD = "correct horse"


class Clock:
    def __init__(self) -> None:
        self.time = 1_700_000_000_000

    def __call__(self) -> Millis:
        return Millis(self.time)

    def forward(self, span: int) -> None:
        self.time += span


class MemoryStore:
    def __init__(self) -> None:
        self.rows: dict[PersonId, PersonRow] = {}
        self.added: list[int] = []
        """How many were added at once, each time."""

    def secret(self) -> str:
        return SECRET

    def load(self) -> Sequence[PersonRow]:
        return list(self.rows.values())

    def add(self, *rows: PersonRow) -> None:
        self.added.append(len(rows))
        for row in rows:
            if any(other.name_key == row.name_key and other.id != row.id for other in self.rows.values()):
                raise NameTaken
        self.rows.update({row.id: row for row in rows})

    def change(self, row: PersonRow) -> None:
        if row.id not in self.rows:
            raise UnknownPerson
        self.add(row)

    def delete(self, id: PersonId) -> None:
        self.rows.pop(id, None)

    def saw(self, seen: Mapping[PersonId, Millis]) -> None:
        for id, at in seen.items():
            if id in self.rows:
                self.rows[id] = replace(self.rows[id], last_seen=max(at, self.rows[id].last_seen))

    def expire_guests(self, unseen_since: Millis) -> Sequence[PersonId]:
        gone = [row.id for row in self.rows.values() if row.password is None and row.last_seen < unseen_since]
        for id in gone:
            del self.rows[id]
        return gone


def account_of_old(name: str, *, time_cost: int = 1) -> PersonRow:
    """An account from before hashes could be sent: what is stored is made of the password itself."""
    return PersonRow(
        id=PersonId(f"id of {name}"),
        name=name,
        name_key=name_key(name),
        password=PasswordHasher(time_cost, 8, 1).hash(PASSWORD),
        created=Millis(1),
        last_seen=Millis(1),
        epoch=1,
    )


@asynccontextmanager
async def opened(
    store: PeopleStore, clock: Callable[[], Millis], settings: PeopleSettings = CHEAP
) -> AsyncIterator[People]:
    people = await People.open(store, settings, clock)
    try:
        yield people
    finally:
        await people.close()


def kinds_verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Of every hash that a password is verified against from now on, the kind: what it costs."""
    verified: list[str] = []
    verify = PasswordHasher.verify

    def watched(self: PasswordHasher, hash: str, password: bytes) -> bool:
        verified.append(kind_of(hash))
        return verify(self, hash, password)

    monkeypatch.setattr(PasswordHasher, "verify", watched)
    return verified


def with_people(
    story: Callable[[People, MemoryStore, Clock], Coroutine[Any, Any, None]],
    settings: PeopleSettings = CHEAP,
) -> None:
    """Run a test's story with fresh people; afterwards, memory and store must agree about everyone."""

    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        async with opened(store, clock, settings) as people:
            await story(people, store, clock)
        assert {row.person for row in store.rows.values()} == {people.person(id) for id in store.rows}
        assert len(people) == len(store.rows)

    asyncio.run(run())
