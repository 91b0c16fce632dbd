"""The lobby as somebody sees it."""

import re

from playwright.sync_api import Locator, Page, expect


class Lobby:
    def __init__(self, page: Page) -> None:
        self._page = page
        self.search = page.get_by_role("searchbox", name="Search for a name")
        self.open_tables = page.get_by_role("heading", name="Open tables")
        self.chat = page.get_by_role("log")
        self.here = page.get_by_role("complementary").get_by_text(re.compile(r"\d+ (person|people) here"))

    def card(self, game: str) -> Locator:
        heading = self._page.get_by_role("heading", name=game, exact=True)
        return self._page.get_by_role("article").filter(has=heading)

    def play_a_bot(self, game: str, level: str | None = None) -> None:
        card = self.card(game)
        if level is None:
            card.get_by_role("button", name="Play a bot").click()
        else:
            card.get_by_role("button", name="How strong?").click()
            card.get_by_role("menuitem", name=f"{level} bot", exact=True).click()
        self._page.wait_for_url("**/t/*")

    def invite_a_friend(self, game: str) -> None:
        self.card(game).get_by_role("button", name="Invite a friend").click()
        self._page.wait_for_url("**/t/*")

    def new_table(self, game: str) -> "NewTable":
        """With all that can be set before one's eyes."""
        self.card(game).get_by_role("button", name="New table").click()
        new = NewTable(self._page)
        new.dialog.get_by_text("All settings").click()
        return new

    def open_table(self, *names: str) -> Locator:
        """The row of a table that can be joined, by who sits there."""
        return self._with(self._page.get_by_role("button").filter(has_text=re.compile("Join$")), names)

    def own_table(self) -> Locator:
        return self._page.get_by_role("button").filter(has_text=re.compile("Back to your game$"))

    def game_of(self, *names: str) -> Locator:
        """A game to watch, by who plays it."""
        return self._with(self._page.get_by_role("link", name=re.compile("^Tower")), names)

    def say(self, text: str) -> None:
        self._page.get_by_role("textbox", name="Say something").fill(text)
        self._page.get_by_role("button", name="Send").click()

    def only_those_that_need_a_player(self) -> Locator:
        return self._page.get_by_role("button", name="Needs a player")

    def _with(self, found: Locator, names: tuple[str, ...]) -> Locator:
        for name in names:
            found = found.filter(has=self._page.get_by_text(name, exact=True))
        return found


class NewTable:
    """The dialog in which a table is made."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.dialog = page.get_by_role("dialog")

    def choose(self, what: str, choice: str) -> "NewTable":
        """One of several, by the words beside it: a clock, who may come, when it begins."""
        group = self.dialog.get_by_role("group", name=what)
        group.get_by_role("radio", name=choice).check(force=True)
        expect(group.get_by_role("radio", name=choice)).to_be_checked()
        return self

    def number(self, what: str, value: int) -> "NewTable":
        field = self.dialog.get_by_role("spinbutton", name=what)
        field.fill(str(value))
        field.press("Tab")
        return self

    def text(self, what: str, value: str) -> "NewTable":
        self.dialog.get_by_role("textbox", name=what).fill(value)
        return self

    def seat(self, number: int, holder: str) -> "NewTable":
        self.dialog.get_by_role("combobox", name=f"Seat {number}").select_option(label=holder)
        return self

    def open(self) -> None:
        self.dialog.get_by_role("button", name="Open the table").click()
        self._page.wait_for_url("**/t/*")
