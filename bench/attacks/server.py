"""The server under attack: started as anybody would start it, with the limits that anybody has."""

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

from bench.attacks.target import Ways
from bench.pace import BenchFailed
from bench.servers.gamut import PROXIED, free_port, serving

_STOP_SECONDS = 20.0
_ATTACHING_SECONDS = 10.0
_STEP = 0.05
_IS_OPEN = b"Gamut is open"


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
        self._path = data / f"{name}.log"
        self._log: IO[bytes] = self._path.open("wb")
        self._child = subprocess.Popen(
            (sys.executable, "-m", "gamut.cli", "serve", "--data", str(data), *serving(*ports), *flags),
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
            preexec_fn=None if open_files is None else _limited(open_files),
        )
        try:
            self._begun()
        except BaseException:
            self.stop()
            raise

    def _begun(self) -> None:
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
    """One server, or an owner and a gateway, on free ports."""

    def __init__(
        self, data: Path, nodes: list[Node], ways: Ways, database: Postgres | None, nats: Nats | None
    ) -> None:
        """The first of the nodes is the one that has bots and stores."""
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
        yield hall
    finally:
        hall.stop()


@contextmanager
def in_a_cluster(
    data: Path, flags: tuple[str, ...], open_files: int | None, database: Postgres
) -> Iterator[Hall]:
    """An owner on this PostgreSQL and a gateway before it, with a NATS of their own in between."""
    with ExitStack() as stack:
        nats = stack.enter_context(Nats())
        # What is heard by whoever speaks on NATS is looked at from outside.
        both = (*PROXIED, "--cluster", nats.url(), "--metrics-open", "true", *flags)
        page, main, tower, tafl = (free_port() for _ in range(4))
        has_hall = (*both, "--role", "owner", "--store", database.url())
        owner = Node("owner", data, (page, free_port(), free_port()), has_hall, open_files)
        stack.callback(owner.stop)
        gateway = Node("gateway", data, (main, tower, tafl), (*both, "--role", "gateway"), open_files)
        stack.callback(gateway.stop)
        _wait_until_attached(main)
        ways = Ways(main=main, tower=tower, tafl=tafl, page=page, nats=nats.url())
        yield Hall(data, [owner, gateway], ways, database, nats)


def _wait_until_attached(port: int) -> None:
    until = monotonic() + _ATTACHING_SECONDS
    while monotonic() < until:
        with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            if b"\ngamut_gateway_attached 1.0" in answer.read():
                return
        sleep(_STEP)
    raise BenchFailed("the gateway found no owner")


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # PostgreSQL has removed it just now
        return 0


def _limited(open_files: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
