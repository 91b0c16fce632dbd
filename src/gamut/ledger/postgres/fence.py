"""Numbered statements: each is stored once, also if its answer was lost, and none once the node was ended."""

import logging
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, Literal, TypeVar

import psycopg

from gamut.hall.store.storage import Fenced, LedgerError, StoreWentBack
from gamut.ledger.postgres.connecting import Source, is_away

log = logging.getLogger("gamut.ledger")

_PAUSE = 0.1
"""Seconds between two tries to reach a store that is away."""

Connection = psycopg.Connection[Any]
Done = TypeVar("Done")

# A write and not a look: what it waits for until it is durable, on the standby too if there is a synchronous one,
# is also everything that was stored before it. A look could find a commit that a fail-over still takes back.
_ASK = "UPDATE nodes SET asked = asked + 1 WHERE id = %s RETURNING batch, changes, ended IS NOT NULL"


DURABLE = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)
"""For connections whose commits must not be taken back, whatever the server's settings are."""

FENCE = """
WITH fence AS (
    UPDATE nodes SET changes = %(number)s WHERE id = %(node)s AND changes = %(number)s - 1 AND ended IS NULL
    RETURNING id
)"""
"""The beginning of a statement that changes something beside the log; what follows must depend on `fence`."""


class Fence:
    """One row of statements of a node. `counted` is the column of `nodes` that has the number of the last of them."""

    def __init__(
        self,
        source: Source,
        node: int,
        counted: Literal["batch", "changes"],
        prepare: Callable[[Connection], None] = lambda _: None,
    ) -> None:
        self._source = source
        self._node = node
        self._column = ("batch", "changes").index(counted)
        self._prepare = prepare
        self._connection: Connection | None = None
        self._closed = threading.Event()
        self._one_at_a_time = threading.Lock()
        self.number = 0
        """Of the last statement that is stored."""

    def run(self, statement: Callable[[Connection, int], Done | None]) -> Done | None:
        """Have a statement stored, however long the store is away meanwhile.

        It is called with its number, says None where it did nothing because the number was not the next one, and may
        be called several times. None is returned if it is stored but its answer was lost.
        """
        with self._one_at_a_time:
            number, unsure, since = self.number + 1, False, 0.0
            done: Done | None = None
            while True:
                try:
                    connection = self._connected()
                    if unsure and self._is_stored(connection, number):
                        break
                    done = statement(connection, number)
                    if done is not None:
                        break
                    unsure = True
                except psycopg.Error as error:
                    if not (is_away(error) or self._is_broken()):
                        raise
                    unsure = True
                    since = since or self._went_away(error)
                    self._pause()
            if since:
                log.warning("the store is back", extra={"seconds": round(monotonic() - since, 1)})
            self.number = number
            return done

    def check(self) -> None:
        """Raises Fenced or StoreWentBack; to be asked where the store may have changed without our noticing.

        A statement that is under way finds out by itself.
        """
        if not self._one_at_a_time.acquire(blocking=False):
            return
        try:
            self._is_stored(self._connected(), self.number + 1)
        finally:
            self._one_at_a_time.release()

    def close(self) -> None:
        """Whoever waits for the store gives up."""
        self._closed.set()
        with self._one_at_a_time:
            self._disconnect()

    def _is_stored(self, connection: Connection, number: int) -> bool:
        row = connection.execute(_ASK, (self._node,)).fetchone()
        found = -1 if row is None else row[self._column]
        if found < number - 1:
            raise StoreWentBack(
                f"The store {self._source.shown} came back with less than it had: it knows of {max(found, 0)} "
                f"commits of this node (number {self._node}), and {number - 1} were stored"
            )
        if row is not None and row[2]:
            raise Fenced(self._node)
        return bool(found == number)

    def _connected(self) -> Connection:
        if self._closed.is_set():
            raise LedgerError("The store was away when the server stopped")
        if self._connection is None or self._connection.closed:
            self._connection = self._source.connect()
            self._connection.execute(DURABLE)
            self._prepare(self._connection)
        return self._connection

    def _is_broken(self) -> bool:
        return self._connection is not None and bool(self._connection.broken or self._connection.closed)

    def _went_away(self, error: psycopg.Error) -> float:
        log.error("the store is away: nothing is told until it is back", extra={"error": str(error).strip()})
        return monotonic()

    def _pause(self) -> None:
        self._disconnect()
        self._closed.wait(_PAUSE)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
