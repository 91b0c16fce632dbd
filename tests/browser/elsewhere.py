"""What happens elsewhere in the hall: people who speak to the web door themselves, and do not wait for a page."""

from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex
from typing import Any

from tests.browser.tower import SHORT_GAME
from tests.net.clients import Callers, call

Story = Callable[[Callers], Coroutine[Any, Any, None]]


def happen(url: str, story: Story) -> None:
    # The browser's driver occupies the event loop of this thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(call, url, story).result()


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
