"""Acquire's city as somebody sees it: the board, the own rack, the desk with the question of the moment, the sheet."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
from playwright.sync_api import Locator, WebSocket, expect
from tests.browser.support.elsewhere import Until
from tests.browser.support.person import Person

from gamut.games.acquire.kinds import UNSEEN

_LOOK = """() => {
    const desk = document.querySelector("[aria-label='What to choose from']");
    const rack = [...document.querySelectorAll("[data-square^=hand-]")].map(one => one.dataset.square);
    const figures = [...document.querySelectorAll(".seat")].map(one => one.textContent);
    return [document.querySelector("h1")?.textContent, desk?.textContent, ...rack, ...figures].join("|");
}"""
"""What there is to do, as one line: it changes with everything that one does."""

_TILES = """() => {
    const squares = (found) => [...document.querySelectorAll(found)].map(one => one.dataset.square);
    return [
        squares("[data-square^=hand-]").map(one => Number(one.slice("hand-".length))),
        squares("[role=gridcell][aria-label*=hold]").map(Number),
    ];
}"""

OPENING = 60
"""Actions of all players together, of more than a hundred in a game."""

_ASKED = {
    "PlayTile": "tile",
    "PurchaseShares": "purchase",
    "DisposeOfShares": "disposal",
    "SelectNewChain": "chain",
    "SelectMergerSurvivor": "chain",
    "SelectChainToDisposeOfNext": "chain",
}
"""What the desk asks for, by the server's name for it."""

_ASKS_FOR = {"Play a tile": "tile", "Which": "chain", "has swallowed": "disposal", "Buy ": "purchase"}
"""The same by the desk's words."""
_QUESTION = re.compile("|".join(_ASKS_FOR))

Press = Callable[[Locator], None]


def click(what: Locator) -> None:
    what.click()


def tap(what: Locator) -> None:
    what.tap()


class Tiles(NamedTuple):
    """Whose tiles a page shows, all at one moment."""

    rack: set[int]
    marked: set[int]
    """Of which the board says that somebody holds them."""


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

    def tiles_shown(self) -> Tiles:
        rack, marked = self.person.page.evaluate(_TILES)
        return Tiles(set(rack), set(marked))

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.desk.get_by_role("button", name=name)

    def is_over(self) -> bool:
        """Waits until there is something to do, or the game has ended."""
        return self.person.table.is_over()

    def looks(self) -> str:
        return str(self.person.page.evaluate(_LOOK))

    # What is done

    def playable(self) -> Locator:
        return self.board.locator("[data-square^=hand-].target")

    def asked(self) -> str:
        """Waits until the desk asks for something: a tile, a chain, shares to buy, or shares to dispose of."""
        while True:
            expect(self.desk).to_contain_text(_QUESTION)
            # What was just done may have ended the turn since: then the desk says what others are to do.
            question = _QUESTION.search(self.desk.inner_text())
            if question is not None:
                return _ASKS_FOR[question[0]]

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
            offered = self.offered()
            if offered.count() == 0:
                break
            self.press(offered.first)
        wish = self.desk.get_by_label("End the game")
        if end and wish.count() > 0:
            wish.check()
        self.done(self.button(re.compile("^(Buy \\d|Skip|End the game)")))

    def dispose(self) -> None:
        trade = self.button("Trade more")
        if trade.is_enabled():
            self.press(trade)
        sell = self.button("Sell more")
        if sell.is_enabled():
            self.press(sell)
        self.done(self.button(re.compile("^(Trade \\d|Sell \\d|Keep)")))

    def by_keys(self) -> str:
        """The same with keys alone: 1 to 6, the letters of chains, T and S, E and O."""
        asked, page = self.asked(), self.person.page
        if asked == "tile":
            slot = int(self.playable().first.get_attribute("aria-colindex") or "") // 2 + 1
            self.pressed(str(slot))
        elif asked == "chain":
            self.pressed(self.desk.get_by_role("button").first.inner_text()[0])
        else:
            for key in self._wishes(asked):
                page.keyboard.press(key)
            self.pressed("o")
        return asked

    def _wishes(self, asked: str) -> Iterator[str]:
        if asked == "disposal":
            yield from "ts"
            return
        for _ in range(3):
            offered = self.offered()
            if offered.count() > 0:
                yield offered.first.inner_text()[0]
        if self.desk.get_by_label("End the game").count() > 0:
            yield "e"

    def pressed(self, key: str) -> None:
        """Press the key that sends the action, and see that something came of it."""
        before = self.looks()
        self.person.page.keyboard.press(key)
        self.person.page.wait_for_function(f"before => ({_LOOK})() !== before", arg=before)

    def offered(self) -> Locator:
        """Shares that can be put into the basket."""
        return self.button(re.compile(r"\(\d+ left\)$")).and_(self.person.page.locator(":enabled"))

    def skip_the_opening(self) -> None:
        """Without the page."""
        self._skip(lambda state: state["actions"] >= OPENING)

    def play_to_the_end(self, act: Callable[[], str] | None = None) -> Iterator[str]:
        """What is asked for, each kind of it when it comes for the first time, and before it is answered.

        The page answers until it was asked for a tile and for shares to buy, whenever something new is asked for, and
        from where the game can be ended. All else is answered without it.
        """
        seen: set[str] = set()
        while not self.is_over():
            asked = self.asked()
            if asked not in seen:
                seen.add(asked)
                yield asked
            (act or self.act)()
            if {"tile", "purchase"} <= seen:
                self._skip_to(set(_ASKED.values()) - seen)

    def _skip_to(self, kinds: set[str]) -> None:
        def is_there(state: dict[str, Any]) -> bool:
            awaited = state["next"]
            return awaited.get("can_end", False) or _ASKED[awaited["action"]] in kinds

        self._skip(is_there)

    def _skip(self, until: Until) -> None:
        self.person.hall.play_on(self.person, _first_and_most, until)


def _first_and_most(legal: list[dict[str, Any]]) -> dict[str, Any]:
    """The first there is; of shares as many as can be bought."""
    return max(legal, key=lambda action: len(action.get("chains", ())))


class Wiretap:
    """Every tile of somebody's rack that went over a person's connection, and whose it was."""

    def __init__(self, person: Person) -> None:
        self.heard: list[Any] = []
        person.page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.heard.append(msgspec.json.decode(frame)))

    def tiles(self, table: str) -> set[tuple[int, int]]:
        """Seat and tile. Other tables, whose games are over and public, are shown in the lobby."""
        told = [message for message in self.heard if message.get("table", table) == table]
        return {found for message in told for found in _tiles(message)}


def _tiles(told: Any) -> Iterator[tuple[int, int]]:
    match told:
        case ["DrewTile", int(seat), int(tile)]:
            yield seat, tile
        case dict():
            for name, value in told.items():
                yield from _in_racks(value) if name == "racks" else _tiles(value)
        case list():
            for value in told:
                yield from _tiles(value)


def _in_racks(racks: list[Any]) -> Iterator[tuple[int, int]]:
    """As of everybody, or as those of some seats."""
    some = [each for each in racks if len(each) == 2 and isinstance(each[1], list)]
    for seat, rack in some if len(some) == len(racks) else enumerate(racks):
        for tile in rack:
            if tile is not None and tile != UNSEEN:
                yield seat, tile
