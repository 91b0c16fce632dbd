"""What RFC 6455 asks of a server, in the order and under the numbers of the Autobahn test suite.

Each case is what a client sends and what must be said back, through the real Socket and a session that echoes. A case
that fails the connection ends with a closing frame of that code, and nothing after it is heard. Where the suite has
the same case in several ways of cutting up the bytes, so have we.
"""

import asyncio
import base64
from collections.abc import Iterable, Iterator

import pytest
from tests.net.support.echo import Line, frame, whole

from gamut.net.websocket.frames import BINARY, CLOSE, PING, PONG, TEXT, Message, control_frame
from gamut.net.websocket.handshake import accepted, upgrade

FIN = 0x80
CONTINUED = 0
FAILED, NOT_TEXT, TOO_BIG = 1002, 1007, 1009

WHOLE = "in one write"
FRAMES = "a frame at a time"
OCTETS = "an octet at a time"


class Case:
    """Its number, what a client sends, and what the server says to it, at the end perhaps the code of its close."""

    def __init__(
        self, number: str, sent: Iterable[bytes], *said: Message | int | None, cut: str = WHOLE
    ) -> None:
        self.number = number
        self.sent = list(sent)
        self.said = said
        self.cut = cut

    def pieces(self) -> Iterator[bytes]:
        if self.cut == FRAMES:
            yield from self.sent
        elif self.cut == WHOLE:
            yield b"".join(self.sent)
        else:
            yield from (bytes((octet,)) for octet in b"".join(self.sent))


def three_ways(first: str, second: str, third: str, sent: list[bytes], *said: Message | int) -> list[Case]:
    return [
        Case(number, sent, *said, cut=cut)
        for number, cut in ((first, WHOLE), (second, FRAMES), (third, OCTETS))
    ]


def text(payload: bytes) -> Message:
    return TEXT, payload


def binary(payload: bytes) -> Message:
    return BINARY, payload


def pong(payload: bytes = b"") -> Message:
    return PONG, payload


def in_pieces(kind: int, pieces: list[bytes]) -> list[bytes]:
    """A message in frames."""
    last = len(pieces) - 1
    return [
        frame((FIN if number == last else 0) | (CONTINUED if number else kind), piece)
        for number, piece in enumerate(pieces)
    ]


def octets(payload: bytes) -> list[bytes]:
    return [payload[at : at + 1] for at in range(len(payload))]


def cut_every(payload: bytes, size: int) -> list[bytes]:
    return [payload[at : at + size] for at in range(0, len(payload), size)]


def closing(code: int, reason: bytes = b"") -> bytes:
    return whole(CLOSE, code.to_bytes(2, "big") + reason)


SIZES = (0, 125, 126, 127, 128, 65_535, 65_536)
PING_FRAME = whole(PING)
HELLO = whole(TEXT, b"hello")

FRAMING = [
    *(Case(f"1.1.{n}", [whole(TEXT, b"*" * size)], text(b"*" * size)) for n, size in enumerate(SIZES, 1)),
    Case("1.1.8", cut_every(whole(TEXT, b"*" * 65_536), 997), text(b"*" * 65_536), cut=FRAMES),
    *(
        Case(f"1.2.{n}", [whole(BINARY, b"\xfe" * size)], binary(b"\xfe" * size))
        for n, size in enumerate(SIZES, 1)
    ),
    Case("1.2.8", cut_every(whole(BINARY, b"\xfe" * 65_536), 997), binary(b"\xfe" * 65_536), cut=FRAMES),
]

NOT_UTF8 = b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff"
TEN = [b"payload-%d" % number for number in range(10)]

PINGS_AND_PONGS = [
    Case("2.1", [PING_FRAME], pong()),
    Case("2.2", [whole(PING, b"Hello, world!")], pong(b"Hello, world!")),
    Case("2.3", [whole(PING, NOT_UTF8)], pong(NOT_UTF8)),
    Case("2.4", [whole(PING, b"\xfe" * 125)], pong(b"\xfe" * 125)),
    Case("2.5", [whole(PING, b"\xfe" * 126)], FAILED),
    Case("2.6", [whole(PING, b"\xfe" * 125)], pong(b"\xfe" * 125), cut=OCTETS),
    Case("2.7", [whole(PONG)]),
    Case("2.8", [whole(PONG, b"unsolicited")]),
    Case("2.9", [whole(PONG, b"unsolicited"), whole(PING, b"ping")], pong(b"ping")),
    Case("2.10", [whole(PING, payload) for payload in TEN], *map(pong, TEN)),
    Case("2.11", [whole(PING, payload) for payload in TEN], *map(pong, TEN), cut=OCTETS),
]

