"""Passwords of tables. They keep strangers out of a game for an evening; people's own passwords are elsewhere.

What is stored is a slow hash of what a client may send in place of the password (`people/prehash.py`, without a salt),
so that it opens for both. Tables from before that have one of the password itself: they open for the password only.
"""

import hashlib
import hmac
import secrets
from functools import lru_cache

from gamut.hall.people.prehash import (
    PASSWORD_LONGEST,
    PREHASH_CHARACTERS,
    check_prehash,
    password_bytes,
    prehashed,
)

_ROUNDS = 5_000
"""About a millisecond: it is worked out where it holds everybody up, and whoever asks is counted before."""
_BLOCK = hashlib.sha256().block_size

_PREHASHED = "sha512:"
"""How those begin that are made of a hash."""


def locked(password: str) -> str:
    """The password as it is stored."""
    return locked_hashed(prehashed("", password))


def locked_hashed(hash: str) -> str:
    """The same, of a password of which only the hash is known; raises BadHash."""
    check_prehash(hash)
    return _PREHASHED + _slowly_hashed(hash.encode(), secrets.token_bytes(16))


def opens(stored: str, password: str) -> bool:
    """Whether this is the password; how long that takes says nothing about how nearly it was."""
    if len(password) > PASSWORD_LONGEST:
        return False
    if stored.startswith(_PREHASHED):
        return opens_hashed(stored, prehashed("", password))
    return _is_of(stored, password_bytes(password))


def opens_hashed(stored: str, hash: str) -> bool:
    """Whether this is the hash of the password."""
    if not stored.startswith(_PREHASHED) or len(hash) != PREHASH_CHARACTERS:
        return False
    # What a client says may be any text, also one that is not valid Unicode.
    return _is_of(stored.removeprefix(_PREHASHED), hash.encode("utf-8", "surrogatepass"))


class _WrongWord(Exception):
    """A wrong password is an exception because the cache keeps results only: guesses do not fill it."""


def _is_of(stored: str, word: bytes) -> bool:
    if len(word) > _BLOCK:
        # The slow hash is built on HMAC, which shortens long keys in the same way (RFC 2104).
        word = hashlib.sha256(word).digest()
    try:
        _check(stored, word)
    except _WrongWord:
        return False
    return True


# People who know the password come and go often.
# The cache spares everybody the wait for a slow hash each time.
@lru_cache(maxsize=4096)
def _check(stored: str, word: bytes) -> None:
    salt = bytes.fromhex(stored.partition(":")[0])
    if not hmac.compare_digest(stored, _slowly_hashed(word, salt)):
        raise _WrongWord


def _slowly_hashed(word: bytes, salt: bytes) -> str:
    return f"{salt.hex()}:{hashlib.pbkdf2_hmac('sha256', word, salt, _ROUNDS).hex()}"
