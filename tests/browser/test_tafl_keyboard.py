"""Tafl without a mouse, and as it is heard."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.keyboard import Keyboard
from tests.browser.support.person import Person
from tests.browser.support.tafl import Board


def walk(person: Person, start: str, end: str) -> None:
    """Over the board with the arrow keys, after Tab has led there."""
    keys = Keyboard(person.page)
    person.table.my_turn()
    expect(Board(person).space(start)).to_have_attribute("aria-disabled", "false")
    keys.tab_to(person.table.board.get_by_role("gridcell"))
    Board(person).walk(start, end)


def heard(person: Person, text: str | re.Pattern[str]) -> None:
    expect(person.page.locator(".unseen[role=log]")).to_contain_text(text)


def test_a_whole_game_is_set_up_and_played_by_keyboard_alone(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    keys = Keyboard(ann.page)
    ann.comes_to_the_lobby()
    keys.tab_to(ann.lobby.card("Tafl").get_by_role("button", name="New table"))
    keys.press("Enter")
    dialog = ann.page.get_by_role("dialog", name="A table for Tafl")
    keys.tab_to(dialog.locator("summary").filter(has_text="All settings"))
    keys.press("Enter")
    keys.tab_to(dialog.get_by_role("radio", name=re.compile("^Copenhagen 11\u00d7")))
    keys.press(*["ArrowLeft"] * 5)
    expect(dialog.get_by_role("radio", name="Brandub 7\u00d7")).to_be_checked()
    keys.tab_to(dialog.get_by_role("button", name="Open the table"))
    keys.press("Enter")
    ann.table.says("Waiting for 1 player")

    others = Keyboard(ben.page)
    ben.comes_to_the_lobby()
    expect(ben.lobby.open_table(ann.name)).to_contain_text("Brandub 7x7")
    others.tab_to(ben.lobby.open_table(ann.name))
    others.press("Enter")
    walk(ann, "d7", "c7")
    heard(ben, f"{ann.name}: attacker from d7 to c7")
    walk(ben, "c4", "c2")
    heard(ann, f"{ben.name}: defender from c4 to c2")
    walk(ann, "b4", "b2")
    # Who is captured is heard with the place.
    heard(ben, f"{ann.name}: attacker from b4 to b2, captures c2")
    walk(ben, "d4", "b4")
    walk(ann, "g4", "g3")
    walk(ben, "b4", "b7")
    walk(ann, "g3", "g4")
    walk(ben, "b7", "a7")
    ben.table.says("You win")
    heard(ann, "The king has escaped")
    # Back to the start of the game and on, without the mouse.
    keys.tab_to(ann.table.slider)
    keys.press("Home")
    Board(ann).shows("d7", "attacker")
    keys.press("ArrowRight")
    Board(ann).shows("c7", "attacker")
    keys.tab_to(ann.table.button("Rematch"))
    keys.press("Enter")


def test_a_piece_is_put_back_and_the_board_turned_by_keys(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tafl", options={"variant": "brandub"})
    ann.table.my_turn()
    keys, board = Keyboard(ann.page), Board(ann)
    expect(board.space("d1")).to_have_attribute("aria-disabled", "false")
    keys.tab_to(ann.table.board.get_by_role("gridcell"))
    keys.press("ArrowRight", "ArrowRight", "ArrowRight", "Enter")
    expect(board.space("d1")).to_have_attribute("aria-selected", "true")
    heard_choice = ann.page.locator("p.unseen[aria-live]").first
    expect(heard_choice).to_contain_text("d1")
    keys.press("Escape")
    expect(board.space("d1")).not_to_have_attribute("aria-selected", "true")
    above = board.middle("d1")[1]
    keys.press("f")
    expect(board.space("d1")).to_be_focused()
    assert board.middle("d1")[1] < above
