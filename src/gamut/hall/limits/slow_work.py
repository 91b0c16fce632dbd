"""Work that takes long and is done for somebody: in a thread, counted, and never more than one piece at a time."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Attempts, Limit, TooManyTries, address_key, is_loopback
from gamut.hall.limits.fair_queue import FairQueue

_SOON = Millis(1000)
_STRANGERS_AT_ONCE = 4
"""Of one address; of somebody who is known, one at a time."""


class SlowWorkSettings(msgspec.Struct, frozen=True, kw_only=True):
    per_person: Limit = Limit(30, Millis(60_000))
    per_address: Limit = Limit(120, Millis(60_000))
    """People of one household or school come from one address. This machine itself is not counted."""


class SlowWork:
    """It keeps one thread busy at most, so that another thread is always free for reading tables."""

    def __init__(
        self,
        run_blocking: Callable[..., Awaitable[Any]],
        now: Callable[[], Millis],
        settings: SlowWorkSettings,
    ) -> None:
        self._run_blocking = run_blocking
        self._by_person = Attempts(settings.per_person, now)
        self._by_address = Attempts(settings.per_address, now)
        self._waiting: Counter[str] = Counter()
        """For whom something is done now, or waits for its turn."""
        self._busy = False
        self._turns: FairQueue[asyncio.Future[None]] = FairQueue()
        """Addresses take turns: many guests of one do not keep those of another waiting."""

    async def run(self, person: str | None, address: str, call: Callable[..., Any], *args: Any) -> Any:
        """The result of the call, made for somebody at this address if it is known. Raises TooManyTries."""
        whose, most = (address_key(address), _STRANGERS_AT_ONCE) if person is None else (person, 1)
        if self._waiting[whose] >= most and not (person is None and is_loopback(address)):
            # Somebody with many connections does not get ahead of everybody else.
            raise TooManyTries(_SOON)
        self.count(person, address)
        self._waiting[whose] += 1
        try:
            await self._turn(whose if is_loopback(address) else address_key(address))
            try:
                return await self._run_blocking(call, *args)
            finally:
                self._pass_on()
        finally:
            self._waiting[whose] -= 1
            if not self._waiting[whose]:
                del self._waiting[whose]

    async def _turn(self, owner: str) -> None:
        if not self._busy:
            self._busy = True
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turns.put(owner, mine)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():
                self._pass_on()  # the turn had just come
            raise

    def _pass_on(self) -> None:
        while self._turns:
            following = self._turns.take()
            if not following.cancelled():
                following.set_result(None)
                return
        self._busy = False

    def count(self, person: str | None, address: str) -> None:
        """One more piece of work, also if it turns out that it was done before. Raises TooManyTries."""
        if person is not None:
            self._by_person.take(person)
        if is_loopback(address):
            return
        try:
            self._by_address.take(address_key(address))
        except TooManyTries:
            if person is not None:
                self._by_person.give_back(person)
            raise
