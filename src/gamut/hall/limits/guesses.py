"""Passwords, keys and names of rooms are not found by trying: what was wrong is counted, whatever door it came to."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gamut.games.game import Refused
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Attempts, Limit, address_key, is_loopback


class Guesses:
    """Wrong guesses of each address. Loopback may be exempt: behind an undeclared proxy
    everybody comes from there."""

    def __init__(self, limit: Limit, now: Callable[[], Millis], *, spare_loopback: bool = False) -> None:
        self._misses = Attempts(limit, now)
        self._spare_loopback = spare_loopback

    def begin(self, address: str) -> None:
        """Somebody is about to guess. Raises TooManyTries, before anything is looked at."""
        if self._counts(address):
            self._misses.take(address_key(address))

    def right(self, address: str) -> None:
        """It was no guess, so nothing is counted."""
        if self._counts(address):
            self._misses.give_back(address_key(address))

    @contextmanager
    def counting(self, address: str, wrong: type[Refused]) -> Iterator[None]:
        """Only what is refused as wrong is counted; what is refused for another reason was no guess."""
        self.begin(address)
        try:
            yield
        except wrong:
            raise
        except Refused:
            self.right(address)
            raise
        self.right(address)

    def _counts(self, address: str) -> bool:
        return not (self._spare_loopback and is_loopback(address))