RESERVED_BITS = [
    Case("3.1", [frame(FIN | 0x10 | TEXT, b"x")], FAILED),
    *three_ways(
        "3.2", "3.3", "3.4", [HELLO, frame(FIN | 0x20 | TEXT, b"x"), PING_FRAME], text(b"hello"), FAILED
    ),
    Case("3.5", [frame(FIN | 0x50 | BINARY, b"\x00\xff")], FAILED),
    Case("3.6", [frame(FIN | 0x60 | PING, b"x")], FAILED),
    Case("3.7", [frame(FIN | 0x70 | CLOSE)], FAILED),
]


def no_such_kind(section: str, kinds: tuple[int, ...]) -> list[Case]:
    empty, full, after, after_full, cut = kinds
    return [
        Case(f"{section}.1", [whole(empty)], FAILED),
        Case(f"{section}.2", [whole(full, b"reserved")], FAILED),
        Case(f"{section}.3", [HELLO, whole(after), PING_FRAME], text(b"hello"), FAILED),
        Case(f"{section}.4", [HELLO, whole(after_full, b"x"), PING_FRAME], text(b"hello"), FAILED),
        Case(f"{section}.5", [HELLO, whole(cut, b"x"), PING_FRAME], text(b"hello"), FAILED, cut=OCTETS),
    ]


KINDS = [*no_such_kind("4.1", (3, 4, 5, 6, 7)), *no_such_kind("4.2", (11, 12, 13, 14, 15))]

TWO = in_pieces(TEXT, [b"fragment1", b"fragment2"])
JOINED = text(b"fragment1fragment2")
LONE_END, LONE_PART = frame(FIN, b"nothing to continue"), frame(CONTINUED, b"nothing to continue")
FIVE = in_pieces(TEXT, [b"1", b"2", b"3", b"4", b"5"])
WITH_PINGS = [FIVE[0], FIVE[1], whole(PING, b"a"), FIVE[2], FIVE[3], whole(PING, b"b"), FIVE[4]]

FRAGMENTS = [
    Case("5.1", [frame(PING, b"frag"), frame(FIN, b"ment")], FAILED),
    Case("5.2", [frame(PONG, b"frag"), frame(FIN, b"ment")], FAILED),
    *three_ways("5.3", "5.4", "5.5", TWO, JOINED),
    *three_ways("5.6", "5.7", "5.8", [TWO[0], whole(PING, b"ping"), TWO[1]], pong(b"ping"), JOINED),
    *three_ways("5.9", "5.10", "5.11", [LONE_END, HELLO], FAILED),
    *three_ways("5.12", "5.13", "5.14", [LONE_PART, HELLO], FAILED),
    Case("5.15", [*TWO, LONE_PART, HELLO], JOINED, FAILED),
    Case("5.16", [LONE_PART, *TWO, LONE_PART, *TWO], FAILED),
    Case("5.17", [LONE_END, *TWO, LONE_END, *TWO], FAILED),
    Case("5.18", [frame(TEXT, b"fragment1"), frame(FIN | TEXT, b"fragment2")], FAILED),
    Case("5.19", WITH_PINGS, pong(b"a"), pong(b"b"), text(b"12345"), cut=FRAMES),
    Case("5.20", WITH_PINGS, pong(b"a"), pong(b"b"), text(b"12345")),
]

GREEK = b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5"
GREETING = "Hello-µ@ßöäüàá-UTF-8!!".encode()
BROKEN = GREEK + b"\xed\xa0\x80edited"
BEYOND = GREEK + b"\xf4\x90\x80\x80edited"

