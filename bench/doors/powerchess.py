"""Power Chess over its door: whole games with boxes and powers, from creating one to its end, many at the same time."""

from bench.doors.relay import Beside, Door, beside_relay
from bench.pace import Pace

SIZES = (1, 200, 2000)
_DOOR = Door(name="powerchess", seats=2, opening=b'{"type":0,')


async def run(pace: Pace) -> Beside:
    """A move is a move or a power."""
    return await beside_relay(_DOOR, SIZES, pace.seconds)
