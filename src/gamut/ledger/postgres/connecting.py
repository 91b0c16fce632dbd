"""The way to one PostgreSQL database: how it is connected to, and what counts as its being away."""

from typing import Any

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Engine, create_engine

from gamut.hall.store.storage import LedgerError

_READERS = 8
"""Connections for those who read, at most."""

# A server that has vanished from the network is noticed within seconds. Whoever knows better says so in the URL.
_PATIENCE = {
    "connect_timeout": "3",
    "keepalives_idle": "2",
    "keepalives_interval": "1",
    "keepalives_count": "3",
    "tcp_user_timeout": "5000",
}

_BAD_PAGES = (errors.DataCorrupted, errors.IndexCorrupted)


def is_away(error: BaseException | None) -> bool:
    """Whether the database may answer later: it is down, starting, read-only after a fail-over, out of space."""
    if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError, errors.ReadOnlySqlTransaction)):
        return True
    # A connection that was lost while something long was sent: there is no code of an error, for no server gave one.
    return type(error) is psycopg.DatabaseError and error.sqlstate is None


def is_bad_page(error: BaseException | None) -> bool:
    return isinstance(error, _BAD_PAGES)


class Source:
    """A database by its URL. What is shown of the URL has no password."""

    def __init__(self, url: str) -> None:
        try:
            given = conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            # What follows is a part of the URL, maybe the password.
            wrong = line_of(error).partition('"')[0].rstrip(" :")
            raise LedgerError(f"This is no address of a PostgreSQL database: {wrong}.") from None
        hosts = str(given.get("host") or given.get("hostaddr") or "localhost").split(",")
        ports = str(given.get("port") or "5432").split(",")
        if "@" in f"{hosts}{given.get('dbname')}" or not all(port.isdecimal() for port in ports if port):
            # What stands there now is a part of the password, and is shown to nobody.
            raise LedgerError(
                "This is no address of a PostgreSQL database: in a password, @ is written %40, / is %2F and : is %3A."
            )
        self._parameters: dict[str, Any] = {
            **_PATIENCE,
            "application_name": "gamut",
            **given,
            "client_encoding": "UTF8",
        }
        places = [f"{host}:{ports[min(at, len(ports) - 1)]}" for at, host in enumerate(hosts)]
        self.shown = f"postgresql://{','.join(places)}/{given.get('dbname') or ''}"

    def connect(self) -> psycopg.Connection[Any]:
        """Every statement is a transaction of its own: nothing is left open between two of them."""
        return psycopg.connect(**self._parameters, autocommit=True)

    async def connect_soon(self) -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(**self._parameters, autocommit=True)

    def first_connection(self) -> psycopg.Connection[Any]:
        """The same, with one clear line if it cannot be."""
        try:
            return self.connect()
        except psycopg.Error as error:
            raise self.unreachable(error) from None

    def unreachable(self, error: BaseException) -> LedgerError:
        return LedgerError(f"The store {self.shown} cannot be reached: {line_of(error)}.")

    def engine(self) -> Engine:
        """For reading."""
        return create_engine(
            "postgresql+psycopg://",
            creator=self.connect,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            pool_size=_READERS,
            max_overflow=0,
        )


def line_of(error: BaseException | None) -> str:
    """What is wrong, in one line; not the rows that the server shows with it."""
    told = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    return " ".join((told or str(error)).split()).rstrip(".")
