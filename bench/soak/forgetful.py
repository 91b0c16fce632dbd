"""A server that loses something on purpose: it tells before the commit, on a slow disk. The soak must find it out."""

import sys
from time import sleep
from typing import Any

from gamut import cli
from gamut.hall.store.journal import Journal
from gamut.ledger.sqlite.ledger import SqliteLedger

_SLOW_SECONDS = 0.1


def main() -> int:
    append = SqliteLedger.append

    def late(self: SqliteLedger, *args: Any) -> None:
        sleep(_SLOW_SECONDS)
        append(self, *args)

    def send(self: Journal, wire: Any, data: bytes) -> None:
        wire.write(data)

    def broadcast(self: Journal, wires: tuple[Any, ...], data: bytes) -> None:
        for wire in wires:
            wire.write(data)

    SqliteLedger.append = late  # type: ignore[method-assign,assignment]
    Journal.send = send  # type: ignore[method-assign]
    Journal.broadcast = broadcast  # type: ignore[method-assign]
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
