"""Acquire: how many actions a second in whole games of four, what one costs, and how long players wait for it."""

import asyncio

import msgspec

from bench.clients.acquire import SEATS, Tables, registered
from bench.load import Figures, measure
from bench.pace import Pace, say
from bench.servers.gamut import DataFolder, Gamut

SIZES = (1, 100, 500)
_SETTLING_SECONDS = 2.0


class AcquireFigures(msgspec.Struct, kw_only=True):
    at: dict[int, Figures]
    """By number of tables."""


async def run(pace: Pace) -> AcquireFigures:
    at = {}
    for size in SIZES:
        say(f"acquire: tables: {size}, whole games as fast as they can")
        at[size] = await _load(size, pace.seconds)
        say(f"  {at[size].told('action')}")
    return AcquireFigures(at=at)


async def _load(size: int, seconds: float) -> Figures:
    # Few people at many tables: what is measured is their games, and not their log-ins.
    with (
        DataFolder() as data,
        Gamut(data, {"tables-per-person": "10000", "stored-per-second": "0"}) as server,
    ):
        users = await registered(server.main_port, [f"Player {number}" for number in range(SEATS)])
        tables = Tables(size, users, server.main_port)
        try:
            await tables.open()
            tables.start()
            await asyncio.sleep(_SETTLING_SECONDS)
            return await measure(tables.tally, size, server.pid, seconds)
        finally:
            tables.close()
