"""axe finds nothing to complain about, on any page, in the light and in the dark."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.axe import in_words, violations
from tests.browser.support.elsewhere import Hall
from tests.browser.support.files import choose_file, drop_file
from tests.browser.support.topple import Board, game_with_a_cascade
from tests.browser.support.tower import SHORT_GAME


def test_axe_finds_no_violation(meet: Meet, hall: Hall) -> None:
    review = hall.finished_game()
    ann = meet("Ann")
    page, table, found = ann.page, ann.table, {}

    ann.comes_to_the_lobby().new_table("Tower").choose("Clock", "With overtime")
    found["new table"] = violations(page)
    page.get_by_role("dialog").get_by_role("button", name="Open the table").click()
    table.says("Waiting for 2 players")
    found["setup"] = violations(page)
    page.get_by_role("button", name="Add a bot").first.click()
    expect(page.get_by_role("menu")).to_be_visible()
    found["menu"] = violations(page)
    page.get_by_role("menuitem", name="Casual bot").click()
    table.says("Waiting for 1 player")
    table.with_seat("Add a bot", "Casual bot")
    table.place(0)
    table.my_turn()
    table.say("Good luck")
    expect(table.chat).to_contain_text("Good luck")
    found["game"] = violations(page)
    table.tab("Table").click()
    found["table's facts"] = violations(page)
    table.do("Leave")
    found["question"] = violations(page)
    page.keyboard.press("Escape")
    ann.comes_to_the_lobby()
    expect(ann.lobby.game_of(ann.name)).to_be_visible()
    found["lobby"] = violations(page)
    ann.lobby.own_table().click()
    table.play_to_the_end()
    found["over"] = violations(page)

    ann.open(f"/t/{review}")
    table.shows(SHORT_GAME)
    found["review"] = violations(page)
    for number in (5, 6):
        # Each seat's colour lies under one of the moves.
        table.move(number).click()
        table.shows(SHORT_GAME[:number])
        found[f"review of move {number}"] = violations(page)
    for path, heading in (
        ("/me", ann.name),
        ("/register", "Keep your name"),
        ("/login", "Welcome back"),
        ("/settings", "Settings"),
        ("/play/tower", "How to play Tower"),
        ("/no/such/page", "There is nothing at this address"),
    ):
        ann.open(path)
        table.says(re.compile(re.escape(heading)))
        found[path] = violations(page)
    assert not in_words(found)


def test_axe_finds_no_violation_around_topple(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    page, table, found = ann.page, ann.table, {}
    new = ann.comes_to_the_lobby().new_table("Topple").choose("Players", "6")
    found["new table"] = violations(page)
    new.text("Password", "swordfish").choose("Begins", "when I say so").open()
    table.says("Waiting for 5 players")
    table.do("Team colours")
    found["colours"] = violations(page)
    page.get_by_role("dialog").get_by_label("Team A").fill("#8b0000")
    page.get_by_role("dialog").get_by_role("button", name="Use these colours").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    ben.comes_to_the_lobby()
    row = ben.lobby.open_table(ann.name)
    expect(row).to_be_visible()
    found["lobby"] = violations(ben.page)
    row.click()
    ben.page.get_by_role("dialog").get_by_role("textbox", name="Password").fill("tuna")
    ben.page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(ben.page.get_by_text("that is not it")).to_be_visible()
    found["wrong password"] = violations(ben.page)
    ben.page.get_by_role("dialog").get_by_role("textbox", name="Password").fill("swordfish")
    ben.page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(ben.table.seat(ben.name)).to_contain_text("you")
    found["setup"] = violations(page)

    table.do("Start")
    Board(ann, 6).place(0)
    Board(ben, 6).place(35)
    table.my_turn()
    Board(ann, 6).tile(0).hover()
    found["game"] = violations(page)
    found["the other's turn"] = violations(ben.page)
    ann.open("/file")
    table.says("A game from a file")
    found["no file"] = violations(page)
    choose_file(ann, "game.topl", game_with_a_cascade()[0])
    table.says("A game without a result")
    found["file"] = violations(page)
    drop_file(ann, "game.topl", b"", "dragenter")
    expect(page.get_by_text("Drop a .topl")).to_be_visible()
    found["dropping"] = violations(page)
    assert not in_words(found)
