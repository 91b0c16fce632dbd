"""A hall of which other servers have a part: a name takes a while to be bound, or is theirs, and numbers are scarce."""

import asyncio
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from tests.simulation.told import Broken

from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, TableId
from gamut.hall.names.room_names import RoomTaken
from gamut.hall.time import Timekeeper

_DELAYS = (0, 0, 1, 3, 40, 400)
_TAKEN = 0.15
"""How often another server has the name just now."""
_BLOCK = 6

Name = tuple[str, str]


class Elsewhere:
    """What outlives a server. It has a chance of its own: worlds without other servers are as they would be anyway."""

    def __init__(self, seed: int, trace: Callable[[str], None]) -> None:
        self.chance = Random(f"names of {seed}")
        self.trace = trace
        self.numbers: dict[str, int] = {}
        """The last that anybody was given, by game."""
        self.waits = 0
        self.refused = 0


class SlowNames:
    """A `RoomNames`, as one server knows it."""

    def __init__(self, elsewhere: Elsewhere, time: Timekeeper) -> None:
        self._elsewhere = elsewhere
        self._time = time
        self.ours: set[Name] = set()

    def take_over(self, names: Iterable[Name]) -> None:
        """Names of tables that the server before this one had are ours now."""
        self.ours.update(names)

    def is_ours(self, game: str, name: str) -> bool:
        return (game, name) in self.ours

    async def bind(self, game: str, name: str) -> None:
        self._elsewhere.waits += 1
        await self._while()
        if (game, name) not in self.ours and self._elsewhere.chance.random() < _TAKEN:
            self._elsewhere.refused += 1
            self._elsewhere.trace(f"{name} of {game} is another server's")
            raise RoomTaken
        self.ours.add((game, name))

    def release(self, game: str, name: str) -> None:
        self.ours.discard((game, name))

    async def numbers(self, game: str, after: int) -> range:
        await self._while()
        # Others have had some blocks meanwhile.
        last = max(after, self._elsewhere.numbers.get(game, 0)) + _BLOCK * self._elsewhere.chance.randrange(3)
        self._elsewhere.numbers[game] = last + _BLOCK
        return range(last + 1, last + _BLOCK + 1)

    async def _while(self) -> None:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        delay = Millis(self._elsewhere.chance.choice(_DELAYS))
        self._time.later(delay, lambda: None if answer.done() else answer.set_result(None))
        await answer


def names_are_bound(hall: Hall, names: SlowNames) -> None:
    """No table has a name that somebody chose before it is ours, and none is ours that nobody here needs."""
    rooms, held = hall.register.rooms, hall.register.names._holders
    for game, name in rooms:
        # Tables of the other games have numbers, or names with chance enough in them; so has the id of a table.
        drawn = game not in ("tower", "topple") or hall.storage.entry(TableId(name)) is not None
        if not drawn and (game, name) not in names.ours:
            raise Broken(f"a table has the name {name} of {game}, which is not ours")
    for bound in names.ours:
        if bound not in rooms and bound not in held:
            raise Broken(f"nobody needs the name {bound}, and nobody else can have it")
