"""A club's own network: plain http, under a name that is not localhost. Browsers hold much back there."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.account import Account
from tests.browser.support.chromium import CLUB
from tests.browser.support.files import drop_file
from tests.browser.support.newcomers import (
    a_tab_closed_in_the_middle_keeps_nobody_out,
    is_in,
    two_tabs_at_once_are_one_person,
)
from tests.browser.support.person import Person
from tests.browser.support.topple import record
from tests.net.support.process import ServerProcess

from gamut.games.topple.files.writer import write


@pytest.fixture
def home(server: ServerProcess) -> str:
    return f"http://{CLUB}:{server.port}"


@pytest.fixture
def newcomer(meet: Meet) -> Iterator[Person]:
    """Somebody who has never been here."""
    newcomer = meet(None)
    yield newcomer
    assert newcomer.page.evaluate("[isSecureContext, !!navigator.locks, !!navigator.clipboard]") == [
        False,
        False,
        False,
    ], "or this tests nothing"


def pasted(person: Person) -> str:
    """What is on the clipboard, as people find out without asking the browser for it."""
    field = person.table.field_of_chat()
    field.fill("")
    field.press("ControlOrMeta+V")
    return field.input_value()


def test_a_newcomer_gets_in_and_plays_a_bot(newcomer: Person) -> None:
    sockets: list[str] = []
    newcomer.page.on("websocket", lambda socket: sockets.append(socket.url))
    newcomer.comes_to_the_lobby().play_a_bot("Tower")
    newcomer.table.play_to_the_end()
    expect(newcomer.table.slider).to_be_visible()
    cookies = newcomer.context.cookies()
    assert [(cookie["name"], cookie["secure"]) for cookie in cookies] == [("gamut_session", False)]
    assert {socket.rpartition(":")[0] for socket in sockets} == {f"ws://{CLUB}"}


def test_two_tabs_at_once_are_one_person(newcomer: Person) -> None:
    two_tabs_at_once_are_one_person(newcomer)


def test_a_tab_closed_in_the_middle_keeps_nobody_out(newcomer: Person) -> None:
    a_tab_closed_in_the_middle_keeps_nobody_out(newcomer)


def test_an_invite_link_is_copied_and_lets_another_in(newcomer: Person, meet: Meet) -> None:
    newcomer.comes_to_the_lobby().invite_a_friend("Tower")
    newcomer.table.do("Copy invite link")
    newcomer.sees_toast("Link copied")
    link = pasted(newcomer)
    assert link.startswith(f"{newcomer.home}/t/{newcomer.table.id}?key=")
    expect(newcomer.table.button("Copy invite link")).to_be_visible()
    friend = meet(None)
    friend.open(link)
    dialog = friend.page.get_by_role("dialog", name=re.compile(" invites you to Tower$"))
    dialog.get_by_role("textbox", name="Your name").press("Enter")
    newcomer.table.says("Waiting for 1 player")


def test_a_link_that_nothing_can_copy_is_shown_ready_to_be_copied(newcomer: Person) -> None:
    newcomer.page.add_init_script("document.execCommand = () => false")
    newcomer.comes_to_the_lobby().invite_a_friend("Tower")
    newcomer.table.do("Copy invite link")
    dialog = newcomer.page.get_by_role("dialog", name="Copy this link")
    field = dialog.get_by_label("Link")
    expect(field).to_have_value(re.compile(rf"/t/{newcomer.table.id}\?key="))
    expect(field).to_be_focused()
    link = field.input_value()
    assert newcomer.page.evaluate("document.activeElement.selectionEnd") == len(link)
    newcomer.page.keyboard.press("ControlOrMeta+C")
    newcomer.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert pasted(newcomer) == link


def test_settings_offer_nothing_that_cannot_work(newcomer: Person) -> None:
    newcomer.open("/settings")
    expect(newcomer.page.get_by_role("switch", name="Sounds")).to_be_visible()
    expect(newcomer.page.get_by_role("switch", name=re.compile("Notifications"))).to_have_count(0)
    expect(
        newcomer.page.get_by_text("Browsers offer them only on pages that come over https")
    ).to_be_visible()


def test_an_account_is_made_left_and_found_again(newcomer: Person) -> None:
    account = Account(newcomer.page)
    account.register("Clubby", "correct horse")
    account.is_that_of("Clubby")
    account.button("Log out").click()
    newcomer.sees_toast("You are logged out.")
    account.log_in("Clubby", "correct horse")
    account.is_that_of("Clubby")


def test_a_file_is_dropped_on_the_page(newcomer: Person) -> None:
    newcomer.comes_to_the_lobby()
    is_in(newcomer)
    drop_file(newcomer, "game.topl", write(record(2, 2, [0, 3, 0, 3])))
    newcomer.table.says("Player 2 wins")
