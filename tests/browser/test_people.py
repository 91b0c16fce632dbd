"""Being somebody: with an account, with results, with settings, and no longer."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import WebSocketRoute, expect
from tests.browser.conftest import Meet
from tests.browser.support.account import Account
from tests.browser.support.names import Names

BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
REFUSED = r"Failed to load resource: the server responded with a status of 4\d\d"
"""Chromium itself writes this beside whatever the page makes of it."""


def test_a_guest_registers_stays_the_same_person_and_comes_back_elsewhere(meet: Meet, names: Names) -> None:
    name = names.unique("Annabel")
    ann, elsewhere = meet("Ann"), meet(None)
    ann.plays_bots("tower", bots=2)
    ann.table.play_to_the_end()
    account = Account(ann.page)
    account.register(name, "correct horse")
    account.is_that_of(name)
    expect(ann.page.get_by_role("main")).to_contain_text(re.compile(r"1 game, \d won"))
    # Whoever listens hears who sat there as one phrase.
    game = ann.page.get_by_role("link", name=re.compile(r"\w, Casual bot[;.]"))
    expect(game).to_contain_text(re.compile("Won|Lost|Drawn"))

    account.button("Log out").click()
    ann.sees_toast("You are logged out.")
    expect(ann.page.get_by_role("link", name="Log in")).to_be_visible()
    expect(ann.page.get_by_role("link", name=f"You: {name}")).to_have_count(0)

    there = Account(elsewhere.page)
    with elsewhere.troubles.excused(REFUSED):
        there.log_in(name.lower(), "wrong password")
        expect(elsewhere.page.get_by_label("Password")).to_have_attribute("aria-invalid", "true")
    there.fill(password="correct horse")
    there.button("Log in").click()
    there.is_that_of(name)
    elsewhere.page.get_by_role("link").filter(has_text="Casual bot").click()
    expect(elsewhere.table.slider).to_be_visible()


def test_a_name_that_is_taken_is_refused_beside_the_field(meet: Meet) -> None:
    ann, other = meet("Ann"), meet("Other")
    account = Account(other.page)
    with other.troubles.excused(REFUSED):
        account.register(ann.name, "correct horse")
        expect(other.page.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
        expect(other.page.get_by_text("Someone already has this name")).to_be_visible()
        account.register("Fine name", "short")
        expect(other.page.get_by_label("Password")).to_have_attribute("aria-invalid", "true")


def test_the_name_one_has_does_not_come_between_ones_fingers(meet: Meet) -> None:
    ann = meet("Ann")
    waiting: list[Callable[[], None]] = []

    def relay(here: WebSocketRoute) -> None:
        """The server takes its time to say who this is."""
        server = here.connect_to_server()
        server.on_message(lambda text: waiting.append(lambda: here.send(text)))

    ann.page.route_web_socket("**/hall", relay)
    ann.open("/register")
    name = ann.page.get_by_label("Name")
    name.click()
    while ann.page.get_by_role("link", name=f"You: {ann.name}").count() == 0:
        for say in waiting[:]:
            say()
        waiting.clear()
    expect(name).to_have_value("")
    name.press_sequentially("Annabella")
    expect(name).to_have_value("Annabella")


def test_a_guest_takes_another_name(meet: Meet, names: Names) -> None:
    name = names.unique("Anneliese")
    ann = meet("Ann").open("/me")
    ann.page.get_by_label("Change your name").fill(name)
    Account(ann.page).button("Save").click()
    ann.sees_toast(f"You are {name} now.")
    expect(ann.page.get_by_role("heading", level=1)).to_be_focused()
    ann.plays_bots("tower", bots=2)
    expect(ann.table.seat(name)).to_contain_text("you")


def test_an_account_takes_another_name_at_its_table_too(meet: Meet, names: Names) -> None:
    name = names.unique("Annegret")
    new_name = names.unique("Annemarie")
    ann = meet("Ann")
    account = Account(ann.page)
    account.register(name, "correct horse")
    account.is_that_of(name)
    table = ann.plays_bots("tower", bots=2)
    ann.open("/me")
    account.button("Change your name").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("New name").fill(new_name)
    dialog.get_by_label("Password").fill("battery staple")
    with ann.troubles.excused(REFUSED):
        dialog.get_by_role("button", name="Change your name").click()
        expect(dialog.get_by_text("The password is wrong.")).to_be_visible()
    dialog.get_by_label("Password").fill("correct horse")
    dialog.get_by_role("button", name="Change your name").click()
    ann.sees_toast(f"You are {new_name} now.")
    account.is_that_of(new_name)
    expect(account.button("Change your name")).to_be_focused()
    ann.goes_to(table.path)
    expect(ann.table.seat(new_name)).to_contain_text("you")
    ann.open("/me")
    expect(ann.page.get_by_role("link", name=re.compile(f"^In progress Tower .*{new_name}"))).to_be_visible()
    account.button("Log out").click()
    ann.sees_toast("You are logged out.")
    account.log_in(new_name, "correct horse")
    account.is_that_of(new_name)


def test_a_new_password_is_the_only_one_that_counts(meet: Meet, names: Names) -> None:
    name = names.unique("Annika")
    ann = meet("Ann")
    account = Account(ann.page)
    account.register(name, "correct horse")
    account.is_that_of(name)
    account.button("Change password").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("Old password").fill("correct horse")
    dialog.get_by_label("New password").fill("battery staple")
    dialog.get_by_role("button", name="Change password").click()
    ann.sees_toast("Your password is changed")
    account.button("Log out").click()
    ann.sees_toast("You are logged out.")
    with ann.troubles.excused(REFUSED):
        account.log_in(name, "correct horse")
        expect(ann.page.get_by_label("Password")).to_have_attribute("aria-invalid", "true")
    account.log_in(name, "battery staple")
    account.is_that_of(name)


def test_everything_about_oneself_can_be_taken_along_and_deleted(
    meet: Meet, names: Names, tmp_path: Path
) -> None:
    name = names.unique("Annette")
    ann = meet("Ann")
    account = Account(ann.page)
    account.register(name, "correct horse")
    account.is_that_of(name)
    with ann.page.expect_download() as downloading:
        ann.page.get_by_role("link", name="Download everything stored about me").click()
    assert name in json.dumps(json.loads(downloading.value.path().read_text()))

    account.button("Delete me").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("Password").fill("correct horse")
    dialog.get_by_role("button", name="Delete me for good").click()
    ann.sees_toast("Everything about you is deleted.")
    expect(ann.page.get_by_role("link", name=re.compile("^You: "))).not_to_have_accessible_name(
        f"You: {name}"
    )
    with ann.troubles.excused(REFUSED):
        account.log_in(name, "correct horse")
        expect(ann.page.get_by_label("Password")).to_have_attribute("aria-invalid", "true")


def test_settings_are_remembered(meet: Meet) -> None:
    ann = meet("Ann").open("/settings")
    light = ann.page.evaluate(BACKGROUND)
    ann.page.get_by_role("radio", name="Dark").check(force=True)
    ann.page.get_by_role("radio", name="Wood").check(force=True)
    ann.page.get_by_role("switch", name="Sounds").uncheck(force=True)
    dark = ann.page.evaluate(BACKGROUND)
    assert dark != light
    ann.page.reload()
    expect(ann.page.get_by_role("radio", name="Dark")).to_be_checked()
    expect(ann.page.get_by_role("radio", name="Wood")).to_be_checked()
    expect(ann.page.get_by_role("switch", name="Sounds")).not_to_be_checked()
    assert ann.page.evaluate(BACKGROUND) == dark
    ann.plays_bots("tower", bots=2)
    ann.page.get_by_role("button", name="Sounds are off").click()
    ann.page.reload()
    expect(ann.page.get_by_role("button", name="Sounds are on")).to_be_visible()


def test_settings_take_effect_at_once_in_every_tab(meet: Meet) -> None:
    ann = meet("Ann", calm=False)
    ann.plays_bots("tafl")
    file = ann.table.board.locator(".coordinates").get_by_text("a", exact=True)
    expect(file).to_be_visible()
    elsewhere = ann.another_tab().open("/settings").page
    # One sees what one has just played.
    expect(elsewhere.get_by_role("img", name="A board of Tafl")).to_be_visible()
    elsewhere.get_by_role("switch", name="Coordinates").uncheck(force=True)
    expect(file).to_be_hidden()
    piece = ann.table.board.locator(".piece").first
    for speed, lasts in (("Slowly", "0.36s"), ("Fast", "0.09s"), ("Not at all", "0s"), ("As usual", "0.18s")):
        elsewhere.get_by_role("radio", name=speed).check(force=True)
        expect(piece).to_have_css("transition-duration", lasts)
    volume = elsewhere.get_by_role("slider", name="Volume")
    volume.fill("30")
    expect(volume).to_have_attribute("aria-valuetext", "30 %")
    elsewhere.get_by_role("switch", name="Sounds").uncheck(force=True)
    expect(volume).to_be_disabled()
    expect(ann.page.get_by_role("button", name="Sounds are off")).to_be_visible()
    elsewhere.reload()
    expect(volume).to_have_value("30")
    expect(elsewhere.get_by_role("switch", name="Coordinates")).not_to_be_checked()


def test_light_and_dark_follow_the_system(meet: Meet) -> None:
    ann = meet("Ann")
    ann.open("/settings")
    light = ann.page.evaluate(BACKGROUND)
    ann.page.emulate_media(color_scheme="dark")
    assert ann.page.evaluate(BACKGROUND) != light
