"""What is in PostgreSQL, as of one moment: read beside the nodes, without them."""

from types import TracebackType
from typing import Any, Self

from sqlalchemy import Engine, Executable, text

from bench.stores.stored import Stored
from gamut.ledger.postgres.ledger import PostgresReading


class Snapshot(PostgresReading, Stored):
    """All that is read of it is of the same moment, whatever the nodes store meanwhile."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)

    def __enter__(self) -> Self:
        self._connection = self._engine.connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    @property
    def storage(self) -> Self:
        return self

    def _rows(self, wanted: Executable) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._connection.execute(wanted)]

    def asked(self, sql: str, **values: Any) -> list[Any]:
        return list(self._connection.execute(text(sql), values))
