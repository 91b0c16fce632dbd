"""Acquire: how many actions a second in whole games of four, what one costs, and how long players wait for it."""

import asyncio

import msgspec

from bench.clients.acquire import SEATS, Tables, registered
from bench.doors.relay import relayed
from bench.load import Figures, measure
from bench.pace import Pace, say
from bench.scripts.recorded import GAMES, record
from bench.servers.gamut import DataFolder, Gamut

SIZES = (1, 100, 500)
_SETTLING_SECONDS = 2.0
_ROUNDS = 150
"""Actions of which a relay has to pass on the messages; most games are over by then."""
# Few people at many tables: what is measured is their games, and not their log-ins.
_FLAGS = {"tables-per-person": "10000", "stored-per-second": "0"}


class AcquireFigures(msgspec.Struct, kw_only=True):
    at: dict[int, Figures]
    """By number of tables."""
    relay: dict[int, Figures]
    """A plain Node server that passes on the same messages, by number of tables."""


async def run(pace: Pace) -> AcquireFigures:
    say("acquire: games are recorded")
    with DataFolder() as data, Gamut(data, _FLAGS) as server:
        games = await record(await _tables(GAMES, server), SEATS, _ROUNDS, server.pid)
    at, relay = {}, {}
    for size in SIZES:
        say(f"acquire: tables: {size}, whole games as fast as they can")
        at[size] = await _load(size, pace.seconds)
        say(f"  {at[size].told('action')}")
        if size > 1:
            relay[size] = await relayed(games, size, pace.seconds)
    return AcquireFigures(at=at, relay=relay)


async def _tables(size: int, server: Gamut) -> Tables:
    users = await registered(server.main_port, [f"Player {number}" for number in range(SEATS)])
    return Tables(size, users, server.main_port)


async def _load(size: int, seconds: float) -> Figures:
    with DataFolder() as data, Gamut(data, _FLAGS) as server:
        tables = await _tables(size, server)
        try:
            await tables.open()
            tables.start()
            await asyncio.sleep(_SETTLING_SECONDS)
            return await measure(tables.tally, size, server.pid, seconds)
        finally:
            tables.close()