VALID = {
    "6.5.1": GREEK,
    "6.5.2": b"\xce\xba",
    "6.5.3": b"\xe1\xbd\xb9",
    "6.5.4": b"\xcf\x83\xce\xbc",
    "6.5.5": b"\xce\xb5",
    "6.6.2": GREEK[:2],
    "6.6.5": GREEK[:5],
    "6.6.7": GREEK[:7],
    "6.6.9": GREEK[:9],
    "6.6.11": GREEK,
    "6.7.1": b"\x00",
    "6.7.2": b"\xc2\x80",
    "6.7.3": b"\xe0\xa0\x80",
    "6.7.4": b"\xf0\x90\x80\x80",
    "6.9.1": b"\x7f",
    "6.9.2": b"\xdf\xbf",
    "6.9.3": b"\xef\xbf\xbf",
    "6.9.4": b"\xf4\x8f\xbf\xbf",
    "6.11.1": b"\xed\x9f\xbf",
    "6.11.2": b"\xee\x80\x80",
    "6.11.3": b"\xef\xbf\xbd",
    "6.11.4": b"\xf4\x8f\xbf\xbf",
    "6.22.1": b"\xef\xbf\xbe",
    "6.22.2": b"\xef\xbf\xbf",
    **{
        f"6.22.{3 + 2 * plane - 2 + last}": chr(plane << 16 | 0xFFFE | last).encode()
        for plane in range(1, 17)
        for last in (0, 1)
    },
    **{f"6.23.{number}": chr(0xFFF9 + number - 1).encode() for number in range(1, 8)},
}

INVALID = {
    "6.6.1": GREEK[:1],
    "6.6.3": GREEK[:3],
    "6.6.4": GREEK[:4],
    "6.6.6": GREEK[:6],
    "6.6.8": GREEK[:8],
    "6.6.10": GREEK[:10],
    "6.8.1": b"\xf8\x88\x80\x80\x80",
    "6.8.2": b"\xfc\x84\x80\x80\x80\x80",
    "6.10.1": b"\xf7\xbf\xbf\xbf",
    "6.10.2": b"\xfb\xbf\xbf\xbf\xbf",
    "6.10.3": b"\xfd\xbf\xbf\xbf\xbf\xbf",
    "6.11.5": b"\xf4\x90\x80\x80",
    "6.12.1": b"\x80",
    "6.12.2": b"\xbf",
    **{f"6.12.{number + 1}": b"\x80\xbf\x80\xbf\x80\xbf\x80"[:number] for number in range(2, 8)},
    "6.12.9": bytes(range(0x80, 0xC0)),
    "6.13.1": b" ".join(octets(bytes(range(0xC0, 0xE0)))) + b" ",
    "6.13.2": b" ".join(octets(bytes(range(0xE0, 0xF0)))) + b" ",
    "6.13.3": b" ".join(octets(bytes(range(0xF0, 0xF8)))) + b" ",
    "6.13.4": b" ".join(octets(bytes(range(0xF8, 0xFC)))) + b" ",
    "6.13.5": b"\xfc \xfd ",
    "6.14.1": b"\xc0",
    "6.14.2": b"\xe0\x80",
    "6.14.3": b"\xf0\x80\x80",
    "6.14.4": b"\xf8\x80\x80\x80",
    "6.14.5": b"\xfc\x80\x80\x80\x80",
    "6.14.6": b"\xdf",
    "6.14.7": b"\xef\xbf",
    "6.14.8": b"\xf7\xbf\xbf",
    "6.14.9": b"\xfb\xbf\xbf\xbf",
    "6.14.10": b"\xfd\xbf\xbf\xbf\xbf",
    "6.15.1": b"".join(
        (
            b"\xc0\xe0\x80\xf0\x80\x80\xf8\x80\x80\x80\xfc\x80\x80\x80\x80",
            b"\xdf\xef\xbf\xf7\xbf\xbf\xfb\xbf\xbf\xbf\xfd\xbf\xbf\xbf\xbf",
        )
    ),
    "6.16.1": b"\xfe",
    "6.16.2": b"\xff",
    "6.16.3": b"\xfe\xfe\xff\xff",
    "6.17.1": b"\xc0\xaf",
    "6.17.2": b"\xe0\x80\xaf",
    "6.17.3": b"\xf0\x80\x80\xaf",
    "6.17.4": b"\xf8\x80\x80\x80\xaf",
    "6.17.5": b"\xfc\x80\x80\x80\x80\xaf",
    "6.18.1": b"\xc1\xbf",
    "6.18.2": b"\xe0\x9f\xbf",
    "6.18.3": b"\xf0\x8f\xbf\xbf",
    "6.18.4": b"\xf8\x87\xbf\xbf\xbf",
    "6.18.5": b"\xfc\x83\xbf\xbf\xbf\xbf",
    "6.19.1": b"\xc0\x80",
    "6.19.2": b"\xe0\x80\x80",
    "6.19.3": b"\xf0\x80\x80\x80",
    "6.19.4": b"\xf8\x80\x80\x80\x80",
    "6.19.5": b"\xfc\x80\x80\x80\x80\x80",
    **{
        f"6.20.{number}": bytes((0xED, *pair))
        for number, pair in enumerate(
            (
                (0xA0, 0x80),
                (0xAD, 0xBF),
                (0xAE, 0x80),
                (0xAF, 0xBF),
                (0xB0, 0x80),
                (0xBE, 0x80),
                (0xBF, 0xBF),
            ),
            1,
        )
    },
    **{
        f"6.21.{number}": b"\xed" + high + b"\xed" + low
        for number, (high, low) in enumerate(
            [
                (high, low)
                for high in (b"\xa0\x80", b"\xad\xbf", b"\xae\x80", b"\xaf\xbf")
                for low in (b"\xb0\x80", b"\xbf\xbf")
            ],
            1,
        )
    },
}

