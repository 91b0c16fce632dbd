"""What is going on, as the lobby shows it."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall


def test_a_small_board_in_the_lobby_changes_with_every_move(meet: Meet) -> None:
    ann, wim = meet("Ann"), meet("Wim")
    ann.comes_to_the_lobby().play_a_bot("Tower")
    ann.table.my_turn()
    wim.comes_to_the_lobby()
    game = wim.lobby.game_of(ann.name)
    game.scroll_into_view_if_needed()
    expect(game.locator(".piece")).to_have_count(0)
    expect(game.get_by_role("img")).to_be_visible()
    ann.table.place(0)
    ann.table.my_turn()
    expect(game.locator(".piece")).to_have_count(3)
    ann.table.place(ann.table.free_tile())
    ann.table.my_turn()
    expect(game.locator(".piece")).to_have_count(6)
    game.click()
    expect(wim.page.get_by_text("You are watching")).to_be_visible()


def test_tables_appear_fill_and_go_while_one_looks_on(meet: Meet) -> None:
    ann, wim = meet("Ann"), meet("Wim")
    wim.comes_to_the_lobby()
    expect(wim.lobby.open_table(ann.name)).to_have_count(0)
    ann.comes_to_the_lobby().new_table("Tower").seat(2, "Casual bot").open()
    expect(wim.lobby.open_table(ann.name)).to_contain_text("1 free seat")
    ann.table.with_seat("Add a bot", "Casual bot")
    ann.table.my_turn()
    expect(wim.lobby.open_table(ann.name)).to_have_count(0)
    expect(wim.lobby.game_of(ann.name)).to_be_visible()
    ann.table.play_to_the_end()
    finished = wim.page.get_by_role("heading", name="Just finished").locator("..")
    expect(finished.get_by_role("link").filter(has_text=ann.name)).to_be_visible()


def test_filters_and_search_leave_what_was_asked_for(meet: Meet) -> None:
    ann, ben, wim = meet("Filterann"), meet("Filterben"), meet("Wim")
    ann.comes_to_the_lobby().new_table("Tower").open()
    ben.comes_to_the_lobby().play_a_bot("Tower")
    ben.table.my_turn()
    wim.comes_to_the_lobby()
    waiting, running = wim.lobby.open_table(ann.name), wim.lobby.game_of(ben.name)
    expect(waiting).to_be_visible()
    expect(running).to_be_visible()
    needs = wim.lobby.only_those_that_need_a_player()
    needs.click()
    expect(needs).to_have_attribute("aria-pressed", "true")
    expect(running).to_have_count(0)
    expect(waiting).to_be_visible()
    needs.click()
    wim.lobby.search.fill("filterBEN")
    expect(waiting).to_have_count(0)
    expect(running).to_be_visible()
    wim.lobby.search.fill("no such person")
    expect(running).to_have_count(0)
    wim.page.get_by_role("button", name="Clear the filters").click()
    expect(waiting).to_be_visible()
    expect(running).to_be_visible()


def test_one_s_own_game_is_one_click_away(meet: Meet) -> None:
    ann = meet("Ann")
    ann.comes_to_the_lobby().play_a_bot("Tower")
    ann.table.my_turn()
    table = ann.table.id
    ann.page.get_by_role("link", name="gamut, to the lobby").click()
    ann.lobby.own_table().click()
    ann.table.my_turn()
    assert ann.table.id == table


def test_with_reduced_motion_nothing_moves(meet: Meet, hall: Hall) -> None:
    hall.finished_game()
    ann = meet("Ann")
    ann.comes_to_the_lobby()
    card = ann.lobby.card("Tower")
    # The recent game stands there as it ended.
    expect(card.locator(".piece")).to_have_count(7)
    ann.lobby.play_a_bot("Tower")
    ann.table.place(0)
    ann.table.my_turn()
    moving = ann.page.evaluate(
        "document.getAnimations().filter(one => one.effect.getComputedTiming().duration > 1).length"
    )
    assert moving == 0


def test_the_small_board_of_a_game_replays_a_recent_one(meet: Meet, hall: Hall) -> None:
    hall.finished_game()
    pieces = meet("Ann", calm=False).open().lobby.card("Tower").locator(".piece")
    expect(pieces.first).to_be_visible()
    expect(pieces).not_to_have_count(pieces.count())


def test_how_to_play_is_told_with_pictures_and_leads_to_a_game(meet: Meet) -> None:
    ann = meet("Ann").open()
    ann.lobby.card("Tower").get_by_role("link", name="How to play", exact=True).click()
    expect(ann.page.get_by_role("heading", name="How to play Tower")).to_be_visible()
    expect(ann.page.get_by_role("figure").get_by_role("img")).to_have_count(3)
    expect(ann.page.get_by_role("heading", name="With the keyboard")).to_be_visible()
    ann.page.get_by_role("button", name="Try it against bots").click()
    ann.table.my_turn()


def test_an_address_that_is_nothing_says_so(meet: Meet) -> None:
    ann = meet("Ann").open("/no/such/page")
    expect(ann.page.get_by_role("heading", name="There is nothing at this address")).to_be_visible()
    ann.page.get_by_role("button", name="To the lobby").click()
    expect(ann.lobby.open_tables).to_be_visible()
    ann.open("/t/nosuchtable")
    expect(ann.page.get_by_role("heading", name="This table cannot be opened")).to_be_visible()
    ann.open("/play/nosuchgame")
    expect(ann.page.get_by_role("heading", name=re.compile("nothing"))).to_be_visible()
