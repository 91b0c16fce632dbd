"""Passwords: which are good enough, and hashing them without holding up anything else."""

import asyncio
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from gamut.games.game import Refused

PASSWORD_SHORTEST = 8
PASSWORD_LONGEST = 256

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


def _bytes(password: str) -> bytes:
    # Composed, as keyboards differ in how they type an accent; and whatever was decoded can be encoded again.
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


class Passwords:
    """Hashes in threads of its own: `at_once` work, `waiting` more may wait, and beyond that it is Busy.

    Building one hashes once, so build it off the event loop.
    """

    def __init__(self, hasher: PasswordHasher, at_once: int, waiting: int) -> None:
        self._hasher = hasher
        # Verified when there is no hash to verify, so that an unknown name takes as long as a wrong password.
        self._nobody = hasher.hash(secrets.token_bytes(32))
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="passwords")
        self._room = at_once + waiting
        self.refused = 0

    async def hash(self, password: str) -> str:
        return await self._run(lambda: self._hasher.hash(_bytes(password)))

    async def matches(self, stored: str | None, password: str) -> bool:
        """Whether this is the password; None as the hash never matches, and takes as long to find out."""

        def verify() -> bool:
            try:
                return self._hasher.verify(self._nobody if stored is None else stored, _bytes(password))
            except (VerifyMismatchError, InvalidHashError):
                return False

        return await self._run(verify) and stored is not None

    def outdated(self, stored: str) -> bool:
        """Made with other parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    async def _run(self, work: Callable[[], Result]) -> Result:
        if self._room == 0:
            self.refused += 1
            raise Busy
        self._room -= 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._room += 1

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
