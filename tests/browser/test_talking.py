"""Who hears what is said at a table, and in the lobby."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet


def test_watchers_kibitz_among_themselves_and_players_are_heard_by_all(meet: Meet) -> None:
    ann, wim, wanda = meet("Ann"), meet("Wim"), meet("Wanda")
    table = ann.plays_bots("tower", bots=2)
    for watcher in (wim, wanda):
        watcher.open(table.invitation)
        expect(watcher.page.get_by_text("You are watching")).to_be_visible()

    wim.table.say("The corner wins")
    for watcher in (wim, wanda):
        expect(watcher.table.chat).to_contain_text("The corner wins")
    ann.table.say("Hello, whoever watches")
    for watcher in (wim, wanda):
        # What players say is not news to be missed in the other room.
        watcher.table.tab("Chat").click()
        expect(watcher.table.chat).to_contain_text("Hello, whoever watches")
        expect(watcher.page.get_by_role("textbox", name=re.compile("^Say something"))).to_be_hidden()

    # By now the server has told Ann everything that it will ever tell her of this.
    expect(ann.table.chat).to_contain_text("Hello, whoever watches")
    expect(ann.table.tab("Watchers")).to_have_count(0)
    expect(ann.page.locator("body")).not_to_contain_text("The corner wins")
    ann.page.reload()
    ann.table.tab("Chat").click()
    expect(ann.table.chat).to_contain_text("Hello, whoever watches")
    expect(ann.page.locator("body")).not_to_contain_text("The corner wins")


def test_the_lobby_talks_and_counts_who_is_here(meet: Meet) -> None:
    ann = meet("Ann")
    ann.comes_to_the_lobby()
    expect(ann.lobby.here).to_have_text("1 person here")
    ben = meet("Ben")
    ben.comes_to_the_lobby()
    for person in (ann, ben):
        expect(person.lobby.here).to_have_text("2 people here")
    ann.lobby.say("<b>Anyone</b> for Tower?")
    expect(ben.lobby.chat.get_by_text("<b>Anyone</b> for Tower?")).to_have_count(1)
    expect(ben.lobby.chat).to_contain_text(ann.name)
    ben.context.close()
    expect(ann.lobby.here).to_have_text("1 person here")
