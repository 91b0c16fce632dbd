"""Who one is changes while the page is open: in this tab, in another one, on another device."""

import json
import re

from playwright.sync_api import Locator, Request, WebSocketRoute, expect
from tests.browser.conftest import Meet
from tests.browser.support.account import Account
from tests.browser.support.names import Names
from tests.browser.support.newcomers import is_in
from tests.browser.support.person import Person
from tests.browser.support.seen import Onlooker

LOGGED_OUT = {"type": "error", "code": "logged_out", "message": "You were logged out."}


class Line:
    """The connection of a tab, which the server may close because the session has changed."""

    def __init__(self, person: Person) -> None:
        self.opened: list[WebSocketRoute] = []
        person.page.route_web_socket("**/hall", self._relay)

    def _relay(self, here: WebSocketRoute) -> None:
        here.connect_to_server()
        self.opened.append(here)

    def expel_when(self, person: Person, path: str) -> None:
        """As soon as that is asked for: before the answer is there."""

        def asked(request: Request) -> None:
            if request.url.endswith(path):
                self.expel()

        person.page.on("request", asked)

    def expel(self) -> None:
        self.opened[-1].send(json.dumps(LOGGED_OUT))
        self.opened[-1].close(code=4001, reason="logged out")


def typed(person: Person) -> Locator:
    return person.table.field_of_chat()


def logged_out(person: Person) -> Locator:
    return person.page.get_by_role("status").get_by_text("You were logged out.")


def test_registering_in_one_tab_leaves_the_game_in_another_as_it_is(meet: Meet, names: Names) -> None:
    name = names.unique("Annunziata")
    ann = meet("Ann")
    line = Line(ann)
    ann.plays_bots("tower", bots=2)
    ann.table.place(0)
    ann.table.my_turn()
    typed(ann).fill("Half a sent")
    onlooker = Onlooker(ann.page)

    other = ann.another_tab()
    account = Account(other.page)
    # The server closes what came in with the guest's session before the answer brings the new one.
    line.expel_when(other, "/api/register")
    account.register(name, "correct horse")
    account.is_that_of(name)

    expect(ann.page.get_by_role("link", name=f"You: {name}")).to_be_visible()
    expect(typed(ann)).to_have_value("Half a sent")
    ann.table.place(ann.table.free_tile())
    assert len(line.opened) == 2, "it came back once"
    saw = onlooker.saw()
    assert not saw.gone
    assert not saw.said


def test_a_player_registers_and_plays_on(meet: Meet, names: Names) -> None:
    name = names.unique("Annalena")
    ann = meet("Ann")
    line = Line(ann)
    ann.plays_bots("tower", bots=2)
    ann.table.place(0)
    ann.table.my_turn()
    table = ann.table.id
    ann.page.get_by_role("link", name="You: Ann").click()
    account = Account(ann.page)
    account.button("Register").click()
    onlooker = Onlooker(ann.page)
    line.expel_when(ann, "/api/register")
    account.fill(name=name, password="correct horse")
    account.button("Register").click()
    account.is_that_of(name)
    ann.page.get_by_role("link", name="Your turn in Tower").click()
    ann.table.my_turn()
    assert ann.table.id == table
    ann.table.place(ann.table.free_tile())
    assert len(line.opened) == 2, "it came back once"
    assert not [text for text in onlooker.saw().said if "lost" in text or "logged out" in text]


def test_a_refused_name_costs_no_connection(meet: Meet) -> None:
    ben, ann = meet("Ben"), meet("Ann")
    line = Line(ann)
    account = Account(ann.page)
    with ann.troubles.excused(r"status of 4\d\d"):
        account.register(ben.name, "correct horse")
        expect(ann.page.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    assert len(line.opened) == 1
    assert is_in(ann) == ann.name


def test_a_new_password_leaves_the_other_tabs_in(meet: Meet, names: Names) -> None:
    name = names.unique("Annegret")
    ann = meet("Ann")
    account = Account(ann.page)
    account.register(name, "correct horse")
    account.is_that_of(name)
    player = ann.another_tab()
    line = Line(player)
    player.plays_bots("tower", bots=2)
    player.table.my_turn()
    typed(player).fill("Half a sent")
    onlooker = Onlooker(player.page)
    account.button("Change password").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("Old password").fill("correct horse")
    dialog.get_by_label("New password").fill("battery staple")
    with player.page.expect_websocket():
        dialog.get_by_role("button", name="Change password").click()
    ann.sees_toast("Your password is changed")
    player.table.place(0)
    expect(typed(player)).to_have_value("Half a sent")
    assert len(line.opened) == 2
    saw = onlooker.saw()
    assert not saw.gone
    assert not saw.said


def test_who_logs_in_is_that_person_in_every_tab(meet: Meet, names: Names) -> None:
    name = names.unique("Annemarie")
    ann, elsewhere = meet("Ann"), meet(None)
    Account(ann.page).register(name, "correct horse")
    Account(ann.page).is_that_of(name)
    other = elsewhere.another_tab()
    other.comes_to_the_lobby()
    guest = is_in(other)
    account = Account(elsewhere.page)
    account.log_in(name, "correct horse")
    account.is_that_of(name)
    expect(other.page.get_by_role("link", name=f"You: {name}")).to_be_visible()
    account.button("Log out").click()
    elsewhere.sees_toast("You are logged out.")
    fresh = elsewhere.page.get_by_role("link", name=re.compile(f"^You: (?!{name})"))
    expect(fresh).to_be_visible()
    expect(other.page.get_by_role("link", name=re.compile(f"^You: (?!{name})"))).to_be_visible()
    assert is_in(other) == is_in(elsewhere) != guest


def test_who_is_logged_out_from_elsewhere_is_told_so_and_chooses(meet: Meet, names: Names) -> None:
    name = names.unique("Annerose")
    ann, ben = meet("Ann"), meet(None)
    there, here = Account(ann.page), Account(ben.page)
    there.register(name, "correct horse")
    there.is_that_of(name)
    for choice in ("Log in", "Go on as a guest"):
        here.log_in(name, "correct horse")
        here.is_that_of(name)
        with ben.troubles.excused("Coming in failed: "):
            there.button("Log out everywhere").click()
            ann.sees_toast("You are logged out.")
            expect(logged_out(ben)).to_be_visible()
        ben.page.get_by_role("status").get_by_role("button", name=choice).click()
        if choice == "Log in":
            here.fill(name=name, password="correct horse")
            here.button("Log in").click()
            here.is_that_of(name)
            there.log_in(name, "correct horse")
            there.is_that_of(name)
        else:
            expect(ben.page.get_by_role("link", name=re.compile(f"^You: (?!{name})"))).to_be_visible()
        expect(logged_out(ben)).to_have_count(0)
