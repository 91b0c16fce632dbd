"""Room codes and keys are not found by trying: who asks for what is not there is counted."""

from collections.abc import Callable

from gamut.hall.attempts import Attempts, Limit, address_key, is_loopback
from gamut.hall.ids import Millis


class Guesses:
    """Of one address. This machine itself is not counted: a proxy that was not declared speaks for everybody."""

    def __init__(self, limit: Limit, now: Callable[[], Millis]) -> None:
        self._misses = Attempts(limit, now)

    def begin(self, address: str) -> None:
        """Somebody is about to look for something. Raises TooManyTries, before anything is looked for."""
        if not is_loopback(address):
            self._misses.take(address_key(address))

    def right(self, address: str) -> None:
        """It was there, so nothing is counted."""
        if not is_loopback(address):
            self._misses.give_back(address_key(address))
