"""Against bots a move can be taken back: the game goes on from before it, and only what stands is its record."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.phone import PHONE
from tests.browser.support.tafl import Board


def test_a_move_is_taken_back_and_the_review_shows_what_stands(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    opened = ann.plays_bots("tower", bots=2, private=False)
    ben.open(f"/t/{opened.id}")
    table, back = ann.table, ann.table.button("Take back my move")
    moves = table.moves.get_by_role("button")
    table.my_turn()
    expect(back).to_be_disabled()
    table.place(0)
    table.my_turn()
    expect(moves).to_have_count(3)
    back.click()
    for person in (ann, ben):
        person.table.shows([])
    table.my_turn()
    expect(ann.page.locator(".unseen[role=log]")).to_contain_text("You took back your move.")
    expect(moves).to_have_count(0)
    expect(back).to_be_disabled()
    # The same by its key, also while one looks back; and once more while the bots are to move, or have moved.
    table.place(0)
    table.my_turn()
    table.place(table.free_tile())
    ann.page.keyboard.press("Home")
    ann.page.keyboard.press("u")
    table.my_turn()
    expect(moves).to_have_count(3)
    ann.page.keyboard.press("u")
    table.shows([])
    table.place(23)
    table.play_to_the_end()
    expect(back).to_have_count(0)
    played = moves.count()
    expect(table.slider).to_have_attribute("max", str(played))
    ann.page.reload()
    expect(table.slider).to_have_attribute("max", str(played))
    table.move(1).click()
    table.shows([23])


def test_on_a_phone_it_is_in_the_menu_of_ones_own_seat(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("tafl", options={"variant": "brandub"})
    table, board = ann.table, Board(ann)
    board.tap("a4", "a3")
    table.my_turn()
    table.with_seat("Ann", "Take back my move")
    board.shows("a4", "attacker")
    board.shows("d6", "attacker")
    board.tap("g4", "g3")
    table.my_turn()
    table.with_seat("Ann", "Resign", sure=True)
    table.says(re.compile(" wins$"))
    table.tab("Moves").tap()
    expect(table.move(1)).to_contain_text("g4-g3")
    expect(table.moves.get_by_role("button")).to_have_count(3)
