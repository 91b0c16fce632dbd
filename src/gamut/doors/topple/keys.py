"""Rejoin keys. They are worked out, not stored: the same ones are right after a restart, and no log shows them."""

import hashlib
import hmac
from base64 import urlsafe_b64encode

from gamut.games.game import Seat
from gamut.hall.live import LiveTable
from gamut.hall.table import events as e
from gamut.hall.table.seats import Sitter


class Keys:
    """Made from a secret of this installation."""

    def __init__(self, secret: str) -> None:
        self._secret = hashlib.blake2b(secret.encode(), person=b"gamut topple").digest()

    @property
    def fingerprint(self) -> bytes:
        """16 bytes by which recorded games tell servers apart."""
        return self._digest("fingerprint")[:16]

    def rejoin(self, live: LiveTable, seat: Seat) -> str | None:
        """The key that opens this seat now; None if no person holds it.

        It is bound to the table, the seat and the person, and is another one after each return in play, so that
        a key which somebody else has seen is worth nothing any more.
        """
        holder = live.table.seats[seat]
        if not isinstance(holder, Sitter):
            return None
        words = ("rejoin", live.id, str(seat), holder.person, str(_returns(live, holder)))
        return urlsafe_b64encode(self._digest(*words)).rstrip(b"=").decode()

    def opens(self, live: LiveTable, seat: Seat, key: str) -> bool:
        right = self.rejoin(live, seat)
        return right is not None and hmac.compare_digest(right.encode(), key.encode("utf-8", "surrogatepass"))

    def _digest(self, *words: str) -> bytes:
        return hmac.digest(self._secret, "\0".join(words).encode(), "sha512")


def _returns(live: LiveTable, holder: Sitter) -> int:
    """How often this person has come back since the game began. The log knows, whatever happens to the server."""
    returns = 0
    for event in reversed(live.log):
        kind = type(event)
        if kind is e.Started:
            return returns
        if kind is e.Returned and event.person == holder.person:
            returns += 1
    return 0
