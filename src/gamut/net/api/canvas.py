"""Shapes as pixels, with smooth edges, and pixels as a PNG file: enough for small pictures, and no library for it."""

import struct
import zlib
from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate, pairwise
from math import ceil, floor, sqrt

from gamut.games.picture import Disc, Point, Shape

_FINE = 4
"""Each row of pixels is looked at on so many lines: edges are as smooth as that."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB = 2
_LEVEL = 6
_AS_IT_IS = b"\0"
_LIKE_THE_ONE_ABOVE = b"\2"


Span = tuple[float, float]
Across = Callable[[float], list[Span]]
"""From where to where a shape reaches on a line at this height."""


class Canvas:
    """A picture in red, green and blue."""

    def __init__(self, width: int, height: int, colour: int) -> None:
        self.width = width
        self.height = height
        self._rows = [bytearray(_bytes(colour) * width) for _ in range(height)]

    def draw(self, shapes: Iterable[Shape], scale: float = 1.0, x: float = 0.0, y: float = 0.0) -> None:
        """These shapes so many times as large, with their origin at this pixel."""
        for shape in shapes:
            colour = _bytes(shape.colour)
            if isinstance(shape, Disc):
                at = Disc(x + shape.x * scale, y + shape.y * scale, shape.radius * scale, shape.colour)
                self._fill(at.y - at.radius, at.y + at.radius, partial(_across_disc, at), colour)
                continue
            points = [(x + px * scale, y + py * scale) for px, py in shape.points]
            box = _upright(points)
            if box is None:
                edges = list(pairwise([*points, points[0]]))
                heights = [height for _, height in points]
                self._fill(min(heights), max(heights), partial(_across_polygon, edges), colour)
            else:
                self._fill_box(*box, colour)

    def png(self) -> bytes:
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, _RGB, 0, 0, 0)
        same = _LIKE_THE_ONE_ABOVE + bytes(3 * self.width)
        lines = [_AS_IT_IS + self._rows[0]]
        for above, row in pairwise(self._rows):
            lines.append(same if row == above else _AS_IT_IS + row)
        chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(lines), _LEVEL)), (b"IEND", b""))
        return _SIGNATURE + b"".join(_chunk(kind, content) for kind, content in chunks)

    def _fill_box(self, left: int, top: int, right: int, bottom: int, colour: bytes) -> None:
        # Edges along the pixels need not be smooth, and most shapes are such.
        left, right = max(0, left), min(self.width, right)
        for row in self._rows[max(0, top) : max(0, bottom)]:
            row[3 * left : 3 * right] = colour * (right - left)

    def _fill(self, top: float, bottom: float, across: Across, colour: bytes) -> None:
        for number in range(max(0, floor(top)), min(self.height, ceil(bottom))):
            lines = (number + (fine + 0.5) / _FINE for fine in range(_FINE))
            spans = [span for y in lines for span in across(y)]
            if spans:
                self._fill_row(self._rows[number], spans, colour)

    def _fill_row(self, row: bytearray, spans: list[Span], colour: bytes) -> None:
        first = max(0, floor(min(left for left, _ in spans)))
        last = min(self.width, ceil(max(right for _, right in spans)))
        # Where every line is within the shape there is nothing to smooth.
        inner = outer = first
        if len(spans) == _FINE:
            inner = min(max(first, ceil(max(left for left, _ in spans))), last)
            outer = max(inner, min(last, floor(min(right for _, right in spans))))
            row[3 * inner : 3 * outer] = colour * (outer - inner)
        for begin, end in ((first, inner), (outer, last)):
            if begin < end:
                _blend(row, begin, _covered(spans, begin, end), colour)


def _blend(row: bytearray, first: int, covered: list[float], colour: bytes) -> None:
    for place, share in enumerate(covered, first):
        if share > 0:
            at = 3 * place
            row[at : at + 3] = bytes(
                round(before + (after - before) * min(share, 1.0))
                for before, after in zip(row[at : at + 3], colour, strict=True)
            )


def _bytes(colour: int) -> bytes:
    return colour.to_bytes(3, "big")


def _across_disc(disc: Disc, y: float) -> list[Span]:
    rest = disc.radius**2 - (y - disc.y) ** 2
    return [(disc.x - sqrt(rest), disc.x + sqrt(rest))] if rest > 0 else []


def _across_polygon(edges: list[tuple[Point, Point]], y: float) -> list[Span]:
    crossed = sorted(
        ax + (y - ay) * (bx - ax) / (by - ay) for (ax, ay), (bx, by) in edges if (ay <= y) != (by <= y)
    )
    return list(zip(crossed[::2], crossed[1::2], strict=True))


def _upright(points: list[Point]) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of a rectangle along the axes; None for other shapes."""
    xs, ys = {x for x, _ in points}, {y for _, y in points}
    if len(points) != 4 or len(xs) != 2 or len(ys) != 2:
        return None
    left, right, top, bottom = round(min(xs)), round(max(xs)), round(min(ys)), round(max(ys))
    # A line that is thinner than a pixel is one.
    return left, top, max(right, left + 1), max(bottom, top + 1)


def _covered(spans: list[tuple[float, float]], first: int, last: int) -> list[float]:
    """How much of each pixel from the first to before the last is covered, from 0 to 1."""
    # Each end of a span changes what is covered from its pixel on; what it does in that pixel is only a part.
    change = [0.0] * (last - first + 2)
    for left, right in spans:
        for edge, sign in ((left, 1), (right, -1)):
            edge = min(max(edge, first), last)
            pixel = floor(edge)
            rest = pixel + 1 - edge
            change[pixel - first] += sign * rest / _FINE
            change[pixel - first + 1] += sign * (1 - rest) / _FINE
    return list(accumulate(change))[: last - first]


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