UTF8 = [
    Case("6.1.1", [whole(TEXT)], text(b"")),
    Case("6.1.2", in_pieces(TEXT, [b"", b"", b""]), text(b"")),
    Case("6.1.3", in_pieces(TEXT, [b"", b"middle frame payload", b""]), text(b"middle frame payload")),
    Case("6.2.1", [whole(TEXT, GREETING)], text(GREETING)),
    Case("6.2.2", in_pieces(TEXT, [GREETING[:11], GREETING[11:]]), text(GREETING)),
    Case("6.2.3", in_pieces(TEXT, octets(GREETING)), text(GREETING), cut=FRAMES),
    Case("6.2.4", in_pieces(TEXT, octets(GREEK)), text(GREEK), cut=FRAMES),
    Case("6.3.1", [whole(TEXT, BROKEN)], NOT_TEXT),
    Case("6.3.2", in_pieces(TEXT, octets(BROKEN)), NOT_TEXT, cut=FRAMES),
    # The message is refused at the frame that shows it: its last one is never sent here.
    Case("6.4.1", in_pieces(TEXT, [GREEK, b"\xf4\x90\x80\x80", b"edited"])[:2], NOT_TEXT, cut=FRAMES),
    Case("6.4.2", in_pieces(TEXT, [GREEK + b"\xf4", b"\x90", b"\x80\x80edited"])[:2], NOT_TEXT, cut=FRAMES),
    # Within one frame the suite allows us to wait for all of it.
    Case("6.4.3", cut_every(whole(TEXT, BEYOND), 6 + 11), NOT_TEXT, cut=FRAMES),
    Case("6.4.4", cut_every(whole(TEXT, BEYOND), 6 + 12), NOT_TEXT, cut=FRAMES),
    *(Case(number, [whole(TEXT, payload)], text(payload)) for number, payload in VALID.items()),
    *(Case(number, [whole(TEXT, payload)], NOT_TEXT) for number, payload in INVALID.items()),
    *(
        Case(f"{number} in fragments", in_pieces(TEXT, octets(payload)), text(payload))
        for number, payload in VALID.items()
    ),
    *(
        Case(f"{number} in fragments", in_pieces(TEXT, octets(payload)), NOT_TEXT)
        for number, payload in INVALID.items()
    ),
]

LONG = b"*" * 262_144

CLOSES = [
    Case("7.1.1", [HELLO, closing(1000)], text(b"hello"), 1000),
    Case("7.1.2", [closing(1000), closing(1000)], 1000),
    Case("7.1.3", [closing(1000), PING_FRAME], 1000),
    Case("7.1.4", [closing(1000), HELLO], 1000),
    Case("7.1.5", [TWO[0], closing(1000), TWO[1]], 1000),
    Case("7.1.6", [whole(TEXT, LONG), HELLO, closing(1000), PING_FRAME], text(LONG), text(b"hello"), 1000),
    Case("7.3.1", [whole(CLOSE)], None),
    Case("7.3.2", [whole(CLOSE, b"a")], FAILED),
    Case("7.3.3", [closing(1000)], 1000),
    Case("7.3.4", [closing(1000, b"Hello World!")], 1000),
    Case("7.3.5", [closing(1000, b"*" * 123)], 1000),
    Case("7.3.6", [closing(1000, b"*" * 124)], FAILED),
    Case("7.5.1", [closing(1000, BROKEN)], NOT_TEXT),
    *(
        Case(f"7.7.{number}", [closing(code)], code)
        for number, code in enumerate(
            (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999), 1
        )
    ),
    *(
        Case(f"7.9.{number}", [closing(code)], FAILED)
        for number, code in enumerate((0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999), 1)
    ),
    Case("7.13.1", [closing(5000)], FAILED),
    Case("7.13.2", [closing(65_535)], FAILED),
]

