"""The server under attack: started as anybody would start it, with the limits that anybody has."""

import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import IO
from urllib.request import urlopen

from tests.support.nats import Nats
from tests.support.postgres import Postgres

from bench.attacks.target import Owner, Ways
from bench.pace import BenchFailed
from bench.servers.gamut import PROXIED, free_port, serving

_STOP_SECONDS = 20.0
_ATTACHING_SECONDS = 30.0
_STEP = 0.05
_IS_OPEN = b"Gamut is open"
_WING = re.compile(rb'^gamut_wings\{wing="(\d+)"\}', re.MULTILINE)


class Node:
    """A `gamut serve`. Nobody waits for it to end: it may die, and that is a result."""

    def __init__(
        self,
        name: str,
        data: Path,
        ports: tuple[int, int, int],
        flags: tuple[str, ...],
        open_files: int | None,
    ) -> None:
        """`ports`: the main one, Tower's and Tafl's."""
        self.name = name
        """For the report."""
        self._path = data / f"{name}.log"
        self._log: IO[bytes] = self._path.open("wb")
        self._child = subprocess.Popen(
            (sys.executable, "-m", "gamut.cli", "serve", "--data", str(data), *serving(*ports), *flags),
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
            preexec_fn=None if open_files is None else _limited(open_files),
        )

    def begun(self) -> None:
        """Wait until it is open."""
        out = self._child.stdout
        assert out is not None
        for line in out:
            if line.startswith(_IS_OPEN):
                return
        raise BenchFailed(f"the {self.name} ended before it was ready: {self.last_words()}")

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def died(self) -> bool:
        return self._child.poll() is not None

    @property
    def handed_over(self) -> bool:
        """It has ended in good order, since another one asked it to."""
        return self._child.poll() == 0

    @property
    def log_bytes(self) -> int:
        return self._path.stat().st_size

    def last_words(self) -> str:
        lines = self._path.read_text(errors="replace").splitlines()
        return lines[-1][:500] if lines else "not a word"

    def stop(self) -> None:
        if not self.died:
            self._child.terminate()
            try:
                self._child.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()
        self._log.close()


class Hall:
    """One server, or owners and a gateway, on free ports."""

    def __init__(
        self, data: Path, nodes: list[Node], ways: Ways, database: Postgres | None, nats: Nats | None
    ) -> None:
        """Of the nodes the gateway is the last one."""
        self._data = data
        self.nodes = nodes
        self.ways = ways
        self.database = database
        self.nats = nats

    @property
    def died(self) -> list[Node]:
        return [node for node in self.nodes if node.died]

    @property
    def log_bytes(self) -> int:
        return sum(node.log_bytes for node in self.nodes)

    @property
    def disk_bytes(self) -> int:
        """Of PostgreSQL without its WAL, which it makes in pieces and uses again."""
        if self.database is not None:
            return sum(map(_size, (self.database.data / "base").rglob("*")))
        return sum(file.stat().st_size for file in self._data.iterdir() if file.suffix != ".log")

    def last_words(self) -> str:
        """Of those that have died."""
        return "; ".join(f"{node.name}: {node.last_words()}" for node in self.died)

    def stop(self) -> float:
        """Seconds that it took to stop. Gateways come first, as an operator would do it."""
        began = monotonic()
        for node in reversed(self.nodes):
            node.stop()
        return monotonic() - began


@contextmanager
def alone(
    data: Path, flags: tuple[str, ...], open_files: int | None, database: Postgres | None
) -> Iterator[Hall]:
    """On SQLite in the data folder, or on this PostgreSQL."""
    main, tower, tafl = ports = free_port(), free_port(), free_port()
    store = () if database is None else ("--store", database.url())
    node = Node("server", data, ports, (*PROXIED, *store, *flags), open_files)
    hall = Hall(data, [node], Ways(main=main, tower=tower, tafl=tafl, page=main), database, None)
    try:
        node.begun()
        yield hall
    finally:
        hall.stop()


@contextmanager
def in_a_cluster(
    data: Path, flags: tuple[str, ...], open_files: int | None, database: Postgres, wings: int
) -> Iterator[Hall]:
    """As many owners on this PostgreSQL as the hall has wings, and a gateway before them, with a NATS of their own in
    between."""
    with ExitStack() as stack:
        nats = stack.enter_context(Nats())
        # What is heard by whoever speaks on NATS is looked at from outside.
        all_have = (
            *PROXIED,
            "--cluster",
            nats.url(),
            "--wings",
            str(wings),
            "--metrics-open",
            "true",
            *flags,
        )
        has_hall = (*all_have, "--role", "owner", "--store", database.url())

        def node(name: str, ports: tuple[int, int, int], flags: tuple[str, ...]) -> Node:
            started = Node(name, data, ports, flags, open_files)
            stack.callback(started.stop)
            return started

        ports = [free_port() for _ in range(wings)]
        owners = [
            node(f"owner {number}" if wings > 1 else "owner", (port, free_port(), free_port()), has_hall)
            for number, port in enumerate(ports)
        ]
        main, tower, tafl = (free_port() for _ in range(3))
        gateway = node("gateway", (main, tower, tafl), (*all_have, "--role", "gateway"))
        for each in (*owners, gateway):
            each.begun()
        _wait_until_attached(main)
        # Who has which wing was for them to decide.
        having = sorted(
            zip(map(_wings_at, ports), ports, owners, strict=True), key=lambda found: found[0] or (wings,)
        )
        for number, (here, _port, owner) in enumerate(having):
            if wings > 1:
                owner.name = f"wing {'+'.join(map(str, here))}" if here else f"standby {number}"
        known = tuple(Owner(port, owner.pid, here) for here, port, owner in having)
        ways = Ways(
            main=main, tower=tower, tafl=tafl, page=known[0].port, nats=nats.url(), owners=known, wings=wings
        )
        yield Hall(data, [*(owner for *_, owner in having), gateway], ways, database, nats)


def _wait_until_attached(port: int) -> None:
    until = monotonic() + _ATTACHING_SECONDS
    while monotonic() < until:
        if b"\ngamut_gateway_attached 1.0" in _metrics(port):
            return
        sleep(_STEP)
    raise BenchFailed("the gateway found no owner")


def _wings_at(port: int) -> tuple[int, ...]:
    """Of a hall that has several."""
    return tuple(sorted(int(wing) for wing in _WING.findall(_metrics(port))))


def _metrics(port: int) -> bytes:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        found: bytes = answer.read()
        return found


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # PostgreSQL has removed it just now
        return 0


def _limited(open_files: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
