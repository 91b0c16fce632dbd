"""Identifiers with types of their own, and how new ones are made."""

import os
from base64 import urlsafe_b64encode
from typing import NewType

PersonId = NewType("PersonId", str)
TableId = NewType("TableId", str)
Seq = NewType("Seq", int)
"""Position of an event in its table's log; the first is 1."""
Slot = NewType("Slot", int)
"""What the ids of some tables have in common (`gamut.hall.wings`); below `SLOTS`."""
Millis = NewType("Millis", int)
"""A moment (since 1970, server time) or a span, in milliseconds."""

# In ASCII order and without look-alikes (0 O, 1 I l), so that ids of a fixed length sort as the numbers do.
_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS = frozenset(_ALPHABET)
_TABLE_ID_LENGTH = 11
_RANDOM_BITS = 21
SLOTS = 1 << 8

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
_NUMBERS = {pair: number for number, pair in enumerate(_PAIRS)}
_LAST_ROUND = len(_PAIRS) // SLOTS - 1
"""Of the slots, among the pairs."""


def _text(number: int, length: int) -> str:
    """The number in digits of this alphabet: two at a time, since it is asked for with every game."""
    pairs = []
    for _ in range(0, length, 2):
        number, pair = divmod(number, len(_PAIRS))
        pairs.append(_PAIRS[pair])
    return "".join(reversed(pairs))[-length:]


def slot_in(table: TableId) -> Slot | None:
    """The slot of a table, by its id; None if that is no id."""
    if len(table) != _TABLE_ID_LENGTH or not _DIGITS.issuperset(table):
        return None
    return Slot(_NUMBERS[table[-2:]] % SLOTS)


class TableIds:
    """Ids that ascend in time, which keeps the ledger's index compact, and need no asking of other nodes.

    Chance alone would give the same id twice within a millisecond before long: each is larger than all before it. The
    last two digits name the slot, so two wings of a hall never give the same.
    """

    def __init__(self, wing: int = 0, wings: int = 1) -> None:
        self._wing = wing
        self._wings = wings
        self._last = 0

    def new(self, now: Millis, slot: Slot | None = None) -> TableId:
        """`slot`: None: any that is of this wing."""
        chance = int.from_bytes(_random()) >> 8 * _PIECE - _RANDOM_BITS
        # With room above for the way to the slot, which must not lead into the next millisecond.
        first, drawn = now << _RANDOM_BITS, now << _RANDOM_BITS | chance - (chance >> 8)
        rest, pair = divmod(max(drawn, self._last), len(_PAIRS))
        # Not every slot has a pair that names it beyond the last of these.
        found, drawn_slot = min(pair // SLOTS, _LAST_ROUND), pair % SLOTS
        if slot is None:
            # The last of the slots may be fewer than there are wings.
            slot = Slot(
                (drawn_slot - drawn_slot % self._wings) % (SLOTS // self._wings * self._wings) + self._wing
            )
        number = rest * len(_PAIRS) + found * SLOTS + slot
        self._last = number if number > self._last and number >= first else number + len(_PAIRS)
        return TableId(_text(self._last, _TABLE_ID_LENGTH))


def new_person_id() -> PersonId:
    return PersonId(urlsafe_b64encode(_random()[:12]).decode())


def new_key() -> str:
    """An unguessable word for a link: whoever has it may come in."""
    return urlsafe_b64encode(_random()).rstrip(b"=").decode()
