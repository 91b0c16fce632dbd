"""The people of a hall with several wings: one store, which the main wing writes and all others read."""

from asyncio import Future, ensure_future
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from tests.hall.support.townsfolk import MemoryStore

from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.attempts import Limit
from gamut.hall.people.directory import Directory
from gamut.hall.people.known import KnownPeople
from gamut.hall.people.passwords import Passwords, Proof
from gamut.hall.people.people import People
from gamut.hall.people.person import NotStored, PersonRow
from gamut.hall.people.settings import PeopleSettings
from gamut.hall.store.storage import Fenced, LedgerError

RunBlocking = Callable[..., Awaitable[Any]]

_ANY = Limit(1_000_000, Millis(1))
_SETTINGS = PeopleSettings(
    logins_per_name=_ANY,
    logins_per_name_anywhere=_ANY,
    logins_per_address=_ANY,
)


class KeptPeople(MemoryStore):
    """What is left when a server is gone."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[PersonId, set[str]] = {}
        """What each of them was ever called."""

    def add(self, *rows: PersonRow) -> None:
        super().add(*rows)
        for row in rows:
            self.names.setdefault(row.id, set()).add(row.name)

    def agrees_with(self, people: Directory) -> bool:
        """Whether these are known as they are stored."""
        return self.rows.keys() == people._index.ids() and all(
            _known_as(row) == _known_as(people._index.row(row.id)) for row in self.rows.values()
        )


def _known_as(row: PersonRow) -> tuple[str, bool, int]:
    return row.name, row.password is None, row.epoch


class _FencedPeople:
    """Implements `PeopleStore` for one server: when another one has taken over, it changes nothing any more."""

    def __init__(self, kept: KeptPeople, is_ended: Callable[[], bool]) -> None:
        self._kept = kept
        self._is_ended = is_ended

    def secret(self) -> str:
        return self._kept.secret()

    def load(self) -> Sequence[PersonRow]:
        return self._kept.load()

    def add(self, *rows: PersonRow) -> None:
        self._check()
        self._kept.add(*rows)

    def change(self, row: PersonRow) -> None:
        self._check()
        self._kept.change(row)

    def delete(self, id: PersonId) -> None:
        self._check()
        self._kept.delete(id)

    def saw(self, seen: Mapping[PersonId, Millis]) -> None:
        self._check()
        self._kept.saw(seen)

    def expire_guests(self, unseen_since: Millis) -> Sequence[PersonId]:
        self._check()
        return self._kept.expire_guests(unseen_since)

    def _check(self) -> None:
        if self._is_ended():
            raise Fenced(1)


class _QuickPasswords(Passwords):
    """Hashes that cost nothing, and take a while."""

    def __init__(self, run_blocking: RunBlocking) -> None:
        self.nobody = _hashed("")
        self.refused = 0
        self._run_blocking = run_blocking

    def hashing(self, hash: str, asker: str | None = None, *, nobody_waits: bool = False) -> Future[str]:
        return ensure_future(self._run_blocking(_hashed, hash))

    async def turn(self, asker: str | None = None) -> None:
        """There is room for everybody."""

    async def matches(self, stored: str, proof: Proof, asker: str | None = None) -> bool:
        return bool(await self._run_blocking(_hashed, proof.hash) == stored)

    def outdated(self, stored: str) -> bool:
        return False


def _hashed(hash: str) -> str:
    return f"sha512$simulated$${hash}"


class PeopleOfMain(People):
    def __init__(
        self,
        kept: KeptPeople,
        now: Callable[[], Millis],
        run_blocking: RunBlocking,
        is_ended: Callable[[], bool],
    ) -> None:
        self.is_ended = is_ended
        super().__init__(_FencedPeople(kept, is_ended), _QuickPasswords(run_blocking), _SETTINGS, now)

        async def write(call: Callable[[Any], Any], what: Any) -> Any:
            try:
                return await run_blocking(call, what)
            except LedgerError:
                raise NotStored from None

        # In place of a thread.
        vars(self._changes)["_write"] = write

    def account_of(self, id: PersonId) -> str | None:
        return _account_of(self, id)


class PeopleOfAnnex(KnownPeople):
    def __init__(self, kept: KeptPeople, now: Callable[[], Millis], run_blocking: RunBlocking) -> None:
        super().__init__(kept, _SETTINGS, now, (), run_blocking)

    def account_of(self, id: PersonId) -> str | None:
        return _account_of(self, id)


def _account_of(people: Directory, id: PersonId) -> str | None:
    person = people.person(id)
    return None if person is None or person.guest else person.name
