"""What a link shows before anybody opens it, as whoever fetches it for a chat gets it."""

import asyncio
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from tests.net.api.test_tables import WIN_FOR_0, played
from tests.net.support.clients import Callers, call
from tests.net.support.inside import at_a_server
from tests.net.support.pixels import pixels_of
from tests.net.support.process import ServerProcess

from gamut.games.registry import all_games
from gamut.hall.ids import Seq
from gamut.hall.live.live_table import LiveTable
from gamut.net.api import previews
from gamut.net.api.previews import Previews

PAPER = (0xFB, 0xF9, 0xF6)


@pytest.fixture(scope="module", name="server")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("previews") / "data", message_rate=0, bot_delay=0) as running:
        yield running


async def page(callers: Callers, path: str, **headers: str) -> str:
    async with callers.http.get(path, headers=headers) as answer:
        assert answer.status == 200
        return await answer.text()


async def told(callers: Callers, path: str, **headers: str) -> dict[str, str]:
    text = await page(callers, path, **headers)
    found = re.findall(r'<meta property="og:([a-z:_]+)" content="([^"]*)" />', text)
    return {name: unescape(content) for name, content in found}


async def picture(callers: Callers, address: str, status: int = 200) -> bytes:
    async with callers.http.get(address) as answer:
        assert answer.status == status, await answer.text()
        if status == 200:
            assert answer.content_type == "image/png"
            assert answer.headers["Cache-Control"].startswith("public, max-age=")
        return await answer.read()


def colours(png: bytes) -> set[tuple[int, int, int]]:
    return {pixel for row in pixels_of(png) for pixel in row}


