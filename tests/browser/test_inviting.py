"""A private table and the link that seats whoever opens it."""

from playwright.sync_api import expect
from tests.browser.conftest import Meet, Three


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
    newcomer.table.says("Waiting for 1 player")
    expect(newcomer.table.button("Leave")).to_be_visible()
    ann.table.says("Waiting for 1 player")
    assert "key" not in newcomer.page.url, "the address bar can be shown to anybody"
    stranger.open(link)
    expect(stranger.table.seat(stranger.name)).to_contain_text("you")
    ann.table.my_turn()


def test_a_link_opened_when_every_seat_is_taken_lets_one_watch(meet: Meet, three: Three) -> None:
    ann, *_ = three
    late = meet("Late")
    ann.table.tab("Table").click()
    ann.page.get_by_role("tabpanel").get_by_role("button", name="Copy invite link").click()
    ann.sees_toast("Link copied")
    late.open(ann.clipboard())
    late.table.says(f"{ann.name}'s turn")
    expect(late.page.get_by_text("You are watching")).to_be_visible()
    expect(late.table.button("Leave")).to_be_hidden()
