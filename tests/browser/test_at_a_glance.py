"""What is seen at a glance at a table: who plays with whom, who has left, who is out; and a tablet's own layout."""

import re

from playwright.sync_api import Locator, Page, ViewportSize, expect
from tests.browser.conftest import Meet
from tests.browser.support.axe import violations
from tests.browser.support.browsers import DESKTOP
from tests.browser.support.elsewhere import Hall, place
from tests.browser.support.phone import PHONE, fits
from tests.browser.support.topple import SHORT_GAME

ON_END: ViewportSize = {"width": 820, "height": 1180}
HALF_A_SCREEN: ViewportSize = {"width": 820, "height": 900}
GAMES = {"tower": 2, "topple": 1, "tafl": 1, "powerchess": 1, "acquire": 3}
"""And how many bots."""


def others(page: Page) -> Locator:
    return page.locator(".others .seat")


def letters(seats: Locator) -> list[str]:
    return seats.locator(".team").all_inner_texts()


def test_partners_can_be_told_with_ten_at_the_table_of_a_phone(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("topple", bots=9, seats=10, options={"teams": [1, 2] * 5})
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
    ann.plays_bots("acquire", bots=5, options={"mode": "teams_3_vs_3"})
    ann.table.says(re.compile("turn$"))
    expect(ann.page.get_by_role("group", name=re.compile("with you"))).to_have_count(2)
    own = ann.page.locator(".mine .team").inner_text()
    assert letters(others(ann.page)).count(own) == 2
    # Where everybody plays alone, nothing is said of teams.
    ann.plays_bots("topple")
    ann.table.my_turn()
    expect(ann.page.locator(".team")).to_have_count(0)


def test_who_leaves_keeps_their_row_and_is_marked(meet: Meet, hall: Hall) -> None:
    ann, ben, cas = meet("Ann"), hall.guest("Ben"), hall.guest("Cas")
    table = hall.seat("topple", ann, ben, cas, seats=3, moves=[place(0), place(35)])
    ann.table.says(f"{cas.name}'s turn")
    ben.ask("leave", table=table.id)
    expect(others(ann.page)).to_have_count(2)
    row = ann.table.seat(ben.name)
    expect(row).to_contain_text("left")
    expect(row).to_contain_text("1 tile")
    expect(row.get_by_role("button")).to_have_count(0)
    # What was played keeps the name of who played it, also for somebody who comes later.
    expect(ann.table.move(2)).to_have_accessible_name(re.compile(ben.name))
    wim = meet("Wim", viewport=PHONE, touch=True).open(table.invitation)
    expect(wim.table.seat(ben.name)).to_contain_text("left")
    assert violations(ann.page) == []


def test_a_seat_that_is_out_can_be_read(meet: Meet, hall: Hall) -> None:
    game = hall.finished_game_of_topple(SHORT_GAME)
    rita = meet("Rita").open(f"/t/{game}")
    rita.table.says(re.compile("wins$"))
    for viewport in (PHONE, DESKTOP):
        rita.page.set_viewport_size(viewport)
        expect(rita.page.locator(".seat.out")).to_have_count(1)
        assert violations(rita.page) == []


def test_a_tablet_and_half_a_screen_have_a_layout_of_their_own(meet: Meet) -> None:
    ann = meet("Ann", viewport=ON_END)
    page, table = ann.page, ann.table
    for game, bots in GAMES.items():
        page.set_viewport_size(ON_END)
        ann.plays_bots(game, bots=bots)
        table.my_turn()
        for viewport in (ON_END, HALF_A_SCREEN):
            page.set_viewport_size(viewport)
            # Whatever there is to see or to open is on the screen at once.
            for part in (table.board, page.get_by_role("tablist"), table.seat(ann.name)):
                expect(part).to_be_in_viewport(ratio=1)
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), game
            fits(page)
            board = page.locator(".board").first.bounding_box()
            tabs = page.get_by_role("tablist").bounding_box()
            assert board is not None
            assert tabs is not None
            if viewport == ON_END:
                assert board["width"] >= ON_END["width"] - 48
                assert board["height"] >= 500, game
                assert tabs["y"] >= board["y"] + board["height"]
            else:
                assert board["width"] >= HALF_A_SCREEN["width"] / 2
                assert tabs["x"] >= board["x"] + board["width"]
                assert tabs["width"] >= 240
