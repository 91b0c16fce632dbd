"""Names of rooms where other servers may want the same ones: each is made ours before a table is opened under it."""

import sys
from collections import Counter
from collections.abc import AsyncIterator, Container
from contextlib import asynccontextmanager
from typing import Protocol

from gamut.games.game import Refused
from gamut.hall.wings import Wings


class RoomTaken(Refused):
    """Another server of this hall has a room of this name."""

    def __init__(self) -> None:
        super().__init__("room_taken", "There is a room of this name elsewhere. Please choose another name.")


class RoomNames(Protocol):
    """Which names and numbers are this server's."""

    def is_ours(self, game: str, name: str) -> bool:
        """Whether a table may be opened under this name now; if not, `bind` is to be waited for first."""
        ...

    async def bind(self, game: str, name: str) -> None:
        """Make the name ours: nobody else opens a table under it before it is released. Raises RoomTaken.

        Several may ask for one name at the same time, and all of them get it.
        """
        ...

    def release(self, game: str, name: str) -> None:
        """No table here has the name, and nobody is about to open one. Nothing happens if it is not ours.

        Nobody waits for it; what is bound afterwards is bound after it.
        """
        ...

    async def numbers(self, game: str, after: int) -> range:
        """A block of numbers, all of them larger than `after`, that nobody was given and nobody else is given."""
        ...


class Alone:
    """There is no other server: every name and every number is ours."""

    def is_ours(self, game: str, name: str) -> bool:
        return True

    async def bind(self, game: str, name: str) -> None:
        """It is ours already."""

    def release(self, game: str, name: str) -> None:
        """Nobody else wants it."""

    async def numbers(self, game: str, after: int) -> range:
        return range(after + 1, sys.maxsize)


class OfWing(Alone):
    """A wing of a hall has the names that belong there, and nobody waits for one."""

    def __init__(self, wings: Wings) -> None:
        self._wings = wings

    def is_ours(self, game: str, name: str) -> bool:
        return self._wings.has_name(game, name)

    async def bind(self, game: str, name: str) -> None:
        """Raises Elsewhere where it does not belong to this wing."""
        self._wings.check_name(game, name)


def names_in(wings: Wings) -> RoomNames:
    return Alone() if wings.count == 1 else OfWing(wings)


class HeldNames:
    """A name is ours as long as a table here has it, or somebody is about to open one under it."""

    def __init__(self, names: RoomNames, rooms: Container[tuple[str, str]]) -> None:
        self._names = names
        self._rooms = rooms
        """Names that tables here have."""
        self._holders: Counter[tuple[str, str]] = Counter()
        """How many are about to open a table under a name, or to join whoever was quicker."""

    def is_ours(self, game: str, name: str) -> bool:
        return (game, name) in self._rooms or self._names.is_ours(game, name)

    @asynccontextmanager
    async def holding(self, game: str, name: str) -> AsyncIterator[None]:
        """As long as this lasts the name is ours, and afterwards if a table has it by then. Raises RoomTaken.

        It may have taken a while: whatever was looked at before is to be looked at again.
        """
        self._holders[game, name] += 1
        try:
            if not self.is_ours(game, name):
                await self._names.bind(game, name)
            yield
        finally:
            self._holders[game, name] -= 1
            if not self._holders[game, name]:
                del self._holders[game, name]
                self.let_go(game, name)

    def let_go(self, game: str, name: str) -> None:
        """A table has this name no more, or was not opened under it: others may have it, unless it is needed here."""
        if (game, name) not in self._rooms and (game, name) not in self._holders:
            self._names.release(game, name)
