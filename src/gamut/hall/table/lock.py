"""Passwords of tables. They keep strangers out of a game for an evening; people's own passwords are elsewhere."""

import hashlib
import hmac
import secrets
import unicodedata

_ROUNDS = 5_000
"""About a millisecond: it is worked out where it holds everybody up, and whoever asks is counted."""


def locked(password: str, salt: bytes | None = None) -> str:
    """The password as it is stored."""
    salt = secrets.token_bytes(16) if salt is None else salt
    word = unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
    return f"{salt.hex()}:{hashlib.pbkdf2_hmac('sha256', word, salt, _ROUNDS).hex()}"


def opens(stored: str, password: str | None) -> bool:
    """Whether this is the password; how long that takes says nothing about how nearly it was."""
    if password is None:
        return False
    salt = bytes.fromhex(stored.partition(":")[0])
    return hmac.compare_digest(stored, locked(password, salt))
