"""Before a game of Acquire: modes, order, teams, and everybody's approval."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.acquire import City
from tests.browser.support.elsewhere import Hall


def test_each_mode_has_its_seats_and_teams_are_chosen_in_team_games_only(meet: Meet) -> None:
    ann = meet("Ann")
    new = ann.comes_to_the_lobby().new_table("Acquire")
    order = new.dialog.get_by_role("group", name="Order of play")
    seats = new.dialog.get_by_role("combobox")
    for mode, others in (("Singles 2", 1), ("Singles 6", 5), ("Teams 2 vs 2 vs 2", 5), ("Singles 4", 3)):
        new.choose("Mode", mode)
        expect(seats).to_have_count(others)
    expect(order.get_by_role("radio")).to_have_count(2)
    # Where the order of play is drawn, nobody is asked for a place in it.
    mine = new.dialog.get_by_role("group", name="You play")
    expect(mine).to_have_count(0)
    new.choose("Order of play", "In seat order")
    expect(mine).to_be_visible()
    new.choose("Mode", "Teams 3 vs 3").choose("Order of play", "Teams as seated").choose("Mode", "Singles 3")
    expect(order.get_by_role("radio", name="By chance")).to_be_checked()
    new.choose("Mode", "Singles 1")
    expect(order).to_have_count(0)
    expect(seats).to_have_count(0)
    new.open()
    ann.table.my_turn()
    expect(City(ann).hand).to_have_count(6)


def test_teams_are_arranged_and_the_game_begins_when_all_approve(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    new = ann.comes_to_the_lobby().new_table("Acquire").choose("Mode", "Teams 3 vs 3")
    new.choose("Order of play", "In seat order").choose("Begins", "approve")
    for seat in (3, 4, 5, 6):
        new.seat(seat, "Casual bot")
    new.open()
    teams = ann.page.get_by_role("list", name="Teams").get_by_role("listitem")
    expect(teams).to_have_count(2)
    expect(teams.nth(0)).to_contain_text(ann.name)
    expect(teams.nth(1)).to_contain_text("free")
    ben.comes_to_the_lobby()
    row = ben.lobby.open_table(ann.name)
    expect(row).to_contain_text("Teams 3 vs 3")
    row.click()
    expect(teams.nth(1)).to_contain_text(ben.name)
    ben.table.do("I approve")
    expect(ann.table.seat(ben.name)).to_contain_text("approved")
    # Whoever swaps seats changes what was approved of.
    ann.page.get_by_role("button", name=f"More: {ben.name}").click()
    ann.page.get_by_role("menuitem", name=re.compile("^Swap with Seat 3")).click()
    expect(teams.nth(0)).to_contain_text(ben.name)
    expect(ann.table.seat(ben.name)).to_contain_text("has not approved yet")
    for person in (ann, ben):
        person.table.do("I approve")
    ann.table.my_turn()
    ben.table.tab("Score").click()
    expect(City(ben).players.get_by_role("row", name=re.compile("^Team [AB] "))).to_have_count(2)


def test_another_mode_moves_people_and_is_told_to_everybody(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("acquire", ann, ben, start="approval")
    expect(ben.table.seat(ben.name)).to_contain_text("you")
    ann.table.do("Change settings")
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Singles 2").check(force=True)
    dialog.get_by_role("button", name=re.compile("Use|Save|Change")).last.click()
    for person in (ann, ben):
        expect(person.page.get_by_text("Singles 2", exact=True).first).to_be_visible()
        person.table.do("I approve")
    for person in (ann, ben):
        person.table.says(re.compile("turn$"))
