"""The page as it is served: compressed, cached, guarded, and small enough."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from gamut.net.http.headers import add_security_headers
from gamut.net.http.pages import Page, built_page

Browser = TestClient[web.Request, web.Application]
BUDGET = 120 * 1024
"""Bytes that a first visit may cost, compressed."""
FACE = 2500
"""What one more game adds to it, compressed: the sign of a seat, and the words for lists of tables."""
SOURCE = Path(__file__).parents[3] / "web" / "src"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>page</title>")
    (tmp_path / "index.html.br").write_bytes(b"page in br")
    (tmp_path / "index.html.gz").write_bytes(b"page in gzip")
    (tmp_path / "assets" / "index-abc.js").write_text("start()")
    (tmp_path / "assets" / "font-abc.woff2").write_bytes(b"wOF2")
    (tmp_path / ".built-from").write_text("secret of the build")
    return tmp_path


def visit(page: Page, story: Callable[[Browser], Awaitable[None]]) -> None:
    async def run() -> None:
        app = web.Application()
        app.add_routes([web.get("/{path:.*}", page.serve)])
        app.on_response_prepare.append(add_security_headers)
        # Bytes as they are sent, not as a kind client would unpack them.
        async with TestClient(TestServer(app, host="127.0.0.1"), auto_decompress=False) as browser:
            await story(browser)

    asyncio.run(run())


@pytest.mark.parametrize(
    "path", ["/", "/t/abc", "/t/abc/12?key=x", "/play/tower", "/no/such/page", "/../etc/passwd"]
)
def test_every_address_that_is_nothing_else_is_the_page(folder: Path, path: str) -> None:
    async def story(browser: Browser) -> None:
        response = await browser.get(path, headers={"Accept-Encoding": "identity"})
        assert response.status == 200
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        assert response.headers["Cache-Control"] == "no-cache"
        assert "<title>page" in await response.text()

    visit(Page(folder), story)


@pytest.mark.parametrize(
    ("accepted", "encoding", "body"),
    [
        ("gzip, deflate, br, zstd", "br", b"page in br"),
        ("gzip", "gzip", b"page in gzip"),
        ("br;q=0, gzip;q=0.5", "gzip", b"page in gzip"),
        ("*", "br", b"page in br"),
        ("identity", None, b"<!doctype html><title>page</title>"),
        ("", None, b"<!doctype html><title>page</title>"),
    ],
)
def test_the_best_encoding_that_the_browser_takes(
    folder: Path, accepted: str, encoding: str | None, body: bytes
) -> None:
    async def story(browser: Browser) -> None:
        response = await browser.get("/", headers={"Accept-Encoding": accepted})
        assert response.headers.get("Content-Encoding") == encoding
        assert response.headers["Vary"] == "Accept-Encoding, Accept-Language, Cookie"
        assert await response.read() == body

    visit(Page(folder), story)


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, "", "en"),
        (None, "de-DE,de;q=0.9,en;q=0.8", "de"),
        (None, "DE-at", "de"),
        (None, "de-CH-1996", "de"),
        (None, "de;q=0.1,en", "en"),
        (None, "en;q=0.4, de;q=0.7", "de"),
        (None, "fr, de;q=0.3, en;q=0.3", "de"),
        (None, "de;q=0, en;q=0.1", "en"),
        (None, "fr-FR, *;q=0.5", "en"),
        (None, "de;q=nan, ;;;=, de;q=9", "en"),
        ("en", "de", "en"),
        ("de", "en-GB,en", "de"),
        ("klingon", "de", "de"),
        ("../de", "en", "en"),
        ("", "de", "de"),
    ],
)
def test_the_page_is_in_the_language_that_was_chosen_or_else_in_the_browsers(
    folder: Path, chosen: str | None, accepted: str, language: str
) -> None:
    (folder / "index.de.html").write_text("<!doctype html><title>Seite</title>")
    pages = {"en": "<!doctype html><title>page</title>", "de": "<!doctype html><title>Seite</title>"}

    async def story(browser: Browser) -> None:
        headers = {"Accept-Encoding": "identity", "Accept-Language": accepted}
        if chosen is not None:
            headers["Cookie"] = f"gamut_session=x; language={chosen}"
        for path in ("/", "/t/abc", "/index.html", "/index.de.html"):
            response = await browser.get(path, headers=headers)
            assert await response.text() == pages[language]
            assert response.headers["Content-Language"] == language
            assert response.headers["Vary"] == "Accept-Encoding, Accept-Language, Cookie"
        again = await browser.get("/", headers={**headers, "If-None-Match": response.headers["ETag"]})
        assert again.status == 304
        assert again.headers["Vary"] == "Accept-Encoding, Accept-Language, Cookie"
        script = await browser.get("/assets/index-abc.js", headers=headers)
        assert script.headers["Vary"] == "Accept-Encoding"
        assert "Content-Language" not in script.headers

    visit(Page(folder), story)


def test_a_page_that_one_has_in_another_language_is_sent_again(folder: Path) -> None:
    (folder / "index.de.html").write_text("<!doctype html><title>Seite</title>")

    async def story(browser: Browser) -> None:
        english = await browser.get("/", headers={"Accept-Encoding": "identity"})
        known = {"If-None-Match": english.headers["ETag"], "Accept-Encoding": "identity"}
        german = await browser.get("/", headers={**known, "Cookie": "language=de"})
        assert "Seite" in await german.text()

    visit(Page(folder), story)


def test_hashed_files_are_cached_for_ever_and_the_page_is_asked_for_each_time(folder: Path) -> None:
    async def story(browser: Browser) -> None:
        script = await browser.get("/assets/index-abc.js")
        assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
        font = await browser.get("/assets/font-abc.woff2")
        assert font.headers["Content-Type"] == "font/woff2"
        first = await browser.get("/")
        again = await browser.get("/", headers={"If-None-Match": first.headers["ETag"]})
        assert again.status == 304
        assert await again.read() == b""
        other = await browser.get("/", headers={"If-None-Match": '"something else"'})
        assert other.status == 200

    visit(Page(folder), story)


def test_browsers_look_each_time_whether_there_is_a_new_service_worker() -> None:
    async def story(browser: Browser) -> None:
        worker = await browser.get("/worker.js")
        assert worker.status == 200
        assert worker.headers["Cache-Control"] == "no-cache"
        assert worker.headers["Content-Type"] == "text/javascript; charset=utf-8"

    visit(built_page(), story)


def test_what_is_not_there_is_not_the_page(folder: Path) -> None:
    async def story(browser: Browser) -> None:
        old = await browser.get("/assets/index-old.js")
        assert old.status == 404

    visit(Page(folder), story)


def test_only_what_a_browser_needs_is_served(folder: Path) -> None:
    async def story(browser: Browser) -> None:
        for path in ("/.built-from", "/index.html.br"):
            response = await browser.get(path, headers={"Accept-Encoding": "identity"})
            assert "<title>page" in await response.text()

    visit(Page(folder), story)


def test_without_a_built_page_the_server_says_how_to_build_it(tmp_path: Path) -> None:
    async def story(browser: Browser) -> None:
        response = await browser.get("/")
        assert response.status == 503
        assert "web/build.py" in await response.text()

    visit(Page(tmp_path / "nowhere"), story)


def test_scripts_and_styles_come_from_here_alone(folder: Path) -> None:
    async def story(browser: Browser) -> None:
        headers = (await browser.get("/")).headers
        policy = headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"

    visit(Page(folder), story)


SHELLS = sorted(
    entry.name for entry in (files("gamut") / "page").iterdir() if re.fullmatch(r"index.*\.html", entry.name)
)
"""The page itself, in each language."""


def first_visit(shell: str = "index.html") -> set[str]:
    """What the browser loads at once, whatever somebody came for."""
    html = (files("gamut") / "page" / shell).read_text()
    linked = set(re.findall(r'(?:src|href)="(/[^"]+)"', html))
    assert any(path.endswith(".js") for path in linked), "the page has a script"
    return linked


@pytest.mark.parametrize("shell", SHELLS)
def test_a_first_visit_is_small_and_stays_so_with_five_games(shell: str) -> None:
    root = files("gamut") / "page"
    cost = len((root / f"{shell}.br").read_bytes())
    for path in first_visit(shell):
        file, packed = root / path[1:], root / f"{path[1:]}.br"
        cost += len((packed if packed.is_file() else file).read_bytes())
    assert cost + 2 * FACE <= BUDGET, f"a first visit costs {cost} bytes"


@pytest.mark.parametrize("game", ["tafl", "topple", "tower"])
def test_a_game_is_loaded_when_a_board_of_it_is_to_be_seen(game: str) -> None:
    root = files("gamut") / "page"
    words = (SOURCE / "games" / game / "texts.ts").read_text()
    # What only the game itself says, and as it is written in the built file: any of its longer texts.
    said = max(re.findall(r'"([^"\\\n]+)"', words), key=len)
    where = {f"/assets/{file.name}" for file in (root / "assets").iterdir() if file.name.endswith(".js")}
    holding = {path for path in where if said in (root / path[1:]).read_text()}
    assert len(holding) == 1, "one part of the page holds the game"
    assert not holding & first_visit()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_built_page_asks_nothing_of_other_hosts(shell: str) -> None:
    root = files("gamut") / "page"
    html = (root / shell).read_text()
    assert not re.search(r'(?:src|href)="(?:https?:)?//', html)
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=", html), (
        "the policy forbids inline code"
    )
    styles = "".join(file.read_text() for file in (root / "assets").iterdir() if file.name.endswith(".css"))
    assert not re.search(r"url\(\s*['\"]?(?:https?:)?//", styles)


def test_the_built_page_is_served() -> None:
    async def story(browser: Browser) -> None:
        response = await browser.get("/", headers={"Accept-Encoding": "br"})
        assert response.status == 200
        assert response.headers["Content-Encoding"] == "br"

    visit(built_page(), story)
