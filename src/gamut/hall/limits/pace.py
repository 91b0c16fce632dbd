"""What one person may do to everybody else's hall: talk, and have things stored, at a pace that others can bear."""

import msgspec

from gamut.games.game import Refused
from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.allowance import Allowance, Spent
from gamut.hall.limits.attempts import Attempts, Limit, TooManyTries, address_key, is_loopback
from gamut.hall.limits.waits import in_seconds
from gamut.hall.time import Timekeeper


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    talk: Limit = Limit(20, Millis(20_000))
    """Lines that one person says, at tables and in the lobby together."""
    take_backs: Limit = Limit(30, Millis(60_000))
    """Moves that one person takes back: each time the game is played through again."""
    by_person: Allowance = Allowance(256 * 1024, 2 * 1024)
    """What is stored because of one person."""
    from_address: Allowance = Allowance(8 * 1024 * 1024, 64 * 1024)
    """The same for all who come from one address, this machine's own excepted."""


class PaceKeeper:
    def __init__(self, pace: Pace, time: Timekeeper) -> None:
        self._talk = Attempts(pace.talk, time.now)
        self._take_backs = Attempts(pace.take_backs, time.now)
        self._by_person = Spent(pace.by_person, time.now)
        self._from_address = Spent(pace.from_address, time.now)
        self._addresses: dict[PersonId, str] = {}
        """Where people come from who are here now."""

    def came(self, person: PersonId, address: str) -> None:
        if not is_loopback(address):
            self._addresses[person] = address_key(address)

    def went(self, person: PersonId) -> None:
        self._addresses.pop(person, None)

    def check_talk(self, person: PersonId) -> None:
        try:
            self._talk.take(person)
        except TooManyTries as tried:
            raise Refused(
                "too_talkative", f"You talk faster than others can read; wait {in_seconds(tried.wait)}."
            ) from None

    def check_take_back(self, person: PersonId) -> None:
        self._take_backs.take(person)

    def check(self, person: PersonId) -> None:
        """Raise if too much was stored lately because of this person, or of those at the same address."""
        self._by_person.check(person)
        address = self._addresses.get(person)
        if address is not None:
            self._from_address.check(address)

    def charge(self, person: PersonId, size: int) -> None:
        self._by_person.charge(person, size)
        address = self._addresses.get(person)
        if address is not None:
            self._from_address.charge(address, size)

    def refusals(self) -> dict[str, int]:
        """How often each limit has refused somebody."""
        return {
            "talk": self._talk.refused,
            "take_backs": self._take_backs.refused,
            "stored_by_person": self._by_person.refused,
            "stored_from_address": self._from_address.refused,
        }
