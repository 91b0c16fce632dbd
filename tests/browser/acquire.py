"""Acquire's city as somebody sees it: the board, the own rack, the desk with the question of the moment, the sheet."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect
from tests.browser.person import Person

_DECIDED = re.compile(r"^(Your turn|You win|.+ wins?|A draw)$")
_LOOK = """() => {
    const desk = document.querySelector("[aria-label='What to choose from']");
    const rack = [...document.querySelectorAll("[data-square^=hand-]")].map(one => one.dataset.square);
    const figures = [...document.querySelectorAll(".seat")].map(one => one.textContent);
    return [document.querySelector("h1")?.textContent, desk?.textContent, ...rack, ...figures].join("|");
}"""
"""What there is to do, as one line: it changes with everything that one does."""

Press = Callable[[Locator], None]


def click(what: Locator) -> None:
    what.click()


def tap(what: Locator) -> None:
    what.tap()


class City:
    def __init__(self, person: Person, press: Press = click) -> None:
        self.person = person
        self.press = press
        self.board = person.table.board
        self.desk = person.page.get_by_role("group", name="What to choose from")
        self.hand = self.board.locator("[data-square^=hand-]")
        self.sheet = person.page.get_by_role("table", name="Shares of each chain")
        self.players = person.page.get_by_role("table", name="What everybody has")

    # What is to be seen

    def lot(self, name: str) -> Locator:
        return self.board.get_by_role("gridcell", name=re.compile(f"^{name}: "))

    def tile(self, name: str) -> Locator:
        """A tile of the own rack."""
        return self.board.get_by_role("gridcell", name=re.compile(f"^Your tile {name}: "))

    def rack(self) -> list[int]:
        squares = self.hand.evaluate_all("tiles => tiles.map(tile => tile.dataset.square)")
        return [int(square.removeprefix("hand-")) for square in squares]

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.desk.get_by_role("button", name=name)

    def is_over(self) -> bool:
        """Waits until there is something to do, or the game has ended."""
        self.person.table.says(_DECIDED)
        return self.person.table.headline.text_content() != "Your turn"

    def looks(self) -> str:
        return str(self.person.page.evaluate(_LOOK))

    # What is done

    def playable(self) -> Locator:
        return self.board.locator("[data-square^=hand-].target")

    def asked(self) -> str:
        """What the desk asks for just now: a tile, a chain, shares to buy, or shares to dispose of."""
        expect(self.desk).to_be_visible()
        text = self.desk.inner_text()
        if "Play a tile" in text:
            return "tile"
        if "Which" in text:
            return "chain"
        return "disposal" if "has swallowed" in text else "purchase"

    def act(self, *, greedy: bool = True, end: bool = True) -> str:
        """Whatever is asked for, done in some way; greedy: shares are bought as long as there are any to buy."""
        asked = self.asked()
        if asked == "tile":
            self.done(self.playable().first)
        elif asked == "chain":
            self.done(self.desk.get_by_role("button").first)
        elif asked == "disposal":
            self.dispose()
        else:
            self.buy(3 if greedy else 0, end=end)
        return asked

    def done(self, what: Locator) -> None:
        """Press what sends the action, and see that something came of it."""
        before = self.looks()
        self.press(what)
        self.person.page.wait_for_function(f"before => ({_LOOK})() !== before", arg=before)

    def buy(self, count: int, *, end: bool = False) -> None:
        for _ in range(count):
            offered = self.button(re.compile("^One share of")).and_(self.person.page.locator(":enabled"))
            if offered.count() == 0:
                break
            self.press(offered.first)
        wish = self.desk.get_by_label("End the game")
        if end and wish.count() > 0:
            wish.check()
        self.done(self.button(re.compile("^Buy ")))

    def dispose(self) -> None:
        trade = self.button("Trade more")
        if trade.is_enabled():
            self.press(trade)
        sell = self.button("Sell more")
        if sell.is_enabled():
            self.press(sell)
        self.done(self.button(re.compile("^(Trade \\d|Sell \\d|Keep)")))

    def play_to_the_end(self, most: int = 400) -> set[str]:
        """Do whatever is asked for until the game is over; what was asked for on the way."""
        seen: set[str] = set()
        for _ in range(most):
            if self.is_over():
                return seen
            seen.add(self.act())
        raise AssertionError(f"the game is not over after {most} actions")
