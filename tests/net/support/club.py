"""A running server with the accounts API, and browsers for it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from aiohttp import ClientResponse, web
from aiohttp.test_utils import TestClient, TestServer
from tests.hall.support.townsfolk import CHEAP, PASSWORD, Clock, MemoryStore, opened

from gamut.hall.people.people import People, PeopleSettings
from gamut.net.api.accounts import routes
from gamut.net.http.durable import never_before_it_is_durable
from gamut.net.http.guard import guarding

Browser = TestClient[web.Request, web.Application]


class Club:
    """A running server, and as many browsers as the test wants."""

    def __init__(self, people: People, clock: Clock, server: TestServer, stack: AsyncExitStack) -> None:
        self.people = people
        self.clock = clock
        self._server = server
        self._stack = stack

    async def browser(self) -> Browser:
        return await self._stack.enter_async_context(TestClient(self._server))


async def _nothing_to_wait_for() -> None:
    """People are in memory here."""


@asynccontextmanager
async def club(
    settings: PeopleSettings,
    allowed_origins: Collection[str] = (),
    store: MemoryStore | None = None,
    **options: Any,
) -> AsyncIterator[Club]:
    clock = Clock()
    async with AsyncExitStack() as stack:
        people = await stack.enter_async_context(
            opened(MemoryStore() if store is None else store, clock, settings)
        )
        app = web.Application(middlewares=[guarding(allowed_origins, Counter())])
        app.add_routes(routes(people, **options))
        never_before_it_is_durable(app, _nothing_to_wait_for)
        server = TestServer(app, host="127.0.0.1")
        await stack.enter_async_context(server)
        yield Club(people, clock, server, stack)


def with_club(
    story: Callable[[Club], Coroutine[Any, Any, None]], settings: PeopleSettings = CHEAP, **options: Any
) -> None:
    async def run() -> None:
        async with club(settings, **options) as running:
            await story(running)

    asyncio.run(run())


async def answer(response: ClientResponse, status: int) -> Any:
    assert response.status == status, await response.text()
    assert response.content_type == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    return await response.json()


async def refusal(response: ClientResponse, status: int) -> str:
    error = (await answer(response, status))["error"]
    assert set(error) == {"code", "message"}
    assert error["message"].endswith(".")
    return str(error["code"])


async def register(browser: Browser, name: str = "Anna") -> Any:
    response = await browser.post("/api/register", json={"name": name, "password": PASSWORD})
    return (await answer(response, 201))["person"]
