"""When an account changes, every connection that came in before ends at once."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.hall.support.townsfolk import PASSWORD
from tests.net.support.clients import Callers, WebClient, call, calling
from tests.net.support.process import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(Path(tmp_path_factory.mktemp("sessions")) / "data") as running:
        yield running


async def ended(connection: WebClient) -> None:
    assert (await connection.until("error"))["code"] == "logged_out"
    assert await connection.hung_up() == 4001


async def ask(callers: Callers, method: str, path: str, body: Any, status: int) -> Any:
    async with callers.http.request(method, path, json=body) as response:
        assert response.status == status, await response.text()
        return await response.json()


def test_when_a_guest_registers_nobody_speaks_as_the_account_with_the_old_token(
    server: ServerProcess,
) -> None:
    async def story(callers: Callers) -> None:
        await ask(callers, "POST", "/api/guest", {"name": "Anna"}, 201)
        own = await callers.web()
        await own.until("welcome")
        async with calling(server.url) as elsewhere:
            thief = await elsewhere.web()
            token = callers.http.cookie_jar.filter_cookies(callers.http._build_url("/"))[
                "gamut_session"
            ].value
            await thief.again(token)
            table = (await thief.sure("open", game="tower"))["table"]
            await ask(callers, "POST", "/api/register", {"name": "Anna", "password": PASSWORD}, 201)
            await ended(own)
            await ended(thief)
            late = await elsewhere.web()
            await late.send({"type": "hello", "token": token})
            assert (await late.receive())["code"] == "bad_token"
        back = await callers.web()
        welcome = await back.until("welcome")
        assert (welcome["name"], welcome["guest"], welcome["tables"]) == ("Anna", False, [table])

    call(server.url, story)


def test_a_new_password_ends_every_connection_and_so_does_leaving_for_good(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        await ask(callers, "POST", "/api/register", {"name": "Berta", "password": PASSWORD}, 201)
        first = await callers.web()
        await first.until("welcome")
        await ask(callers, "POST", "/api/password", {"old": PASSWORD, "new": "another one"}, 200)
        await ended(first)
        second = await callers.web()
        await second.until("welcome")
        leaving = asyncio.ensure_future(ask(callers, "DELETE", "/api/me", {"password": "another one"}, 200))
        await ended(second)
        await leaving
        assert (await callers.json("/api/me", 401))["error"]["code"] == "not_logged_in"

    call(server.url, story)


def test_a_tower_client_does_not_come_in_under_the_name_of_an_account(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        await ask(callers, "POST", "/api/register", {"name": "Carla", "password": PASSWORD}, 201)
        client = await callers.tower()
        for name in ("Carla", "carla", "C\u0430rla", "C'arla"):
            await client.join("a room", name)
            assert (await client.until("error"))["data"]["type"] == 1
        await client.join("a room", "Carl")
        await client.until("room_joined")

    call(server.url, story)
