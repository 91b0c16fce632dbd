"""What happens without a page: people who speak to the web door themselves, and seats that nobody has to click for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from threading import Thread
from typing import TYPE_CHECKING, Any, Self, TypeVar

from msgspec import convert
from tests.browser.support.names import Names
from tests.browser.support.tower import SHORT_GAME
from tests.net.support.clients import Callers, Message, WebClient, calling

from gamut.games.registry import all_games

if TYPE_CHECKING:
    from tests.browser.support.person import Person

T = TypeVar("T")
Action = dict[str, Any]
Until = Callable[[dict[str, Any]], bool]
"""Whether a position, as the server tells it, is the one that somebody waits for."""


def place(tile: int) -> Action:
    """A move in Tower and in Topple."""
    return {"type": "place", "tile": tile}


@dataclass(frozen=True)
class Opened:
    """A table that was opened without a page."""

    id: str
    key: str

    @property
    def path(self) -> str:
        return f"/t/{self.id}"

    @property
    def invitation(self) -> str:
        """Lets everybody in, and seats whoever comes while a seat is free."""
        return f"{self.path}?key={self.key}"


class Guest:
    """Somebody without a browser, who stays until the test is over."""

    def __init__(self, name: str, hall: Hall, client: WebClient) -> None:
        self.name = name
        self.client = client
        self._hall = hall

    def ask(self, kind: str, **fields: Any) -> Message:
        return self._hall.wait_for(self.client.sure(kind, **fields))

    def act(self, table: Opened, *actions: Action) -> None:
        for action in actions:
            self.ask("act", table=table.id, action=action)


class Hall:
    """The server, without a page. It has an event loop of its own: the browser's driver occupies that of the tests."""

    def __init__(self, url: str, names: Names) -> None:
        self._url = url
        self._names = names
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._open = AsyncExitStack()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.wait_for(self._open.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @cached_property
    def callers(self) -> Callers:
        return self.wait_for(self._open.enter_async_context(calling(self._url)))

    def wait_for(self, what: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result()

    def guest(self, name: str) -> Guest:
        name = self._names.unique(name)
        return Guest(name, self, self.wait_for(self.callers.web(name)))

    def without_page(self, person: Person) -> Guest:
        """The same person once more: what they do without their page, it has to show."""
        return Guest(person.name, self, self._client(person))

    def _client(self, who: Person | Guest) -> WebClient:
        if isinstance(who, Guest):
            return who.client
        client = self.wait_for(self.callers.web())
        self.wait_for(client.again(who.session))
        return client

    def seat(
        self,
        game: str,
        *players: Person | Guest,
        bots: Sequence[str] = (),
        moves: Iterable[Action] = (),
        **settings: Any,
    ) -> Opened:
        """The first of them opens a table, the others and then bots sit down there, these moves are made in turn, and
        whoever has a page sees the table on it.

        Nobody else sees it in the lobby, unless it is said not to be private.
        """
        clients = [self._client(player) for player in players]
        settings = {"private": True, **_usual_seats(game, settings.get("options", {})), **settings}
        opened = self.wait_for(_seated(game, clients, bots, moves, settings))
        for player, client in zip(players, clients, strict=True):
            if not isinstance(player, Guest):
                # Nobody is here without their page.
                self.wait_for(client.close())
                player.open(opened.path)
        return opened

    def play_on(self, person: Person, choose: Callable[[list[Action]], Action], until: Until) -> None:
        """At the table that is on somebody's page, which is not looked at meanwhile: until it is their turn in a
        position of this kind, or the game is over."""
        table, client = person.table.id, self._client(person)
        # A picture, and not another of our pages: Firefox has one complain that is left before it has come in.
        person.open("/favicon.svg")
        self.wait_for(_played_on(client, table, choose, until))
        self.wait_for(client.close())
        person.open(f"/t/{table}")

    def finished_game(self, tiles: Sequence[int] = SHORT_GAME, **settings: Any) -> str:
        """Three others have played this game of Tower to its end; where."""
        players = [self.guest(name) for name in ("Xaver", "Olga", "Jo")]
        moves = [place(tile) for tile in tiles]
        return self.seat("tower", *players, moves=moves, **{"private": False, **settings}).id

    def finished_game_of_topple(self, tiles: Sequence[int], **settings: Any) -> str:
        """Two others have played this game on four tiles to its end; where."""
        players = [self.guest(name) for name in ("Una", "Dora")]
        small = {"private": False, "seats": 2, "options": {"x": 2, "y": 2}, **settings}
        return self.seat("topple", *players, moves=[place(tile) for tile in tiles], **small).id


def _usual_seats(game: str, options: dict[str, Any]) -> dict[str, int]:
    """As many as the page would take. The games of the tests know themselves how many."""
    rules = all_games().get(game)
    return {} if rules is None else {"seats": rules.seats_for(convert(options, rules.options_type))[0]}


async def _seated(
    game: str,
    clients: Sequence[WebClient],
    bots: Sequence[str],
    moves: Iterable[Action],
    settings: dict[str, Any],
) -> Opened:
    told = await clients[0].sure("open", game=game, **settings)
    opened = Opened(told["table"], told["key"])
    for client in clients[1:]:
        await client.sure("sit", table=opened.id, key=opened.key)
    for level in bots:
        await clients[0].sure("bot", table=opened.id, level=level)
    for client, action in zip(cycle(clients), moves, strict=False):
        await client.sure("act", table=opened.id, action=action)
    return opened


async def _played_on(
    client: WebClient, table: str, choose: Callable[[list[Action]], Action], until: Until
) -> None:
    while True:
        await client.send({"type": "watch", "table": table})
        told = await client.until("table", table=table)
        if told["phase"] != "playing":
            return
        if told["you"] not in told["awaited"]:
            await client.until("events", table=table)
        elif until(told["state"]):
            return
        else:
            legal = await client.sure("legal", table=table)
            await client.sure("act", table=table, action=choose(legal["actions"]))
