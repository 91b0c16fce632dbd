"""Whoever plays by mouse has the keys of the moves at once, in the game and in its review."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall, place
from tests.browser.support.keyboard import Keyboard
from tests.browser.support.tower import SHORT_GAME

LAST = len(SHORT_GAME)


def test_the_keys_of_a_review_work_at_once_after_a_game_by_mouse(meet: Meet, hall: Hall) -> None:
    ann = meet("Ann")
    hall.seat(
        "tower", ann, hall.guest("Ben"), hall.guest("Cas"), moves=[place(tile) for tile in SHORT_GAME[:-1]]
    )
    ann.table.place(SHORT_GAME[-1])
    ann.table.says("You win")
    page, table = ann.page, ann.table
    # The last click was on the board, and nothing was touched since.
    page.keyboard.press("ArrowLeft")
    expect(table.slider).to_have_value(str(LAST - 1))
    table.shows(SHORT_GAME[:-1])
    page.keyboard.press("Space")
    table.shows(SHORT_GAME)
    page.keyboard.press("Home")
    table.shows([])
    page.keyboard.press("ArrowRight")
    table.shows(SHORT_GAME[:1])
    page.keyboard.press("End")
    table.shows(SHORT_GAME)
    before = table.tile(0).get_attribute("d")
    page.keyboard.press("f")
    expect(table.tile(0)).not_to_have_attribute("d", before or "")
    page.keyboard.press("?")
    help = page.get_by_role("dialog", name="Keyboard help")
    expect(help).to_contain_text("one move back or on, in a game and in a review")
    page.keyboard.press("Escape")
    expect(help).to_have_count(0)

    # Whoever comes to the board by Tab walks over it with the same keys.
    turned = table.tile(0).get_attribute("d")
    page.keyboard.press("f")
    expect(table.tile(0)).not_to_have_attribute("d", turned or "")
    keys = Keyboard(page)
    # Away first: the browser may count the square that was clicked as focused, until it draws the turned board.
    keys.press("Tab")
    keys.tab_to(table.board.get_by_role("gridcell"))
    here = table.board.locator(":focus").get_attribute("data-square") or ""
    keys.press("Home", "ArrowRight")
    expect(table.board.locator(":focus")).not_to_have_attribute("data-square", here)
    table.shows(SHORT_GAME)


def test_in_a_game_the_arrow_keys_look_back_and_what_comes_meanwhile_is_said(meet: Meet, hall: Hall) -> None:
    ann, ben, cas = meet("Ann"), hall.guest("Ben"), hall.guest("Cas")
    tower = hall.seat("tower", ann, ben, cas)
    ann.table.place(0)
    ben.act(tower, place(8))
    page, table = ann.page, ann.table
    table.shows([0, 8])
    banner = page.get_by_role("status").filter(has_text="You look at move")
    page.keyboard.press("ArrowLeft")
    table.shows([0])
    expect(banner).to_have_text(re.compile("^You look at move 1 of 2 *$"))
    page.keyboard.press("ArrowLeft")
    table.shows([])
    page.keyboard.press("ArrowRight")
    table.shows([0])
    # A move does not carry anybody away from what they look at; it is said.
    cas.act(tower, place(16))
    expect(banner).to_have_text("You look at move 1 of 3 It is your turn now.")
    table.my_turn()
    table.shows([0])
    page.keyboard.press("Escape")
    table.shows([0, 8, 16])
    expect(banner).to_have_count(0)
    table.place(1)

    # Of somebody else's turn it says how many moves there were.
    page.keyboard.press("Home")
    table.shows([])
    ben.act(tower, place(9))
    expect(banner).to_have_text("You look at move 0 of 5 One move since.")
    page.keyboard.press("End")
    table.shows([0, 8, 16, 1, 9])
    cas.act(tower, place(17))
    table.place(2)
    table.says("You win")
