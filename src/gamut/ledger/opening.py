"""Opening the store that the settings name."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gamut.hall.store.storage import LedgerError
from gamut.ledger.sqlite.store import SqliteStore
from gamut.ledger.store import Hearing, Meanwhile, Place, Store

POSTGRES = ("postgresql://", "postgres://")
"""With one of these the address of a database begins."""


@contextmanager
def require_postgres() -> Iterator[None]:
    """Around the import of something that needs the driver, which only the extra `gamut[postgres]` installs."""
    try:
        yield
    except ImportError as error:
        if error.name is None or not error.name.startswith("psycopg"):
            raise
        raise LedgerError(
            "A store on PostgreSQL needs psycopg, which is not installed: pip install 'gamut[postgres]'."
        ) from None


async def open_store(
    place: Place,
    stopped: asyncio.Event,
    waiting: Callable[[str], None],
    check_ready: Callable[[], None],
    meanwhile: Meanwhile | None = None,
    hearing: Hearing | None = None,
) -> Store | None:
    """The store, as soon as it is this node's turn; None if we were asked to stop before.

    `waiting` is told which node we wait for. `check_ready` raises if this node could not open, and another one is not
    ended for it. `meanwhile` is done while we wait. `hearing`: what is heard of the active node apart from the store.
    """
    if not place.url:
        return await asyncio.to_thread(SqliteStore, place.folder)
    with require_postgres():
        from gamut.ledger.postgres.store import open_postgres
    return await open_postgres(place, stopped, waiting, check_ready, meanwhile, hearing)
