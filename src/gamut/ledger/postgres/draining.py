"""Asking the active node to hand over, and waiting until it has."""

from time import monotonic, sleep

import psycopg

from gamut.hall.store.storage import LedgerError
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.migrations import version_of
from gamut.ledger.postgres.node import drain, successor

_EVERY = 0.05
_FOR_A_STANDBY = 3.0
"""Seconds after the end of the node for which a standby is waited for."""


def drain_active(url: str, patience: float) -> str:
    """What has become of it, in one line."""
    source = Source(url)
    began = monotonic()
    try:
        with source.first_connection() as connection:
            found = drain(connection) if version_of(connection) else None
            if found is None:
                raise LedgerError(f"No node is active in the store {source.shown}.")
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
