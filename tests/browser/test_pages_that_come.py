"""A page that is opened by its address comes in pieces, and none of them pushes another away."""

import pytest
from playwright.sync_api import ViewportSize, expect
from tests.browser.conftest import Meet
from tests.browser.support.shifts import Shifts

SIZES: list[ViewportSize] = [
    {"width": 390, "height": 844},
    {"width": 820, "height": 1180},
    {"width": 1440, "height": 900},
]
PAGES = ("/play/acquire", "/play/tafl", "/play/tower", "/me", "/settings", "/login", "/learn/tower")
ENOUGH = 0.02
"""How much may shift while a page comes."""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_nothing_is_pushed_down_by_what_comes_later(meet: Meet, size: ViewportSize) -> None:
    ann = meet("Ann", viewport=size)
    # A game that is in the list on her own page.
    ann.plays_bots("tower", bots=2)
    ann.table.my_turn()
    for path in PAGES:
        ann.open(path)
        expect(ann.page.get_by_role("heading", level=1)).to_be_visible()
        ann.page.wait_for_load_state("networkidle")
        total, moved = Shifts(ann.page).total()
        assert total < ENOUGH, (path, moved)
        expect(ann.page.locator("[aria-busy=true]")).to_have_count(0)
