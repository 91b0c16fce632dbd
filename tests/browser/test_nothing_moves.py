"""On a phone nothing on the board moves between two touches: what is asked has its room, and sheets lie over it."""

import re

from playwright.sync_api import FloatRect, Locator, expect
from tests.browser.conftest import Meet
from tests.browser.support.acquire import City, tap
from tests.browser.support.person import Person
from tests.browser.support.phone import PHONE, fits

_ASKED = re.compile("^(Place it|Move there)$")

_AT_REST = """async () => {
    await document.fonts.ready;
    const frame = () => new Promise(requestAnimationFrame);
    const place = () => JSON.stringify(document.querySelector("[role=grid]").getBoundingClientRect());
    for (let [before, same] = [place(), 0]; same < 5; await frame()) {
        const now = place();
        same = now === before ? same + 1 : 0;
        before = now;
    }
}"""
"""Resolves when the board has been in one place for five pictures."""


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


def settled(person: Person, first: Locator) -> FloatRect:
    """Where the board is once all has come: what may be done, the letters, and parts that a game brings along."""
    person.table.my_turn()
    expect(first).to_have_attribute("aria-disabled", "false")
    person.page.wait_for_load_state("networkidle")
    person.page.evaluate(_AT_REST)
    return where(person.table.board)


def stays(person: Person, *squares: Locator) -> None:
    """These squares are touched in turn; that it is asked whether this is meant moves nothing, and the same place
    touched once more says yes."""
    table, board = person.table, settled(person, squares[0])
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
    ann = meet("Ann", viewport=PHONE, touch=True).open("/settings")
    ann.page.get_by_role("switch", name="Ask before a move is sent").check(force=True)
    cells = ann.table.board.locator

    ann.plays_bots("tower", bots=2)
    stays(ann, ann.table.tile(0))
    ann.plays_bots("topple", options={"x": 15, "y": 15})
    stays(ann, cells("[data-square='112']"))
    ann.plays_bots("tafl", options={"variant": "alea_evangelii"})
    stays(ann, cells("[data-square='2']"), cells("[data-square='3']"))
    ann.plays_bots("powerchess")
    stays(ann, cells("[aria-label^='e2:']"), cells("[aria-label^='e4:']"))
    ann.plays_bots("acquire", bots=3)
    city = City(ann, tap)
    assert not city.is_over()
    stays(ann, cells(f"[data-square='{city.rack()[0]}']"))


def test_a_sheet_lies_over_the_board_and_escape_closes_it(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("tower", bots=2)
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
