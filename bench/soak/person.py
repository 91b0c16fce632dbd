"""Somebody who comes whenever the doors are open, drops off now and then, and comes again."""

import asyncio
from collections import Counter
from random import Random

from bench.attacks.sockets import Refused
from bench.attacks.target import Target
from bench.soak.line import Line
from bench.soak.model import Model

_STAY_SECONDS = 10.0
_AT_ONCE = 0.1
"""Part of all visits that end before the server's first answer may have come."""
_FLOOD = 160
_FLOODS = 0.03


class Evening:
    """What all people have in common."""

    def __init__(self, model: Model, chance: Random) -> None:
        self.model = model
        self.chance = chance
        self.doors = asyncio.Event()
        self.target: Target | None = None
        self.counts: Counter[str] = Counter()
        self.heard: Counter[str] = Counter()
        """Messages that somebody was told, by door."""


class Person:
    door = "web"

    def __init__(self, evening: Evening, name: str) -> None:
        self.name = name
        self.evening = evening
        self.model = evening.model
        self.chance = evening.chance
        self.resting = asyncio.Event()
        """All that reached this side of the last connection is taken in."""
        self.resting.set()

    async def live(self) -> None:
        """Until cancelled."""
        while True:
            await self.evening.doors.wait()
            assert self.evening.target is not None
            self.resting.clear()
            try:
                await self.visit(self.evening.target)
            except TimeoutError:
                self.evening.counts["waits in vain"] += 1
            except OSError:
                self.evening.counts["connections that ended"] += 1
            finally:
                self.resting.set()
            await asyncio.sleep(self.chance.uniform(0.0, 0.4))

    async def visit(self, target: Target) -> None:
        """Come in, and stay until the connection ends."""
        raise NotImplementedError

    async def connect(self, target: Target, path: str, port: int | None = None) -> Line:
        line = await Line.open(target, path, port=port)
        line.count = self._count
        self.evening.counts["connections"] += 1
        chance = self.chance
        stay = (
            chance.uniform(0.0, 0.02) if chance.random() < _AT_ONCE else chance.expovariate(1 / _STAY_SECONDS)
        )
        timer = asyncio.get_running_loop().call_later(stay, line.abort)
        asyncio.ensure_future(line.closed.wait()).add_done_callback(lambda _: timer.cancel())
        return line

    def _count(self) -> None:
        self.evening.heard[self.door] += 1

    def flood(self, line: Line, message: dict[str, object]) -> None:
        """Now and then somebody leans on a key."""
        if self.chance.random() < _FLOODS:
            self.evening.counts["floods"] += 1
            for _ in range(_FLOOD):
                line.say(message)

    async def think(self) -> None:
        await asyncio.sleep(self.chance.uniform(0.0, 0.06))


def not_let_in(message: dict[str, object]) -> Refused:
    return Refused(f"not let in: {message}")
