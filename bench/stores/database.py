"""The PostgreSQL under the nodes: one server or, for fail-overs, one with a synchronous standby beside it."""

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import psycopg
from sqlalchemy import Engine, NullPool, create_engine
from tests.support.postgres import Postgres

from bench.place import HERE, LOOPBACK, Place
from bench.servers.gamut import free_port
from bench.stores.snapshot import Snapshot


class Database:
    """Two ports, at one of which there is a server that can be written to."""

    def __init__(self, place: Place = HERE) -> None:
        self._place = place

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        with self._place.entered():
            self._primary = self._stack.enter_context(self._server())
        self._standby: Postgres | None = None
        self._lost: Postgres | None = None
        self._free = free_port()
        self.targets = [(self._place.address, port) for port in (self._primary.port, self._free)]
        self.url = self.url_at(self.targets)
        self._engine: Engine = create_engine(
            "postgresql+psycopg://",
            creator=self.connect,
            poolclass=NullPool,
            isolation_level="REPEATABLE READ",
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _server(self) -> Postgres:
        address = self._place.address
        if address == LOOPBACK:
            return Postgres(fsync=True)
        server = Postgres(fsync=True, settings={"listen_addresses": f"{LOOPBACK},{address}"})
        try:
            with (server.data / "pg_hba.conf").open("a") as rules:
                rules.write(f"host all all {address}/24 scram-sha-256\n")
            with server.connect() as connection:
                connection.execute("SELECT pg_reload_conf()")
        except BaseException:
            server.close()
            raise
        return server

    def url_at(self, targets: Sequence[tuple[str, int]]) -> str:
        """At these addresses."""
        hosts = ",".join(f"{address}:{port}" for address, port in targets)
        return f"postgresql://gamut:{self._primary.password}@{hosts}/postgres?target_session_attrs=read-write"

    def connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.url, connect_timeout=3)

    def snapshot(self) -> Snapshot:
        return Snapshot(self._engine)

    @property
    def pids(self) -> list[int]:
        return [server.pid for server in (self._primary, self._standby) if server is not None]

    def crash(self) -> None:
        self._primary.stop(immediate=True)

    def recover(self) -> None:
        with self._place.entered():
            self._primary.start()

    def follow(self) -> None:
        """From now on there is a synchronous standby."""
        if self._lost is not None:
            # Its folder would be there until the end.
            self._lost.close()
            self._lost = None
        if self._standby is None:
            with self._place.entered():
                self._standby = self._stack.enter_context(self._primary.standby(self._free))

    def lose(self) -> None:
        """The primary is gone from one moment to the next, and for good."""
        assert self._standby is not None
        lost, self._primary, self._standby = self._primary, self._standby, None
        lost.kill()
        self._lost, self._free = lost, lost.port

    def promote(self) -> None:
        """The standby becomes what the primary was."""
        self._primary.promote()
