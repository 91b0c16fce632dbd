"""Everything without a mouse: keys only, and always with a visible focus."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.keyboard import Keyboard
from tests.browser.support.tower import NAMES


def test_a_whole_game_is_played_by_keyboard_alone(meet: Meet) -> None:
    ann = meet("Ann")
    keys = Keyboard(ann.page)
    ann.comes_to_the_lobby()
    keys.tab_to(ann.lobby.card("Tower").get_by_role("button", name="Play a bot"))
    keys.press("Enter")
    ann.table.my_turn()
    keys.tab_to(ann.table.board.get_by_role("gridcell"))
    for number in range(1, 25, 3):
        # To a place that is still free, across the board by its rows and columns.
        keys.press("PageUp", "PageUp", "ArrowUp", "ArrowUp", "Home")
        expect(ann.table.tile(0)).to_be_focused()
        for row in range(9):
            places = ann.page.get_by_role("row").nth(row).get_by_role("gridcell")
            free = [
                column
                for column in range(places.count())
                if "you can play here" in (places.nth(column).get_attribute("aria-label") or "")
            ]
            if free:
                keys.press(*["ArrowRight"] * free[0])
                break
            keys.press("ArrowDown", "Home")
        keys.press("Enter")
        expect(ann.table.move(number)).to_be_visible()
        ann.table.says(re.compile("^(Your turn|You win|.+ wins|A draw)$"))
        if ann.table.headline.text_content() != "Your turn":
            break
    keys.tab_to(ann.table.button("Rematch"))
    first = ann.table.id
    keys.press("Enter")
    ann.page.wait_for_url(lambda url: "/t/" in url and first not in url)
    expect(ann.table.board).to_be_visible()


def test_the_arrow_keys_wander_over_the_board_and_around_the_hole(meet: Meet) -> None:
    ann = meet("Ann")
    keys = Keyboard(ann.page)
    ann.plays_bots("tower", bots=2)
    ann.table.my_turn()
    keys.tab_to(ann.table.board.get_by_role("gridcell"))
    expect(ann.table.tile(0)).to_be_focused()
    for key, tile in (
        ("ArrowRight", 1),
        ("ArrowDown", 6),
        ("ArrowUp", 1),
        ("End", 2),
        ("ArrowRight", 2),
        ("ArrowDown", 4),
        ("ArrowLeft", 3),
        ("PageDown", 11),
        ("PageDown", 19),
        ("PageUp", 11),
        ("Home", 11),
    ):
        keys.press(key)
        assert keys.is_on(ann.table.tile(tile)), f"{key} leads to {NAMES[tile]}, not to {keys.focused()}"


def test_a_table_is_made_and_its_menus_are_used_by_keyboard(meet: Meet) -> None:
    ann = meet("Ann")
    keys = Keyboard(ann.page)
    ann.comes_to_the_lobby()
    keys.tab_to(ann.lobby.card("Tower").get_by_role("button", name="New table"))
    keys.press("Enter")
    dialog = ann.page.get_by_role("dialog", name="A table for Tower")
    keys.tab_to(dialog.locator("summary"))
    keys.press("Enter")
    keys.tab_to(dialog.get_by_role("radio", name="Everyone sees it in the lobby"))
    keys.press("ArrowRight")
    expect(dialog.get_by_role("radio", name="Only people with the link")).to_be_checked()
    keys.tab_to(dialog.get_by_role("button", name="Open the table"))
    keys.press("Enter")
    ann.table.says("Waiting for 2 players")
    keys.tab_to(ann.page.get_by_role("button", name="Add a bot").first)
    keys.press("Enter", "ArrowDown", "ArrowDown", "Enter")
    ann.table.says("Waiting for 1 player")
    keys.tab_to(ann.page.get_by_role("button", name="Add a bot"))
    keys.press("Enter", "ArrowUp", "Escape")
    expect(ann.page.get_by_role("menu")).to_be_hidden()
    expect(ann.page.get_by_role("button", name="Add a bot")).to_be_focused()
    keys.press("Enter", "ArrowDown", "Enter")
    ann.table.my_turn()
    keys.tab_to(ann.table.button("Leave"))
    keys.press("Enter", "Escape")
    expect(ann.page.get_by_role("dialog")).to_be_hidden()
    ann.table.my_turn()


def test_the_first_stop_leads_past_the_header(meet: Meet) -> None:
    ann = meet("Ann").open()
    expect(ann.lobby.open_tables).to_be_visible()
    keys = Keyboard(ann.page)
    keys.press("Tab")
    expect(ann.page.get_by_role("link", name="Skip to the content")).to_be_focused()
    keys.press("Enter", "Tab")
    assert not keys.is_on(ann.page.get_by_role("banner").get_by_role("link"))
    assert ann.page.evaluate("document.getElementById('content').contains(document.activeElement)")


def test_one_always_sees_where_one_is(meet: Meet) -> None:
    ann = meet("Ann")
    keys = Keyboard(ann.page)
    ann.comes_to_the_lobby()
    unseen = keys.stops_that_look_the_same_without_focus(25)
    ann.lobby.play_a_bot("Tower")
    ann.table.my_turn()
    unseen += keys.stops_that_look_the_same_without_focus(15)
    assert unseen == []
