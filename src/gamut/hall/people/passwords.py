"""Passwords of accounts: which are good enough, and hashing them without holding up anything else.

What is stored is a slow hash of what a client may send in place of the password (`prehash.py`, with the name as salt),
and says so in front. Accounts from before that have one of the password itself.
"""

import asyncio
import hmac
import secrets
from base64 import b64encode
from collections import Counter, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import accumulate
from typing import Any, TypeVar

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from gamut.games.game import Refused
from gamut.hall.people.prehash import PASSWORD_LONGEST, password_bytes, prehashed

PASSWORD_SHORTEST = 8

_PREHASHED = "sha512"
"""In front of those that are made of a client's hash: `sha512$argon2id$...`, while those of old are `$argon2id$...`."""

_NOT_YET = _PREHASHED + "-not-yet$"
"""In place of a hash that is still being made. A number follows, so that each is another."""

Result = TypeVar("Result")


class PasswordRefused(Refused):
    """Not good enough as a password."""

    def __init__(self) -> None:
        super().__init__(
            "bad_password",
            f"A password has {PASSWORD_SHORTEST} to {PASSWORD_LONGEST} characters, of any kind.",
        )


class Busy(Refused):
    """More people than the server hashes passwords for at once."""

    def __init__(self) -> None:
        super().__init__("busy", "The server is busy. Please try again in a moment.")


def check_password(password: str) -> None:
    if not PASSWORD_SHORTEST <= len(password) <= PASSWORD_LONGEST:
        raise PasswordRefused


class Proof(msgspec.Struct, frozen=True, gc=False):
    """What shows that somebody knows a password: what a client makes of it, and itself where it was told."""

    hash: str
    password: str | None = None


def proof_of(name: str, password: str) -> Proof:
    return Proof(prehashed(name, password), password)


def takes_hashes(stored: str) -> bool:
    """Whether the hash that a client sends can be checked against what is stored, or only the password."""
    return stored.startswith(_PREHASHED)


def not_yet_hashed() -> str:
    """What is stored of a password until its slow hash is there: nothing that could be tried out."""
    return _NOT_YET + secrets.token_hex(16)


def is_hashed(stored: str) -> bool:
    return not stored.startswith(_NOT_YET)


def kind_of(stored: str) -> str:
    """How a hash was made, which is what it costs to verify: all of it but salt and hash."""
    return stored.rsplit("$", 2)[0]


def decoy(kinds: Mapping[str, int], name: str, secret: str) -> str | None:
    """A hash for a name that nobody has, so that a password can be verified for it at the same cost.

    Hashes of several kinds are about while old ones are being renewed. Each such name always gets the same kind, and
    a kind as often as accounts have it. None if nobody has any.
    """
    total = sum(kinds.values())
    if not total:
        return None
    chance = hmac.digest(secret.encode(), name.encode("utf-8", "surrogatepass"), "sha256")
    number = int.from_bytes(chance) % total
    counted = accumulate(count for _, count in sorted(kinds.items()))
    kind = next(kind for kind, upto in zip(sorted(kinds), counted, strict=True) if number < upto)
    salt, digest = (b64encode(secrets.token_bytes(size)).rstrip(b"=").decode() for size in (16, 32))
    return f"{kind}${salt}${digest}"


