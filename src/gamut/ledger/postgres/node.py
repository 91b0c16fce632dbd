"""Which nodes are active, one in each wing, and how another becomes it. Ending a node is always safe: leases and locks
only say when."""

from datetime import timedelta
from typing import Any

import msgspec
import psycopg

from gamut.hall.ids import Millis
from gamut.hall.store.storage import LedgerError
from gamut.hall.wings import MAIN
from gamut.ledger.meta import WINGS, counted
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.locks import HAS_ITS_LOCK
from gamut.ledger.postgres.migrations import A_FACT, take_steps

_OPENING = timedelta(seconds=5)
"""The first lease of a node: it has a hall to read before it renews in time."""

# What others look at is there in a store of the version before, too, in which a hall had one wing and that no number: a
# node that waits for the end of an older one brings the store up to date only when it takes over.
_WING = "coalesce(nullif(claims.name, ''), '0')::integer"
_LOOK = f"""
SELECT nodes.id, nodes.name, coalesce(leases.until < clock_timestamp(), true), NOT {HAS_ITS_LOCK}
FROM claims JOIN nodes ON nodes.id = claims.node LEFT JOIN leases ON leases.node = nodes.id
WHERE claims.kind = 'hall' AND {_WING} = %s
"""
_LIVE = f"""
SELECT leases.until > clock_timestamp() OR {HAS_ITS_LOCK}
FROM claims JOIN nodes ON nodes.id = claims.node LEFT JOIN leases ON leases.node = nodes.id
WHERE claims.kind = 'hall'
"""
_TAKE_OVER = "SELECT * FROM gamut_take_over(%s, %s, %s, %s, %s, %s)"
# Nodes that nobody has ended stand for others, since the hall has another number of wings.
_LONG_FREE = """
SELECT coalesce(
    greatest(
        (SELECT max(ended) FROM nodes WHERE wing = %(wing)s AND ended_by IS NOT NULL),
        (SELECT max(until) FROM leases JOIN nodes ON nodes.id = leases.node WHERE wing = %(wing)s)
    ) < clock_timestamp() - interval '5 s',
    true
)
"""
# It has been ended: it stores no more.
_BEFORE = "SELECT id, batch FROM nodes WHERE wing = %s AND id < %s ORDER BY id DESC LIMIT 1"
_END = """
WITH done AS (
    UPDATE nodes SET ended = clock_timestamp(), ended_by = id, at = greatest(at, %(at)s)
    WHERE id = %(node)s AND ended IS NULL RETURNING id
), lease AS (DELETE FROM leases USING done WHERE leases.node = done.id)
DELETE FROM claims USING done WHERE claims.node = done.id
"""
_ACTIVE = f"""
SELECT nodes.id, nodes.name, {_WING} AS wing FROM claims JOIN nodes ON nodes.id = claims.node
WHERE claims.kind = 'hall'
"""
# Nobody is asked who is not meant for sure: without a name, all of them have the same.
_DRAIN = f"""
WITH there AS ({_ACTIVE})
UPDATE nodes SET draining = true FROM there
WHERE nodes.id = there.id AND nodes.ended IS NULL AND (
    nodes.name = %(name)s OR %(name)s::text IS NULL AND 1 = (SELECT count(DISTINCT there.name) FROM there))
RETURNING nodes.id, nodes.name, there.wing
"""
# The same of one wing, whose process goes on.
_MOVE = f"""
WITH there AS ({_ACTIVE}), wanted AS (
    SELECT there.* FROM there JOIN nodes ON nodes.id = there.id
    WHERE there.wing = %(wing)s AND nodes.ended IS NULL AND (there.name = %(name)s OR %(name)s::text IS NULL)
), asked AS (
    INSERT INTO claims (kind, name, node) SELECT 'moving', wanted.id::text, wanted.id FROM wanted
    ON CONFLICT DO NOTHING
)
SELECT id, name, wing FROM wanted
"""
_SUCCESSOR = f"""
SELECT ended IS NOT NULL, (SELECT there.name FROM ({_ACTIVE}) AS there WHERE wing = %(wing)s AND id <> %(node)s)
FROM nodes WHERE id = %(node)s
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
IS_MOVING = "EXISTS (SELECT 1 FROM claims WHERE claims.kind = 'moving' AND claims.node = nodes.id)"
"""The same: an operator wants its wing to be elsewhere."""
_ENDED_BY = "SELECT ended_by FROM nodes WHERE id = %s"
_IS_HEARD = "DELETE FROM claims WHERE kind = 'unheard' AND node = %s"


class Active(msgspec.Struct, frozen=True):
    """The node that is active in a wing, as others see it."""

    number: int
    name: str
    lease_over: bool
    lock_free: bool


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A run of one wing in one process, by its number; that is never used again."""

    number: int
    wing: int
    charged: Millis | None
    """Until when clocks ran at the node before this one, in server time; None: there was none."""
    opened_before: Millis
    """After all that the nodes before that one have stored, in server time."""
    before: int
    """The number of the node before this one; 0: there was none."""
    before_stored: int
    """How many batches of it are stored."""


class InWing(msgspec.Struct, frozen=True, order=True):
    """An active node, as operators see it."""

    wing: int
    number: int
    name: str


async def look(connection: psycopg.AsyncConnection[Any], wing: int = MAIN) -> Active | None:
    row = await (await connection.execute(_LOOK, (wing,))).fetchone()
    return None if row is None else Active(*row)


