"""Somebody who comes while the attack is on: do they see the page, and do they get in?"""

import asyncio
from time import perf_counter

from bench.attacks.guest import Guest
from bench.attacks.requests import request
from bench.attacks.target import Target

_EVERY = 1.5
_SECONDS = 5.0
_LONG = 3.0
"""Who has waited that long when the attack is over was kept out by it."""
_OK = 200


class Newcomers:
    """One after another, each from an address of their own."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.tries = 0
        self.came_in = 0
        self.slowest = 0.0
        self.why: list[str] = []

    async def come(self) -> None:
        """Until cancelled."""
        while True:
            began = perf_counter()
            try:
                why = await self._one(f"203.0.113.{self.tries % 250 + 1}")
            except asyncio.CancelledError:
                if perf_counter() - began > _LONG:
                    self.tries += 1
                    self.why.append("still waiting at the end")
                raise
            self.tries += 1
            if why:
                self.why.append(why)
            else:
                self.came_in += 1
                self.slowest = max(self.slowest, perf_counter() - began)
            await asyncio.sleep(max(0.0, began + _EVERY - perf_counter()))

    async def _one(self, address: str) -> str:
        """What kept them out; nothing if they are in."""
        page = await request(self._target, "GET", "/", address=address, seconds=_SECONDS, count=False)
        if page.status != _OK:
            return f"GET / {page.status or 'no answer'}"
        try:
            async with asyncio.timeout(_SECONDS):
                guest = await Guest.come(self._target, address=address)
        except TimeoutError:
            return "no welcome"
        except OSError as error:
            return str(error)
        guest.leave()
        guest.abort()
        return ""
