"""Which node is active, and how another becomes it. Ending a node is always safe: leases and locks only say when."""

from datetime import timedelta
from typing import Any

import msgspec
import psycopg

from gamut.hall.ids import Millis
from gamut.ledger.postgres.locks import HAS_ITS_LOCK

_OPENING = timedelta(seconds=5)
"""The first lease of a node: it has a hall to read before it renews in time."""

_LOOK = f"""
SELECT nodes.id, nodes.name, coalesce(leases.until < clock_timestamp(), true), NOT {HAS_ITS_LOCK}
FROM claims JOIN nodes ON nodes.id = claims.node LEFT JOIN leases ON leases.node = nodes.id
WHERE claims.kind = 'hall'
"""
# It has been ended: it stores no more.
_BEFORE = "SELECT id, batch FROM nodes WHERE id < %s ORDER BY id DESC LIMIT 1"
_END = """
WITH done AS (
    UPDATE nodes SET ended = clock_timestamp(), ended_by = id, at = greatest(at, %(at)s)
    WHERE id = %(node)s AND ended IS NULL RETURNING id
), lease AS (DELETE FROM leases USING done WHERE leases.node = done.id)
DELETE FROM claims USING done WHERE claims.node = done.id
"""
_DRAIN = """
UPDATE nodes SET draining = true FROM claims
WHERE claims.kind = 'hall' AND nodes.id = claims.node AND nodes.ended IS NULL
    AND (%(name)s::text IS NULL OR nodes.name = %(name)s)
RETURNING nodes.id, nodes.name
"""
_ASK = """
INSERT INTO claims (kind, name, node)
SELECT 'unheard', nodes.id::text, nodes.id
FROM claims JOIN nodes ON nodes.id = claims.node JOIN leases ON leases.node = nodes.id
WHERE claims.kind = 'hall' AND nodes.id = %s AND nodes.ended IS NULL AND NOT nodes.draining
    AND leases.until > clock_timestamp() AND nodes.started < clock_timestamp() - %s
ON CONFLICT DO NOTHING RETURNING node
"""
_YOUNG = timedelta(seconds=10)
"""A node that has been active for less is not asked: it may be reading its hall, and a hall does not wander about."""
IS_UNHEARD = "EXISTS (SELECT 1 FROM claims WHERE claims.kind = 'unheard' AND claims.node = nodes.id)"
"""Of a row of `nodes`: another node says that gateways do not hear it."""
_IS_HEARD = "DELETE FROM claims WHERE kind = 'unheard' AND node = %s"


class Active(msgspec.Struct, frozen=True):
    """The node that is active, as others see it."""

    number: int
    name: str
    lease_over: bool
    lock_free: bool


class Node(msgspec.Struct, frozen=True):
    """A run of one process, by its number; that is never used again."""

    number: int
    slot: int
    charged: Millis | None
    """Until when clocks ran at the node before this one, in server time; None: there was none."""
    opened_before: Millis
    """After all that the nodes before that one have stored, in server time."""
    before: int
    """The number of the node before this one; 0: there was none."""
    before_stored: int
    """How many batches of it are stored."""


async def look(connection: psycopg.AsyncConnection[Any]) -> Active | None:
    row = await (await connection.execute(_LOOK)).fetchone()
    return None if row is None else Active(*row)


async def take_over(
    connection: psycopg.AsyncConnection[Any], dead: int | None, name: str, version: str
) -> Node | None:
    """Be the active node, in place of `dead`; None if somebody else was faster."""
    try:
        row = await (
            await connection.execute(
                "SELECT * FROM gamut_take_over(%s, %s, %s, %s)", (dead, name, version, _OPENING)
            )
        ).fetchone()
    except psycopg.errors.UniqueViolation:
        return None
    assert row is not None
    before = await (await connection.execute(_BEFORE, (row[0],))).fetchone()
    return Node(*row, *(before or (0, 0)))


def end(connection: psycopg.Connection[Any], node: int, at: Millis) -> None:
    """The node has come to its end in good order, at this moment of server time."""
    connection.execute(_END, {"node": node, "at": at})


def drain(connection: psycopg.Connection[Any], name: str | None = None) -> tuple[int, str] | None:
    """Ask the active node to hand over. Its number and name; None if no node is active, or none of this name."""
    row = connection.execute(_DRAIN, {"name": name}).fetchone()
    return None if row is None else (int(row[0]), str(row[1]))


async def ask(connection: psycopg.AsyncConnection[Any], node: int) -> bool:
    """Tell the active node that gateways do not hear it. Whether it is told so by this: it may be told already, or not
    be active any more, or only just be."""
    row = await (await connection.execute(_ASK, (node, _YOUNG))).fetchone()
    return row is not None


async def is_heard(connection: psycopg.AsyncConnection[Any], node: int) -> None:
    """The active node knows better, and may be asked again."""
    await connection.execute(_IS_HEARD, (node,))


def active(connection: psycopg.Connection[Any]) -> tuple[int, str] | None:
    """The number and the name of the active node; None if no node is."""
    row = connection.execute(_LOOK).fetchone()
    return None if row is None else (int(row[0]), str(row[1]))


def successor(connection: psycopg.Connection[Any], node: int) -> tuple[bool, str | None]:
    """Whether a node has ended, and the name of the one that is active now."""
    row = connection.execute(
        "SELECT ended IS NOT NULL, (SELECT nodes.name FROM claims JOIN nodes ON nodes.id = claims.node"
        " WHERE kind = 'hall' AND nodes.id <> %(node)s) FROM nodes WHERE id = %(node)s",
        {"node": node},
    ).fetchone()
    assert row is not None
    return bool(row[0]), row[1]
