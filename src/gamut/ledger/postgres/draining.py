"""Asking the active node to hand over, and waiting until it has."""

from time import monotonic, sleep
from typing import Any

import psycopg

from gamut.hall.store.storage import LedgerError
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.migrations import version_of
from gamut.ledger.postgres.node import active, drain, successor

_EVERY = 0.05
_FOR_A_STANDBY = 3.0
"""Seconds after the end of the node for which a standby is waited for."""


def drain_active(url: str, patience: float, name: str | None = None) -> str:
    """What has become of it, in one line. With `name` only a node of that name is asked."""
    source = Source(url)
    began = monotonic()
    try:
        with source.first_connection() as connection:
            found = drain(connection, name) if version_of(connection) else None
            if found is None:
                raise _not_active(source, connection, name)
            number, name = found
            ended_after: float | None = None
            while True:
                waited = monotonic() - began
                ended, taken_over_by = successor(connection, number)
                if ended and taken_over_by is not None:
                    return f"Node {number} ({name}) has handed over to {taken_over_by} in {waited:.1f} s."
                if ended:
                    ended_after = waited if ended_after is None else ended_after
                    if waited - ended_after > _FOR_A_STANDBY:
                        return f"Node {number} ({name}) has stopped; no standby has taken over."
                elif waited > patience:
                    raise LedgerError(
                        f"Node {number} ({name}) was asked to hand over and has not done so yet."
                    )
                sleep(_EVERY)
    except psycopg.Error as error:
        raise source.unreachable(error) from None


def _not_active(source: Source, connection: psycopg.Connection[Any], name: str | None) -> LedgerError:
    other = active(connection) if version_of(connection) else None
    if other is None:
        return LedgerError(f"No node is active in the store {source.shown}.")
    return LedgerError(
        f"{name} is not active in the store {source.shown}: node {other[0]} ({other[1]}) is. "
        "A standby or a gateway is stopped with SIGTERM."
    )
