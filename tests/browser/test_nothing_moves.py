"""On a phone nothing on the board moves between two touches: what is asked has its room, and sheets lie over it."""

import re

from playwright.sync_api import FloatRect, Locator, expect
from tests.browser.conftest import Meet
from tests.browser.support.acquire import City, tap
from tests.browser.support.person import Person
from tests.browser.test_phone import PHONE, fits

_ASKED = re.compile("^(Place it|Move there)$")


def where(what: Locator) -> FloatRect:
    box = what.bounding_box()
    assert box is not None
    return box


def touch(person: Person, square: Locator) -> tuple[float, float]:
    """With a finger, at a place on the glass, wherever the board is by now."""
    expect(square).to_have_attribute("aria-disabled", "false")
    box = where(square)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    person.page.touchscreen.tap(x, y)
    return x, y


def stays(person: Person, *squares: Locator) -> None:
    """These squares are touched in turn; that it is asked whether this is meant moves nothing, and the same place
    touched once more says yes."""
    table = person.table
    table.my_turn()
    board = where(table.board)
    for square in squares:
        x, y = touch(person, square)
        assert where(table.board) == board
    question = table.actions.get_by_role("button", name=_ASKED)
    expect(question).to_be_in_viewport(ratio=1)
    expect(table.button("Take back")).to_be_in_viewport(ratio=1)
    assert where(table.board) == board
    person.page.touchscreen.tap(x, y)
    expect(question).to_have_count(0)
    assert where(table.board) == board
    expect(table.headline).not_to_have_text("")
    assert where(table.board) == board
    fits(person.page)


def test_the_board_keeps_its_place_in_every_game_while_it_is_asked(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True, calm=True).open("/settings")
    ann.page.get_by_role("switch", name="Ask before a move is sent").check(force=True)
    cells = ann.table.board.locator

    ann.comes_to_the_lobby().play_a_bot("Tower")
    stays(ann, ann.table.tile(0))
    new = ann.comes_to_the_lobby().new_table("Topple").number("Columns", 15).number("Rows", 15)
    new.seat(2, "Casual bot").open()
    stays(ann, cells("[data-square='112']"))
    new = ann.comes_to_the_lobby().new_table("Tafl").choose("Variant", "Alea Evangelii")
    new.seat(2, "Casual bot").open()
    stays(ann, cells("[data-square='2']"), cells("[data-square='3']"))
    ann.comes_to_the_lobby().new_table("Power Chess").seat(2, "Casual bot").open()
    stays(ann, cells("[aria-label^='e2:']"), cells("[aria-label^='e4:']"))
    ann.comes_to_the_lobby().play_a_bot("Acquire", "Casual")
    city = City(ann, tap)
    assert not city.is_over()
    stays(ann, cells(f"[data-square='{city.rack()[0]}']"))


def test_a_sheet_lies_over_the_board_and_escape_closes_it(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True, calm=True)
    ann.comes_to_the_lobby().play_a_bot("Tower")
    table, page = ann.table, ann.page
    table.my_turn()
    board, panel = where(table.board), page.get_by_role("tabpanel")
    for tab in ("Moves", "Chat", "Table"):
        table.tab(tab).tap()
        expect(panel).to_be_in_viewport(ratio=1)
        assert where(table.board) == board
        page.keyboard.press("Escape")
        expect(panel).to_be_hidden()
        expect(table.tab(tab)).to_be_focused()
    # Also for whoever is writing.
    table.tab("Chat").tap()
    page.get_by_role("textbox", name="Say something").fill("Well")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(table.tab("Chat")).to_be_focused()
    assert where(table.board) == board
    # And from anywhere else on the page.
    table.tab("Moves").tap()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