def test_a_public_game_shows_who_plays_and_the_position(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        table, _ = await played(callers, "Ann & Co", 'Ben "B"', "Cas")
        found = await told(callers, f"/t/{table}")
        assert found["title"] == 'Tower: Ann & Co, Ben "B" and Cas'
        assert found["description"] == "Ann & Co won. Open the link to see how."
        assert found["image"].startswith(f"{server.url}/api/tables/{table}/picture.png?")
        last = await picture(callers, found["image"])
        rows = pixels_of(last)
        assert (
            (len(rows[0]), len(rows))
            == (1200, 630)
            == (
                int(found["image:width"]),
                int(found["image:height"]),
            )
        )
        blue, orange, pink = (0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0xCC, 0x79, 0xA7)
        assert {blue, orange, pink} <= colours(last)

        # A link to a position shows that one; a number beyond the end is the end.
        second = await told(callers, f"/t/{table}/1")
        assert colours(await picture(callers, second["image"])) & {blue, orange, pink} == {blue}
        first = await picture(callers, f"/api/tables/{table}/picture.png?move=0")
        assert not colours(first) & {blue, orange, pink}
        assert await picture(callers, f"/api/tables/{table}/picture.png?move=999") == last
        for bad in ("x", "-1", "1e3", "9999999"):
            await picture(callers, f"/api/tables/{table}/picture.png?move={bad}", 400)

    call(server.url, story)


def test_the_lobby_shows_every_game(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        found = await told(callers, "/")
        assert found["title"] == "gamut"
        assert found["description"].startswith("Board games with friends")
        assert found["image"] == f"{server.url}/api/lobby/picture.png"
        drawn = await picture(callers, found["image"])
        rows = pixels_of(drawn)
        assert (len(rows[0]), len(rows)) == (1200, 630)
        marks = {tuple(game.mark.colour.to_bytes(3, "big")) for game in all_games().values()}
        assert len(marks) == 5
        assert marks <= colours(drawn)
        assert await picture(callers, found["image"]) == drawn
        # It is the lobby's: what is nowhere says nothing.
        assert await told(callers, "/nowhere") == {}
        for odd in ('x"><script>', "a/b"):
            assert await told(callers, "/", Host=odd) == {}

    call(server.url, story)


def test_a_flood_for_one_picture_draws_it_once() -> None:
    class Counting:
        """The slow work of a hall, which waits until all have asked."""

        def __init__(self) -> None:
            self.drawn = 0
            self.began, self.go_on = asyncio.Event(), asyncio.Event()

        async def run(
            self, person: str | None, address: str, draw: Callable[..., bytes], *about: Any
        ) -> bytes:
            self.drawn += 1
            self.began.set()
            await self.go_on.wait()
            return b"a picture"

    async def story() -> None:
        work = Counting()
        hall: Any = SimpleNamespace(games=all_games(), slow_work=work)
        app = web.Application()
        app.add_routes(Previews(hall, lambda request: "203.0.113.7").routes())
        async with TestClient(TestServer(app, host="127.0.0.1")) as browser:

            async def ask() -> bytes:
                return await (await browser.get("/api/lobby/picture.png")).read()

            first = asyncio.ensure_future(ask())
            await work.began.wait()
            # Whoever asked first goes away; nobody else loses by that.
            first.cancel()
            others = asyncio.gather(*(ask() for _ in range(20)))
            work.go_on.set()
            assert set(await others) == {b"a picture"}
            assert await ask() == b"a picture"
        assert work.drawn == 1

    asyncio.run(story())


def test_a_move_that_was_taken_back_is_in_no_picture(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        ann = await callers.web("Una")
        table = (await ann.sure("open", game="tower", bots=["casual", "casual"]))["table"]
        first_move, shown = f"/api/tables/{table}/picture.png?move=1", list[bytes]()
        for tile in (0, 12):
            await ann.sure("act", table=table, action={"type": "place", "tile": tile})
            shown.append(await picture(callers, first_move))
            await ann.sure("take_back", table=table, moves=0)
        assert shown[0] != shown[1]
        assert (0x00, 0x72, 0xB2) not in colours(await picture(callers, first_move))

    call(server.url, story)


def test_a_position_is_drawn_once_and_its_log_looked_through_once_however_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, looked_through = list[Any](), list[Any]()
    visible = LiveTable.visible

    def draw_past(game: Any, plays: list[Any]) -> bytes:
        drawn.append(plays)
        return b"past"

    def counted(live: LiveTable, viewer: Any, after: Seq) -> list[Any]:
        looked_through.append(after)
        return visible(live, viewer, after)

    async def story(callers: Callers) -> None:
        people = [await callers.web(name) for name in ("Vic", "Wim", "Xan")]
        table = (await people[0].sure("open", game="tower"))["table"]
        for person in people[1:]:
            await person.sure("sit", table=table)
        monkeypatch.setattr(previews, "_draw_past", draw_past)
        monkeypatch.setattr(LiveTable, "visible", counted)
        for number, tile in enumerate(WIN_FOR_0):
            await people[number % 3].sure("act", table=table, action={"type": "place", "tile": tile})
            assert await picture(callers, f"/api/tables/{table}/picture.png?move=0") == b"past"
        assert [len(plays) for plays in drawn] == [1]
        assert len(looked_through) == 1

    at_a_server(tmp_path, story, all_games)


def test_what_is_to_be_joined_or_watched_says_so(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        dot = await callers.web("Dot")
        table = (await dot.sure("open", game="tower", bots=["casual"]))["table"]
        found = await told(callers, f"/t/{table}")
        assert found["title"].startswith("Tower: Dot and ")
        assert found["description"] == "1 seat is free. Open the link to join or to watch."
        await dot.sure("bot", table=table, level="casual")
        found = await told(callers, f"/t/{table}")
        assert found["description"] == "Being played. Open the link to watch."
        await picture(callers, found["image"])

    call(server.url, story)


def test_addresses_are_those_under_which_the_page_was_asked_for(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        eve = await callers.web("Eve")
        table = (await eve.sure("open", game="tower"))["table"]
        path = f"/t/{table}"
        there = await told(callers, path, **{"Host": "games.example.org", "X-Forwarded-Proto": "https"})
        assert there["image"].startswith("https://games.example.org/api/tables/")
        for odd in ('x"><script>', "a/b", "user@host", "host:99999", "a b"):
            assert await told(callers, path, Host=odd) == {}, "what is no host stands in no link"
        async with callers.http.get(path) as answer:
            assert answer.headers["Cache-Control"] == "private, no-cache"
            assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
            known = {"If-None-Match": answer.headers["ETag"]}
        async with callers.http.get(path, headers=known) as answer:
            assert answer.status == 304

    call(server.url, story)


def test_a_private_table_shows_an_invitation_to_those_with_its_key_and_nothing_to_others(
    server: ServerProcess,
) -> None:
    async def story(callers: Callers) -> None:
        fay = await callers.web("Fay")
        opened = await fay.sure("open", game="tower", private=True)
        table, key = opened["table"], opened["key"]
        nowhere = await page(callers, "/t/nowhere")
        for query in ("", "?key=", "?key=wrong", f"?key={key}x"):
            assert await page(callers, f"/t/{table}{query}") == nowhere
            assert await page(callers, f"/t/{table}/3{query}") == nowhere
        invited = await told(callers, f"/t/{table}?key={key}")
        assert invited["title"] == "An invitation to Tower"
        assert "Fay" not in str(invited)
        assert key not in str(invited)
        assert invited["image"] == f"{server.url}/api/games/tower/picture.png"
        mark = await picture(callers, invited["image"])
        assert (0x2B, 0x9C, 0xB5) in colours(mark)
        for query in ("", f"?key={key}"):
            await picture(callers, f"/api/tables/{table}/picture.png{query}", 404)
        await picture(callers, "/api/games/ludo/picture.png", 404)

    call(server.url, story)


def test_where_watching_is_guarded_no_position_is_shown_before_the_end(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        gus = await callers.web("Gus")
        for closed in ({"watchable": False}, {"password": "swordfish", "guards_watching": True}):
            table = (await gus.sure("open", game="tower", bots=["casual"] * 2, **closed))["table"]
            found = await told(callers, f"/t/{table}")
            assert found["title"] == "A game of Tower"
            assert found["image"] == f"{server.url}/api/games/tower/picture.png"
            await picture(callers, f"/api/tables/{table}/picture.png", 404)

    call(server.url, story)


@pytest.mark.parametrize("game", ["topple", "tafl", "acquire", "powerchess"])
def test_every_game_is_shown_as_a_picture(server: ServerProcess, game: str) -> None:
    async def story(callers: Callers) -> None:
        hal = await callers.web(f"Hal {game}")
        # The fewest seats there are, each with a bot but one's own.
        described = {found["name"]: found for found in await callers.json("/api/games")}[game]
        seats = described["default_seats"][0]
        bots = [described["levels"][0]["name"]] * (seats - 1)
        table = (await hal.sure("open", game=game, seats=seats, bots=bots))["table"]
        found = await told(callers, f"/t/{table}")
        shown = colours(await picture(callers, found["image"]))
        assert len(shown) > 4
        assert PAPER in shown

    call(server.url, story)
