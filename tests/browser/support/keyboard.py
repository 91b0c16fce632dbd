"""Somebody who has no mouse."""

from playwright.sync_api import Locator, Page

_MOST_STOPS = 80
_LOOK = """() => {
    const { outline, boxShadow, stroke, strokeWidth, background, top } = getComputedStyle(document.activeElement);
    return [outline, boxShadow, stroke, strokeWidth, background, top].join();
}"""
_LOOK_AWAY_AND_BACK = """() => {
    const here = document.activeElement;
    here.blur();
    const { outline, boxShadow, stroke, strokeWidth, background, top } = getComputedStyle(here);
    here.focus();
    return [outline, boxShadow, stroke, strokeWidth, background, top].join();
}"""


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

    def stops_that_look_the_same_without_focus(self, count: int) -> list[str]:
        """Of the next stops of the Tab key, those at which nothing shows that one is there."""
        found = []
        for _ in range(count):
            self.press("Tab")
            if self._page.evaluate("document.activeElement === document.body"):
                continue  # on the way around, out of the page
            if self._page.evaluate(_LOOK) == self._page.evaluate(_LOOK_AWAY_AND_BACK):
                found.append(self.focused())
        return found
