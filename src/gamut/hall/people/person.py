"""Somebody: as the server knows them, as they are stored, and what can be refused to them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, Protocol

import msgspec

from gamut.games.game import Refused
from gamut.hall.ids import Millis, PersonId


class Credentials(NamedTuple):
    """As whom a connection has come in. Where one of these has changed since, it is somebody's no more."""

    person: PersonId
    name: str
    epoch: int


class Person(msgspec.Struct, frozen=True):
    """Somebody, as the rest of the server knows them."""

    id: PersonId
    name: str
    guest: bool
    created: Millis
    last_seen: Millis
    epoch: int

    @property
    def credentials(self) -> Credentials:
        return Credentials(self.id, self.name, self.epoch)


class PersonRow(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody, as they are stored."""

    id: PersonId
    name: str
    name_key: str
    password: str | None
    """Hashed (`gamut.hall.people.passwords`); guests have none."""
    created: Millis
    last_seen: Millis
    epoch: int

    @property
    def person(self) -> Person:
        return Person(self.id, self.name, self.password is None, self.created, self.last_seen, self.epoch)

    @property
    def profile(self) -> dict[str, Any]:
        """All of it but the hash, for the person to read."""
        return {
            "id": self.id,
            "name": self.name,
            "name_key": self.name_key,
            "guest": self.password is None,
            "has_password": self.password is not None,
            "created": _iso(self.created),
            "seen": _iso(self.last_seen),
            "epoch": self.epoch,
        }


def _iso(moment: Millis) -> str:
    return datetime.fromtimestamp(moment / 1000, UTC).isoformat(timespec="milliseconds")


class PeopleStore(Protocol):
    """Where people are kept. Blocking: called from a thread that may wait, one call at a time."""

    def secret(self) -> str:
        """The key that signs sessions; made on first use, the same ever after."""
        ...

    def load(self) -> Sequence[PersonRow]: ...

    def add(self, *rows: PersonRow) -> None:
        """All of them or, if the name of one is taken, none: raises NameTaken."""
        ...

    def change(self, row: PersonRow) -> None:
        """Store the new state of someone; raises NameTaken, and UnknownPerson if they are gone."""
        ...

    def delete(self, id: PersonId) -> None: ...

    def saw(self, seen: Mapping[PersonId, Millis]) -> None:
        """Note when people were last seen; never moves it back."""
        ...

    def expire_guests(self, unseen_since: Millis) -> Sequence[PersonId]:
        """Delete the guests last seen before this, and say who they were."""
        ...


class WrongLogin(Refused):
    """One answer for an unknown name and a wrong password, so that nobody can find out which names exist."""

    def __init__(self) -> None:
        super().__init__("wrong_login", "Name or password is wrong.")


class WrongPassword(Refused):
    def __init__(self) -> None:
        super().__init__("wrong_password", "The password is wrong.")


class PasswordNeeded(Refused):
    """The account has not been used since hashes are taken: what is stored of its password cannot check one."""

    def __init__(self) -> None:
        super().__init__(
            "password_needed",
            "This account is older than log-ins by a hash. Please log in once with its password, on the web page.",
        )


class Overtaken(Exception):
    """Since the password was checked, another change of the same account was made: it is to be checked anew."""


class UnknownPerson(Refused):
    def __init__(self) -> None:
        super().__init__("unknown_person", "There is no such person (any more).")


class GuestsOnly(Refused):
    def __init__(self) -> None:
        super().__init__("guests_only", "Only guests can do this, and you have an account already.")


class AccountsOnly(Refused):
    def __init__(self) -> None:
        super().__init__("accounts_only", "Guests have no password. Please register first.")


class NotStored(Refused):
    """The store does not answer, or says no; nothing has changed."""

    def __init__(self) -> None:
        super().__init__(
            "not_stored", "The server cannot store anything right now. Please try again in a moment."
        )


class TooManyGuests(Refused):
    def __init__(self) -> None:
        super().__init__(
            "too_many_guests", "The server has no room for more guests. Registering is still possible."
        )
