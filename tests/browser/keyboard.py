"""Somebody who has no mouse."""

from playwright.sync_api import Locator, Page

_MOST_STOPS = 80


class Keyboard:
    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self._page.keyboard.press(key)

    def tab_to(self, wanted: Locator) -> None:
        """Go on with Tab until there, as one does."""
        wanted.first.wait_for()
        for _ in range(_MOST_STOPS):
            if self.is_on(wanted):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {wanted}; it ends at {self.focused()}")

    def is_on(self, wanted: Locator) -> bool:
        return any(wanted.evaluate_all("found => found.map(one => one === document.activeElement)"))

    def focused(self) -> str:
        return str(self._page.evaluate("document.activeElement?.outerHTML.slice(0, 200)"))
