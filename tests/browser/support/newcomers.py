"""People whom the server does not know yet."""

import re

from playwright.sync_api import Route, expect
from tests.browser.support.person import Person


def is_in(person: Person) -> str:
    """The page has come in; under which name."""
    link = person.page.get_by_role("link", name=re.compile("^You: "))
    expect(link).to_be_visible()
    return (link.get_attribute("aria-label") or "").removeprefix("You: ")


def two_tabs_at_once_are_one_person(newcomer: Person) -> None:
    introductions: list[Route] = []
    newcomer.context.route("**/api/guest", lambda route: introductions.append(route))
    other = newcomer.another_tab()
    with newcomer.page.expect_request("**/api/guest"):
        newcomer.open()
    # The server knows neither of them while the first one is being introduced.
    with other.page.expect_websocket() as opening:
        other.open()
    opening.value.wait_for_event("framereceived", lambda frame: "hello_first" in str(frame))
    introductions[0].continue_()
    assert is_in(newcomer) == is_in(other)
    assert len(introductions) == 1


def a_tab_closed_in_the_middle_keeps_nobody_out(newcomer: Person) -> None:
    closed = newcomer.another_tab()
    closed.page.route("**/api/guest", lambda route: None)
    with closed.page.expect_request("**/api/guest"):
        closed.open()
    newcomer.open()
    closed.page.close()
    is_in(newcomer)


def says_a_name(newcomer: Person, asked: str, name: str | None) -> None:
    """Answers the question that a link asks of those who have no name yet; None: the one that is filled in will do."""
    dialog = newcomer.page.get_by_role("dialog", name=asked)
    field = dialog.get_by_role("textbox", name="Your name")
    expect(field).to_be_focused()
    if name is not None:
        field.fill(name)
    field.press("Enter")
    expect(dialog).to_have_count(0)
