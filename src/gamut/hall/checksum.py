"""The chain of checksums along a table's log.

Each event's checksum covers its body and the checksum before it, so a changed, lost, repeated or reordered event
breaks the chain at that place. It guards against damage, not against someone who can write to the database.
"""

from hashlib import blake2b

SIZE = 8
START = bytes(SIZE)


def chained(previous: bytes, body: bytes) -> bytes:
    return blake2b(body, digest_size=SIZE, key=previous).digest()
