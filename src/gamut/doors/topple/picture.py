"""A picture for every name: five by five tiles, left and right alike, in a colour of its own.

It is drawn from the name's digest alone, so nothing that somebody calls themselves gets into it.
"""

import hashlib

_SIDE = 5
_COLUMNS = 3
"""The others mirror these."""


def picture_of(name: str) -> bytes:
    """An SVG image, the same for the same name."""
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    hue = int.from_bytes(digest[:2], "big") % 360
    chosen = int.from_bytes(digest[2:], "big")
    tiles = "".join(
        f"M{x} {y}h1v1h-1z"
        for y in range(_SIDE)
        for x in range(_SIDE)
        if chosen >> (y * _COLUMNS + min(x, _SIDE - 1 - x)) & 1
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {_SIDE + 2} {_SIDE + 2}" width="128" height="128">'
        f'<rect x="-1" y="-1" width="{_SIDE + 2}" height="{_SIDE + 2}" fill="hsl({hue} 45% 92%)"/>'
        f'<path d="{tiles}" fill="hsl({hue} 60% 38%)"/></svg>'
    ).encode()
