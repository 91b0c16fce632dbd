"""A lobby is calm, while it comes and with many games and many tables."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, ViewportSize, expect
from tests.browser.conftest import Meet, new_server
from tests.browser.support.elsewhere import Hall
from tests.browser.support.shifts import Shifts
from tests.net.support.clients import Callers
from tests.net.support.process import ServerProcess

GAMES = ("Tower", "Topple", "Tafl", "Acquire", "Power Chess")
MANY = 50
SIZES: list[ViewportSize] = [
    {"width": 390, "height": 844},
    {"width": 820, "height": 1180},
    {"width": 1440, "height": 900},
]
ENOUGH = 0.02
"""How much may shift while the lobby comes."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """With nobody and nothing in it."""
    with new_server(tmp_path_factory) as server:
        yield server


async def crowd(callers: Callers, waiting: list[str]) -> None:
    """So many tables that wait, and as many at which somebody plays a bot."""
    for number in range(MANY):
        person = await callers.web(f"Crowd {number} of {MANY}")
        opened = await person.sure("open", game="tower" if number % 2 else "topple")
        waiting.append(str(opened["table"]))
        await person.sure("open", game="tower", bots=["casual", "casual"])


async def full(callers: Callers, table: str) -> None:
    """The two who were missing at a table of Tower sit down."""
    for name in ("Late", "Later"):
        await (await callers.web(name)).sure("sit", table=table)


async def newcomer(callers: Callers) -> None:
    await (await callers.web("Newcomer")).sure("open", game="tafl")


def comes_without_a_jump(meet: Meet, size: ViewportSize) -> None:
    """To somebody who was never here before."""
    newcomer = meet(None, viewport=size, calm=False, fresh=True)
    held: list[Route] = []
    newcomer.page.route("**/api/games", lambda route: held.append(route), times=1)
    newcomer.open()
    # The cards are there before the server has said what it has.
    expect(newcomer.lobby.card("Power Chess")).to_be_visible()
    for route in held:
        route.continue_()
    expect(newcomer.lobby.open_tables).to_be_visible()
    expect(newcomer.page.locator("article .board svg").first).to_be_visible()
    newcomer.page.wait_for_load_state("networkidle")
    total, moved = Shifts(newcomer.page).total()
    assert total < ENOUGH, moved


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_an_empty_lobby_comes_without_a_jump(meet: Meet, size: ViewportSize) -> None:
    comes_without_a_jump(meet, size)


def test_fifty_tables_are_calm_and_games_are_above_the_fold(meet: Meet, hall: Hall) -> None:
    newest: list[str] = []
    hall.wait_for(crowd(hall.callers, newest))
    for size in SIZES:
        comes_without_a_jump(meet, size)
    large: ViewportSize = {"width": 1440, "height": 900}
    ann = meet("Ann", viewport=large)
    lobby = ann.comes_to_the_lobby()
    for game in GAMES:
        expect(lobby.card(game).get_by_role("button", name="Invite a friend")).to_be_in_viewport(ratio=1)
    opened = ann.page.get_by_role("region", name="Open tables")
    joining = opened.get_by_role("button", name="Join")
    playing = ann.page.get_by_role("region", name="Being played")
    expect(joining.first).to_be_in_viewport(ratio=1)
    expect(playing.get_by_role("link").first).to_be_in_viewport()
    expect(joining).to_have_count(12)
    expect(playing.get_by_role("link")).to_have_count(12)

    for region in (opened, playing):
        expect(region.get_by_role("heading")).to_have_text(re.compile(rf"\D{MANY}$"))
        expect(region.get_by_role("button", name=f"Show all {MANY}")).to_be_visible()

    # Boards that are out of sight are not drawn.
    playing.get_by_role("button", name="Show all").click()
    expect(playing.get_by_role("link")).to_have_count(MANY)
    assert playing.get_by_role("img").count() < MANY

    # Who comes and goes moves no row: a table that has begun leaves a gap, and a new one stands in it.
    waiting = opened.get_by_role("listitem")
    first, others = waiting.first, [waiting.nth(place) for place in range(1, 4)]
    running = playing.get_by_role("link").first
    before = [(row.text_content(), row.bounding_box()) for row in (*others, running)]
    hall.wait_for(full(hall.callers, newest[-1]))
    expect(first.get_by_role("button")).to_be_disabled()
    expect(first).to_contain_text("Begun")
    # Whose place is only kept is not counted, above the list or below it.
    expect(opened.get_by_role("heading")).to_have_text(re.compile(rf"\D{MANY - 1}$"))
    expect(opened.get_by_role("button", name=f"Show all {MANY - 1}")).to_be_visible()
    assert [(row.text_content(), row.bounding_box()) for row in (*others, running)] == before
    hall.wait_for(newcomer(hall.callers))
    expect(first).to_contain_text("Newcomer")
    expect(first.get_by_role("button")).to_be_enabled()
    assert [(row.text_content(), row.bounding_box()) for row in (*others, running)] == before

    lobby.search.fill("Crowd 7 ")
    expect(joining).to_have_count(1)
    expect(playing.get_by_role("link")).to_have_count(1)
    ann.page.set_viewport_size({"width": 820, "height": 1180})
    ann.page.evaluate("scrollTo(0, 0)")
    for game in GAMES:
        expect(lobby.card(game)).to_be_in_viewport(ratio=1)
    expect(playing).to_be_in_viewport()
    for width in (820, 390):
        ann.page.set_viewport_size({"width": width, "height": 844})
        assert ann.page.evaluate("document.documentElement.scrollWidth") <= width
