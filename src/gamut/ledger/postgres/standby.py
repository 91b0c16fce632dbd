"""Waiting for one's turn: at most one node is active in a wing at a time."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

import psycopg

from gamut.hall.store.storage import LedgerError
from gamut.hall.wings import MAIN
from gamut.ledger.meta import VERSION
from gamut.ledger.postgres.connecting import Source, is_away, line_of
from gamut.ledger.postgres.migrations import A_FACT, CURRENT, refuse_newer, version_in
from gamut.ledger.postgres.node import (
    Active,
    Node,
    ask,
    check_wings,
    has_ended,
    is_long_free,
    look,
    take_over,
    take_over_older,
)
from gamut.ledger.store import Hearing, no_burden

log = logging.getLogger("gamut.ledger")

_EVERY = 0.1
_SURE_AFTER = 3.0
"""Seconds for which the store must have answered us before a missed lease, or a free lock, is the other node's fault
and not the store's: after a restart of the store nobody has a lock, and all leases are over."""
_ASKED_AGAIN_AFTER = 10.0
_OTHERS_FIRST = 1.0
"""Seconds for which a node that reaches nobody lets others take over."""
_SOON = 0.01
"""Seconds between two looks while a wing is free and others come first."""
_FOR_EACH_WING = 0.02
"""Seconds for which a process lets others take over, for each wing that it has."""
_FOR_EACH_AT_A_START = 1.0
"""The same when the whole hall starts, and other processes are about to come."""


class Turn:
    def __init__(
        self,
        source: Source,
        name: str,
        version: str,
        check_ready: Callable[[], None] = lambda: None,
        turn: asyncio.Event | None = None,
        hearing: Hearing | None = None,
        *,
        standby: bool,
        wing: int = MAIN,
        wings: int = 1,
        burden: Callable[[], int] = no_burden,
    ) -> None:
        """`turn`: set when there is something to be seen at once. `burden`: how many wings this process has."""
        self._turn = asyncio.Event() if turn is None else turn
        self._source = source
        self._name = name
        self._version = version
        self._check_ready = check_ready
        self._hearing = hearing
        self._standby = standby
        self._wing = wing
        self._wings = wings
        self._burden = burden
        self._ends_a_hall = False
        """The nodes that were active last, in other wings, too, are of a hall with another number of wings."""
        self._since: float | None = None
        """When the store began to answer without a break."""
        self._was_away = False
        """It has been away: then leases and locks say nothing of the nodes for a while."""
        self._had_its_lock = 0
        """The number of the last node that was seen to have its lock: one that has just taken over has none yet."""
        self._free_since: float | None = None
        """When it was seen that no node is active in this wing."""
        self._asked = -_ASKED_AGAIN_AFTER
        """When an active node was asked last to hand over."""

    async def wait(self, stopped: asyncio.Event, waiting: Callable[[str], None]) -> Node | None:
        """Be the active node of the wing as soon as no other one is; None if we were asked to stop before.

        `waiting` is told for whom we wait. Without `standby` a living active node is an error, and so is one of a hall
        that has another number of wings.
        """
        connection: psycopg.AsyncConnection[Any] | None = None
        waited_for = 0
        try:
            while not stopped.is_set():
                try:
                    if connection is None:
                        connection = await self._source.connect_soon()
                        self._since = monotonic()
                        self._ends_a_hall = await check_wings(connection, self._wings)
                    active = await look(connection, self._wing)
                    if active is None or self._is_gone(active):
                        if self._free_since is None:
                            await self._see_that_it_is_free(connection)
                        if not self._is_others_turn() and (not self._ends_a_hall or self._is_sure):
                            node = await self._take_over(connection, active)
                            if node is not None:
                                return node
                            continue
                    else:
                        self._free_since = None
                        await self._ask_if_unheard(connection, active)
                    if (
                        active is not None
                        and active.number != waited_for
                        and not active.lease_over
                        and not active.lock_free
                    ):
                        self._wait_for(active, waiting)
                        waited_for = active.number
                except psycopg.Error as error:
                    if not is_away(error):
                        raise LedgerError(
                            f"The store {self._source.shown} fails: {line_of(error)}."
                        ) from None
                    if not self._standby:
                        raise self._source.unreachable(error) from None
                    if self._since is not None:
                        log.warning("the store is away", extra={"error": str(error).strip()})
                    connection, self._since, self._was_away = None, None, True
                await self._pause()
            return None
        finally:
            if connection is not None:
                await connection.close()

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_EVERY if self._free_since is None else _SOON):
                await self._turn.wait()
        self._turn.clear()

    def _is_gone(self, active: Active) -> bool:
        if not active.lock_free:
            self._had_its_lock = active.number
        if active.lease_over and active.lock_free and not self._was_away:
            return True
        lost_its_lock = active.lock_free and self._had_its_lock == active.number
        return self._is_sure and (active.lease_over or lost_its_lock)

    @property
    def _is_sure(self) -> bool:
        return self._since is not None and monotonic() - self._since >= _SURE_AFTER

    def _is_others_turn(self) -> bool:
        """This node reaches nobody, or its process has wings already, and others may be better off."""
        patience = self._burden() * (_FOR_EACH_AT_A_START if self._is_a_start else _FOR_EACH_WING)
        if self._hearing is not None and self._hearing.reaches_nobody:
            patience += _OTHERS_FIRST
        assert self._free_since is not None
        return monotonic() - self._free_since < patience

    async def _see_that_it_is_free(self, connection: psycopg.AsyncConnection[Any]) -> None:
        self._is_a_start = self._wings > 1 and await self._is_long_free(connection)
        self._free_since = monotonic()

    async def _is_long_free(self, connection: psycopg.AsyncConnection[Any]) -> bool:
        # In a store of the version before there is no wing to be asked for.
        version = version_in(await (await connection.execute(A_FACT, (VERSION,))).fetchone())
        return version < CURRENT or await is_long_free(connection, self._wing)

    async def _ask_if_unheard(self, connection: psycopg.AsyncConnection[Any], active: Active) -> None:
        if self._hearing is None or not self._hearing.misses(active.number):
            return
        if monotonic() - self._asked >= _ASKED_AGAIN_AFTER and await ask(connection, active.number):
            self._asked = monotonic()
            log.warning(
                "gateways do not hear the active node: it is asked to hand over",
                extra={"node": active.number},
            )

    def _wait_for(self, active: Active, waiting: Callable[[str], None]) -> None:
        if not self._standby:
            raise LedgerError(
                f"Another Gamut is using the store {self._source.shown}: node {active.number} ({active.name}). "
                "To wait for its end and take over, start with --standby."
            )
        waiting(f"node {active.number} ({active.name})")

    async def _take_over(
        self, connection: psycopg.AsyncConnection[Any], active: Active | None
    ) -> Node | None:
        # It may have been brought up to date by a newer Gamut while we waited.
        version = version_in(await (await connection.execute(A_FACT, (VERSION,))).fetchone())
        refuse_newer(version)
        self._check_ready()
        dead = None if active is None else active.number
        ours = dead, self._name, self._version, self._wing, self._wings
        if version < CURRENT:
            node = await asyncio.to_thread(take_over_older, self._source, *ours)
        else:
            node = await take_over(connection, *ours)
        if node is not None and active is not None and not await has_ended(connection, active.number):
            log.warning(
                "took over from a node that is gone",
                extra={
                    "node": node.number,
                    "ended": active.number,
                    "why": "its process ended" if active.lock_free else "its lease is over",
                },
            )
        return node
