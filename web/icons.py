"""Draws the icons of the installed page from its favicon: `python web/icons.py`, after that has changed."""

import re
from pathlib import Path

from gamut.games.picture import Polygon, shaped
from gamut.net.api.canvas import Canvas

PUBLIC = Path(__file__).resolve().parent / "public"
PAPER = 0xFBF9F6
GROUND = 32
"""The side of the favicon."""
ICONS = {
    "icon-192.png": (192, 0.86),
    "icon-512.png": (512, 0.86),
    # Systems cut these into shapes of their own: what matters is within the inner circle.
    "icon-maskable-512.png": (512, 0.6),
    "apple-touch-icon.png": (180, 0.72),
}
"""For each file its side, and how much of that the mark has."""

_PATH = re.compile(
    r'<path fill="#(?P<colour>\w{6})" transform="translate\((?P<x>\d+) (?P<y>\d+)\)" d="(?P<d>[^"]+)"/>'
)
_STEP = re.compile(r"(?P<kind>[MLHVZ])(?P<numbers>[\d. ]*)")


def outline(path: str) -> tuple[tuple[float, float], ...]:
    """The corners of a path of straight lines."""
    x = y = 0.0
    corners = []
    for step in _STEP.finditer(path):
        numbers = [float(number) for number in step["numbers"].split()]
        match step["kind"]:
            case "H":
                x = numbers[0]
            case "V":
                y = numbers[0]
            case "Z":
                continue
            case _:
                x, y = numbers
        corners.append((x, y))
    return tuple(corners)


def mark() -> list[Polygon]:
    favicon = (PUBLIC / "favicon.svg").read_text()
    return [
        shaped(outline(found["d"]), float(found["x"]), float(found["y"]), 10, int(found["colour"], 16))
        for found in _PATH.finditer(favicon)
    ]


def icon(side: int, share: float) -> bytes:
    canvas = Canvas(side, side, PAPER)
    scale = side * share / GROUND
    edge = side * (1 - share) / 2
    canvas.draw(mark(), scale, edge, edge)
    return canvas.png()


if __name__ == "__main__":
    for name, (side, share) in ICONS.items():
        (PUBLIC / name).write_bytes(icon(side, share))
