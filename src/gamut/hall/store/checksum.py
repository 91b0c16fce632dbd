"""The chain of checksums along a table's log.

Each event's checksum covers its body and the checksum before it, so a changed, lost, repeated or reordered event
breaks the chain at that place. It guards against damage, not against someone who can write to the database.
"""

from hashlib import blake2b
from zlib import crc32

_SIZE = 4
_FORMER_SIZE = 8
START = bytes(_FORMER_SIZE)


def chained(previous: bytes, body: bytes) -> bytes:
    return crc32(body, crc32(previous)).to_bytes(_SIZE)


def follows(previous: bytes, body: bytes, checksum: bytes) -> bool:
    """Whether this is the checksum of an event with this body, after one with the previous checksum."""
    if len(checksum) == _FORMER_SIZE:
        # Ledgers of schema 2 and older; their logs go on with checksums of today.
        return checksum == blake2b(body, digest_size=_FORMER_SIZE, key=previous).digest()
    return checksum == chained(previous, body)
