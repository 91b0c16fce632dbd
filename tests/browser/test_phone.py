"""On a phone, by touch."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall
from tests.browser.support.phone import PHONE, fits, too_small
from tests.browser.support.tower import SHORT_GAME


def test_a_game_is_played_by_touch(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True).open()
    table, page = ann.table, ann.page
    # What one comes for is said here, too, and who has an account finds the way in.
    expect(ann.lobby.card("Tower")).to_contain_text("three marks in a line win")
    expect(page.get_by_role("link", name="Log in")).to_be_in_viewport(ratio=1)
    fits(page)
    ann.lobby.card("Tower").get_by_role("button", name="Play a bot").tap()
    table.my_turn()
    fits(page)
    while True:
        table.says(re.compile("^(Your turn|You win|.+ wins|A draw)$"))
        if table.headline.text_content() != "Your turn":
            break
        tile = table.free_tile()
        table.tile(tile).tap()
        expect(table.tile(tile)).to_have_accessible_name(re.compile(": X$"))
    expect(table.button("Rematch")).to_be_in_viewport()
    fits(page)


def test_moves_chat_and_table_come_up_in_a_sheet(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True).open()
    table, page = ann.table, ann.page
    ann.lobby.card("Tower").get_by_role("button", name="Invite a friend").tap()
    table.says("Waiting for 2 players")
    page.get_by_role("button", name="Add a bot").first.tap()
    page.get_by_role("menuitem", name="Casual bot").tap()
    table.says("Waiting for 1 player")
    page.get_by_role("button", name="Add a bot").tap()
    page.get_by_role("menuitem", name="Casual bot").tap()
    table.my_turn()
    table.tile(0).tap()
    table.tab("Moves").tap()
    expect(table.move(3)).to_be_in_viewport()
    table.tab("Chat").tap()
    page.get_by_role("textbox", name="Say something").fill("From the train")
    page.get_by_role("button", name="Send").tap()
    expect(table.chat).to_contain_text("From the train")
    table.tab("Table").tap()
    expect(page.get_by_role("tabpanel")).to_contain_text("people with the link")
    fits(page)
    table.tab("Table").tap()
    expect(page.get_by_role("tabpanel")).to_be_hidden()


def test_what_others_say_shows_a_badge_until_it_is_read(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann", viewport=PHONE, touch=True), hall.guest("Ben")
    table = hall.seat("tower", ann, ben, bots=["casual"])
    expect(ann.table.board).to_be_visible()
    ben.ask("say", table=table.id, text="Hello")
    expect(ann.table.tab("Chat")).to_contain_text("1")
    ann.table.tab("Chat").tap()
    expect(ann.table.chat).to_contain_text("Hello")
    expect(ann.table.tab("Chat")).not_to_contain_text("1")


def test_a_finger_finds_everything(meet: Meet, hall: Hall) -> None:
    review = hall.finished_game()
    ann = meet("Ann", viewport=PHONE, touch=True)
    page, missed = ann.page, {}
    ann.comes_to_the_lobby()
    expect(ann.lobby.card("Tower")).to_be_visible()
    missed["lobby"] = too_small(page)
    ann.lobby.card("Tower").get_by_role("button", name="New table").tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    missed["new table"] = too_small(page)
    page.get_by_role("dialog").get_by_role("button", name="Open the table").tap()
    ann.table.says("Waiting for 2 players")
    missed["setup"] = too_small(page)
    fits(page)
    ann.plays_bots("tower", bots=2)
    ann.table.my_turn()
    missed["game"] = too_small(page)
    for tab in ("Moves", "Chat", "Table"):
        ann.table.tab(tab).tap()
        missed[tab] = too_small(page)
    ann.open(f"/t/{review}")
    ann.table.shows(SHORT_GAME)
    missed["review"] = too_small(page)
    fits(page)
    for path in ("/login", "/register", "/me", "/settings", "/play/tower", "/nowhere/at/all"):
        ann.open(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        missed[path] = too_small(page)
        fits(page)
    assert not any(missed.values()), "\n".join(
        f"{place}: {one}" for place, found in missed.items() for one in found
    )
