"""Identifiers with types of their own, and how new ones are made."""

import os
from base64 import urlsafe_b64encode
from typing import NewType

PersonId = NewType("PersonId", str)
TableId = NewType("TableId", str)
Seq = NewType("Seq", int)
"""Position of an event in its table's log; the first is 1."""
Millis = NewType("Millis", int)
"""A moment (since 1970, server time) or a span, in milliseconds."""

# In ASCII order and without look-alikes (0 O, 1 I l), so that ids of a fixed length sort as the numbers do.
_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_TABLE_ID_LENGTH = 11
_RANDOM_BITS = 21
_SLOTS = 1 << 8

_PIECE = 16
_PIECES_AT_ONCE = 256
_pieces: list[bytes] = []


def _random() -> bytes:
    """16 bytes of the system's best chance. It is asked for many at once: the asking costs more than the bytes."""
    while True:
        try:
            return _pieces.pop()
        except IndexError:
            fresh = os.urandom(_PIECES_AT_ONCE * _PIECE)
            _pieces.extend(fresh[at : at + _PIECE] for at in range(0, len(fresh), _PIECE))


_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]


def _text(number: int, length: int) -> str:
    """The number in digits of this alphabet: two at a time, since it is asked for with every game."""
    pairs = []
    for _ in range(0, length, 2):
        number, pair = divmod(number, len(_PAIRS))
        pairs.append(_PAIRS[pair])
    return "".join(reversed(pairs))[-length:]


class TableIds:
    """Ids that ascend in time, which keeps the ledger's index compact, and need no asking of other nodes.

    Chance alone would give the same id twice within a millisecond before long: each is larger than all before it.
    Where there are several nodes, those of one end in its slot, which no other node has.
    """

    def __init__(self, slot: int | None = None) -> None:
        assert slot is None or 0 <= slot < _SLOTS
        self._slot = slot
        self._last = 0

    def new(self, now: Millis) -> TableId:
        chance, step = int.from_bytes(_random()) >> 8 * _PIECE - _RANDOM_BITS, 1
        if self._slot is not None:
            chance, step = chance // _SLOTS * _SLOTS + self._slot, _SLOTS
        self._last = max(now << _RANDOM_BITS | chance, self._last + step)
        return TableId(_text(self._last, _TABLE_ID_LENGTH))


def new_person_id() -> PersonId:
    return PersonId(urlsafe_b64encode(_random()[:12]).decode())


def new_key() -> str:
    """An unguessable word for a link: whoever has it may come in."""
    return urlsafe_b64encode(_random()).rstrip(b"=").decode()
