"""The hash that a client may send in place of a password: base64 of the SHA-512 of a salt and the password.

Whoever has it can come in with it, so it is kept no more than a password is. What is stored is a slow hash of it, for
everybody alike: whoever says the password and whoever says its hash come in at the same table, with the same account.
"""

import hashlib
import unicodedata
from base64 import b64decode, b64encode
from binascii import Error

from gamut.games.game import Refused

PASSWORD_LONGEST = 256
"""Characters of a person's password; those of tables are shorter."""
PREHASH_CHARACTERS = 88


class BadHash(Refused):
    def __init__(self) -> None:
        super().__init__(
            "bad_hash",
            f"The hash of a password is a SHA-512 in base64: {PREHASH_CHARACTERS} characters, "
            "two of them = at the end.",
        )


def password_bytes(password: str) -> bytes:
    if len(password) > PASSWORD_LONGEST:
        # Nobody has so long a password. It is not composed, as that may take seconds: its time grows with the
        # square of the number of accents in a row.
        return password.encode("utf-8", "surrogatepass")
    # Composed, as keyboards differ in how they type an accent; and whatever was decoded can be encoded again.
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def prehashed(salt: str, password: str) -> str:
    """What a client that hashes would send. The salt of an account is its name; tables have none."""
    salted = salt.encode("utf-8", "surrogatepass") + password_bytes(password)
    return b64encode(hashlib.sha512(salted).digest()).decode()


def check_prehash(hash: str) -> None:
    """Raise BadHash unless it is one, in the one spelling that base64 gives it."""
    try:
        digest = b64decode(hash, validate=True)
    except (Error, ValueError):
        raise BadHash from None
    if len(digest) != hashlib.sha512().digest_size or b64encode(digest).decode() != hash:
        raise BadHash
