"""How somebody learns a game: pictures of what matters."""

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.phone import PHONE, fits

MOST = 320
"""Pixels that a picture of the rules is wide, and high."""


def test_pictures_of_the_rules_show_what_matters_before_and_after(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True).open("/play/tafl")
    page = ann.page
    boards = page.get_by_role("figure").get_by_role("img")
    expect(boards).not_to_have_count(0)
    sizes = [box for board in boards.all() if (box := board.bounding_box())]
    assert all(box["width"] <= MOST and box["height"] <= MOST for box in sizes)
    captured = page.get_by_role("figure").filter(has_text="is between two attackers now")
    expect(captured.get_by_role("img", name="Before that")).to_be_visible()
    before, after = captured.get_by_role("img").all()
    expect(before.locator(".last")).to_have_count(0)
    expect(after.locator(".last path")).to_have_count(2)
    # One corner of the board is enough for that, and who has no keyboard is not told of its keys.
    assert after.get_attribute("viewBox") != page.get_by_role("img").last.get_attribute("viewBox")
    expect(page.get_by_role("heading", name="With the keyboard", include_hidden=True)).to_be_hidden()
    fits(page)
