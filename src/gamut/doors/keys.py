"""Rejoin keys: whoever shows one gets a seat back, at a door where nobody is known by name.

They are worked out, not stored: the same ones are right after a restart, and no log shows them.
"""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable

from gamut.games.game import Seat
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e
from gamut.hall.table.seats import Sitter

_UNHEARD = 20
"""So many answers in a row may be lost, and every key in them counts."""
_LONGEST_PURPOSE = hashlib.blake2b.PERSON_SIZE


def as_text(digest: bytes) -> str:
    """A key as one word that addresses can hold."""
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


class Keys:
    """Those of one door, made from a secret of this installation. A key of one door is worth nothing at another.

    `written` is how the protocol writes a key: it gets 64 bytes, of which it should use 16 at least.
    """

    def __init__(self, secret: str, door: str, written: Callable[[bytes], str] = as_text) -> None:
        purpose = f"gamut {door}".encode()[:_LONGEST_PURPOSE]
        self._secret = hashlib.blake2b(secret.encode(), person=purpose).digest()
        self._written = written

    @property
    def fingerprint(self) -> bytes:
        """16 bytes by which recorded games tell servers apart."""
        return self._digest("fingerprint")[:16]

    def rejoin(self, live: LiveTable, seat: Seat) -> str | None:
        """The newest key of this seat; None if no person holds it.

        It is bound to the table, the seat and the person, and is another one after each return in play.
        """
        holder = live.table.seats[seat]
        if not isinstance(holder, Sitter):
            return None
        return self._key(live, seat, holder, _returns(live, holder)[0])

    def which(self, live: LiveTable, seat: Seat, key: str) -> int | None:
        """The number of this key, if it opens the seat. The key that was used last does, and all newer ones.

        The answer with a new key may be lost, so the used key stays good until a newer one is used: then the
        client is known to have a newer one, and keys that somebody else may have seen are void. The door
        passes the number to `Hall.attend`, which writes it to the log.
        """
        holder = live.table.seats[seat]
        if not isinstance(holder, Sitter):
            return None
        newest, used = _returns(live, holder)
        shown = key.encode("utf-8", "surrogatepass")
        numbers: list[int] = [used, *range(max(used, newest - _UNHEARD), newest + 1)]
        for number in numbers:
            if hmac.compare_digest(self._key(live, seat, holder, number).encode(), shown):
                return number
        return None

    def _key(self, live: LiveTable, seat: Seat, holder: Sitter, number: int) -> str:
        words = ("rejoin", live.id, str(seat), holder.person, str(number))
        return self._written(self._digest(*words))

    def _digest(self, *words: str) -> bytes:
        return hmac.digest(self._secret, "\0".join(words).encode(), "sha512")


def _returns(live: LiveTable, holder: Sitter) -> tuple[int, int]:
    """The number of the newest key, which is how often this person has come back since the game began, and
    the number of the last key that was used. Both are read from the log: a restart does not change them."""
    returns = 0
    used: int = -1
    for event in reversed(live.log):
        kind = type(event)
        if kind is e.Started:
            return returns, max(used, 0)
        if kind is e.Returned and event.person == holder.person:
            returns += 1
            if used < 0 and event.key is not None:
                used = event.key
    return 0, 0
