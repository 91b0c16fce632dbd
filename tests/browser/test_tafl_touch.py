"""Tafl with a finger, on a phone."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.phone import PHONE, fits, too_small
from tests.browser.support.tafl import Board


def test_a_whole_game_is_played_by_touch_with_clocks(meet: Meet) -> None:
    ann, ben = (meet(name, viewport=PHONE, touch=True) for name in ("Ann", "Ben"))
    clock = {"kind": "overtime", "main": 300_000, "length": 30_000, "periods": 3}
    ann.hall.seat("tafl", ann, ben, options={"variant": "brandub"}, clock=clock)
    hers, his = Board(ann), Board(ben)
    ann.table.my_turn()
    for person in (ann, ben):
        fits(person.page)
        expect(person.page.get_by_role("button", name=f"More: {person.name}")).to_be_in_viewport(ratio=1)
        expect(person.table.clock(person.name)).to_be_in_viewport(ratio=1)
    assert too_small(ann.page) == []
    hers.tap("d2", "a2")
    his.tap("d3", "b3")
    hers.tap("a4", "a3")
    his.tap("d4", "d2")
    hers.tap("g4", "g3")
    his.tap("d2", "g2")
    hers.tap("g3", "g4")
    his.tap("g2", "g1")
    ben.table.says("You win")
    ann.table.says(f"{ben.name} wins")
    expect(ann.page.get_by_text("The king has escaped", exact=True)).to_be_visible()
    expect(ann.table.board.locator(".win path")).to_have_count(2)
    # What was played is in the sheet, and can be taken home.
    ann.table.tab("Moves").tap()
    expect(ann.table.move(8)).to_contain_text("Kg2-g1")
    ann.table.tab("Table").tap()
    expect(ann.page.get_by_role("link", name="Download .otg")).to_be_visible()
    fits(ann.page)
    ann.table.tab("Table").tap()
    ann.table.button("Rematch").tap()
    ben.table.button("Rematch").tap()
    for person in (ann, ben):
        person.table.says(re.compile("^(Your turn|.+'s turn)$"))


def test_a_finger_drags_a_piece(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("tafl", options={"variant": "brandub"})
    board = Board(ann)
    ann.table.my_turn()
    expect(board.space("d2")).to_have_attribute("aria-disabled", "false")
    finger = ann.context.new_cdp_session(ann.page)
    (x, y), (there, level) = board.middle("d2"), board.middle("a2")
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for share in (0.2, 0.6, 1.0):
        point = {"x": x + (there - x) * share, "y": y + (level - y) * share}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    board.shows("d2", "empty")
    ann.table.tab("Moves").tap()
    expect(ann.table.move(1)).to_contain_text("d2-a2")
    assert ann.page.evaluate("[scrollX, scrollY]") == [0, 0]


def test_a_finger_plays_and_asks(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("tafl", options={"variant": "brandub"})
    Board(ann).tap("d2", "c2")
    ann.table.my_turn()
    fits(ann.page)
    # A finger that rests on the corner asks about it, and does nothing else.
    x, y = Board(ann).middle("a1")
    touch = ann.context.new_cdp_session(ann.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    tip = ann.page.get_by_role("tooltip")
    expect(tip).to_contain_text("A corner. Only the king may stop here.")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(tip).to_have_count(0)
    ann.table.my_turn()


@pytest.mark.parametrize("variant", ["copenhagen", "alea_evangelii"])
def test_large_boards_are_played_on_a_phone(meet: Meet, variant: str) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("tafl", options={"variant": variant})
    ann.table.my_turn()
    fits(ann.page)
    size = 11 if variant == "copenhagen" else 19
    last = Board(ann).space(f"{'k' if size == 11 else 's'}{size}")
    for corner in (Board(ann).space("a1"), last):
        expect(corner).to_be_in_viewport(ratio=1)
    start, end = ("d1", "d2") if size == 11 else ("c1", "c2")
    Board(ann).tap(start, end)
    ann.table.my_turn()
    ann.page.get_by_role("button", name="Larger tiles").tap()
    fits(ann.page)
    box = Board(ann).space("a1").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 40
    Board(ann).space("a1").scroll_into_view_if_needed()
    expect(Board(ann).space("a1")).to_be_in_viewport(ratio=1)
    assert ann.page.evaluate("scrollX") == 0
    board = Board(ann)
    board.space(end).scroll_into_view_if_needed()
    Board(ann).tap(end, start)
