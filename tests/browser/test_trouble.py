"""What breaks says so in its own place, and can be tried again: nobody is left with a white page."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.conftest import Meet
from tests.browser.support.altered import alter, part_of
from tests.browser.support.elsewhere import Hall
from tests.browser.support.person import Person
from tests.browser.support.tower import SHORT_GAME

EXPECTED = r"Something went wrong in |broken on purpose"


@pytest.fixture
def game(hall: Hall) -> str:
    return hall.finished_game()


def faults(page: Page) -> str | None:
    return page.locator("html").get_attribute("data-faults")


def break_once(context: BrowserContext, times: int) -> None:
    alter(
        context,
        "tower",
        """pieces(...given) {
            if (broken++ < limit) throw new Error("broken on purpose");
            return real.pieces(...given);
        }""",
        before=f"let broken = 0; const limit = {times};",
    )


def sees_trouble(person: Person) -> None:
    expect(person.page.get_by_role("heading", name="Something went wrong")).to_be_visible()


def test_a_board_that_breaks_does_not_take_the_page_with_it(meet: Meet, game: str) -> None:
    person = meet("Rita")
    break_once(person.context, 1)
    with person.troubles.excused(EXPECTED):
        person.open(f"/t/{game}")
        sees_trouble(person)
    assert faults(person.page) == "1"
    # Around it everything is as always.
    expect(person.table.move(1)).to_be_visible()
    expect(person.table.slider).to_be_visible()
    person.page.get_by_role("button", name="Try again").click()
    person.table.shows(SHORT_GAME)


def test_what_breaks_again_and_again_can_be_left(meet: Meet, game: str) -> None:
    person = meet("Rita")
    break_once(person.context, 1000)
    with person.troubles.excused(EXPECTED):
        person.open(f"/t/{game}")
        sees_trouble(person)
        person.page.get_by_role("button", name="Try again").click()
        sees_trouble(person)
        person.page.get_by_role("alert").get_by_role("button", name="To the lobby").click()
        # A small board that breaks there, too, is only missing.
        expect(person.lobby.card("Tower").get_by_role("button", name="Play a bot")).to_be_visible()
        expect(person.page.get_by_role("alert")).to_have_count(0)
        person.page.close()


def test_a_page_that_breaks_leaves_the_way_to_the_others(meet: Meet) -> None:
    person = meet("Rita")
    alter(person.context, "tower", "get rules() { throw new Error('broken on purpose') }")
    with person.troubles.excused(EXPECTED):
        person.open("/play/tower")
        sees_trouble(person)
        person.page.get_by_role("alert").get_by_role("button", name="To the lobby").click()
        expect(person.lobby.open_tables).to_be_visible()


def test_what_nobody_caught_is_said_and_counted(meet: Meet) -> None:
    person = meet("Rita")
    person.comes_to_the_lobby()
    with person.troubles.excused("broken on purpose"):
        person.page.evaluate("() => { setTimeout(() => { throw new Error('broken on purpose') }) }")
        person.page.evaluate("() => { void Promise.reject(new Error('broken on purpose')) }")
        expect(person.page.locator("html[data-faults='2']")).to_have_count(1)
    person.sees_toast("Something went wrong")


def test_a_game_that_could_not_be_loaded_can_be_tried_again(meet: Meet, game: str) -> None:
    person = meet("Rita")
    person.context.route(part_of("tower"), lambda route: route.abort())
    with person.troubles.excused("Failed to (load resource|fetch dynamically)|could not be fetched"):
        person.open(f"/t/{game}")
        sees_trouble(person)
        expect(person.page.get_by_text("A part of this page could not be loaded")).to_be_visible()
        person.context.unroute_all()
        person.page.get_by_role("button", name="Try again").click()
        person.table.shows(SHORT_GAME)


def test_a_page_that_could_not_be_loaded_waits_for_the_server(meet: Meet) -> None:
    person = meet("Rita")
    person.comes_to_the_lobby()
    person.context.route("**/assets/Settings-*.js", lambda route: route.abort())
    with person.troubles.excused("Failed to load resource|net::ERR"):
        person.goes_to("/settings")
        sees_trouble(person)
        person.context.route(f"{person.home}/", lambda route: route.abort())
        person.page.get_by_role("button", name="Try again").click()
        person.sees_toast("The server does not answer")
        sees_trouble(person)
    person.context.unroute_all()
    person.page.get_by_role("button", name="Try again").click()
    expect(person.page.get_by_role("heading", name="Settings")).to_be_visible()
