"""Fifty Tafl clients log in at the same moment, and one more a little later: how long each waits.

An OpenTafl client gives up after half a second. A new account is there before its slow hash is made; the first log-in
to an account after a start waits for one. Whoever has been in since then is recognised.
"""

import asyncio
from statistics import median
from time import perf_counter

import msgspec

from bench import machine
from bench.pace import BenchFailed, Pace, say
from bench.scripts import tafl as scripts
from bench.servers import accounts
from bench.servers.gamut import DataFolder, Gamut

CROWD = 50
PATIENCE = 0.5
"""Seconds after which an OpenTafl client gives up."""
_LATER = 0.05
"""Seconds after the crowd the one more comes."""
_AT_MOST = 30.0


class Waits(msgspec.Struct, kw_only=True):
    """In milliseconds; of several crowds the median."""

    one_more: float
    middle: float
    slowest: float
    given_up: int
    """Of the crowd, who would have given up."""
    cpu_each: float
    """Of the server, for each log-in."""
    others_busy: float
    """Part of all cores that something else had meanwhile."""


class LoginFigures(msgspec.Struct, kw_only=True):
    new: Waits
    first_since_start: Waits
    known: Waits
    cores: int


async def run(pace: Pace) -> LoginFigures:
    crowds = [
        [accounts.player(CROWD * 2 * number + each) for each in range(CROWD + 1)]
        for number in range(pace.starts)
    ]
    found: dict[str, list[Waits]] = {"new": [], "first_since_start": [], "known": []}
    for names in crowds:
        with DataFolder() as data:
            with Gamut(data, all_cores=True) as server:
                found["new"].append(await _crowd(server, names))
                found["known"].append(await _crowd(server, names))
            with Gamut(data, all_cores=True) as server:
                found["first_since_start"].append(await _crowd(server, names))
    figures = {kind: _middle(waits) for kind, waits in found.items()}
    for kind, waits in figures.items():
        say(
            f"  {kind}: one more {waits.one_more:.0f} ms, middle {waits.middle:.0f}, slowest {waits.slowest:.0f}, "
            f"{waits.given_up} of {CROWD} given up; {waits.cpu_each:.1f} ms of CPU each"
        )
    return LoginFigures(**figures, cores=len(machine.CORES))


def _middle(waits: list[Waits]) -> Waits:
    return Waits(
        **{field: median(getattr(each, field) for each in waits) for field in Waits.__struct_fields__}
    )


class _Client:
    """Connected, and about to log in."""

    def __init__(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._name = name
        self._reader = reader
        self._writer = writer

    @classmethod
    async def connect(cls, name: str, port: int) -> "_Client":
        return cls(name, *await asyncio.open_connection("127.0.0.1", port))

    async def log_in(self) -> float:
        """How many milliseconds it took."""
        began = perf_counter()
        self._writer.write(scripts.log_in(self._name, accounts.hash_of(self._name)))
        answer = await asyncio.wait_for(self._reader.readline(), _AT_MOST)
        if answer != scripts.SUCCESS:
            raise BenchFailed(f"{self._name} logs in and hears {answer!r}")
        return 1000 * (perf_counter() - began)

    async def leave(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


async def _crowd(server: Gamut, names: list[str]) -> Waits:
    clients = [await _Client.connect(name, server.tafl_port) for name in names]
    *crowd, last = clients
    began, busy, spent = perf_counter(), _busy_seconds(), machine.cpu_seconds(server.pid)
    together = [asyncio.create_task(client.log_in()) for client in crowd]
    await asyncio.sleep(_LATER)
    one_more = await last.log_in()
    waits = sorted(await asyncio.gather(*together))
    spent, busy = machine.cpu_seconds(server.pid) - spent, _busy_seconds() - busy
    elapsed = perf_counter() - began
    for client in clients:
        await client.leave()
    return Waits(
        one_more=one_more,
        middle=median(waits),
        slowest=waits[-1],
        given_up=sum(wait > 1000 * PATIENCE for wait in waits),
        cpu_each=1000 * spent / len(names),
        others_busy=max(0.0, busy - spent) / elapsed / len(machine.CORES),
    )


def _busy_seconds() -> float:
    return sum(map(machine.core_busy_seconds, machine.CORES))
