"""A lobby with many games and many tables is calm."""

from secrets import token_hex

from playwright.sync_api import ViewportSize, expect
from tests.browser.conftest import Meet
from tests.browser.elsewhere import happen
from tests.net.clients import Callers
from tests.net.process import ServerProcess

GAMES = ("Tower", "Topple", "Tafl", "Acquire", "Power Chess")
MANY = 50


async def crowd(callers: Callers) -> None:
    """So many tables that wait, and as many at which somebody plays a bot."""
    for number in range(MANY):
        person = await callers.web(f"Crowd {number} {token_hex(2)}")
        await person.sure("open", game="tower" if number % 2 else "topple")
        await person.sure("open", game="tower", bots=["casual", "casual"])


def test_fifty_tables_are_calm_and_games_are_above_the_fold(meet: Meet, server: ServerProcess) -> None:
    happen(server.url, crowd)
    large: ViewportSize = {"width": 1440, "height": 900}
    ann = meet("Ann", viewport=large, calm=True)
    lobby = ann.comes_to_the_lobby()
    for game in GAMES:
        expect(lobby.card(game).get_by_role("button", name="Invite a friend")).to_be_in_viewport(ratio=1)
    joining = ann.page.get_by_role("region", name="Open tables").get_by_role("button", name="Join")
    playing = ann.page.get_by_role("region", name="Being played")
    expect(joining.first).to_be_in_viewport(ratio=1)
    expect(playing.get_by_role("link").first).to_be_in_viewport()
    expect(joining).to_have_count(12)
    expect(playing.get_by_role("link")).to_have_count(12)

    # Boards that are out of sight are not drawn.
    playing.get_by_role("button", name="Show all").click()
    expect(playing.get_by_role("link")).to_have_count(MANY)
    assert playing.get_by_role("img").count() < MANY

    # Who comes and goes moves no row.
    ben = meet("Ben")
    ben.comes_to_the_lobby()
    row = joining.nth(1)
    name, place = row.text_content(), row.bounding_box()
    first = joining.first.text_content()
    assert first is not None
    ben.page.get_by_role("region", name="Open tables").get_by_role("button", name="Join").first.click()
    ben.page.wait_for_url("**/t/*")
    ben.comes_to_the_lobby().new_table("Tafl").open()
    expect(ann.page.get_by_role("heading", name="Open tables")).to_contain_text("5")
    assert (row.text_content(), row.bounding_box()) == (name, place)

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
        assert ann.page.evaluate("document.documentElement.scrollWidth") == width
