"""How often a password may be tried, so that nobody guesses it and nobody is locked out by those who try.

A stranger's tries are counted by name and address together; a much higher limit for one name from all
addresses stops attacks by many. A browser in which the person was logged in before has tries of its own for
that name, which no stranger can use up. So has somebody who is logged in and says the password once more.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b

from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.attempts import Attempts, Limit, TooManyTries, address_key, is_loopback

Taken = Sequence[tuple[Attempts, str]]


class Logins:
    def __init__(
        self,
        per_name: Limit,
        per_name_anywhere: Limit,
        per_address: Limit,
        now: Callable[[], Millis],
        keys_at_most: int,
    ) -> None:
        self._by_address = Attempts(per_address, now, keys_at_most)
        self._by_name_and_address = Attempts(per_name, now, keys_at_most)
        # Names without an account are counted apart: strangers can make up any number of them.
        self._by_account = Attempts(per_name_anywhere, now, None)
        self._by_nobody = Attempts(per_name_anywhere, now, keys_at_most)
        self._by_browser = Attempts(per_name, now, keys_at_most)
        self._by_person = Attempts(per_name, now, None)

    def stranger(self, name: str, account: PersonId | None, address: str | None) -> Taken:
        """A stranger tries a password: take the tries, or raise TooManyTries.
        Returns those to give back if right."""
        # Of a length that does not depend on what was sent.
        spelled = name.encode("utf-8", "surrogatepass")
        key = account if account is not None else blake2b(spelled, digest_size=16).hexdigest()
        anywhere = self._by_nobody if account is None else self._by_account
        here = "" if address is None else address_key(address)
        limited = address is not None and not is_loopback(address)
        by_address = [(self._by_address, here)] if limited else []
        _take([*by_address, (self._by_name_and_address, f"{key} {here}"), (anywhere, key)])
        return [*by_address, (anywhere, key)]

    def spare(self, account: PersonId, address: str | None) -> None:
        """It was right, and cost no work: it does not count even for this name and address."""
        here = "" if address is None else address_key(address)
        self._by_name_and_address.give_back(f"{account} {here}")

    def known(self, browser: str) -> None:
        """The same from a browser in which the person was logged in before."""
        self._by_browser.take(browser)

    def again(self, person: PersonId) -> None:
        """Somebody who is logged in says the password once more."""
        self._by_person.take(person)

    def not_again(self, person: PersonId) -> None:
        """They did, and it does not count."""
        self._by_person.give_back(person)

    def refusals(self) -> dict[str, int]:
        return {
            "logins_per_address": self._by_address.refused,
            "logins_per_name": self._by_name_and_address.refused
            + self._by_browser.refused
            + self._by_person.refused,
            "logins_per_name_anywhere": self._by_account.refused + self._by_nobody.refused,
        }


def _take(wanted: Taken) -> None:
    """All of them or none."""
    for number, (attempts, key) in enumerate(wanted):
        try:
            attempts.take(key)
        except TooManyTries:
            give_back(wanted[:number])
            raise


def give_back(taken: Taken) -> None:
    for attempts, key in taken:
        attempts.give_back(key)
