"""Who has come in by a hash since the server started is recognised by it, without the work of a slow hash.

Some clients log in at every connection and give up after half a second. They are not to wait behind everybody whose
password is being worked out. How often one may try is counted as ever.
"""

import hmac
import secrets
from collections import OrderedDict


class Recognition:
    """Keeps no hash, but a digest with a key that is nowhere else and is gone with the process."""

    def __init__(self, most: int) -> None:
        self._key = secrets.token_bytes(32)
        self._most = most
        self._known: OrderedDict[str, bytes] = OrderedDict()
        """Digests by the stored hash, so that a new password, which has another stored
        hash, is not recognised."""
        self._new: dict[str, bytes] = {}
        """The same for new accounts whose slow hash is still being made: only this knows their password."""

    def remember(self, stored: str, hash: str) -> None:
        """This hash has been found to be right."""
        self._known[stored] = self._digest(hash)
        self._known.move_to_end(stored)
        if len(self._known) > self._most:
            self._known.popitem(last=False)

    def expect(self, stored: str, hash: str) -> None:
        """This hash is right, and nothing is stored yet against which it could be checked."""
        self._new[stored] = self._digest(hash)

    def expects(self, stored: str) -> bool:
        return stored in self._new

    def is_stored(self, stored: str) -> None:
        """The slow hash is stored: from now on the password can be checked against that."""
        self._new.pop(stored, None)

    def knows(self, stored: str, hash: str) -> bool:
        """Whether this hash is recognised. If not, it may still be right:
        the slow hash has to be compared."""
        known = self._known.get(stored) or self._new.get(stored)
        return known is not None and hmac.compare_digest(known, self._digest(hash))

    def _digest(self, hash: str) -> bytes:
        return hmac.digest(self._key, hash.encode("utf-8", "surrogatepass"), "sha256")
