"""Acquire: how many actions a second in whole games of four, what one costs, and how long players wait for it."""

from bench.clients.acquire import SEATS
from bench.doors.relay import Beside, Door, beside_relay
from bench.pace import Pace

SIZES = (1, 100, 500)
_DOOR = Door(name="acquire", seats=SEATS, opening=b'"CreateGame"')


async def run(pace: Pace) -> Beside:
    return await beside_relay(_DOOR, SIZES, pace.seconds)
