"""A real server, a real browser, and people in front of it."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import pytest
from playwright.sync_api import Playwright, ViewportSize, expect, sync_playwright
from tests.browser.support.browsers import DESKTOP, PATIENCE, Browsers, Lent, Look, ask
from tests.browser.support.chromium import WITHOUT_WINDOWS, chromium
from tests.browser.support.elsewhere import Hall
from tests.browser.support.names import Names
from tests.browser.support.person import Person
from tests.net.support.process import SERVE, ServerProcess, free_port


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        yield playwright


def new_server(folders: pytest.TempPathFactory, program: Sequence[str] = SERVE) -> ServerProcess:
    """With nobody and nothing in it."""
    data, port = folders.mktemp("gamut") / "data", str(free_port())
    return ServerProcess(
        data,
        "--port",
        port,
        program=program,
        bot_delay=0.02,
        guests_per_address=100_000,
        # Whoever plays a game without a page does so as fast as they can: that is one long burst.
        message_burst=1_000,
    )


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One for all who do not need it to be another, on a port that stays the same when it is started again.

    Whoever comes to it may find tables, games and people of other tests there.
    """
    with new_server(tmp_path_factory) as server:
        yield server


@pytest.fixture
def mortal(server: ServerProcess) -> Iterator[ServerProcess]:
    """The same server, for tests that kill or stop it: it runs again afterwards, whatever happens."""
    yield server
    if not server.running:
        server.start()


@pytest.fixture
def home(server: ServerProcess) -> str:
    """The address under which people know the server."""
    return server.url


@pytest.fixture(scope="package")
def names() -> Names:
    return Names()


@pytest.fixture
def hall(server: ServerProcess, names: Names) -> Iterator[Hall]:
    with Hall(server.url, names) as hall:
        yield hall


class Meet(Protocol):
    """Somebody comes, with a browser of their own.

    Without a name, the page has to find one for them. What others did in that browser before is forgotten; fresh is
    one in which nothing was ever loaded. Most like it calm: nothing moves on the page, and nobody waits for it. Few
    have a service worker, which always comes with a fresh browser.
    """

    def __call__(
        self,
        name: str | None,
        *,
        viewport: ViewportSize = DESKTOP,
        touch: bool = False,
        calm: bool = True,
        fresh: bool = False,
        worker: bool = False,
        locale: str = "en-GB",
    ) -> Person: ...


@pytest.fixture(scope="package")
def browsers(playwright: Playwright) -> Iterator[Browsers]:
    with chromium(playwright, WITHOUT_WINDOWS) as browsers:
        yield browsers


@pytest.fixture
def meet(browsers: Browsers, home: str, hall: Hall, names: Names) -> Iterator[Meet]:
    met: list[tuple[Person, Lent, Look]] = []

    def meet(
        name: str | None,
        *,
        viewport: ViewportSize = DESKTOP,
        touch: bool = False,
        calm: bool = True,
        fresh: bool = False,
        worker: bool = False,
        locale: str = "en-GB",
    ) -> Person:
        look = Look(viewport, touch, calm, locale, worker)
        lent = browsers.lend(home, look, fresh=fresh)
        if name is not None:
            name = names.unique(name)
            answer = ask(lent.context, "/api/guest", {"name": name})
            assert answer.ok, answer.text()
        person = Person(name or "", lent.page, home, lent.troubles, hall)
        met.append((person, lent, look))
        return person

    yield meet
    for _, lent, look in met:
        browsers.take_back(lent, home, look)
    troubles = [
        f"{person.name or 'newcomer'}: {trouble}" for person, *_ in met for trouble in person.troubles.found
    ]
    assert not troubles, "\n".join(troubles)


Three = tuple[Person, Person, Person]


@pytest.fixture
def three(meet: Meet, hall: Hall) -> Three:
    """Ann, Ben and Cas at a private table; the game has begun, and it is Ann's turn."""
    ann, ben, cas = meet("Ann"), meet("Ben"), meet("Cas")
    hall.seat("tower", ann, ben, cas)
    ann.table.my_turn()
    for friend in (ben, cas):
        friend.table.says(f"{ann.name}'s turn")
    return ann, ben, cas