MANY = [b"%d" % number for number in range(300)]


def large(section: str, kind: int, said: Message) -> list[Case]:
    payload = said[1]
    return [
        Case(f"{section} {size}", [whole(kind, payload[:size])], (kind, payload[:size]))
        for size in (65_536, 262_144, 1_048_576)
    ]


SIZES_AND_LIMITS = [
    *large("9.1", TEXT, text(b"*" * 1_048_576)),
    *large("9.2", BINARY, binary(b"\xfe" * 1_048_576)),
    *(
        Case(f"9.{section} {size}", in_pieces(kind, cut_every(LONG, size)), (kind, LONG))
        for section, kind in ((3, TEXT), (4, BINARY))
        for size in (256, 4_096, 65_536, 262_144)
    ),
    *(
        Case(f"9.{section} {size}", cut_every(whole(kind, LONG), size), (kind, LONG), cut=FRAMES)
        for section, kind in ((5, TEXT), (6, BINARY))
        for size in (64, 256, 1_024)
    ),
    Case("9.7", [whole(TEXT, payload) for payload in MANY], *map(text, MANY)),
    Case("9.8", [whole(BINARY, payload) for payload in MANY], *map(binary, MANY)),
    Case("9 over the limit", [whole(BINARY, bytes(1_048_577))], TOO_BIG),
    Case("9 over the limit in fragments", in_pieces(BINARY, [bytes(1_048_576), b"x"]), TOO_BIG, cut=FRAMES),
]

MISCELLANEOUS = [
    Case("10.1.1", in_pieces(TEXT, cut_every(b"*" * 65_536, 1_300)), text(b"*" * 65_536)),
]

CASES = [
    *FRAMING,
    *PINGS_AND_PONGS,
    *RESERVED_BITS,
    *KINDS,
    *FRAGMENTS,
    *UTF8,
    *CLOSES,
    *SIZES_AND_LIMITS,
    *MISCELLANEOUS,
]


def told(frames: list[Message]) -> list[Message | int | None]:
    """What the server said, a closing frame by its code."""
    return [
        (int.from_bytes(payload[:2], "big") if payload else None) if kind == CLOSE else (kind, payload)
        for kind, payload in frames
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.number} {case.cut}")
def test_case(case: Case) -> None:
    async def scene() -> None:
        line = Line()
        await line.send(*case.pieces())
        assert told(line.said) == list(case.said)
        if not case.said or not (case.said[-1] is None or isinstance(case.said[-1], int)):
            # It is still a connection like any other.
            await line.send(whole(PING, b"there?"))
            assert line.written.endswith(control_frame(PONG, b"there?"))
            return
        before = list(line.session.heard)
        await line.send(HELLO, PING_FRAME)
        assert told(line.said) == list(case.said), "nothing comes after the closing frame"
        assert line.session.heard == before, "and nothing is heard"

    asyncio.run(scene())


def test_every_case_has_a_number_of_its_own() -> None:
    numbers = [case.number for case in CASES]
    assert len(set(numbers)) == len(numbers)


KEY = base64.b64encode(bytes(16))
OFFERS = [
    ("12", b"permessage-deflate"),
    ("12", b"permessage-deflate; client_max_window_bits"),
    ("13", b"permessage-deflate; client_no_context_takeover; server_no_context_takeover"),
    ("13", b"permessage-deflate; server_max_window_bits=8, permessage-deflate"),
    ("13", b"permessage-bzip2"),
]


@pytest.mark.parametrize(("section", "offer"), OFFERS)
def test_compression_is_not_spoken_and_who_offers_it_gets_none(section: str, offer: bytes) -> None:
    request = upgrade(
        b"GET /tower HTTP/1.1\r\nHost: club.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + b"\r\nSec-WebSocket-Extensions: " + offer
    )
    assert request is not None
    assert b"extensions" not in accepted(request).lower()


@pytest.mark.parametrize("kind", [TEXT, BINARY])
def test_a_compressed_message_fails_the_connection(kind: int) -> None:
    async def scene() -> None:
        line = Line()
        await line.send(frame(FIN | 0x40 | kind, b"\xf2\x48\xcd\xc9\xc9\x07\x00"))
        assert told(line.said) == [FAILED]

    asyncio.run(scene())
