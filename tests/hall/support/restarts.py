"""Stories that wait, and what becomes of a hall whose process is gone."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from tests.hall.support.inmemory import House, ManualTime, make_hall

from gamut.hall.ids import Millis, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.settings import HallSettings

IDLE = HallSettings().idle_after
SETTINGS = HallSettings(bot_delay=Millis(0))

Story = Callable[[], Coroutine[Any, Any, None]]


def told(story: Story) -> Callable[[], None]:
    """The claim is a story that waits: run it to its end."""

    def run() -> None:
        asyncio.run(story())

    run.__name__ = story.__name__
    return run


async def restarted(house: House, after: int = 0, bots: Any = None) -> House:
    """The process is gone from one instant to the next; another one starts on what was stored."""
    again = make_hall(
        house.storage,
        time=ManualTime(Millis(house.time.now() + after)),
        bots=bots,
        settings=SETTINGS,
        played=house.hall.games,
    )
    await again.start()
    again.settle()
    return again


async def settled(house: House) -> None:
    """Let everything that was set going run to its end."""
    for _ in range(5):
        await asyncio.sleep(0)
    house.settle()


async def over_time(house: House, span: int) -> None:
    for _ in range(0, span, IDLE):
        house.advance(IDLE)
        await settled(house)


async def loaded(house: House, table: TableId) -> LiveTable:
    live = await house.hall.load(table)
    house.settle()
    assert live is not None
    return live
