"""Tafl's board as somebody sees it and plays on it."""

import re
from typing import Any

from playwright.sync_api import Locator, expect
from tests.browser.support.person import Person

from gamut.games.tafl.notation import space_name, space_number


def step(start: str, end: str, size: int) -> dict[str, Any]:
    """A move, as it is told to the server."""
    return {"type": "move", "start": space_number(start, size), "end": space_number(end, size)}


class Board:
    def __init__(self, person: Person) -> None:
        self._person = person
        self._grid = person.table.board

    def space(self, name: str) -> Locator:
        return self._grid.get_by_role("gridcell", name=re.compile(f"^{name}: "))

    def shows(self, name: str, what: str) -> None:
        """Who stands there, and what kind of space it is; what could be done there does not matter."""
        expect(self.space(name)).to_have_accessible_name(re.compile(f"^{name}: {re.escape(what)}(, .*)?$"))

    def move(self, start: str, end: str) -> None:
        """By two clicks."""
        self._person.table.my_turn()
        self.pick(start)
        self.space(end).click()
        self.shows(start, "empty")

    def pick(self, start: str) -> None:
        # What may be done is asked of the server, and can be picked when the answer is there.
        expect(self.space(start)).to_have_attribute("aria-disabled", "false")
        self.space(start).click()
        expect(self.space(start)).to_have_attribute("aria-selected", "true")

    def tap(self, start: str, end: str) -> None:
        """With a finger; where spaces are small, the move is sent by a button."""
        self._person.table.my_turn()
        expect(self.space(start)).to_have_attribute("aria-disabled", "false")
        self.space(start).tap()
        expect(self.space(start)).to_have_attribute("aria-selected", "true")
        self.space(end).tap()
        confirm = self._person.table.button("Move there")
        if confirm.count() > 0:
            confirm.tap()
        self.shows(start, "empty")

    def drag(self, start: str, end: str) -> None:
        self._person.table.my_turn()
        expect(self.space(start)).to_have_attribute("aria-disabled", "false")
        page = self._person.page
        (x, y), to = self.middle(start), self.middle(end)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move((x + to[0]) / 2, (y + to[1]) / 2, steps=3)
        page.mouse.move(*to, steps=3)
        page.mouse.up()
        self.shows(start, "empty")

    def walk(self, start: str, end: str) -> None:
        """The same with the keyboard alone: arrow keys and Enter."""
        self._person.table.my_turn()
        expect(self.space(start)).to_have_attribute("aria-disabled", "false")
        keyboard = self._person.page.keyboard
        keyboard.press("Tab")  # whoever has just used the mouse has the arrow keys for the moves
        self._grid.locator("[tabindex='0']").focus()
        for name in (start, end):
            focused = self._grid.locator(":focus")
            here = (focused.get_attribute("aria-label") or "").split(":")[0]
            across, up = ord(name[0]) - ord(here[0]), int(name[1:]) - int(here[1:])
            for _ in range(abs(across)):
                keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
            for _ in range(abs(up)):
                keyboard.press("ArrowUp" if up > 0 else "ArrowDown")
            keyboard.press("Enter")
        self.shows(start, "empty")

    def middle(self, name: str) -> tuple[float, float]:
        box = self.space(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def play_anything(self, size: int) -> None:
        """The first piece that can move goes to the first space that it can."""
        targets = self._grid.locator(".hit.target")
        expect(targets.first).to_be_attached()
        first = int(targets.first.get_attribute("data-square") or "")
        self.pick(space_name(first, size))
        self._grid.get_by_role("gridcell", name=re.compile("you can play here$")).first.click()

    def play_to_the_end(self, size: int, most: int = 400) -> None:
        table = self._person.table
        for _ in range(most):
            if table.is_over():
                return
            before = table.moves.get_by_role("button").count()
            self.play_anything(size)
            expect(table.moves.get_by_role("button")).not_to_have_count(before)
        raise AssertionError(f"the game is not over after {most} moves")
