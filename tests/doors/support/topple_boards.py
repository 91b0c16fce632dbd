"""The binary board message of Topple as a client reads it."""

from gamut.doors.topple.boards import BOARD, required_bits
from gamut.games.topple.state import TEAMS


class BadFrame(ValueError):
    """The bytes are not a board of that shape."""


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
