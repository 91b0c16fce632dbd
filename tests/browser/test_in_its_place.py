"""Nothing at a table hides what is looked at, is cut off, or is louder than the game; and nothing typed is lost."""

import re

from playwright.sync_api import Locator, ViewportSize, expect
from tests.browser.conftest import Meet
from tests.browser.support.phone import PHONE

WIDE: ViewportSize = {"width": 1440, "height": 900}

_ON_SCREEN = """all => all.map(
    one => Math.round(parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a * 10) / 10)"""


def apart(one: Locator, other: Locator) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    assert a is not None
    assert b is not None
    beside = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    return beside or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]


def test_a_newcomer_reads_all_of_how_it_goes_and_coordinates_are_quiet(meet: Meet) -> None:
    ann = meet("Ann", viewport=WIDE)
    page = ann.page
    for game, title in (("topple", "Topple"), ("tafl", "Tafl"), ("powerchess", "Power Chess")):
        ann.plays_bots(game)
        ann.table.my_turn()
        card = page.get_by_role("region", name=f"How {title} goes")
        expect(card.get_by_role("listitem").last).to_be_in_viewport(ratio=1)
        assert card.evaluate("card => card.scrollHeight <= card.clientHeight"), game
        expect(ann.table.moves).to_be_in_viewport(ratio=1)
        sizes = page.locator(".coordinates text").evaluate_all(_ON_SCREEN)
        assert sizes, game
        assert max(sizes) <= 13.5, game
        # Before the start there is a link to pass on as well, and still no need to scroll.
        ann.opens(game)
        expect(ann.table.button("Copy invite link")).to_be_visible()
        expect(card).to_be_visible()
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), game


def test_looking_back_hides_nothing_of_the_board_and_escape_keeps_what_was_typed(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    page, table = ann.page, ann.table
    ann.plays_bots("tower", bots=2)
    table.my_turn()
    table.tile(0).tap()
    expect(table.board.get_by_role("gridcell", name=re.compile(": J$"))).to_have_count(1)
    table.my_turn()
    for viewport in (PHONE, WIDE):
        page.set_viewport_size(viewport)
        page.keyboard.press("ArrowLeft")
        banner = page.get_by_role("status").filter(has_text="You look at move")
        expect(banner).to_be_in_viewport(ratio=1)
        assert apart(banner, table.board)
        page.get_by_role("button", name="Back to now").click()
        expect(banner).to_have_count(0)

    page.set_viewport_size(PHONE)
    field = page.get_by_role("textbox", name="Say something")
    table.tab("Chat").tap()
    field.fill("Well play")
    field.press("Escape")
    expect(field).to_have_count(0)
    table.tab("Moves").tap()
    table.tab("Chat").tap()
    expect(field).to_have_value("Well play")
