"""A real server, a real browser, and people in front of it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Playwright, ViewportSize, expect, sync_playwright
from tests.browser.support.person import Person
from tests.browser.support.troubles import Troubles
from tests.net.support.process import ServerProcess, free_port

PATIENCE = 20_000
"""Milliseconds; far more than anything takes, also on a slow and busy machine."""

CLUB = "gamut.club"
"""A name for the server, as in the network of a club: over plain http, browsers trust it less than localhost."""

_FLAGS = [
    f"--host-resolver-rules=MAP {CLUB} 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP: ViewportSize = {"width": 1280, "height": 800}


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium is not None, "the page is tested in Chromium: apt-get install chromium"
    browser = playwright.chromium.launch(executable_path=chromium, args=_FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """On a port that stays the same when it is started again."""
    data: Path = tmp_path_factory.mktemp("gamut") / "data"
    with ServerProcess(data, "--port", str(free_port()), bot_delay=0.02) as server:
        yield server


@pytest.fixture(scope="module")
def home(server: ServerProcess) -> str:
    """The address under which people know the server."""
    return server.url


class Meet(Protocol):
    """Somebody comes, with a browser of their own. Without a name, the page has to find one for them."""

    def __call__(
        self,
        name: str | None,
        *,
        viewport: ViewportSize = DESKTOP,
        touch: bool = False,
        calm: bool = False,
        dark: bool = False,
    ) -> Person: ...


@pytest.fixture(scope="module")
def names() -> dict[str, int]:
    """How many of each name the server has seen."""
    return {}


@pytest.fixture(scope="module")
def permissions() -> list[str]:
    """What people have allowed the page."""
    return ["clipboard-read", "clipboard-write"]


@pytest.fixture
def meet(browser: Browser, home: str, names: dict[str, int], permissions: list[str]) -> Iterator[Meet]:
    met: list[Person] = []

    def meet(
        name: str | None,
        *,
        viewport: ViewportSize = DESKTOP,
        touch: bool = False,
        calm: bool = False,
        dark: bool = False,
    ) -> Person:
        context = browser.new_context(
            base_url=home,
            viewport=viewport,
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="reduce" if calm else "no-preference",
            color_scheme="dark" if dark else "light",
            permissions=permissions,
            locale="en-GB",
        )
        context.set_default_timeout(PATIENCE)
        troubles = Troubles(context, home)
        if name is not None:
            # Two of the same name cannot be here, and a test should not have to know who came before it.
            names[name] = names.get(name, 0) + 1
            if names[name] > 1:
                name = f"{name} {names[name]}"
            answer = context.request.post("/api/guest", data={"name": name})
            assert answer.ok, answer.text()
        person = Person(name or "", context.new_page(), home, troubles)
        met.append(person)
        return person

    yield meet
    for person in met:
        person.context.close()
    troubles = [
        f"{person.name or 'newcomer'}: {trouble}" for person in met for trouble in person.troubles.found
    ]
    assert not troubles, "\n".join(troubles)


Three = tuple[Person, Person, Person]


@pytest.fixture
def three(meet: Meet) -> Three:
    """Ann, Ben and Cas at a private table; the game has begun, and it is Ann's turn."""
    ann, ben, cas = meet("Ann"), meet("Ben"), meet("Cas")
    ann.comes_to_the_lobby().invite_a_friend("Tower")
    ann.table.do("Copy invite link")
    ann.sees_toast("Link copied")
    link = ann.clipboard()
    for friend in (ben, cas):
        friend.open(link)
        expect(friend.table.seat(friend.name)).to_contain_text("you")
    ann.table.my_turn()
    for friend in (ben, cas):
        friend.table.says(f"{ann.name}'s turn")
    return ann, ben, cas
