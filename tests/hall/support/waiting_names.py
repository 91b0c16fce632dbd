"""Names in a hall of several servers: whoever binds one waits until the test lets it go."""

import asyncio

from gamut.hall.names.room_names import RoomTaken

Name = tuple[str, str]


class WaitingNames:
    """A `RoomNames`. What other servers have, and when anything is answered, the test says."""

    def __init__(self, block: int = 8) -> None:
        self.ours: set[Name] = set()
        self.elsewhere: set[Name] = set()
        self.asked: list[Name] = []
        """For every name that is being waited for, once for each who waits."""
        self.released: list[Name] = []
        self.blocks = 0
        """How many were asked for. The first is there at once; between two of ours is one of another server."""
        self._block = block
        self._is_asked = asyncio.Event()
        self._answers: list[asyncio.Future[None]] = []

    def is_ours(self, game: str, name: str) -> bool:
        return (game, name) in self.ours

    async def bind(self, game: str, name: str) -> None:
        self.asked.append((game, name))
        self._is_asked.set()
        await self._answer()
        if (game, name) in self.elsewhere:
            raise RoomTaken
        self.ours.add((game, name))

    def release(self, game: str, name: str) -> None:
        self.released.append((game, name))
        self.ours.discard((game, name))

    async def numbers(self, game: str, after: int) -> range:
        self.blocks += 1
        if self.blocks > 1:
            await self._answer()
        first = after + 1 + self._block * (self.blocks > 1)
        return range(first, first + self._block)

    async def _answer(self) -> None:
        answer = asyncio.get_running_loop().create_future()
        self._answers.append(answer)
        await answer

    async def until_asked(self) -> Name:
        """Where several tasks have to go on before somebody waits for a name."""
        await self._is_asked.wait()
        self._is_asked.clear()
        return self.asked[-1]

    def let_go(self) -> None:
        """All that is waited for is answered."""
        answers, self._answers = self._answers, []
        self.asked.clear()
        for answer in answers:
            answer.set_result(None)

    def fail(self, error: Exception) -> None:
        """The store does not answer whoever waits."""
        answers, self._answers = self._answers, []
        self.asked.clear()
        for answer in answers:
            answer.set_exception(error)
