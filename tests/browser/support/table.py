"""A table as somebody sees it, in its setup, in the game, and when the game is reviewed."""

import re
from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect
from tests.browser.support.tower import MARKS, NAMES

OVER = re.compile("^(You win|.+ wins?|A draw)$")
_DECIDED = re.compile(r"^(Your turn|You win|.+ wins?|A draw)$")
_CAN_PLAY = re.compile(r", you can play here$")


class Table:
    def __init__(self, page: Page) -> None:
        self._page = page
        self.headline = page.get_by_role("heading", level=1)
        self.actions = page.get_by_role("group", name="Actions")
        self.before_start = page.get_by_role("group", name="Before the start")
        self.board = page.get_by_role("grid")
        self.moves = page.get_by_role("list", name="Moves")
        self.chat = page.get_by_role("log", name="Chat")
        self.banner = page.get_by_role("status").get_by_text("Connection lost.")
        self.slider = page.get_by_role("slider", name="Position")

    @property
    def id(self) -> str:
        found = re.search(r"/t/([^/?]+)", self._page.url)
        assert found is not None, self._page.url
        return found[1]

    # The board

    def tile(self, tile: int) -> Locator:
        return self.board.get_by_role("gridcell", name=re.compile(f"^{NAMES[tile]}: "))

    def place(self, tile: int) -> None:
        """Put the own mark there, and see it there."""
        self.my_turn()
        self.tile(tile).click()
        expect(self.tile(tile)).to_have_accessible_name(re.compile(f"^{NAMES[tile]}: [XOJ]$"))

    def free_tile(self) -> int:
        tile = self.board.get_by_role("gridcell", name=_CAN_PLAY).first
        return int(tile.get_attribute("data-square") or "")

    def shows(self, played: Sequence[int]) -> None:
        """These tiles were played in turn, X first, and no others."""
        for turn, tile in enumerate(played):
            expect(self.tile(tile)).to_have_accessible_name(f"{NAMES[tile]}: {MARKS[turn % 3]}")
        free = self.board.get_by_role("gridcell", name=re.compile(": empty"))
        expect(free).to_have_count(len(NAMES) - len(played))

    def winning_line(self) -> set[int]:
        """The tiles that are marked as the winning line."""
        marked = self.board.locator(".win path")
        expect(marked).to_have_count(3)
        outlines = set(marked.evaluate_all("paths => paths.map(path => path.getAttribute('d'))"))
        cells = self.board.get_by_role("gridcell")
        drawn = cells.evaluate_all(
            "cells => cells.map(cell => [Number(cell.dataset.square), cell.getAttribute('d')])"
        )
        return {tile for tile, outline in drawn if outline in outlines}

    # How things stand

    def says(self, headline: str | re.Pattern[str]) -> None:
        expect(self.headline).to_have_text(headline)

    def is_over(self) -> bool:
        """Waits until it is one's turn, or the game has ended."""
        while True:
            self.says(_DECIDED)
            said = self.headline.text_content() or ""
            # The turn may have passed on since.
            if _DECIDED.match(said):
                return said != "Your turn"

    def my_turn(self) -> None:
        self.says("Your turn")

    def move(self, number: int) -> Locator:
        return self.moves.get_by_role("button", name=re.compile(rf"^{number} "))

    def seat(self, name: str) -> Locator:
        return self._page.locator(".seat").filter(has=self._page.get_by_text(name, exact=True))

    def clock(self, name: str) -> Locator:
        return self._page.get_by_role("timer", name=re.compile(f"^{re.escape(name)} has "))

    # What can be done

    def button(self, name: str) -> Locator:
        return self.actions.or_(self.before_start).get_by_role("button", name=name, exact=True)

    def do(self, name: str, *, sure: bool = False) -> None:
        self.button(name).click()
        if sure:
            self.confirm(name)

    def confirm(self, name: str) -> None:
        self._page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()

    def with_seat(self, name: str, what: str, *, sure: bool = False) -> None:
        """Something from the menu of a seat; a free seat's menu is "Add a bot"."""
        menu = name if name == "Add a bot" else f"More: {name}"
        self._page.get_by_role("button", name=menu).first.click()
        self._page.get_by_role("menuitem", name=what, exact=True).click()
        if sure:
            self.confirm(what)

    def say(self, text: str) -> None:
        self.field_of_chat().fill(text)
        self._page.get_by_role("button", name="Send").click()

    def field_of_chat(self) -> Locator:
        """Where somebody types; among bots it is opened first."""
        field = self._page.get_by_role("textbox", name=re.compile("^Say something"))
        closed = self.tab("Chat").and_(self._page.locator("[aria-selected=false]"))
        expect(field.or_(closed).first).to_be_visible()
        if field.count() == 0:
            closed.click()
        return field

    def tab(self, name: str) -> Locator:
        return self._page.get_by_role("tab", name=re.compile(f"^{name}"))

    def play_to_the_end(self) -> None:
        """Put a mark on the first free tile whenever it is one's turn."""
        while not self.is_over():
            self.place(self.free_tile())
