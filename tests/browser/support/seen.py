"""What was to be seen on a page, if only for a moment."""

from dataclasses import dataclass

from playwright.sync_api import Page

_WATCH = """() => {
    window.seen = { headlines: [], said: [], gone: false };
    const note = (list, text) => text && list.at(-1) !== text && list.push(text);
    const look = () => {
        note(window.seen.headlines, document.querySelector("h1")?.textContent);
        for (const status of document.querySelectorAll("[role=status]"))
            note(window.seen.said, status.textContent.trim());
        window.seen.gone ||= document.querySelector("[role=grid]") === null;
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


@dataclass
class Seen:
    headlines: list[str]
    said: list[str]
    """By banners, toasts and signs that something is loading."""
    gone: bool
    """Whether there was a moment without a board."""


class Onlooker:
    """Looks at every change of a page from now on."""

    def __init__(self, page: Page) -> None:
        self._page = page
        page.evaluate(_WATCH)

    def saw(self) -> Seen:
        return Seen(**self._page.evaluate("window.seen"))
