"""What a server opens: a ledger with its people, for as long as the server runs."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol

import msgspec

from gamut.hall.ids import Millis
from gamut.hall.people.ahead import PeopleReader
from gamut.hall.people.person import PeopleStore
from gamut.hall.store.storage import Damage, LogReader, Storage
from gamut.hall.wings import MAIN

Meanwhile = Callable[[LogReader, PeopleReader], Coroutine[Any, Any, None]]
"""What a node does with the store of another one until its turn comes."""


class Ledger(Storage, Protocol):
    def rest(self) -> None:
        """Free memory, after a crowd has left."""
        ...


class Hearing(Protocol):
    """What a node that waits for its turn hears of others, apart from what is in the store."""

    @property
    def reaches_nobody(self) -> bool:
        """It would be of little use, were it active just now."""
        ...

    def misses(self, node: int) -> bool:
        """Whether those who need the active node do not hear it. They would hear this one."""
        ...


def _is_needed() -> bool:
    return False


def _nothing() -> None:
    """There is nowhere to go."""


def no_burden() -> int:
    return 0


class Watcher(msgspec.Struct):
    """Who is told what a store finds out by itself."""

    away: Callable[[], None]
    """It does not answer: nothing can be stored."""
    back: Callable[[], None]
    drain: Callable[[], None]
    """This node is to hand over: an operator says so, or it is cut off."""
    failed: Callable[[BaseException], None]
    """The server must stop: it was ended by another one, or the store has lost something."""
    is_cut_off: Callable[[], bool] = _is_needed
    """Whether nobody hears this node; asked when another one says so."""
    move: Callable[[], None] = _nothing
    """This node is to hand over, and its process goes on: an operator wants its wing to be elsewhere."""


class Store(Protocol):
    damage: Damage
    stopped_at: Millis | None
    """Until when the server before this one, of the same wing, let clocks run, if that is known."""
    opened_before: Millis
    """What happened since then was at that server, and at none before it."""

    @property
    def ledger(self) -> Ledger: ...

    @property
    def people(self) -> PeopleStore: ...

    @property
    def node(self) -> int | None:
        """The number of this node; None where there is only one."""
        ...

    @property
    def before(self) -> tuple[int, int]:
        """The number of the node before this one in its wing, and how many batches of it are stored; 0 where there was
        none."""
        ...

    def batches(self) -> int:
        """How many batches of this node are stored. Any thread may ask."""
        ...

    @property
    def clock_ahead(self) -> int:
        """Milliseconds by which the store's clock, which all who share it go by, is ahead of this machine's."""
        ...

    def watch(self, now: Callable[[], Millis], watcher: Watcher) -> None:
        """From now on, see to it that the store is there and that this node is the one that uses it."""
        ...

    def remains(self) -> str:
        """Where something of deleted people may be left although it is deleted, as they are told; empty: nowhere."""
        ...

    def lease_age(self) -> float | None:
        """Seconds since this node has shown that it lives; None where nobody waits for its end."""
        ...

    def health(self) -> dict[str, Any]:
        """For whoever looks after the server."""
        ...

    async def stop(self, at: Millis) -> None:
        """The server has come to its end in good order, at this moment of server time."""
        ...

    async def close(self) -> None: ...


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where the data of a hall is, and as whom we use it."""

    url: str
    """Of a PostgreSQL database; empty: SQLite in the folder."""
    folder: Path
    name: str
    """Of this node."""
    version: str
    lease: float = 1.0
    """Seconds without a sign of life of this node after which another one may take its place."""
    standby: bool = False
    turn: asyncio.Event | None = None
    """Set when it may be this node's turn: whoever stands by looks at once."""
    wing: int = MAIN
    """The one that this node is for, of so many:"""
    wings: int = 1
    burden: Callable[[], int] = no_burden
    """How many wings this process has by now. Those that have fewer take a free one first."""
