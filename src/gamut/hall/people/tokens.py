"""Session tokens: who someone is, signed by this server and good for a while.

A token names a person and the person's epoch. Raising the epoch in the store voids every token given out
before, so nothing has to be remembered about single tokens.
"""

import hashlib
import hmac
from collections.abc import Callable

import msgspec
from itsdangerous import BadData, TimestampSigner, URLSafeTimedSerializer
from itsdangerous.encoding import want_bytes

from gamut.hall.ids import Millis, PersonId

_LONGEST = 512
_CLOCKS_DIFFER = 300_000
"""Nodes of one cluster may disagree on the time by this much before a token seems to come from the future."""


class Claim(msgspec.Struct, frozen=True):
    """What a genuine token says."""

    person: PersonId
    epoch: int
    issued: Millis


class _Signer(TimestampSigner):
    """Compares signatures as written: of all the spellings that base64 accepts, only ours is genuine."""

    def verify_signature(self, value: str | bytes, sig: str | bytes) -> bool:
        return hmac.compare_digest(self.get_signature(value), want_bytes(sig))


class Tokens:
    def __init__(self, secret: str, now: Callable[[], Millis], life: Millis) -> None:
        self._now = now
        self._life = life

        class Signer(_Signer):
            def get_timestamp(self) -> int:
                return now() // 1000

        self._serializer = URLSafeTimedSerializer(
            secret,
            salt="gamut-session",
            signer=Signer,
            signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"},
        )

    def issue(self, person: PersonId, epoch: int) -> str:
        return str(self._serializer.dumps([person, epoch]))

    def read(self, token: str) -> Claim | None:
        """What the token says, or None if it is not ours, was changed, or is too old."""
        return self.read_old(token, self._life)

    def read_old(self, token: str, life: Millis) -> Claim | None:
        """The same for a token of any age up to that: it may have expired, but once it was given to that person."""
        if len(token) > _LONGEST or not token.isascii():
            return None
        try:
            payload, signed = self._serializer.loads(token, return_timestamp=True)
        except BadData:
            return None
        issued = Millis(int(signed.timestamp()) * 1000)
        if not -_CLOCKS_DIFFER <= self._now() - issued <= life:
            return None
        match payload:
            case [str(person), int(epoch)]:
                return Claim(PersonId(person), epoch, issued)
            case _:
                return None
