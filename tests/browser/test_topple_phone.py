"""The largest board on a phone."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.phone import PHONE, SMALLEST, fits, too_small
from tests.browser.support.topple import Board


def test_fifteen_by_fifteen_is_played_by_touch(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("topple", options={"x": 15, "y": 15})
    board = Board(ann, 15)
    ann.table.my_turn()
    fits(ann.page)
    first, last = board.tile(0).bounding_box(), board.tile(224).bounding_box()
    assert first is not None
    assert last is not None
    assert first["x"] >= 0
    assert last["x"] + last["width"] <= PHONE["width"], "the whole board is on the screen"

    # Tiles are small: the first touch only says which one is meant.
    board.tile(112).tap()
    board.holds(112, "1 piece, nobody's")
    ann.table.button("Place it").tap()
    board.holds(112, f"2 pieces, {ann.name}'s")
    ann.table.my_turn()

    ann.page.get_by_role("button", name="Larger tiles").tap()
    fits(ann.page)
    expect(board.tile(112)).to_be_in_viewport()
    box = board.tile(112).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= SMALLEST
    board.tile(112).tap()
    board.holds(112, f"3 pieces, {ann.name}'s")
    ann.table.my_turn()
    # What is outside is reached by moving the board, not the page.
    board.tile(0).scroll_into_view_if_needed()
    expect(board.tile(0)).to_be_in_viewport()
    assert ann.page.evaluate("scrollX") == 0
    ann.page.get_by_role("button", name="Larger tiles").tap()
    expect(board.tile(0)).to_be_in_viewport()
    expect(board.tile(224)).to_be_in_viewport()


def test_a_small_board_needs_no_zoom(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("topple")
    ann.table.my_turn()
    expect(ann.page.get_by_role("button", name="Larger tiles")).to_have_count(0)
    assert too_small(ann.page) == []
    Board(ann, 6).tile(0).tap()
    expect(Board(ann, 6).tile(0)).to_have_accessible_name(re.compile(f"{ann.name}'s"))


def test_three_players_stand_beside_each_other(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("topple", bots=3, seats=4)
    ann.table.my_turn()
    tops = ann.page.locator(".others .seat").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().top)"
    )
    assert len(tops) == 3
    assert len(set(tops)) == 1
    fits(ann.page)


def test_ten_players_fit_and_each_has_a_menu_that_can_be_read(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("topple", bots=9, seats=10, private=False)
    ann.table.my_turn()
    fits(ann.page)
    assert too_small(ann.page) == []
    for name in ("Clover", "Tansy", "Fennel"):
        ann.page.get_by_role("button", name=f"More: {name}").tap()
        item = ann.page.get_by_role("menuitem", name=f"Remove {name} from the game")
        box = item.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        ann.page.keyboard.press("Escape")
        expect(item).to_have_count(0)
    # In the lobby the game says so at the top, names some of its players, and nothing sticks out.
    ann.comes_to_the_lobby()
    expect(ann.page.get_by_role("link", name="Your turn in Topple")).to_be_visible()
    expect(ann.lobby.own_table()).to_contain_text("and 6 more")
    fits(ann.page)
