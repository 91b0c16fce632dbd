"""A table at which nobody hurries: how long its moves take, in peace, under attack and while something is broken."""

import asyncio
from time import perf_counter
from typing import Literal

from bench.attacks.quiet import WebTable
from bench.attacks.target import Target

_EVERY = 0.1
_AGAIN = 0.5
When = Literal["peace", "attack", "fault"]


class QuietTable:
    def __init__(self) -> None:
        self.delays: dict[When, list[float]] = {"peace": [], "attack": [], "fault": []}
        self.now: When = "peace"
        self._broken_until = 0.0

    def whole_again(self, when: When) -> None:
        """A fault is over."""
        self.now, self._broken_until = when, perf_counter()

    async def play(self, target: Target) -> None:
        """Until cancelled."""
        while True:
            table = WebTable(target)
            try:
                await table.sit()
                while True:
                    began, when = perf_counter(), self.now
                    await table.move()
                    # What was broken or attacked in between counts as that.
                    found = when if self.now == "peace" else self.now
                    self.delays["fault" if began < self._broken_until else found].append(
                        perf_counter() - began
                    )
                    await asyncio.sleep(_EVERY)
            except (OSError, TimeoutError):
                await asyncio.sleep(_AGAIN)
            finally:
                for player in table.players:
                    player.abort()
