"""Tables at which nobody hurries, one for each door: how long their moves take, in peace, under attack and while
something is broken."""

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Literal

from bench.attacks.mixed_tables import AcquireTable, PowerChessTable, TaflTable, ToppleTable
from bench.attacks.quiet import QuietTable, WebTable
from bench.attacks.target import Target

_EVERY = 0.4
"""Seconds between two moves at each table."""
_AGAIN = 0.5
_KINDS: dict[str, Callable[[Target], QuietTable]] = {
    "web": WebTable,
    "tafl": TaflTable,
    "acquire": AcquireTable,
    "powerchess": PowerChessTable,
    "topple": ToppleTable,
}
When = Literal["peace", "attack", "fault"]


class QuietTables:
    def __init__(self) -> None:
        self.delays: dict[When, list[float]] = {"peace": [], "attack": [], "fault": []}
        self.by_door: dict[str, list[float]] = {door: [] for door in _KINDS}
        """In peace and under attack."""
        self.now: When = "peace"
        self._broken_until = 0.0

    def whole_again(self, when: When) -> None:
        """A fault is over."""
        self.now, self._broken_until = when, perf_counter()

    async def play(self, target: Target) -> None:
        """Until cancelled."""
        await asyncio.gather(*(self._play(door, kind, target) for door, kind in _KINDS.items()))

    async def _play(self, door: str, kind: Callable[[Target], QuietTable], target: Target) -> None:
        while True:
            table = kind(target)
            try:
                await table.sit()
                while True:
                    await table.next_game()
                    await self._move(door, table)
                    await asyncio.sleep(_EVERY)
            except (OSError, TimeoutError):
                await asyncio.sleep(_AGAIN)
            finally:
                for player in table.players:
                    player.abort()

    async def _move(self, door: str, table: QuietTable) -> None:
        began, when = perf_counter(), self.now
        await table.move()
        # What was broken or attacked in between counts as that.
        found = when if self.now == "peace" else self.now
        took = perf_counter() - began
        if began < self._broken_until:
            found = "fault"
        self.delays[found].append(took)
        if found != "fault":
            self.by_door[door].append(took)
