"""A hall of several wings: which node has which, by the store, and in which of them people play."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

import msgspec
import psycopg

from bench.stores.database import Database
from bench.stores.stored import Stored
from gamut.hall.wings import Wings
from gamut.ledger.postgres.locks import HAS_ITS_LOCK

_EVERY = 0.03
_OWNERS = f"""
SELECT coalesce(nullif(claims.name, ''), '0')::integer, nodes.id, nodes.name,
    coalesce(leases.until > clock_timestamp(), false) AND {HAS_ITS_LOCK}
FROM claims JOIN nodes ON nodes.id = claims.node LEFT JOIN leases ON leases.node = nodes.id
WHERE claims.kind = 'hall'
"""


class InWing(msgspec.Struct, frozen=True):
    """The node that has a wing."""

    number: int
    name: str
    lives: bool = True
    """It has its lease, and its process is there."""


def owners(connection: psycopg.Connection[Any]) -> dict[int, InWing]:
    """By wing."""
    return {wing: InWing(*node) for wing, *node in connection.execute(_OWNERS)}


def struck(before: Mapping[int, InWing], names: Collection[str]) -> set[int]:
    """The wings that nodes of these names had."""
    return {wing for wing, node in before.items() if node.name in names}


def replaced(before: Mapping[int, InWing], now: Mapping[int, InWing]) -> dict[int, int]:
    """Of each wing that another node has now: the number of the one before."""
    return {
        wing: node.number for wing, node in before.items() if wing in now and now[wing].number != node.number
    }


class Lookout:
    """Asks the store again and again who has which wing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.owners: dict[int, InWing] = {}
        """As of the last time that the store answered."""
        self.since: dict[int, float] = {}
        """By wing, and by `monotonic`: when it was seen first that this node has it, or another one since `begin`."""
        self._began = float("inf")
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def begin(self) -> None:
        """A fault follows. What it has moved may be shared out again before all is looked at."""
        self._began = monotonic()

    def saw(self, found: Mapping[int, InWing]) -> None:
        for wing, node in found.items():
            is_new = wing not in self.owners or self.owners[wing].number != node.number
            if is_new and self.since.get(wing, 0.0) < self._began:
                self.since[wing] = monotonic()
        self.owners = dict(found)

    async def _watch(self) -> None:
        while True:
            with suppress(psycopg.Error):
                connection = await asyncio.to_thread(self._database.connect)
                try:
                    connection.autocommit = True
                    while True:
                        self.saw(await asyncio.to_thread(owners, connection))
                        await asyncio.sleep(_EVERY)
                finally:
                    connection.close()
            await asyncio.sleep(_EVERY)


class Played:
    """When moves were heard after a fault, by the wings of their tables."""

    def __init__(self) -> None:
        self._heard: defaultdict[int, list[float]] = defaultdict(list)
        self._looks = False

    def begin(self) -> None:
        self._heard.clear()
        self._looks = True

    def over(self) -> None:
        self._looks = False

    def heard(self, wing: int | None) -> None:
        if self._looks and wing is not None:
            self._heard[wing].append(monotonic())

    def first(self, wing: int, since: float) -> float:
        """When the first one after this moment was heard; the moment itself if nobody played there."""
        return min((at for at in self.moves(wing) if at > since), default=since)

    def moves(self, wing: int) -> list[float]:
        return self._heard[wing]


def most(before: list[int], tables: Iterable[int | None], count: int) -> list[int]:
    """How many tables there were in each wing at the most: now, or before."""
    now = Counter(tables)
    return [max(now[wing], *before[wing : wing + 1]) if before else now[wing] for wing in range(count)]


def in_wrong_wings(wings: Wings, store: Stored) -> Iterator[str]:
    """Tables that are not where their names or their ids say, and events that another wing has stored."""
    for game, room, table in store.rooms():
        named, there = wings.of_slot(wings.slot_of_name(game, room)), wings.of_table(table)
        if named != there:
            yield f"table {table} is in wing {there}, and its room {room!r} of {game} in wing {named}"
    for table, wing in store.asked(
        "SELECT DISTINCT events.table_id, nodes.wing FROM events JOIN nodes ON nodes.id = events.node"
    ):
        if wings.of_table(table) != wing:
            yield f"table {table} is in wing {wings.of_table(table)}, and wing {wing} has stored events of it"
