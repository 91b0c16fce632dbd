"""The binary board message: the pieces on each tile in as few bits as they need, then runs of owners."""

from functools import lru_cache
from itertools import groupby

from gamut.games.topple.state import TEAMS

BOARD, REPLAY, EXPORT = 0, 1, 2
"""The first byte of a binary message to a client; after the latter two a whole file follows."""
IMPORT = bytes.fromhex("5599")
"""How the binary message begins with which a client brings a suspended game."""

_LONGEST_RUN = 16
_PADDED_TO = 64


class BadFrame(ValueError):
    """The bytes are not a board of that shape."""


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


def read_board_frame(topology: int, x: int, y: int, frame: bytes) -> tuple[bytes, bytes]:
    """The pieces and the owners in a message, type byte included. Raises BadFrame if it is not such a board."""
    if not frame or frame[0] != BOARD:
        raise BadFrame("not a board message")
    bits = "".join(f"{byte:08b}" for byte in frame[1:])
    place = 0

    def take(count: int) -> int:
        nonlocal place
        if place + count > len(bits):
            raise BadFrame("the message ends before the board does")
        place += count
        return int(bits[place - count : place], 2)

    board = bytes(take(count) + 1 for count in required_bits(topology, x, y))
    owners = bytearray()
    while len(owners) < x * y:
        running, owner = take(1), take(3)
        if owner > TEAMS:
            raise BadFrame(f"there is no team {owner}")
        owners += bytes([owner]) * (take(4) + 1 if running else 1)
    if len(owners) > x * y:
        raise BadFrame("a run of owners goes on after the last tile")
    return board, bytes(owners)
