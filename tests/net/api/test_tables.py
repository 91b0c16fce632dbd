"""The HTTP API for games, tables and their logs, on the real server."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import ClientSession
from tests.net.support.clients import Callers, WebClient, call, calling
from tests.net.support.process import ServerProcess

WIN_FOR_0 = (0, 8, 16, 1, 9, 17, 2)


@pytest.fixture(scope="module", name="server")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("tables") / "data", message_rate=0, bot_delay=0) as running:
        yield running


async def played(callers: Callers, *names: str, **fields: Any) -> tuple[str, list[WebClient]]:
    """A finished game between these three."""
    people = [await callers.web(name) for name in names]
    opened = await people[0].sure("open", game="tower", **fields)
    table = str(opened["table"])
    for person in people[1:]:
        await person.sure("sit", table=table, key=opened["key"])
    for number, tile in enumerate(WIN_FOR_0):
        await people[number % 3].sure("act", table=table, action={"type": "place", "tile": tile})
    return table, people


def test_the_games_are_described(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        games = {game["name"]: game for game in await callers.json("/api/games")}
        tower = games["tower"]
        assert tower["seats"] == [3]
        assert tower["title"] == "Tower"
        assert [level["name"] for level in tower["levels"]] == ["casual", "sensible", "strong"]
        assert tower["defaults"] == {}
        assert tower["default_seats"] == [3]
        assert "$ref" in tower["options"] or tower["options"]["type"] == "object"
        assert "tile" in str(tower["action"])

    call(server.url, story)


def test_open_tables_and_one_of_them(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        ann = await callers.web("Ann")
        table = (await ann.sure("open", game="tower", bots=["casual"]))["table"]
        secret = (await ann.sure("open", game="tower", private=True))["table"]
        for path in ("/api/tables", "/api/tables?state=open", "/api/tables?game=tower"):
            found = {summary["id"]: summary for summary in await callers.json(path)}
            assert secret not in found
            assert found[table]["phase"] == "setup"
            assert [seat and seat["kind"] for seat in found[table]["seats"]] == ["person", "bot", None]
        assert await callers.json("/api/tables?game=ludo") == []
        assert await callers.json(f"/api/tables/{table}") == found[table]
        for path in ("/api/tables/nowhere", "/api/tables/lobby", "/api/tables/nowhere/log"):
            assert (await callers.json(path, 404))["error"]["code"] == "no_such_table"
        assert (await callers.json("/api/tables?state=lost", 400))["error"]["code"] == "bad_request"
        for query in ("limit=many", "limit=1.5", "limit="):
            path = f"/api/tables?state=finished&{query}"
            assert (await callers.json(path, 400))["error"]["code"] == "bad_request"

    call(server.url, story)


def test_a_table_whose_password_guards_watching_is_shown_to_those_inside_until_its_game_is_over(
    server: ServerProcess,
) -> None:
    async def story(callers: Callers) -> None:
        ann = await callers.web("Guarded Ann")
        opened = await ann.sure(
            "open", game="tower", password="swordfish", guards_watching=True, bots=["casual", "casual"]
        )
        path, key = f"/api/tables/{opened['table']}", opened["key"]
        for part in ("", "/log", "?key=guess", "/log?key=guess"):
            assert (await callers.json(path + part, 403))["error"]["code"] == "locked"
        assert (await callers.json(f"{path}?key={key}"))["guards_watching"] is True
        assert (await callers.json(f"{path}/log?key={key}"))["events"][0]["password"] == ""
        await ann.sure("leave", table=opened["table"])
        assert (await callers.json(path))["phase"] == "over"

    call(server.url, story)


def test_finished_games_page_by_page(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        finished = []
        for number in range(5):
            table, people = await played(callers, *(f"{name} {number}" for name in ("Bea", "Cal", "Dan")))
            finished.append(table)
            for person in people:
                await person.close()
        hidden, _ = await played(callers, "Eli", "Fay", "Gus", private=True)
        closed = await callers.web("Hal")
        abandoned = (await closed.sure("open", game="tower"))["table"]
        await closed.sure("leave", table=abandoned)
        everything = await callers.json("/api/tables?state=finished")
        assert [table["id"] for table in everything] == finished[::-1], (
            "latest first, no private ones, results only"
        )
        assert everything[0]["outcome"] == {"winners": [0], "reason": "line", "scores": None, "places": None}
        pages: list[str] = []
        before = ""
        while True:
            page = await callers.json(f"/api/tables?state=finished&limit=2{before}")
            if not page:
                break
            pages += [table["id"] for table in page]
            before = f"&before={page[-1]['id']}"
        assert pages == finished[::-1]
        assert hidden not in pages
        assert await callers.json("/api/tables?state=finished&game=ludo") == []

    call(server.url, story)


def test_pages_go_on_behind_what_is_not_shown(server: ServerProcess) -> None:
    """Private and abandoned tables take up no place on a page."""

    async def story(callers: Callers) -> None:
        first, _ = await played(callers, "Kai", "Lea", "Mia")
        shy = await callers.web("Nat")
        for _ in range(120):
            table = (await shy.sure("open", game="tower"))["table"]
            await shy.sure("leave", table=table)
            await shy.sure("unwatch", table=table)
        page = await callers.json("/api/tables?state=finished&limit=2")
        assert [table["id"] for table in page][:1] == [first]

    call(server.url, story)


def test_a_log_is_the_whole_game_and_survives_a_restart(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        table, people = await played(callers, "Ola", "Pia", "Quin")
        watcher = await callers.web("Rob")
        await watcher.sure("watch", table=table)
        await people[0].sure("say", table=table, text="well played")
        log = await callers.json(f"/api/tables/{table}/log")
        assert log["seq"] == len(log["events"])
        assert log["table"] == await callers.json(f"/api/tables/{table}")
        assert log["events"][0]["type"] == "opened"
        assert log["events"][0]["key"] == ""
        placed = [event["events"][0] for event in log["events"] if event["type"] == "played"]
        assert [event["tile"] for event in placed] == list(WIN_FOR_0)
        assert log["events"][-1]["text"] == "well played"
        table_of.append((table, log))

    table_of: list[tuple[str, Any]] = []
    call(server.url, story)
    server.stop()
    server.start()

    async def again(callers: Callers) -> None:
        table, log = table_of[0]
        assert await callers.json(f"/api/tables/{table}/log") == log

    call(server.url, again)


def test_a_private_table_is_nobodys_business(server: ServerProcess) -> None:
    async def story() -> None:
        async with calling(server.url) as inside, calling(server.url) as outside:
            async with inside.http.post("/api/guest", json={"name": "Sam"}):
                pass
            sam = await inside.web()
            opened = await sam.sure("open", game="tower", private=True)
            table, key = opened["table"], opened["key"]
            for path in (f"/api/tables/{table}", f"/api/tables/{table}/log"):
                for query in ("", "?key=", "?key=wrong", f"?key={key}x"):
                    assert (await outside.json(path + query, 404)) == await outside.json(
                        "/api/tables/nowhere", 404
                    )
                await outside.json(f"{path}?key={key}")
                await inside.json(path)
            seen = await outside.json(f"/api/tables/{table}/log?key={key}")
            assert seen["events"][0]["key"] == ""
            assert (await inside.json(f"/api/tables/{table}/log"))["events"][0]["key"] == key

    asyncio.run(story())


def test_kibitz_is_in_the_log_of_watchers_only(server: ServerProcess) -> None:
    async def story() -> None:
        async with calling(server.url) as inside, calling(server.url) as outside:
            async with inside.http.post("/api/guest", json={"name": "Tom"}):
                pass
            tom = await inside.web()
            table = (await tom.sure("open", game="tower"))["table"]
            watcher = await outside.web("Una")
            await watcher.sure("watch", table=table)
            await watcher.sure("say", table=table, text="psst", room="kibitz")
            said = [
                event
                for event in (await outside.json(f"/api/tables/{table}/log"))["events"]
                if "text" in event
            ]
            assert [event["text"] for event in said] == ["psst"]
            log = await inside.json(f"/api/tables/{table}/log")
            assert not any("text" in event for event in log["events"])
            assert log["seq"] == len(log["events"]) + 1

    asyncio.run(story())


def test_my_tables_are_those_where_i_sat(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        async with ClientSession(server.url) as stranger, stranger.get("/api/me/tables") as response:
            assert response.status == 401
            assert (await response.json())["error"]["code"] == "not_logged_in"
        async with callers.http.post("/api/guest", json={"name": "Vic"}):
            pass
        vic = await callers.web()
        await vic.until("welcome")
        assert await callers.json("/api/me/tables") == []
        left = (await vic.sure("open", game="tower"))["table"]
        await vic.sure("leave", table=left)
        kept = (await vic.sure("open", game="tower", private=True))["table"]
        mine = await callers.json("/api/me/tables")
        assert {table["id"] for table in mine} == {left, kept}
        assert mine[0]["id"] == kept, "latest first"

    call(server.url, story)


def test_what_games_there_are_is_sent_small(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        plain = await callers.http.get("/api/games", headers={"Accept-Encoding": "identity"})
        packed = await callers.http.get("/api/games", headers={"Accept-Encoding": "gzip"})
        assert await packed.json() == await plain.json()
        assert packed.headers["Content-Encoding"] == "gzip"
        assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 2

    call(server.url, story)


def test_others_may_not_change_anything_here(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        for path in ("/api/tables", "/api/games", "/api/tables/x", "/api/tables/x/log", "/api/me/tables"):
            for method in ("POST", "PUT", "DELETE"):
                async with callers.http.request(method, path, json={}) as response:
                    assert response.status == 405

    call(server.url, story)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "no_such_address"),
        ("POST", "/api/acquire/position", 404, "no_such_address"),
        ("POST", "/api/no-such-game/options", 404, "no_such_address"),
        ("DELETE", "/api/tables/x/y", 404, "no_such_address"),
        ("POST", "/api/games", 405, "wrong_method"),
        ("GET", "/api/login", 405, "wrong_method"),
    ],
)
def test_where_there_is_nothing_a_program_is_told_so_as_of_everything_else(
    server: ServerProcess, method: str, path: str, status: int, code: str
) -> None:
    async def story(callers: Callers) -> None:
        async with callers.http.request(method, path, json={}) as answer:
            assert (answer.status, answer.content_type) == (status, "application/json")
            assert (await answer.json())["error"]["code"] == code
            assert ("Allow" in answer.headers) == (status == 405)

    call(server.url, story)
