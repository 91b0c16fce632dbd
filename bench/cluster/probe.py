"""Somebody who comes anew, again and again, and is served once something that they said is stored."""

import asyncio
from time import monotonic

from bench.attacks.guest import Guest
from bench.attacks.target import Target

_PATIENCE = 2.0
_AGAIN = 0.01


class Probe:
    def __init__(self, target: Target) -> None:
        self._target = target
        self._token: str | None = None

    async def served(self, seconds: float) -> float | None:
        """When it was; None: not within so many seconds."""
        late = monotonic() + seconds
        while monotonic() < late:
            try:
                async with asyncio.timeout(_PATIENCE):
                    await self._once()
                return monotonic()
            except (OSError, TimeoutError):
                await asyncio.sleep(_AGAIN)
        return None

    async def _once(self) -> None:
        guest = await Guest.come(self._target, token=self._token)
        try:
            self._token = guest.token
            await guest.must("say", text="Is anybody there?")
        finally:
            guest.abort()
