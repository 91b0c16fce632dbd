"""The binary board message: the pieces on each tile in as few bits as they need, then runs of owners."""

from functools import lru_cache
from itertools import groupby

BOARD, REPLAY, EXPORT = 0, 1, 2
"""The first byte of a binary message to a client; after the latter two a whole file follows."""
IMPORT = bytes.fromhex("5599")
"""How the binary message begins with which a client brings a suspended game."""

_LONGEST_RUN = 16
_PADDED_TO = 64


@lru_cache(maxsize=128)
def required_bits(topology: int, x: int, y: int) -> bytes:
    """How many bits the pieces on each tile take: one in the corners of a board without joined edges, else two."""
    bits = bytearray([2]) * (x * y)
    if topology == 0:
        for corner in (0, x - 1, x * y - x, x * y - 1):
            bits[corner] = 1
    return bytes(bits)


def board_frame(topology: int, x: int, y: int, board: bytes, owners: bytes) -> bytes:
    """The whole message, type byte included."""
    stream = [
        f"{pieces - 1:0{bits}b}" for pieces, bits in zip(board, required_bits(topology, x, y), strict=True)
    ]
    for owner, run in groupby(owners):
        left = sum(1 for _ in run)
        while left > 1:
            length = min(left, _LONGEST_RUN)
            stream.append(f"1{owner:03b}{length - 1:04b}")
            left -= length
        if left:
            stream.append(f"0{owner:03b}")
    bits = "".join(stream)
    words = -(-len(bits) // _PADDED_TO)
    padded = bits.ljust(words * _PADDED_TO, "0")
    return bytes([BOARD]) + int(padded, 2).to_bytes(words * _PADDED_TO // 8, "big")
