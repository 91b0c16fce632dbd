"""From arriving at a table to asking for a rematch the board stays where it is, as large as fits, and nothing jumps; on
a phone every button is whole."""

import re
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page, ViewportSize, expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Guest, Hall, Opened
from tests.browser.support.phone import PHONE, fits, nothing_is_cut, out_of_reach
from tests.browser.support.shifts import Shifts

TABLET: ViewportSize = {"width": 820, "height": 1180}
LARGER_PHONE: ViewportSize = {"width": 412, "height": 915}
SMALL_PHONE: ViewportSize = {"width": 320, "height": 568}
LARGE: ViewportSize = {"width": 1440, "height": 900}
ON_ITS_SIDE: tuple[ViewportSize, ...] = ({"width": 844, "height": 390}, {"width": 740, "height": 360})
ENLARGED: ViewportSize = {"width": 720, "height": 450}
"""A window of 1440 by 900 in which everything is twice as large."""
ENLARGED_TABLET: ViewportSize = {"width": 410, "height": 590}

OTHERS = {"tower": 2, "topple": 1, "tafl": 1, "powerchess": 1, "acquire": 3}
"""The games, and how many sit there beside Ann."""
SHORT = {"topple": {"x": 2, "y": 2}}
"""Options with which a game that nobody can resign is soon over."""
TALL = "tower"
"""The game whose board leaves no room for a link or a review on a phone: they are further down."""
ENOUGH = 0.02
"""How much may shift in a visit as a whole."""

_DRAWN = """board => {
    const { width, height } = board.getBoundingClientRect(), { viewBox: { baseVal: box } } = board;
    const scale = Math.min(width / box.width, height / box.height);
    return [box.width * scale, box.height * scale];
}"""
_ROWS = "rows => [...new Set(rows.map(row => row.getBoundingClientRect().height))]"


def where(what: Locator) -> FloatRect:
    box = what.bounding_box()
    assert box is not None
    return box


def drawn(board: Locator) -> tuple[float, float]:
    """How large the board is to be seen, inside of its place."""
    width, height = board.evaluate(_DRAWN)
    return width, height


def whole(page: Page, *, further_down: bool) -> None:
    """No button is cut. All are to be seen, or further down all that are not."""
    if further_down:
        nothing_is_cut(page)
        covered = out_of_reach(page)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        assert not covered.keys() & out_of_reach(page).keys(), covered
        page.evaluate("scrollTo(0, 0)")
    else:
        assert not out_of_reach(page)


def move(table: Opened, players: list[Guest], times: int) -> None:
    """The first thing there is to do, by whoever is to do it."""
    for _ in range(times):
        for player in players:
            legal: list[dict[str, Any]] = player.ask("legal", table=table.id)["actions"]
            if legal:
                player.act(table, legal[0])
                break


@pytest.mark.parametrize("viewport", [PHONE, TABLET, LARGE], ids=["phone", "tablet", "large"])
def test_a_whole_visit_moves_nothing(meet: Meet, hall: Hall, viewport: ViewportSize) -> None:
    ann = meet("Ann", viewport=viewport, touch=viewport == PHONE)
    table, page = ann.table, ann.page
    found: dict[str, list[str]] = {}
    herself = hall.without_page(ann)
    for game, count in OTHERS.items():
        opened = ann.opens(game, start="ready", options=SHORT.get(game, {}))
        expect(table.board).to_be_visible()
        shifts = Shifts(page)
        boards: list[FloatRect] = []
        rows: list[list[float]] = []

        tall = game == TALL

        def look(boards: list[FloatRect] = boards, rows: list[list[float]] = rows, tall: bool = tall) -> None:
            page.wait_for_load_state("networkidle")
            boards.append(where(table.board))
            rows.append(page.locator(".others .seat").evaluate_all(_ROWS))
            if viewport == PHONE:
                whole(page, further_down=tall)

        look()
        others = [hall.guest(name) for name in ("Florian", "Guilda", "Dan")[:count]]
        for other in others:
            other.ask("sit", table=opened.id, key=opened.key)
            other.ask("ready", table=opened.id, ready=True)
        expect(table.button("I'm ready")).to_be_visible()
        look()
        # What Ann does without this page is not excused as something that she has just touched.
        herself.ask("ready", table=opened.id, ready=True)
        table.says(re.compile("turn$"))
        look()
        move(opened, [herself, *others], 3)
        look()
        if game == "acquire" and viewport == LARGE:
            # Nothing but the question is between the seats and the score.
            assert where(page.get_by_role("tabpanel"))["height"] >= 290
        if game in ("tower", "topple"):
            move(opened, [herself, *others], 30)
        else:
            for player in [*others, herself] if game == "acquire" else others:
                player.ask("resign", table=opened.id)
        expect(table.button("Rematch")).to_be_visible()
        look()
        herself.ask("rematch", table=opened.id)
        expect(table.button("Rematch asked")).to_be_visible()
        look()
        assert all(board == boards[0] for board in boards), (game, boards)
        assert all(row == rows[0] and len(row) == 1 for row in rows), (game, rows)
        fits(page)
        total, moved = shifts.total()
        if viewport == PHONE:
            table.slider.fill("1")
            whole(page, further_down=tall)
            page.set_viewport_size(LARGER_PHONE)
            whole(page, further_down=tall)
            page.set_viewport_size(SMALL_PHONE)
            fits(page)
            page.set_viewport_size(PHONE)
        if total >= ENOUGH:
            found[game] = [f"{total:.3f}", *moved]
        width, height = drawn(table.board)
        if viewport == LARGE:
            assert page.locator(".middle").evaluate("middle => middle.scrollHeight <= middle.clientHeight"), (
                game
            )
            assert max(width, height) >= 780, game
            assert height >= 780 or width >= 900, game
        elif game != "tower":
            assert width >= viewport["width"] - (0 if viewport == PHONE else 48) - 0.5, game
    assert not found, "\n".join(f"{game}: {line}" for game, lines in found.items() for line in lines)


def test_a_phone_on_its_side_and_an_enlarged_page_show_the_board_and_the_question(meet: Meet) -> None:
    ann = meet("Ann", viewport=ON_ITS_SIDE[0], touch=True)
    page, table = ann.page, ann.table
    for game in ("acquire", "powerchess"):
        ann.plays_bots(game, bots=OTHERS[game])
        assert not table.is_over()
        for viewport in (*ON_ITS_SIDE, ENLARGED):
            page.set_viewport_size(viewport)
            for part in (table.board, page.get_by_role("tablist"), table.headline):
                expect(part).to_be_in_viewport(ratio=1)
            if game == "acquire":
                expect(page.get_by_role("group", name="What to choose from")).to_be_in_viewport(ratio=1)
            # No word of the headline is broken.
            assert where(table.headline)["width"] >= 70
            fits(page)
        for viewport in (SMALL_PHONE, ENLARGED_TABLET):
            page.set_viewport_size(viewport)
            whole(page, further_down=True)
            fits(page)
