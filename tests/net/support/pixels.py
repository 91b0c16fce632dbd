"""PNG files as pixels, for tests that look at pictures: only the kind that this server writes."""

import struct
import zlib

Pixels = list[list[tuple[int, int, int]]]


def pixels_of(png: bytes) -> Pixels:
    """Rows of red, green and blue; every checksum is looked at."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        kind, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length) == (zlib.crc32(kind + content),)
        chunks[kind] = content
        at += length + 12
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *how = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert how == [8, 2, 0, 0, 0], "eight bits of red, green and blue"
    raw = zlib.decompress(chunks[b"IDAT"])
    assert len(raw) == height * (3 * width + 1)
    rows: Pixels = []
    above = bytes(3 * width)
    for number in range(height):
        line = raw[number * (3 * width + 1) : (number + 1) * (3 * width + 1)]
        assert line[0] in (0, 2)
        row = (
            line[1:] if line[0] == 0 else bytes(sum(pair) % 256 for pair in zip(line[1:], above, strict=True))
        )
        rows.append([(row[x], row[x + 1], row[x + 2]) for x in range(0, 3 * width, 3)])
        above = row
    return rows
