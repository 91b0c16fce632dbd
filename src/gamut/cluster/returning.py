"""Connections that were at another owner, until they go on at this one: together with their tables, and first those of
whom something is waiting to be dealt with."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from itertools import islice

from gamut.cluster.distant_wire import DistantWire
from gamut.hall.hall import Hall
from gamut.hall.ids import TableId

_AT_ONCE = 50
"""Connections that are at no table, before others get their turn."""


class Returning:
    """Implements `gamut.hall.live.waking.Returning`."""

    def __init__(self, hall: Hall, goes_on: Callable[[DistantWire], bool]) -> None:
        """`goes_on`: take up a session, and say whether it could be."""
        self._hall = hall
        self._goes_on = goes_on
        self._at: dict[TableId, dict[DistantWire, None]] = {}
        """Those whose sessions are not taken up, by the tables that these need."""
        self._nowhere: dict[DistantWire, None] = {}
        """Those that are at no table."""
        self._half_way: dict[DistantWire, None] = {}
        """Their sessions are taken up, and some of their tables are still asleep."""
        self._wanted: dict[DistantWire, Collection[TableId]] = {}
        """The tables that they need."""

    def add(self, wire: DistantWire) -> None:
        waking = self._hall.waking
        wanted = self._wanted[wire] = tuple(wire.session.wanted)
        waking.want(wanted)
        if any(map(waking.is_to_come, wanted)):
            for table in wanted:
                self._at.setdefault(table, {})[wire] = None
        elif wanted:
            # Before anybody else who comes back with them says something there.
            self._take_up_wire(wire)
        else:
            self._nowhere[wire] = None

    def gone(self, wire: DistantWire) -> None:
        """Its link is broken: somebody else may go on for it."""
        self._half_way.pop(wire, None)
        self._forget(wire)
        self._wanted.pop(wire, None)

    def need(self, wire: DistantWire) -> None:
        """Its client is waiting."""
        if wire in self._nowhere:
            self._take_up_wire(wire)
            self.woken()
        else:
            self._hall.waking.need(self._wanted.get(wire, ()))

    # What the hall asks for, table by table

    def beside(self, tables: Collection[TableId]) -> Iterable[TableId]:
        return dict.fromkeys(table for wire in self._who_is_at(tables) for table in self._wanted[wire])

    def take_up(self, tables: Collection[TableId]) -> None:
        for wire in (*self._who_is_at(tables), *islice(self._nowhere, _AT_ONCE)):
            self._take_up_wire(wire)

    def woken(self) -> None:
        waking = self._hall.waking
        for wire in tuple(self._half_way):
            if not any(map(waking.is_to_come, self._wanted[wire])):
                del self._half_way[wire], self._wanted[wire]
                wire.wakes()

    async def take_up_rest(self) -> None:
        """Those that are at no table."""
        while self._nowhere:
            self.take_up(())
            self.woken()
            await asyncio.sleep(0)

    def _who_is_at(self, tables: Iterable[TableId]) -> Collection[DistantWire]:
        return dict.fromkeys(wire for table in tables for wire in self._at.get(table, ()))

    def _take_up_wire(self, wire: DistantWire) -> None:
        self._forget(wire)
        if self._goes_on(wire):
            self._half_way[wire] = None
        else:
            self._wanted.pop(wire, None)

    def _forget(self, wire: DistantWire) -> None:
        self._nowhere.pop(wire, None)
        for table in self._wanted.get(wire, ()):
            there = self._at.get(table)
            if there is not None:
                there.pop(wire, None)
                if not there:
                    del self._at[table]
