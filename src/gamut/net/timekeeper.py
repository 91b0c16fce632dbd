"""Server time: the wall clock when the server started, and a clock that cannot be set back since."""

import asyncio
from collections.abc import Callable
from time import monotonic, time

from gamut.hall.ids import Millis
from gamut.hall.time import Timer


class LoopTime:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._offset = (time() - monotonic()) * 1000

    def now(self) -> Millis:
        return int(self._offset + monotonic() * 1000)  # type: ignore[return-value]  # Millis

    def later(self, delay: Millis, call: Callable[[], None]) -> Timer:
        return self._loop.call_later(delay / 1000, call)
