"""A private table and the link that seats whoever opens it."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall, place
from tests.browser.support.newcomers import says_a_name


def test_a_private_table_seats_whoever_opens_its_link_and_nobody_else(meet: Meet) -> None:
    ann, stranger, newcomer = meet("Ann"), meet("Stranger"), meet(None)
    ann.comes_to_the_lobby().invite_a_friend("Tower")
    ann.table.says("Waiting for 2 players")
    ann.table.do("Copy invite link")
    ann.sees_toast("Link copied")
    link = ann.clipboard()

    stranger.comes_to_the_lobby()
    expect(stranger.lobby.open_table(ann.name)).to_have_count(0)
    stranger.open(f"/t/{ann.table.id}")
    expect(stranger.page.get_by_role("heading", name="This table cannot be opened")).to_be_visible()

    newcomer.open(link)
    says_a_name(newcomer, f"{ann.name} invites you to Tower", None)
    newcomer.table.says("Waiting for 1 player")
    expect(newcomer.table.button("Leave")).to_be_visible()
    ann.table.says("Waiting for 1 player")
    assert newcomer.page.url == link, "what stands in the address bar can be passed on"
    stranger.open(newcomer.page.url)
    expect(stranger.table.seat(stranger.name)).to_contain_text("you")
    ann.table.my_turn()


def test_a_link_opened_when_every_seat_is_taken_lets_one_watch(meet: Meet, hall: Hall) -> None:
    ann, late = meet("Ann"), meet("Late")
    hall.seat("tower", ann, hall.guest("Ben"), hall.guest("Cas"))
    ann.table.tab("Table").click()
    ann.page.get_by_role("tabpanel").get_by_role("button", name="Copy invite link").click()
    ann.sees_toast("Link copied")
    late.open(ann.clipboard())
    late.table.says(f"{ann.name}'s turn")
    expect(late.page.get_by_text("You are watching")).to_be_visible()
    expect(late.table.button("Leave")).to_be_hidden()


def test_whoever_has_a_link_gets_in_and_stays_in(meet: Meet, hall: Hall) -> None:
    ann, ben, cas = meet("Ann"), hall.guest("Ben"), hall.guest("Cas")
    late, later = meet("Late"), meet("Later")
    table = hall.seat("tower", ann, ben, cas)
    ann.table.my_turn()
    link = ann.page.url
    assert re.search(r"/t/\w+\?key=[\w-]+$", link), "the address bar of a private table carries its key"
    late.open(link)
    late.table.says(f"{ann.name}'s turn")
    late.page.reload()
    late.table.says(f"{ann.name}'s turn")

    for mine, *others in ((0, 8, 16), (1, 9, 17), (2,)):
        ann.table.place(mine)
        for friend, tile in zip((ben, cas), others, strict=False):
            friend.act(table, place(tile))
    late.table.says(f"{ann.name} wins")

    # A position of the review, in a browser that has never been here.
    late.table.slider.press("Home")
    late.table.slider.press("ArrowRight")
    late.page.get_by_role("button", name="Copy link", exact=True).first.click()
    late.sees_toast("Link copied")
    position = late.clipboard()
    assert re.search(r"/t/\w+/1\?key=", position)
    later.open(position)
    expect(later.table.slider).to_have_value("1")
    later.page.reload()
    expect(later.table.slider).to_have_value("1")

    # The rematch: who watched is taken along, and gets in again by the address they see there.
    ann.table.do("Rematch")
    for friend in (ben, cas):
        friend.ask("rematch", table=table.id)
    late.table.says(re.compile("'s turn$"))
    late.page.reload()
    late.table.says(re.compile("'s turn$"))
    later.open(position)
    later.table.do("To the rematch")
    later.table.says(re.compile("'s turn$"))
    assert later.page.url == late.page.url == ann.page.url
    expect(later.page.get_by_text("You are watching")).to_be_visible()


def test_a_friend_without_a_name_is_asked_for_one_once(meet: Meet) -> None:
    ann, friend, other = meet("Ann"), meet(None), meet(None)
    ann.comes_to_the_lobby().invite_a_friend("Topple")
    shown = ann.page.get_by_role("textbox", name="Invite link")
    expect(shown).to_have_value(re.compile(r"/t/\w+\?key=[\w-]+$"))
    assert shown.input_value() == ann.page.url
    expect(ann.table.before_start.get_by_role("img", name="The invite link as a QR code")).to_be_visible()
    ann.table.before_start.get_by_role("button", name="Show the QR code larger").click()
    large = ann.page.get_by_role("dialog").get_by_role("img", name="The invite link as a QR code")
    expect(large).to_be_visible()
    ann.page.keyboard.press("Escape")

    players = ann.table.before_start.get_by_role("combobox", name="Players")
    expect(players).to_have_value("2")
    players.select_option("4")
    ann.table.says("Waiting for 3 players")

    friend.open(ann.page.url)
    dialog = friend.page.get_by_role("dialog", name=f"{ann.name} invites you to Topple")
    name = dialog.get_by_role("textbox", name="Your name")
    expect(name).to_be_focused()
    expect(name).to_have_value(re.compile(r"^\w+ \w+"))
    with friend.troubles.excused("status of 409"):
        name.fill(ann.name)
        name.press("Enter")
        expect(dialog.get_by_text(re.compile("taken|already"))).to_be_visible()
    name.fill("Frida")
    name.press("Enter")
    expect(friend.table.seat("Frida")).to_contain_text("you")
    expect(dialog).to_have_count(0)

    # Only watching is a choice, too, and a reload does not change it.
    other.open(ann.page.url)
    other.page.get_by_role("dialog").get_by_role("button", name="Only watch").click()
    expect(other.page.get_by_text("You are watching")).to_be_visible()
    other.page.reload()
    expect(other.page.get_by_text("You are watching")).to_be_visible()
    expect(other.page.get_by_role("dialog")).to_have_count(0)

    # Seats go again, down to those that are taken; then every one is, and play begins.
    expect(players.get_by_role("option", name="2")).to_be_enabled()
    players.select_option("3")
    ann.table.says("Waiting for 1 player")
    ann.page.reload()
    ann.table.says("Waiting for 1 player")
    players.select_option("2")
    ann.table.my_turn()

    # Who has said a name is not asked at the next table.
    friend.table.do("Leave", sure=True)
    ann.opens("tower")
    ann.table.says("Waiting for 2 players")
    friend.open(ann.page.url)
    expect(friend.table.seat("Frida")).to_contain_text("you")
