"""Acquire on a phone, by touch: the board, the rack and the question of the moment are on the screen together."""

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.conftest import Meet
from tests.browser.support.acquire import City, tap
from tests.browser.support.phone import PHONE, SMALLEST, fits, too_small


def on_screen(what: Locator) -> None:
    expect(what).to_be_in_viewport(ratio=1)


def in_sight(city: City) -> None:
    """Without moving the page."""
    page = city.person.page
    fits(page)
    assert page.evaluate("[scrollX, scrollY]") == [0, 0]
    on_screen(city.board)
    on_screen(city.desk)
    tabs = page.get_by_role("tablist").bounding_box()
    desk = city.desk.bounding_box()
    assert tabs is not None
    assert desk is not None
    assert desk["y"] + desk["height"] <= tabs["y"], "nothing covers the question"


@pytest.mark.parametrize("players", [4, 6])
def test_a_game_to_its_end_by_touch(meet: Meet, players: int) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("acquire", bots=players - 1, options={"mode": f"singles_{players}"})
    city, seen, places = City(ann, tap), set(), []
    assert not city.is_over()
    city.skip_the_opening()
    for asked in city.play_to_the_end():
        seen.add(asked)
        in_sight(city)
        places.append(city.board.bounding_box())
        # The lots are small, which is why there is a rack; everything else is large enough for a finger.
        assert [small for small in too_small(ann.page) if not small.startswith("path ")] == []
        for tile in city.hand.all():
            box = tile.bounding_box()
            assert box is not None
            assert box["width"] >= SMALLEST
    assert {"tile", "purchase"} <= seen
    assert all(place == places[0] for place in places), "the board stays, whatever is asked"
    expect(ann.table.button("Rematch")).to_be_in_viewport()
    fits(ann.page)


def test_a_lot_that_is_touched_asks_first(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("acquire", bots=3)
    city = City(ann, tap)
    assert not city.is_over()
    tile = city.rack()[0]
    city.board.locator(f"[data-square='{tile}']").tap()
    assert tile in city.rack()
    ann.table.button("Place it").tap()
    expect(city.board.locator(f"[data-square='hand-{tile}']")).to_have_count(0)


def test_the_sheet_comes_up_from_below_over_the_board(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots("acquire", bots=3)
    city = City(ann, tap)
    assert not city.is_over()
    ann.table.tab("Score").tap()
    on_screen(city.sheet)
    on_screen(ann.table.tab("Score"))
    assert ann.page.evaluate("scrollY") == 0
    fits(ann.page)
    ann.table.tab("Score").tap()
    expect(city.sheet).to_be_hidden()
    in_sight(city)
