"""Hosting a table of Topple: colours, passwords, teams, pausing, kicking, handing over."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall, place
from tests.browser.support.person import Person
from tests.browser.support.topple import Board

TWO_TEAMS = [1, 2, 1, 2]


def password(person: Person, word: str) -> None:
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Password").fill(word)
    dialog.get_by_role("button", name="Sit down").click()


def colour(person: Person, tile: int) -> str:
    plates = person.table.board.locator(".piece .plate")
    return str(plates.nth(tile).evaluate("plate => getComputedStyle(plate).fill"))


def test_a_password_keeps_strangers_from_sitting_down(meet: Meet) -> None:
    ann, ben, cas = meet("Ann"), meet("Ben"), meet("Cas")
    new = ann.comes_to_the_lobby().new_table("Topple").choose("Begins", "when I say so")
    new.text("Password", "swordfish").open()
    ben.comes_to_the_lobby()
    row = ben.lobby.open_table(ann.name)
    expect(row).to_contain_text("password")
    row.click()
    password(ben, "tuna")
    wrong = ben.page.get_by_text("This table has a password, and that is not it.")
    expect(wrong).to_be_visible()
    password(ben, "swordfish")
    expect(ben.table.seat(ben.name)).to_contain_text("you")
    ben.table.do("Leave")
    ben.page.wait_for_url(re.compile("/$"))
    # Whoever has only the address watches, and is asked when sitting down; Escape is an answer too.
    cas.open(f"/t/{ann.table.id}")
    cas.table.seat("Free seat").get_by_role("button", name="Sit here").click()
    expect(cas.page.get_by_role("dialog")).to_be_visible()
    cas.page.keyboard.press("Escape")
    expect(cas.page.get_by_role("dialog")).to_have_count(0)
    expect(cas.table.seat(cas.name)).to_have_count(0)
    # The link that the host gives away opens without it.
    ann.table.do("Copy invite link")
    ann.sees_toast("Link copied")
    cas.open(ann.clipboard())
    expect(cas.table.seat(cas.name)).to_contain_text("you")


def test_a_password_may_guard_watching_too(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    new = ann.comes_to_the_lobby().new_table("Topple").seat(2, "Casual bot")
    also = new.dialog.get_by_role("switch", name="Whoever watches must know the password, too")
    expect(also).to_have_count(0)
    new.text("Password", "swordfish")
    also.check(force=True)
    new.open()
    ben.comes_to_the_lobby()
    row = ben.page.locator("li").filter(has_text=ann.name)
    expect(row).to_contain_text("password")
    row.get_by_role("link").click()
    field = ben.page.get_by_label("Password")
    watch = ben.page.get_by_role("button", name="Watch", exact=True)
    field.fill("tuna")
    watch.click()
    expect(ben.page.get_by_text("This table has a password, and that is not it.")).to_be_visible()
    expect(ben.table.board).to_have_count(0)
    field.fill("swordfish")
    watch.click()
    expect(ben.table.board).to_be_visible()
    expect(ben.table.seat(ann.name)).to_be_visible()


def test_the_host_chooses_colours_and_everybody_sees_them(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("topple", ann, ben, start="host")
    expect(ben.page.get_by_role("button", name="Team colours")).to_have_count(0)
    usual = colour(ben, 0)
    ann.table.do("Team colours")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog.get_by_label("Team C")).to_have_count(0)
    dialog.get_by_label("Nobody's tiles").fill("#203040")
    dialog.get_by_label("Team A").fill("#8b0000")
    dialog.get_by_role("button", name="Use these colours").click()
    expect(dialog).to_have_count(0)
    for person in (ann, ben):
        expect(person.table.board.locator(".piece .plate").first).to_have_css("fill", "rgb(32, 48, 64)")
    ann.table.do("Start")
    Board(ann, 6).place(7)
    for person in (ann, ben):
        expect(person.table.board.locator(".piece .plate").nth(7)).to_have_css("fill", "rgb(139, 0, 0)")
    expect(ann.page.get_by_role("button", name="Team colours")).to_have_count(0)
    assert usual != "rgb(32, 48, 64)"


def test_the_usual_colours_come_back(meet: Meet) -> None:
    ann = meet("Ann")
    ann.opens("topple")
    expect(ann.table.board).to_be_visible()
    usual = colour(ann, 0)
    dialog = ann.page.get_by_role("dialog")
    ann.table.do("Team colours")
    dialog.get_by_label("Nobody's tiles").fill("#203040")
    dialog.get_by_role("button", name="Use these colours").click()
    expect(ann.table.board.locator(".piece .plate").first).to_have_css("fill", "rgb(32, 48, 64)")
    ann.table.do("Team colours")
    dialog.get_by_role("button", name="The usual colours").click()
    expect(ann.table.board.locator(".piece .plate").first).to_have_css("fill", usual)


def test_partners_share_a_colour(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("topple", bots=3, seats=4, options={"teams": TWO_TEAMS})
    ann.table.my_turn()
    seats = ann.page.locator(".seat")
    expect(seats).to_have_count(4)
    # The others in turn order, then oneself.
    for index, team in enumerate((1, 0, 1, 0)):
        expect(seats.nth(index)).to_have_class(re.compile(rf"\bseat-{team}\b"))


def test_a_host_pauses_a_clock_and_lets_it_go_on(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("topple", ann, ben, clock={"kind": "bank", "main": 300_000}, moves=[place(0)])
    ben.table.my_turn()
    ann.table.do("Pause")
    for person in (ann, ben):
        person.table.says("Paused")
    expect(ben.table.board.get_by_role("gridcell", name=re.compile("you can play here"))).to_have_count(0)
    expect(ben.table.button("Go on")).to_have_count(0)
    ann.table.do("Go on")
    Board(ben, 6).place(35)
    ann.table.my_turn()


def test_the_kicked_are_out_and_the_game_goes_on_without_them(meet: Meet, hall: Hall) -> None:
    ann, rude, cas = meet("Ann"), meet("Rude"), hall.guest("Cas")
    table = hall.seat("topple", ann, rude, cas, seats=3, moves=[place(0)])
    rude.table.my_turn()
    ann.table.with_seat(rude.name, f"Remove {rude.name} for good", sure=True)
    rude.sees_toast("You can watch.")
    expect(ann.table.seat(rude.name)).to_contain_text("removed")
    expect(rude.page.get_by_role("button", name="Sit here")).to_have_count(0)
    cas.act(table, place(35))
    ann.table.my_turn()


def test_whoever_is_made_host_pauses(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("topple", ann, ben)
    ann.table.my_turn()
    expect(ben.table.button("Pause")).to_have_count(0)
    ann.table.with_seat(ben.name, "Make host")
    expect(ann.table.button("Pause")).to_have_count(0)
    ben.table.do("Pause")
    ann.table.says("Paused")


def test_a_host_begins_before_every_seat_is_taken(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    ann.opens("topple", seats=8, start="host", private=False)
    expect(ann.table.button("Start")).to_have_count(0)
    ben.comes_to_the_lobby()
    row = ben.lobby.open_table(ann.name)
    expect(row).to_contain_text("6x6")
    expect(row).to_contain_text("7 free seats")
    expect(row.get_by_text("free", exact=True)).to_have_count(0)
    row.click()
    ann.table.do("Start")
    ann.table.my_turn()
    expect(ann.page.locator(".seat")).to_have_count(2)


def test_watchers_see_the_game_and_cannot_play(meet: Meet) -> None:
    ann, eve = meet("Ann"), meet("Eve")
    eve.open(ann.plays_bots("topple").invitation)
    eve.table.says(f"{ann.name}'s turn")
    expect(ann.page.get_by_text("1", exact=True).first).to_be_visible()
    expect(eve.table.board.get_by_role("gridcell", name=re.compile("you can play here"))).to_have_count(0)
    Board(ann, 6).place(14)
    expect(eve.table.move(1)).to_have_accessible_name(re.compile("c3$"))


def test_a_table_that_wants_no_watchers_is_not_watched(meet: Meet) -> None:
    ann, ben, eve = meet("Ann"), meet("Ben"), meet("Eve")
    new = ann.comes_to_the_lobby().new_table("Topple").seat(2, "Casual bot")
    new.dialog.get_by_role("switch", name="Others may watch").click()
    new.open()
    ann.table.my_turn()
    ben.plays_bots("topple", private=False)
    ben.table.my_turn()
    eve.comes_to_the_lobby()
    games = eve.page.get_by_role("link", name=re.compile("^Topple"))
    expect(games.filter(has=eve.page.get_by_text(ben.name, exact=True))).to_be_visible()
    expect(games.filter(has=eve.page.get_by_text(ann.name, exact=True))).to_have_count(0)
    eve.open(f"/t/{ann.table.id}")
    expect(eve.page.get_by_text("This table wants no watchers.")).to_be_visible()
