"""What happens elsewhere in the hall: people who speak to the web door themselves, and do not wait for a page."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from secrets import token_hex
from typing import Any

from tests.browser.support.tower import SHORT_GAME
from tests.net.support.clients import Callers, call

Story = Callable[[Callers], Coroutine[Any, Any, None]]


def happen(url: str, story: Story) -> None:
    # The browser's driver occupies the event loop of this thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(call, url, story).result()


@contextmanager
def meanwhile(url: str, story: Story) -> Iterator[None]:
    """The same, and everybody in the story stays until this ends."""
    told: Future[Any] = Future()

    async def and_stay(callers: Callers) -> None:
        await story(callers)
        over = asyncio.Event()
        told.set_result((asyncio.get_running_loop(), over))
        await over.wait()

    with ThreadPoolExecutor(1) as thread:
        staying: Future[Any] = thread.submit(call, url, and_stay)
        wait((told, staying), return_when=FIRST_COMPLETED)
        if staying.done():
            staying.result()
        loop, over = told.result()
        try:
            yield
        finally:
            loop.call_soon_threadsafe(over.set)
            staying.result()


def finished_game(url: str, tiles: tuple[int, ...] = SHORT_GAME, **table: Any) -> str:
    """Three others have played this game to its end; where."""
    found: list[str] = []

    async def story(callers: Callers) -> None:
        players = [await callers.web(f"{name} {token_hex(3)}") for name in ("Xaver", "Olga", "Jo")]
        opened = await players[0].sure("open", game="tower", **table)
        for player in players[1:]:
            await player.sure("sit", table=opened["table"], key=opened["key"])
        for turn, tile in enumerate(tiles):
            await players[turn % 3].sure("act", table=opened["table"], action={"type": "place", "tile": tile})
        found.append(opened["table"])

    happen(url, story)
    return found[0]


def finished_game_of_topple(url: str, tiles: tuple[int, ...], **table: Any) -> str:
    """Two others have played this game on four tiles to its end; where."""
    found: list[str] = []

    async def story(callers: Callers) -> None:
        players = [await callers.web(f"{name} {token_hex(3)}") for name in ("Una", "Dora")]
        settings = {"seats": 2, "options": {"x": 2, "y": 2}, **table}
        opened = await players[0].sure("open", game="topple", **settings)
        await players[1].sure("sit", table=opened["table"], key=opened["key"])
        for turn, tile in enumerate(tiles):
            await players[turn % 2].sure("act", table=opened["table"], action={"type": "place", "tile": tile})
        found.append(opened["table"])

    happen(url, story)
    return found[0]
