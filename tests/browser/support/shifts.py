"""What moves on a page without anybody having touched it."""

from playwright.sync_api import Page

_WATCH = """() => {
    window.shifts = [];
    new PerformanceObserver(list => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
            if (hadRecentInput) continue;
            const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round);
            const moved = sources.map(({ node, previousRect, currentRect }) =>
                `${node?.localName}.${node?.getAttribute?.("class")}: ${place(previousRect)} to ${place(currentRect)}`);
            window.shifts.push({ value, moved });
        }
    }).observe({ type: "layout-shift", buffered: true });
}"""

_SEEN = """async () => {
    await document.fonts.ready;
    // What has moved is told after the picture in which it did.
    for (let picture = 0; picture < 3; picture += 1) await new Promise(requestAnimationFrame);
    return window.shifts;
}"""


class Shifts:
    """From the moment the page was opened on."""

    def __init__(self, page: Page) -> None:
        self._page = page
        page.evaluate(_WATCH)

    def total(self) -> tuple[float, list[str]]:
        """As browsers measure it: which part of the window has moved, times how far; and what that was."""
        found = self._page.evaluate(_SEEN)
        told = [f"{shift['value']:.4f} {'; '.join(shift['moved'])}" for shift in found]
        return sum(shift["value"] for shift in found), told
