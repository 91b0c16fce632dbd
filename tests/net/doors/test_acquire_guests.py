"""Names at the Acquire door of a whole server: what somebody does on the page is heard here."""

import asyncio
from pathlib import Path

from aiohttp import ClientSession
from tests.net.support.acquire_clients import AcquireClient, Club, open_server

from gamut.net.api.accounts import COOKIE


async def guest(http: ClientSession, name: str) -> str:
    """The token of a new guest of the page."""
    async with http.post("/api/guest", json={"name": name}) as answer:
        assert answer.status == 201
        token = answer.cookies[COOKIE].value
    http.cookie_jar.clear()
    return token


async def rename(http: ClientSession, token: str, name: str) -> None:
    async with http.post(
        "/api/guest", json={"name": name}, headers={"Cookie": f"{COOKIE}={token}"}
    ) as answer:
        assert answer.status == 200


async def come(house: Club, name: str, token: str) -> AcquireClient:
    client = await house.somebody()
    await client.ok("Login", username=name, token=token)
    return client


def test_nobody_speaks_or_plays_under_a_name_that_is_somebody_else_s_account_by_now(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_server(tmp_path) as (_, house):
            token = await guest(house.http, "Rob")
            client, watcher = await come(house, "Rob", token), await house.somebody()
            number = await client.create(2)
            await watcher.enter(number)
            await watcher.ok("LobbyConnect")
            await rename(house.http, token, "Robert")
            assert (await watcher.until("GameSetup"))["usernames"] == ["Robert", None]
            rob = await house.client("Rob")
            await client.ok("SendChatMessage", gameNumber=None, message="hello")
            said = await watcher.until("ChatMessage")
            assert said["username"] == "Robert"
            assert said["userId"] != rob.user_id
            await rob.setup(number, "JoinGame")
            setup = await watcher.enter(number)
            assert setup["usernames"] == ["Robert", "Rob"]

    asyncio.run(story())


def test_a_guest_who_becomes_an_account_or_is_deleted_must_come_in_anew(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_server(tmp_path) as (_, house):
            requests = {
                "Rob": ("POST", "/api/register", {"name": "Rob", "password": "a good password"}),
                "Sue": ("DELETE", "/api/me", {}),
            }
            for name, (method, path, body) in requests.items():
                token = await guest(house.http, name)
                client = await come(house, name, token)
                cookie = {"Cookie": f"{COOKIE}={token}"}
                async with house.http.request(method, path, json=body, headers=cookie) as answer:
                    assert answer.ok
                house.http.cookie_jar.clear()
                assert (await client.until("Error"))["code"] == "logged_out"
                assert await client.receive() is None
                again = await house.somebody()
                assert await again.refused("Login", username=name, token=token) == "bad_login"

    asyncio.run(story())
