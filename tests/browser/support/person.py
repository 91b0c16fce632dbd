"""Somebody in front of a browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import APIResponse, BrowserContext, Page, expect
from tests.browser.support.browsers import ask
from tests.browser.support.elsewhere import Hall, Opened
from tests.browser.support.lobby import Lobby
from tests.browser.support.table import Table
from tests.browser.support.troubles import Troubles

from gamut.net.api.accounts import COOKIE

_GO = """path => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
}"""


class Person:
    """One tab of somebody's browser, and what they see and do there."""

    def __init__(self, name: str, page: Page, home: str, troubles: Troubles, hall: Hall) -> None:
        self.name = name
        self.page = page
        self.home = home
        self.troubles = troubles
        self.hall = hall
        self.lobby = Lobby(page)
        self.table = Table(page)

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    @property
    def session(self) -> str:
        """By which the server knows them."""
        (token,) = [cookie["value"] for cookie in self.context.cookies() if cookie["name"] == COOKIE]
        return token

    def open(self, path: str = "/") -> Person:
        self.page.goto(path if path.startswith("http") else f"{self.home}{path}")
        return self

    def asks(self, path: str) -> APIResponse:
        """The server itself, without the page."""
        return ask(self.context, path)

    def goes_to(self, path: str) -> None:
        """Somewhere else on the page, without loading it anew."""
        self.page.evaluate(_GO, path)

    def another_tab(self) -> Person:
        return Person(self.name, self.context.new_page(), self.home, self.troubles, self.hall)

    def comes_to_the_lobby(self) -> Lobby:
        self.open("/")
        expect(self.lobby.open_tables).to_be_visible()
        return self.lobby

    def opens(self, game: str, **settings: Any) -> Opened:
        """A table of their own, as `Hall.seat` does it."""
        return self.hall.seat(game, self, **settings)

    def plays_bots(self, game: str, level: str = "casual", bots: int = 1, **settings: Any) -> Opened:
        """Against so many of them, begun at once."""
        return self.opens(game, bots=[level] * bots, **settings)

    def sees_toast(self, text: str) -> None:
        expect(self.page.get_by_role("status").get_by_text(text).last).to_be_visible()

    def holds_the_clock(self) -> None:
        """From now on the page's time passes only when it is told to; first it jumps to a moment which has not come
        meanwhile, however busy the machine is."""
        self.page.clock.pause_at(self.page.evaluate("Date.now()") + 10_000)

    def clipboard(self) -> str:
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    @property
    def icon(self) -> str:
        return self.page.locator('link[rel="icon"]').get_attribute("href") or ""
