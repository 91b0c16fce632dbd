"""Before the start: approval, seats that are freed and swapped, and a table that is called off."""

import json

from playwright.sync_api import Route, expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall


def test_a_game_begins_when_everybody_has_approved_and_a_change_asks_again(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    table = ann.plays_bots("tower", start="approval")
    expect(ann.table.headline).to_be_visible()
    expect(ann.table.button("I approve")).to_have_count(0)
    ben.open(table.invitation)
    for person in (ann, ben):
        person.table.says("Waiting until everyone has approved")
        expect(person.table.button("Start")).to_have_count(0)
        expect(person.table.seat(ann.name)).to_contain_text("has not approved yet")
    ben.table.do("I approve")
    expect(ann.table.seat(ben.name)).to_contain_text("approved")
    expect(ben.table.button("You approved")).to_be_disabled()
    # Another bot is another table: everybody is asked again.
    ann.table.with_seat("Pebble", "Send Pebble off")
    ann.table.with_seat("Add a bot", "Strong bot")
    expect(ann.table.seat(ben.name)).to_contain_text("has not approved yet")
    ben.table.do("I approve")
    ann.table.do("I approve")
    ann.table.my_turn()


def test_a_host_frees_a_seat_and_its_person_may_come_back(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    table = hall.seat("tower", ann, ben)
    expect(ben.table.seat(ben.name)).to_contain_text("you")
    ann.table.with_seat(ben.name, f"Free {ben.name}'s seat", sure=True)
    expect(ann.table.seat(ben.name)).to_have_count(0)
    ben.open("/settings").open(table.invitation)
    expect(ann.table.seat(ben.name)).to_be_visible()


def test_a_host_calls_a_table_off_for_everybody(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("tower", ann, ben)
    expect(ben.table.seat(ben.name)).to_contain_text("you")
    expect(ben.table.button("Call it off")).to_have_count(0)
    ann.table.do("Call it off", sure=True)
    expect(ann.lobby.open_tables).to_be_visible()
    ben.table.says("The host called this table off")
    expect(ben.table.button("To the lobby")).to_be_visible()


def test_a_host_swaps_seats_where_the_game_allows_it(meet: Meet) -> None:
    ann = meet("Ann")

    def arrangeable(route: Route) -> None:
        games = route.fetch().json()
        route.fulfill(body=json.dumps([{**game, "arrangeable": True} for game in games]))

    ann.opens("tower")
    expect(ann.page.get_by_role("button", name=f"More: {ann.name}")).to_have_count(0)
    ann.context.route("**/api/games", arrangeable)
    ann.page.reload()
    # The server knows better than this page what Tower allows, and says so.
    ann.table.with_seat(ann.name, "Swap with Seat 2")
    expect(ann.page.get_by_role("status").get_by_text("chooses a seat").last).to_be_visible()
