"""Two nodes on one database and the proxy in front of them: one is open, the other stands by."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from bench.attacks.target import Target
from bench.cluster.node import Node
from bench.cluster.proxy import Proxy
from bench.pace import BenchFailed
from bench.stores.database import Database

_START_SECONDS = 60.0
_STEP = 0.01


class Pair:
    def __init__(self, database: Database, data: Path) -> None:
        self._database = database
        flags = ("--store", database.url, "--standby")
        self.nodes = [
            Node(data / str(number), (*flags, "--node-name", f"node {number}")) for number in range(2)
        ]
        self.proxy = Proxy([node.ports for node in self.nodes])

    async def __aenter__(self) -> Self:
        await self.proxy.start()
        try:
            for node in self.nodes:
                node.start()
                await self.until(lambda: self.proxy.open is not None, "no node has opened its ports")
            await self.until(lambda: self.standby.stands_by, "the second node does not stand by")
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self.proxy.stop()
        for node in self.nodes:
            await asyncio.to_thread(node.end)

    def target(self) -> Target:
        main, tower, tafl = (way.port for way in self.proxy.ways)
        return Target(main, tower, tafl, float("inf"), _at_once)

    @property
    def active(self) -> Node:
        assert self.proxy.open is not None
        return self.nodes[self.proxy.open]

    @property
    def standby(self) -> Node:
        assert self.proxy.open is not None
        return self.nodes[1 - self.proxy.open]

    def numbered(self) -> int:
        """The number of the node that is active, by the store."""
        with self._database.connect() as connection:
            row = connection.execute("SELECT node FROM claims WHERE kind = 'hall'").fetchone()
        return 0 if row is None else int(row[0])

    async def until(self, so: Callable[[], bool], otherwise: str, seconds: float = _START_SECONDS) -> None:
        late = monotonic() + seconds
        while not so():
            if monotonic() > late:
                said = [line for node in self.nodes for line in (*node.log.errors, *node.log.tracebacks)]
                raise BenchFailed(f"{otherwise}: {said[-3:]}")
            await asyncio.sleep(_STEP)

    async def drain(self) -> tuple[int, str]:
        """`gamut drain`: its exit code and what it said."""
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "gamut.cli", "drain", "--store", self._database.url),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await child.communicate()
        assert child.returncode is not None
        return child.returncode, said.decode(errors="replace").strip()


async def _at_once() -> None:
    """Nobody here needs a word to begin."""