async def check_wings(connection: psycopg.AsyncConnection[Any], wings: int) -> bool:
    """Whether nodes of a hall with another number of wings than this are active, none of which seems to live. Raises
    LedgerError if one does."""
    # In this order: whoever is active by now has set the number before.
    live = await (await connection.execute(_LIVE)).fetchall()
    had = _number_in(await (await connection.execute(A_FACT, (WINGS,))).fetchone())
    if had == wings:
        return False
    if (True,) in live:
        raise _another_number(had)
    return bool(live)


async def is_long_free(connection: psycopg.AsyncConnection[Any], wing: int) -> bool:
    """Whether nobody has had this wing for a while, so that a moment more is felt by nobody."""
    row = await (await connection.execute(_LONG_FREE, {"wing": wing})).fetchone()
    return row == (True,)


async def has_ended(connection: psycopg.AsyncConnection[Any], node: int) -> bool:
    """Whether this node has come to its end in good order, and was not ended by another one."""
    row = await (await connection.execute(_ENDED_BY, (node,))).fetchone()
    return row == (node,)


async def take_over(
    connection: psycopg.AsyncConnection[Any],
    dead: int | None,
    name: str,
    version: str,
    wing: int = MAIN,
    wings: int = 1,
) -> Node | None:
    """Be the active node of a wing, in place of `dead`; None if somebody else was faster. Raises LedgerError if the
    hall has another number of wings, and nodes of others are active."""
    values = (dead, name, version, _OPENING, wing, wings)
    try:
        row = await (await connection.execute(_TAKE_OVER, values)).fetchone()
    except psycopg.errors.UniqueViolation:
        return None
    number = _number_of(row)
    return _node(wing, row, await (await connection.execute(_BEFORE, (wing, number))).fetchone())


def take_over_older(
    source: Source, dead: int | None, name: str, version: str, wing: int, wings: int
) -> Node | None:
    """The same in a store of an older version, which is brought up to date; all of it or nothing: whoever is refused,
    or not fast enough, leaves it to the nodes that know that version. Blocking."""
    values = (dead, name, version, _OPENING, wing, wings)
    with source.connect() as connection:
        try:
            with connection.transaction():
                take_steps(connection)
                row = connection.execute(_TAKE_OVER, values).fetchone()
                number = _number_of(row)
        except psycopg.errors.UniqueViolation:
            return None
        return _node(wing, row, connection.execute(_BEFORE, (wing, number)).fetchone())


def _number_of(row: tuple[Any, ...] | None) -> int:
    assert row is not None
    number, *_, refused_for = row
    if number is None:
        raise _another_number(refused_for)
    return int(number)


def _node(wing: int, row: tuple[Any, ...] | None, before: tuple[Any, ...] | None) -> Node:
    assert row is not None
    number, charged, opened_before, _ = row
    last, stored = before or (0, 0)
    return Node(
        number=number,
        wing=wing,
        charged=charged,
        opened_before=opened_before,
        before=last,
        before_stored=stored,
    )


def _number_in(row: tuple[Any, ...] | None) -> int:
    return 1 if row is None else counted(row[0])


def _another_number(wings: int) -> LedgerError:
    return LedgerError(
        f"This hall has {wings} {'wing' if wings == 1 else 'wings'} (--wings {wings}); nodes of it are active"
    )


def end(connection: psycopg.Connection[Any], node: int, at: Millis) -> None:
    """The node has come to its end in good order, at this moment of server time."""
    connection.execute(_END, {"node": node, "at": at})


def drain(connection: psycopg.Connection[Any], name: str | None = None) -> list[InWing]:
    """Ask all active nodes of this name to hand over, and their process to end. Returns who was asked; nobody is if no
    name is given and they have several."""
    return _in_wings(connection.execute(_DRAIN, {"name": name}).fetchall())


def move(connection: psycopg.Connection[Any], wing: int, name: str | None = None) -> list[InWing]:
    """Ask the active node of this wing to hand over, if it has this name; its process goes on. Returns who was
    asked."""
    return _in_wings(connection.execute(_MOVE, {"name": name, "wing": wing}).fetchall())


async def ask(connection: psycopg.AsyncConnection[Any], node: int) -> bool:
    """Tell the active node that gateways do not hear it. Whether it is told so by this: it may be told already, or not
    be active any more, or only just be."""
    row = await (await connection.execute(_ASK, (node, _YOUNG))).fetchone()
    return row is not None


async def is_heard(connection: psycopg.AsyncConnection[Any], node: int) -> None:
    """The active node knows better, and may be asked again."""
    await connection.execute(_IS_HEARD, (node,))


def active(connection: psycopg.Connection[Any]) -> list[InWing]:
    """All nodes that are active, by their wings."""
    return _in_wings(connection.execute(_ACTIVE).fetchall())


def _in_wings(rows: list[tuple[Any, ...]]) -> list[InWing]:
    return sorted(InWing(wing, number, name) for number, name, wing in rows)


def successor(connection: psycopg.Connection[Any], node: int, wing: int = MAIN) -> tuple[bool, str | None]:
    """Whether a node has ended, and the name of the one that is active in its wing now."""
    row = connection.execute(_SUCCESSOR, {"node": node, "wing": wing}).fetchone()
    assert row is not None
    return bool(row[0]), row[1]


def wings_of(connection: psycopg.Connection[Any]) -> int:
    """How many wings the hall has."""
    return _number_in(connection.execute(A_FACT, (WINGS,)).fetchone())
