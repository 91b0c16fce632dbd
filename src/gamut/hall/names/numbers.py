"""Numbers for names that count, of which every server has its own."""

import asyncio

from gamut.games.game import Refused
from gamut.hall.faults import Fault, Faults
from gamut.hall.names.room_names import RoomNames


def no_name_left() -> Refused:
    return Refused("no_name", "There is no name left for another table; try again later.")


class NumberBlocks:
    """The numbers of one game. Nobody waits for one: the next block is asked for when half of this one is given."""

    def __init__(self, game: str, names: RoomNames, faults: Faults) -> None:
        self._game = game
        self._names = names
        self._faults = faults
        self._next = self._half = self._end = 0
        self._following = range(0)
        """The block after this one, if it is here already."""
        self._asking: asyncio.Future[None] | None = None

    async def begin(self, after: int) -> None:
        """Numbers were given up to here, by this server or by those before it."""
        self._use(await self._names.numbers(self._game, after))

    def next(self) -> int:
        """Raises Refused if there is none left; then there may be some a little later."""
        if self._next == self._end and self._following:
            self._use(self._following)
            self._following = range(0)
        if self._next >= self._half and not self._following and self._asking is None:
            self._asking = asyncio.ensure_future(self._ask())
        if self._next == self._end:
            raise no_name_left()
        self._next += 1
        return self._next - 1

    def _use(self, block: range) -> None:
        self._next, self._half, self._end = block.start, block.start + len(block) // 2, block.stop

    async def _ask(self) -> None:
        """If it fails, it is asked for again with the next number."""
        try:
            self._following = await self._names.numbers(self._game, self._end - 1)
        except Fault as fault:
            self._faults.contained("numbers", fault, game=self._game)
        finally:
            self._asking = None
