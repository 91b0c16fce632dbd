"""Accounts in a data folder, as if people had come before."""

from pathlib import Path
from time import time

from gamut.hall.ids import Millis
from gamut.hall.people.people import People
from gamut.hall.people.prehash import prehashed
from gamut.hall.people.settings import PeopleSettings
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.sqlite.database import open_database

_PASSWORD = "as good as any other"
CHEAP = PeopleSettings(hash_time_cost=1, hash_memory_cost=8)
"""Hashes that cost next to nothing to make and to check: for a load of which log-ins are no part."""


def player(number: int) -> str:
    return f"member {number}"


def hash_of(name: str) -> str:
    """What this player's client sends in place of the password."""
    return prehashed(name, _PASSWORD)


async def write(folder: Path, names: list[str], settings: PeopleSettings) -> None:
    database = open_database(folder)
    people = await People.open(SqlPeopleStore(database.engine), settings, _now)
    for name in names:
        await people.register_hashed(name, hash_of(name))
    await people.close()
    database.close()


def _now() -> Millis:
    return Millis(int(time() * 1000))
