"""What is seen at a glance at a table: who plays with whom, who has left, who is out; and a tablet's own layout."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect
from tests.browser.conftest import DESKTOP, Meet
from tests.browser.support.elsewhere import finished_game_of_topple
from tests.browser.test_accessibility import violations
from tests.browser.test_phone import PHONE, fits
from tests.browser.test_topple_files import SHORT_GAME
from tests.net.support.process import ServerProcess

ON_END: ViewportSize = {"width": 820, "height": 1180}
HALF_A_SCREEN: ViewportSize = {"width": 820, "height": 900}
GAMES = ("Tower", "Topple", "Tafl", "Power Chess", "Acquire")


def others(page: Page) -> Locator:
    return page.locator(".others .seat")


def letters(seats: Locator) -> list[str]:
    return seats.locator(".team").all_inner_texts()


def test_partners_can_be_told_with_ten_at_the_table_of_a_phone(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True, calm=True)
    new = ann.comes_to_the_lobby().new_table("Topple").choose("Players", "10").choose("Teams", "Two")
    for seat in range(2, 11):
        new.seat(seat, "Casual bot")
    new.open()
    ann.table.my_turn()
    assert letters(others(ann.page)) == list("BABABABAB")
    partners = ann.page.get_by_role("group", name=re.compile(r"team A, with you"))
    expect(partners).to_have_count(4)
    # Not only in words: they look different from those of the other team.
    looks = others(ann.page).evaluate_all("all => all.map(one => getComputedStyle(one).boxShadow)")
    assert len(set(looks[1::2])) == 1
    assert set(looks[1::2]).isdisjoint(looks[::2])
    fits(ann.page)
    expect(ann.table.board).to_be_in_viewport(ratio=1)

    # The same in a game where partners have colours of their own.
    new = ann.comes_to_the_lobby().new_table("Acquire").choose("Mode", "Teams 3 vs 3")
    for seat in range(2, 7):
        new.seat(seat, "Casual bot")
    new.open()
    ann.table.says(re.compile("turn$"))
    expect(ann.page.get_by_role("group", name=re.compile("with you"))).to_have_count(2)
    own = ann.page.locator(".mine .team").inner_text()
    assert letters(others(ann.page)).count(own) == 2
    # Where everybody plays alone, nothing is said of teams.
    ann.comes_to_the_lobby().play_a_bot("Topple")
    ann.table.my_turn()
    expect(ann.page.locator(".team")).to_have_count(0)


def test_who_leaves_keeps_their_row_and_is_marked(meet: Meet) -> None:
    ann, ben, cas = meet("Ann", calm=True), meet("Ben", calm=True), meet("Cas", calm=True)
    ann.comes_to_the_lobby().new_table("Topple").choose("Players", "3").open()
    for person in (ben, cas):
        person.comes_to_the_lobby()
        person.lobby.open_table(ann.name).click()
        expect(person.table.seat(person.name)).to_contain_text("you")
    ann.table.my_turn()
    ann.table.board.get_by_role("gridcell").first.click()
    ben.table.my_turn()
    ben.table.board.get_by_role("gridcell").last.click()
    cas.table.my_turn()
    ben.table.do("Leave", sure=True)
    expect(others(ann.page)).to_have_count(2)
    row = ann.table.seat(ben.name)
    expect(row).to_contain_text("left")
    expect(row).to_contain_text("1 tile")
    expect(row.get_by_role("button")).to_have_count(0)
    # What was played keeps the name of who played it, also for somebody who comes later.
    expect(ann.table.move(2)).to_have_accessible_name(re.compile(ben.name))
    wim = meet("Wim", viewport=PHONE, touch=True).open(f"/t/{ann.table.id}")
    expect(wim.table.seat(ben.name)).to_contain_text("left")
    assert violations(ann.page) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_seat_that_is_out_can_be_read(meet: Meet, server: ServerProcess, dark: bool) -> None:
    game = finished_game_of_topple(server.url, SHORT_GAME)
    for viewport in (PHONE, DESKTOP):
        rita = meet("Rita", viewport=viewport, dark=dark, calm=True)
        rita.open(f"/t/{game}")
        rita.table.says(re.compile("wins$"))
        expect(rita.page.locator(".seat.out")).to_have_count(1)
        assert violations(rita.page) == []


def test_a_tablet_and_half_a_screen_have_a_layout_of_their_own(meet: Meet) -> None:
    ann = meet("Ann", viewport=ON_END, calm=True)
    page, table = ann.page, ann.table
    for game in GAMES:
        page.set_viewport_size(ON_END)
        ann.comes_to_the_lobby().play_a_bot(game)
        table.my_turn()
        for viewport in (ON_END, HALF_A_SCREEN):
            page.set_viewport_size(viewport)
            # Everything is on the screen at once, and nothing needs to be opened.
            for part in (table.board, table.moves, page.get_by_role("textbox", name="Say something")):
                expect(part).to_be_in_viewport(ratio=1)
            expect(table.seat(ann.name)).to_be_in_viewport(ratio=1)
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), game
            fits(page)
            board = page.locator(".board").first.bounding_box()
            moves, own = table.moves.bounding_box(), table.seat(ann.name).bounding_box()
            assert board is not None
            assert moves is not None
            assert own is not None
            if viewport == ON_END:
                assert board["width"] >= ON_END["width"] - 24
                assert board["height"] >= 500, game
                assert own["y"] >= board["y"] + board["height"]
                assert moves["y"] > own["y"]
            else:
                assert board["width"] >= HALF_A_SCREEN["width"] / 2
                assert moves["x"] >= board["x"] + board["width"]
                assert moves["width"] >= 240
