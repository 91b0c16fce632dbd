"""Power Chess's board as somebody sees it and plays on it."""

import re
from typing import Any

from playwright.sync_api import Locator, expect
from tests.browser.support.person import Person
from tests.browser.support.tafl import Board

from gamut.games.powerchess.squares import square_named

_ON = re.compile(r"you can (play here|pick this)$")


def step(start: str, end: str) -> dict[str, Any]:
    """A move, as it is told to the server."""
    return {"type": "move", "start": square_named(start), "end": square_named(end)}


class ChessBoard(Board):
    def __init__(self, person: Person) -> None:
        super().__init__(person)
        page = person.page
        self.controls = page.get_by_role("group", name="What to choose from")
        self.lasting = page.get_by_role("list", name="In play")
        self.offer = page.get_by_role("list", name="Offered")

    def card(self, power: str) -> Locator:
        return self.controls.get_by_role("button", name=re.compile(f"^{power} "))

    def captured(self, side: str) -> Locator:
        return self._person.page.get_by_role("img", name=re.compile(f"^{side} has lost "))

    def hold(self, power: str) -> None:
        self.card(power).click()
        expect(self.card(power)).to_have_attribute("aria-pressed", "true")

    def use(self, power: str, target: str | None = None) -> None:
        """The card, and then what it asks for: a square, or the word to go."""
        self.hold(power)
        if target is None:
            self.controls.get_by_role("button", name=f"Use {power}").click()
        else:
            self.space(target).click()
        expect(self.card(power)).to_have_count(0)

    def take_box(self, start: str, end: str) -> None:
        self.pick(start)
        self.space(end).click()
        expect(self.controls.get_by_role("button", pressed=False)).to_have_count(2)

    def tap(self, start: str, end: str) -> None:
        self._person.table.my_turn()
        expect(self.space(start)).to_have_attribute("aria-disabled", "false")
        self.space(start).tap()
        expect(self.space(start)).to_have_attribute("aria-selected", "true")
        self.space(end).tap()
        self.shows(start, "empty")

    def play_out(self, most: int = 300) -> None:
        """The first card and the first square there are, until the game is over; every pawn becomes a queen."""
        table = self._person.table
        for _ in range(most):
            if table.is_over():
                return
            before = table.moves.get_by_role("button").count()
            self._play_first()
            expect(table.moves.get_by_role("button")).not_to_have_count(before)
        raise AssertionError(f"the game is not over after {most} actions")

    def _play_first(self) -> None:
        cards = self.controls.get_by_role("button", pressed=False)
        pickable = self._grid.locator(".hit.target[aria-disabled='false']")
        expect(cards.or_(pickable).first).to_be_attached()
        first = cards.first if cards.count() > 0 else pickable.first
        first.click()
        picked = self._grid.locator("[aria-selected='true']").or_(
            self.controls.get_by_role("button", pressed=True)
        )
        expect(picked.first).to_be_attached()
        use = self.controls.get_by_role("button", name=re.compile("^Use "))
        queen = self.controls.get_by_role("button", name="Becomes a queen")
        here = self._grid.get_by_role("gridcell", name=_ON)
        expect(use.or_(here).first).to_be_attached()
        if use.count() > 0:
            use.click()
            return
        square = here.first
        leads = (square.get_attribute("aria-label") or "").endswith("pick this")
        square.click()
        if leads:
            queen.click()

    def targets(self) -> set[str]:
        """The squares that can be picked now."""
        found = self._grid.locator(".hit.target[aria-disabled='false']")
        expect(found.first).to_be_attached()
        names = found.evaluate_all(
            "cells => cells.map(cell => cell.getAttribute('aria-label').split(':')[0])"
        )
        return set(names)
