"""What games at human pace take: CPU by what it is spent on, and memory of nodes, while nothing is struck."""

from collections.abc import Iterable
from time import monotonic

import msgspec

from bench import machine
from bench.cluster.gateways import Gateways
from bench.cluster.pair import Pair
from bench.stores.database import Database

OWNER = "owner"
DATABASE = "PostgreSQL"
_MIB = 1 << 20


class Consumption(msgspec.Struct, kw_only=True):
    cpu: dict[str, float] = {}
    """Seconds, of all peace together."""
    seconds: float = 0.0
    moves: int = 0
    memory: dict[str, int] = {}
    """Bytes of the largest process of each sort at the end of the last peace."""


class Meter:
    """Is read at both ends of each peace."""

    def __init__(self, pair: Pair, database: Database) -> None:
        self.found = Consumption()
        self._pair = pair
        self._database = database
        self._before: dict[tuple[str, int], float] = {}
        self._began = 0.0
        self._moves = 0

    def begin(self, moves: int) -> None:
        self._before, self._began, self._moves = self._read(), monotonic(), moves

    def over(self, moves: int) -> None:
        found = self.found
        try:
            now = self._read()
            memory = self._memory(now)
        except ProcessLookupError:
            return  # one has ended, and nobody has looked at it yet
        if now.keys() != self._before.keys():
            return  # a process came or went
        found.seconds += monotonic() - self._began
        found.moves += moves - self._moves
        for (sort, pid), seconds in now.items():
            found.cpu[sort] = found.cpu.get(sort, 0.0) + seconds - self._before[sort, pid]
        found.memory = memory

    def _memory(self, read: Iterable[tuple[str, int]]) -> dict[str, int]:
        memory: dict[str, int] = {}
        for sort, pid in read:
            # The processes of the database share theirs.
            if sort != DATABASE:
                memory[sort] = max(memory.get(sort, 0), machine.resident(pid))
        return memory

    def _read(self) -> dict[tuple[str, int], float]:
        """By sort and number of the process. Bots that nodes have at hand play nowhere here."""
        pair = self._pair
        owners = pair.owners
        of_nodes = [
            *((OWNER if node in owners else "standby", node.pid) for node in pair.nodes),
            *(("gateway", node.pid) for node in pair.gateways if node not in pair.nodes),
        ]
        if isinstance(pair, Gateways):
            of_nodes.append(("NATS", pair.nats.pid))
        read = {(sort, pid): machine.cpu_seconds(pid) for sort, pid in of_nodes}
        return read | {(DATABASE, pid): machine.family_cpu_seconds(pid) for pid in self._database.pids}


def table(found: Consumption) -> list[str]:
    if not found.moves:
        return []
    lines = [
        "",
        f"in peace, at {found.moves / found.seconds:.0f} moves/s  {'CPU per move, us':>18}{'of a core':>11}"
        f"{'memory, MB':>12}",
    ]
    lines += [
        f"{sort:<28}{1e6 * seconds / found.moves:>18.0f}{seconds / found.seconds:>11.1%}"
        + (f"{found.memory[sort] / _MIB:>12.0f}" if sort in found.memory else "")
        for sort, seconds in found.cpu.items()
    ]
    return lines
