"""Names of tables at this door: each has a uuid, wherever it was opened."""

from uuid import uuid4

from gamut.hall.ids import Millis
from gamut.hall.names.numbers import NumberBlocks


class Guids:
    continues = False
    """A rematch is a game of its own."""

    async def resume(self, last: str | None, numbers: NumberBlocks) -> None:
        """There is chance enough in each for all of them."""

    def next(self, now: Millis) -> str:
        return str(uuid4())
