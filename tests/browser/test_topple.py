"""Topple on the page: by mouse and by keyboard, and what a move would do."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall, place
from tests.browser.support.person import Person
from tests.browser.support.topple import Board


@pytest.fixture
def ann(meet: Meet, hall: Hall) -> Person:
    """Ann at a board of three by three. Each side has filled a corner, and it is her turn."""
    ann, ben = meet("Ann"), hall.guest("Ben")
    hall.seat("topple", ann, ben, options={"x": 3, "y": 3}, moves=[place(0), place(8)])
    ann.table.my_turn()
    return ann


def test_a_game_against_a_bot_by_mouse(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("topple", options={"x": 4, "y": 3})
    board = Board(ann, 4)
    ann.table.my_turn()
    expect(board.grid.get_by_role("gridcell")).to_have_count(12)
    board.place(0)
    board.holds(0, f"2 pieces, {ann.name}'s, topples next")
    for _ in range(2):
        ann.table.my_turn()
        board.place(ann.table.free_tile())
    ann.table.my_turn()
    expect(ann.table.moves.get_by_role("button")).to_have_count(6)
    expect(ann.table.seat(ann.name)).to_contain_text(re.compile(r"\d+ tiles?"))
    ann.table.do("Resign")
    expect(ann.page.get_by_role("dialog")).to_have_accessible_name(re.compile(r"^Resign\? \w+ wins\.$"))
    ann.table.confirm("Resign")
    ann.table.says(re.compile("wins$"))
    expect(ann.page.get_by_text("You resigned").first).to_be_visible()
    expect(ann.table.move(7)).to_have_accessible_name(re.compile("resigned$"))


def test_a_game_against_a_bot_by_keyboard(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("topple", options={"x": 3, "y": 3})
    board, keys = Board(ann, 3), ann.page.keyboard
    ann.table.my_turn()
    keys.press("Tab")
    board.tile(0).focus()
    keys.press("ArrowRight")
    keys.press("ArrowDown")
    expect(board.tile(4)).to_be_focused()
    keys.press("Enter")
    board.holds(4, f"2 pieces, {ann.name}'s")
    ann.table.my_turn()
    keys.press("Home")
    expect(board.tile(3)).to_be_focused()
    expect(board.tile(4)).to_have_attribute("aria-disabled", "false")
    keys.press("ArrowRight")
    keys.press("Space")
    expect(ann.table.move(3)).to_have_accessible_name(re.compile("b2$"))


def test_somebody_owns_every_tile_and_that_is_told(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("topple", ann, ben, options={"x": 2, "y": 2})
    mine, theirs = Board(ann, 2), Board(ben, 2)
    for tile in (0, 0):
        mine.place(tile)
        theirs.place(3)
    ben.table.says("You win")
    ann.table.says(f"{ben.name} wins")
    expect(ann.page.get_by_text("Every tile is taken").first).to_be_visible()
    expect(ben.page.get_by_role("log").first).to_contain_text("You win")


# What a move would do


def test_pointing_at_a_tile_shows_what_it_would_take_and_what_threatens_it(ann: Person) -> None:
    mine = Board(ann, 3)
    mine.tile(0).hover()
    expect(mine.grid.locator(".sets-off path")).to_have_count(1)
    assert (mine.marked("sets-off"), mine.marked("takes")) == ({0}, {1, 3})
    expect(mine.grid.locator(".ghost .plus"), "one piece more").to_have_count(1)
    expect(mine.grid.locator(".ghost .pip"), "and the tile as it is").to_have_count(0)
    expect(mine.grid.locator(".piece.under")).to_have_count(0)
    mine.tile(5).hover()
    expect(mine.grid.locator(".threat path")).to_have_count(1)
    assert mine.marked("threat") == {8}, "beside a full tile of the other"
    mine.tile(8).hover()
    expect(mine.grid.locator(".takes path")).to_have_count(2)
    assert mine.marked("takes") == {5, 7}, "what the other's tile would take"
    mine.tile(4).hover()
    expect(mine.grid.locator(".takes path, .sets-off path, .threat path")).to_have_count(0)


def test_the_keyboard_points_too(ann: Person) -> None:
    ann.page.keyboard.press("Tab")
    Board(ann, 3).tile(1).focus()
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.table.board.locator(".sets-off path")).to_have_count(1)
    assert Board(ann, 3).marked("takes") == {1, 3}


def test_joined_edges_can_be_seen(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("topple", options={"topology": "hwrap"})
    ann.table.my_turn()
    expect(ann.table.board.locator("path.open")).to_have_count(2)
    expect(ann.table.board.locator("path.shut")).to_have_count(2)
    expect(ann.table.board.locator("path.arrow").first).to_be_visible()
