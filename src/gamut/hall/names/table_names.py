"""Names that a game's own door has for tables: a number, a code, a uuid. Every table of the game gets one, wherever it
was opened."""

from collections.abc import Callable, Container
from typing import Any, Protocol

from gamut.hall.faults import Faults
from gamut.hall.ids import Millis
from gamut.hall.names.numbers import NumberBlocks, no_name_left
from gamut.hall.names.room_names import RoomNames
from gamut.hall.store.storage import Storage
from gamut.hall.wings import Wings

_TRIES = 50


class Namer(Protocol):
    """How a door names the tables of its game. No name is ever given twice: it counts, or has chance enough."""

    continues: bool
    """A table that its people go on to has the name of the one before; if not, it gets one of its own."""

    async def resume(self, last: str | None, numbers: NumberBlocks) -> None:
        """Go on after the last name that a table of this game was given, by this server or by those before it.

        `numbers`: for a namer that counts; any others could be somebody else's.
        """
        ...

    def next(self, now: Millis) -> str: ...


class Naming:
    def __init__(
        self,
        storage: Storage,
        run_blocking: Callable[..., Any],
        taken: Container[tuple[str, str]],
        names: RoomNames,
        wings: Wings,
        faults: Faults,
    ) -> None:
        self._storage = storage
        self._run_blocking = run_blocking
        self._taken = taken
        self._names = names
        self._wings = wings
        self._faults = faults
        self._namers: dict[str, Namer] = {}

    async def use(self, game: str, namer: Namer) -> None:
        """From now on every new table of the game gets a name. To be called before anybody comes in."""
        last = await self._run_blocking(self._storage.last_name, game)
        await namer.resume(last, NumberBlocks(game, self._names, self._faults))
        self._namers[game] = namer

    def new_name(self, game: str, now: Millis) -> str | None:
        """A name for a table that is being opened; None if the game's tables need none."""
        namer = self._namers.get(game)
        if namer is None:
            return None
        for _ in range(_TRIES * self._wings.count):
            name = namer.next(now)
            # A client may have chosen this name for a table of its own, and others belong to other wings of the hall.
            if (game, name) not in self._taken and self._wings.has_name(game, name):
                return name
        raise no_name_left()

    def continues(self, game: str) -> bool:
        """Whether a table that follows another keeps its name."""
        namer = self._namers.get(game)
        return namer is None or namer.continues
