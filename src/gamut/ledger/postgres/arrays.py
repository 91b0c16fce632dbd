"""Arrays as PostgreSQL takes them in binary: made in one go, since each event of each commit is in four of them."""

from collections.abc import Iterable, Sequence
from struct import pack

_HEAD = "!iiIii"
_BOOL, _BYTEA, _INT8, _INT4, _TEXT = 16, 17, 20, 23, 25  # the oids of the types


def texts(values: Iterable[str]) -> bytes:
    return _of_bytes(_TEXT, [value.encode() for value in values])


def blobs(values: Sequence[bytes]) -> bytes:
    return _of_bytes(_BYTEA, values)


def ints(values: Sequence[int]) -> bytes:
    return _fixed(_INT4, "ii", 4, values)


def bigints(values: Sequence[int]) -> bytes:
    return _fixed(_INT8, "iq", 8, values)


def bools(values: Sequence[bool]) -> bytes:
    return _fixed(_BOOL, "i?", 1, values)


def _of_bytes(oid: int, values: Sequence[bytes]) -> bytes:
    parts = [_head(oid, len(values))]
    for value in values:
        parts.append(len(value).to_bytes(4))
        parts.append(value)
    return b"".join(parts)


def _fixed(oid: int, form: str, size: int, values: Sequence[int]) -> bytes:
    both = [number for value in values for number in (size, value)]
    return _head(oid, len(values)) + pack("!" + form * len(values), *both)


def _head(oid: int, length: int) -> bytes:
    """One dimension, no nulls, counted from 1. An empty array has no dimension."""
    return pack(_HEAD, 1, 0, oid, length, 1) if length else pack("!iiI", 0, 0, oid)
