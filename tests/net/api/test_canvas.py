"""Shapes as pixels: where they are, how smooth their edges are, and that the file is a PNG."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from tests.net.support.pixels import pixels_of

from gamut.games.picture import Disc, Polygon, Shape, rectangle
from gamut.net.api.canvas import Canvas

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
WEB = Path(__file__).parents[3] / "web"


def drawn(
    *shapes: Shape, side: int = 20, scale: float = 1.0, at: tuple[float, float] = (0, 0)
) -> list[list[int]]:
    """How dark each pixel is, from 0 to 255, of black shapes on white."""
    canvas = Canvas(side, side, 0xFFFFFF)
    canvas.draw(shapes, scale, *at)
    return [[255 - red for red, _, _ in row] for row in pixels_of(canvas.png())]


def test_a_rectangle_covers_its_pixels_and_no_others() -> None:
    rows = drawn(rectangle(1, 2, 3, 4, 0), scale=2, at=(1, 0))
    dark = {(x, y) for y, row in enumerate(rows) for x, darkness in enumerate(row) if darkness}
    assert dark == {(x, y) for x in range(3, 9) for y in range(4, 12)}
    assert {rows[y][x] for x, y in dark} == {255}


def test_colours_are_red_green_and_blue() -> None:
    canvas = Canvas(2, 1, 0x102030)
    canvas.draw([rectangle(1, 0, 1, 1, 0xA0B0C0)])
    assert pixels_of(canvas.png()) == [[(0x10, 0x20, 0x30), (0xA0, 0xB0, 0xC0)]]


def test_what_is_in_front_is_drawn_last_and_what_is_outside_is_cut_off() -> None:
    canvas = Canvas(4, 4, 0xFFFFFF)
    canvas.draw([rectangle(-5, -5, 20, 20, 0), Disc(30, 30, 3, 0xFF0000), rectangle(2, 2, 9, 9, 0xFF)])
    rows = pixels_of(canvas.png())
    assert rows[0] == [BLACK] * 4
    assert rows[3] == [BLACK, BLACK, (0, 0, 255), (0, 0, 255)]


@pytest.mark.parametrize("radius", [0.7, 3, 8.5])
def test_a_disc_has_the_area_of_a_disc_and_smooth_edges(radius: float) -> None:
    rows = drawn(Disc(10, 10, radius, 0))
    area = sum(map(sum, rows)) / 255
    assert area == pytest.approx(3.14159 * radius**2, rel=0.04)
    assert any(0 < darkness < 255 for row in rows for darkness in row)
    assert rows == rows[::-1] == [row[::-1] for row in rows], "the same from every side"


def test_half_a_pixel_is_half_as_dark() -> None:
    slope = Polygon(((0, 0), (20, 20), (0, 20)), 0)
    rows = drawn(slope)
    assert sum(map(sum, rows)) / 255 == pytest.approx(200, rel=0.02)
    assert all(rows[place][place] == pytest.approx(128, abs=40) for place in range(20))
    assert rows[15][2] == 255
    assert rows[2][15] == 0


def test_a_shape_may_go_in_and_out() -> None:
    comb = Polygon(((0, 0.5), (4, 10.5), (8, 0.5), (12, 10.5), (16, 0.5), (16, 19), (0, 19)), 0)
    row = drawn(comb)[5]
    assert (row[0], row[4], row[8], row[12], row[15]) == (255, 0, 255, 0, 255)


def _icons() -> ModuleType:
    spec = importlib.util.spec_from_file_location("icons", WEB / "icons.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_icons_of_the_page_are_its_favicon() -> None:
    icons = _icons()
    assert len(icons.mark()) == 5
    for name, (side, share) in icons.ICONS.items():
        kept = pixels_of((WEB / "public" / name).read_bytes())
        assert kept == pixels_of(icons.icon(side, share)), f"python web/icons.py draws {name} anew"
        assert len(kept) == len(kept[0]) == side
