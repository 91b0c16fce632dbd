"""A ledger after years of play, with everything that was stored in it remembered beside it."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace
from tests.hall.support.inmemory import NOON, House, MemoryStorage, make_hall

from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.erasure import erase
from gamut.hall.live.opening import Opening
from gamut.hall.names.person_names import name_key
from gamut.hall.people.person import PersonRow
from gamut.hall.store.checksum import chained
from gamut.hall.store.storage import Entry, Row, Storage
from gamut.hall.table import commands as c
from gamut.hall.table.clock import Bank
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.sqlite.database import open_database
from gamut.ledger.sqlite.ledger import SqliteLedger

_APPENDS_A_COMMIT = 40


class Remembered(MemoryStorage):
    """Everything that was stored, also commit by commit."""

    def __init__(self) -> None:
        super().__init__()
        self.history: list[tuple[Sequence[Row], tuple[Entry, ...]]] = []

    def append(self, rows: Sequence[Row], entries: Iterable[Entry]) -> None:
        noted = tuple(entries)
        super().append(rows, noted)
        self.history.append((list(rows), noted))


def someone(number: int) -> PersonRow:
    name = f"Player {number}"
    return PersonRow(
        id=PersonId(f"person-{number:03}"),
        name=name,
        name_key=name_key(name),
        password=f"$argon2id$v=19$m=65536,t=3,p=4$c2FsdA${number:043}" if number % 2 else None,
        created=Millis(NOON + number),
        last_seen=Millis(NOON + 2 * number),
        epoch=number % 3,
    )


class Years:
    def __init__(self, tables: int, people: int, seed: int = 1) -> None:
        self.storage = Remembered()
        self.people = [someone(number) for number in range(people)]
        chance = Random(seed)
        house = make_hall(self.storage, seed=seed)
        for number in range(tables):
            self._table(house, number, chance)
            person = chance.choice(self.people)
            house.hall.lobby.say(person.id, person.name, f"line {number}: {'well, ' * chance.randrange(20)}")
            house.advance(chance.randrange(5_000))
        asyncio.run(self._one_leaves(house))

    def _table(self, house: House, number: int, chance: Random) -> None:
        who = [person.id for person in chance.sample(self.people, 3)]
        opening = Opening(
            game="tower",
            private=number % 11 == 0,
            room=f"room {number}" if number % 7 == 0 else None,
            clock=Bank(600_000) if number % 5 == 0 else Opening(game="tower").clock,
            # Some of it is more than fits on a page.
            decor={"cloth": "green" * chance.randrange(2_500)} if number % 13 == 0 else {},
        )
        live = house.open(opening, who[0], *who[: 3 if number % 9 else 2])
        for _ in range(chance.randrange(40)):
            if live.table.phase != "playing":
                break
            house.act(live)
            if chance.random() < 0.2:
                house.do(live, c.Say(who[0], who[0], f"what a move at table {number}", "table"))

    async def _one_leaves(self, house: House) -> None:
        """Somebody was taken out: some logs were written anew."""
        person = self.people.pop()
        erasing = asyncio.ensure_future(erase(house.hall, person.id))
        while not erasing.done():
            await asyncio.sleep(0)
            house.settle()
            house.advance(10_000)
        await erasing

    def store(self, folder: Path, *, lacking: int = 0) -> None:
        """Put all of it into a real ledger, but for so many of the last commits."""
        database = open_database(folder)
        store = SqlPeopleStore(database.engine, database.damage)
        store.secret()
        for person in self.people:
            store.add(person)
        ledger = SqliteLedger(database.engine, database.high_water, database.damage)
        pour(self.storage.history[: len(self.storage.history) - lacking], ledger)
        ledger.forget(someone(len(self.people)).id)
        ledger.close()
        database.close()


def pour(history: Sequence[tuple[Sequence[Row], tuple[Entry, ...]]], ledger: Storage) -> None:
    for start in range(0, len(history), _APPENDS_A_COMMIT):
        part = history[start : start + _APPENDS_A_COMMIT]
        notes: dict[Any, Entry] = {}
        for entry in (entry for _, entries in part for entry in entries):
            before = notes.get(entry.table, entry)
            people = (*before.people, *entry.people)
            notes[entry.table] = replace(entry, people=people, room=entry.room or before.room)
        ledger.append([row for rows, _ in part for row in rows], notes.values())


def went_on(rows: list[Row], body: bytes) -> Row:
    """The next event of a log."""
    last = rows[-1]
    return Row(last.table, type(last.seq)(last.seq + 1), body, chained(last.checksum, body))
