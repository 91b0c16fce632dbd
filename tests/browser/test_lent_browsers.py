"""Browsers go from one test to the next: nothing is left in them of whoever had them before."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request
from tests.browser.support.browsers import DESKTOP, Browsers, Look, ask
from tests.browser.support.names import Names
from tests.browser.support.phone import PHONE

LOOK = Look(DESKTOP)


def test_what_somebody_did_in_a_browser_is_forgotten(browsers: Browsers, home: str, names: Names) -> None:
    lent = browsers.lend(home, LOOK, fresh=True)
    page, heard = lent.page, list[Request]()
    ask(lent.context, "/api/guest", {"name": names.unique("Ann")})
    page.on("request", lambda request: heard.append(request))
    page.goto(f"{home}/settings")
    page.evaluate("() => { localStorage.kept = sessionStorage.kept = 'something' }")
    page.route("**/settings", lambda route: route.abort())
    page.emulate_media(color_scheme="dark", reduced_motion="no-preference")
    page.set_viewport_size(PHONE)
    lent.context.new_page().goto(f"{home}/login")
    lent.context.set_offline(True)
    browsers.take_back(lent, home, LOOK)
    heard.clear()

    again = browsers.lend(home, LOOK, fresh=False)
    assert again is lent
    assert again.context.cookies() == []
    assert again.context.pages == [page]
    assert page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
    page.goto(f"{home}/settings")
    assert page.viewport_size == DESKTOP
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is False
    assert page.evaluate("matchMedia('(prefers-reduced-motion)').matches") is True
    assert heard == []
    browsers.take_back(again, home, LOOK)


@pytest.mark.parametrize(
    "change",
    [
        lambda page: page.add_init_script("window.changed = true"),
        lambda page: page.context.add_init_script("window.changed = true"),
        lambda page: page.route_web_socket("**/hall", lambda here: None),
        lambda page: page.clock.install(),
        lambda page: page.close(),
    ],
    ids=["script", "script of all pages", "connection", "clock", "closed"],
)
def test_a_browser_that_was_changed_for_good_is_not_used_again(
    browsers: Browsers, home: str, change: Callable[[Page], object]
) -> None:
    lent = browsers.lend(home, LOOK, fresh=True)
    change(lent.page)
    browsers.take_back(lent, home, LOOK)
    other = browsers.lend(home, LOOK, fresh=False)
    assert other is not lent
    browsers.take_back(other, home, LOOK)


@pytest.mark.parametrize("where", ["home", "nowhere"])
def test_whoever_asks_a_stranger_is_in_trouble(browsers: Browsers, home: str, where: str) -> None:
    """On the page, whose policy refuses it, and where no policy does."""
    lent = browsers.lend(home, LOOK, fresh=True)
    lent.page.goto(f"{home}/settings" if where == "home" else "about:blank")
    with lent.context.expect_event("console", lambda message: message.type == "error"):
        lent.page.evaluate("() => { new Image().src = 'http://stranger.example/pixel.png' }")
    assert [
        trouble
        for trouble in lent.troubles.found
        if "stranger.example" in trouble or "NOT_RESOLVED" in trouble
    ]
    lent.context.close()
