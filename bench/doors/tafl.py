"""Tafl over TCP: how many moves a second in whole games, what one costs, and how soon the opponent has it."""

import msgspec

from bench.doors.loads import loaded
from bench.doors.relay import Beside, Door, beside_relay
from bench.load import Figures, under_load
from bench.pace import Pace, say

SIZES = (1, 100, 1000)
TIMED = 100
"""So many games with clocks, of which everybody is told with every move."""
_DOOR = Door(name="tafl", seats=2, opening=b"create-game ", lines=True)


class TaflFigures(msgspec.Struct, kw_only=True):
    beside: Beside
    timed: Figures


async def run(pace: Pace) -> TaflFigures:
    beside = await beside_relay(_DOOR, SIZES, pace.seconds)
    say(f"tafl: tables: {TIMED}, with clocks")
    async with loaded("tafl with clocks", TIMED) as (server, load):
        timed = await under_load(load, TIMED, server.pid, pace.seconds, cycle=TIMED * beside.moves_in_a_game)
    return TaflFigures(beside=beside, timed=timed)
