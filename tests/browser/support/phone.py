"""A phone, and what holds for everything on it."""

from playwright.sync_api import Page, ViewportSize

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALLEST = 40
"""Pixels that a finger needs, each way."""

_MEASURE = """smallest => [...document.querySelectorAll(
        "button, a[href], input, select, [role=tab], [role=gridcell], [role=menuitem]")]
    .filter(one => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter(one => !one.closest("p, figcaption") && !one.matches(".skip"))
    // A board that only shows something is not touched, and steps back while a sheet is open.
    .filter(one => !one.matches("[role=gridcell]")
        || one.ariaDisabled === "false" && document.querySelector("[role=tabpanel]") === null)
    .map(one => {
        // What is hidden beneath its label is touched there.
        const shown = one.matches("input[type=radio], input[type=checkbox]") ? one.closest("label") ?? one : one;
        const { width, height } = shown.getBoundingClientRect();
        const name = one.getAttribute("aria-label") ?? one.textContent.trim();
        return { name: `${one.localName} ${name}`, width, height };
    })
    .filter(one => one.width > 0 && (one.width < smallest - 0.5 || one.height < smallest - 0.5))
    .map(one => `${one.name}: ${Math.round(one.width)} x ${Math.round(one.height)}`)"""

_TOUCHED = """() => [...document.querySelectorAll("main :is(button, a[href], input:not([type=range]), select)")]
    .filter(one => one.checkVisibility({ visibilityProperty: true }))
    .map(one => {
        const { left, top, right, bottom } = one.getBoundingClientRect(), inside = 4;
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const points = [[x, y], [left + inside, y], [right - inside, y], [x, top + inside], [x, bottom - inside]];
        const hit = points.filter(([x, y]) => one.contains(document.elementFromPoint(x, y))).length;
        return [one.getAttribute("aria-label") ?? one.textContent.trim(), hit / points.length];
    })"""


def out_of_reach(page: Page) -> dict[str, float]:
    """Buttons and fields that something else covers, or that are not in view; and which part can be touched."""
    return {name: part for name, part in page.evaluate(_TOUCHED) if part < 1}


def nothing_is_cut(page: Page) -> None:
    """Every button and field is in view as a whole, or not at all."""
    # The page may hear of its new size a moment after it has it.
    page.wait_for_function(f"() => ({_TOUCHED})().every(([, part]) => part === 0 || part === 1)")


def too_small(page: Page) -> list[str]:
    """Everything to be touched that a finger would miss."""
    return list(page.evaluate(_MEASURE, SMALLEST))


def fits(page: Page) -> None:
    """Nothing sticks out at the side."""
    # The page may hear of its new size a moment after it has it.
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