class Passwords:
    """Hashes in threads of its own: `at_once` work, `waiting` more may wait, and beyond that it is Busy.

    One asker may have an eighth of these at most, so that nobody alone keeps the others out. The newest
    request is hashed first: some clients give up after half a second, and in a crowd those who have waited
    longest are most likely gone. Hashes that nobody waits for are made last, the oldest first, and are
    counted apart, so that they take no place from people who wait. Building a `Passwords` makes a hash, so
    build it off the event loop.
    """

    def __init__(self, hasher: PasswordHasher, at_once: int, waiting: int) -> None:
        self._hasher = hasher
        self.nobody = _PREHASHED + hasher.hash(secrets.token_bytes(32))
        """A hash as they are made today, of a password that nobody knows."""
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="passwords")
        self._waiting: list[tuple[Callable[[], Any], Future[Any]]] = []
        self._later: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        """Hashes that nobody waits for."""
        self._room = {False: at_once + waiting, True: at_once + waiting}
        """How many more are taken on: False, of those that somebody waits for; True, of the others."""
        self._turns: deque[asyncio.Future[None]] = deque()
        """Newcomers who wait until one more hash is taken on that nobody waits for; the first comes first."""
        self._most = at_once + waiting
        self._each = max(1, (at_once + waiting) // 8)
        self._asking: Counter[str] = Counter()
        self.refused = 0

    async def hash(self, hash: str, asker: str | None = None) -> str:
        """What is stored of a password that has this hash."""
        return await self.hashing(hash, asker)

    def hashing(
        self, hash: str, asker: str | None = None, *, nobody_waits: bool = False
    ) -> asyncio.Future[str]:
        """The same as a future. Raises Busy at once, not when it is awaited."""
        return self._begin(lambda: _PREHASHED + self._hasher.hash(hash.encode()), asker, nobody_waits)

    async def turn(self, asker: str | None = None) -> None:
        """Wait until one more hash is taken on that nobody waits for. As many may wait for that as may wait at all,
        and who waits counts among the requests of the asker."""
        while self._room[True] == 0:
            if len(self._turns) >= self._most or self._has_enough(asker):
                self.refused += 1
                raise Busy
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._turns.append(turn)
            self._count(asker, 1)
            try:
                await turn
            except asyncio.CancelledError:
                self._next_turn()  # it may have been this one's
                raise
            finally:
                self._count(asker, -1)

    def _next_turn(self) -> None:
        while self._turns and self._room[True]:
            turn = self._turns.popleft()
            if not turn.done():
                turn.set_result(None)
                return

    def _has_enough(self, asker: str | None) -> bool:
        return asker is not None and self._asking[asker] >= self._each

    def _count(self, asker: str | None, change: int) -> None:
        if asker is not None:
            self._asking[asker] += change
            if not self._asking[asker]:
                del self._asking[asker]

    async def matches(self, stored: str, proof: Proof, asker: str | None = None) -> bool:
        """Whether this is the password. The asker, an address, has only so many
        requests; None: no such limit."""
        if takes_hashes(stored):
            secret = proof.hash.encode()
        elif proof.password is not None:
            secret = password_bytes(proof.password)
        else:
            return False

        def verify() -> bool:
            try:
                return self._hasher.verify(stored.removeprefix(_PREHASHED), secret)
            except (VerifyMismatchError, InvalidHashError):
                return False

        return await self._begin(verify, asker)

    def outdated(self, stored: str) -> bool:
        """Made otherwise than today."""
        if not is_hashed(stored):
            return False
        return not takes_hashes(stored) or self._hasher.check_needs_rehash(stored.removeprefix(_PREHASHED))

    def _begin(
        self, work: Callable[[], Result], asker: str | None, nobody_waits: bool = False
    ) -> asyncio.Future[Result]:
        if self._room[nobody_waits] == 0 or self._has_enough(asker):
            self.refused += 1
            raise Busy
        self._room[nobody_waits] -= 1
        self._count(asker, 1)
        done: Future[Result] = Future()
        (self._later if nobody_waits else self._waiting).append((work, done))
        self._threads.submit(self._work)
        result = asyncio.wrap_future(done)
        result.add_done_callback(lambda _: self._ended(asker, nobody_waits))
        return result

    def _ended(self, asker: str | None, nobody_waits: bool) -> None:
        self._room[nobody_waits] += 1
        self._count(asker, -1)
        if nobody_waits:
            self._next_turn()

    def _work(self) -> None:
        """Do one piece of work, the newest that somebody waits for first.
        It is called once for each piece added."""
        try:
            work, done = self._waiting.pop()
        except IndexError:
            try:
                work, done = self._later.popleft()
            except IndexError:
                return  # it was dropped, since the server ends
        if not done.set_running_or_notify_cancel():
            return
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - it is for whoever asked
            done.set_exception(error)
        else:
            done.set_result(result)

    async def close(self) -> None:
        """What somebody waits for is done, the rest is cancelled."""
        later, self._later = self._later, deque()
        for _, done in later:
            done.cancel()
        for turn in self._turns:
            turn.cancel()
        await asyncio.to_thread(self._threads.shutdown)
