"""What a proxy says of the client for whom it comes, and what is no such thing."""

import pytest

from gamut.net.lines.proxy_protocol import BadHeader, Header, proxy_header

SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
REST = b"login ann\n"


def version_2(command: int, family: int, block: bytes) -> bytes:
    return SIGNATURE + bytes((0x20 | command, family)) + len(block).to_bytes(2, "big") + block


IPV4 = bytes((192, 0, 2, 7, 127, 0, 0, 1)) + b"\x30\x39\x2d\x15"
IPV6 = bytes.fromhex("20010db8000000000000000000000007") + bytes(16) + b"\x30\x39\x2d\x15"
HEADERS = {
    "v1, IPv4": (b"PROXY TCP4 192.0.2.7 127.0.0.1 12345 11541\r\n", "192.0.2.7"),
    "v1, IPv6": (b"PROXY TCP6 2001:db8::7 ::1 12345 11541\r\n", "2001:db8::7"),
    "v1, nobody in particular": (b"PROXY UNKNOWN\r\n", None),
    "v1, nobody, with words": (b"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n", None),
    "v2, IPv4": (version_2(1, 0x11, IPV4), "192.0.2.7"),
    "v2, IPv6": (version_2(1, 0x21, IPV6), "2001:db8::7"),
    "v2, with more to say": (version_2(1, 0x11, IPV4 + b"\x02\x00\x09localhost"), "192.0.2.7"),
    "v2, the proxy itself": (version_2(0, 0x00, b""), None),
    "v2, the proxy itself, with addresses": (version_2(0, 0x11, IPV4), None),
    "v2, over a Unix socket": (version_2(1, 0x31, bytes(216)), None),
    "v2, over nothing known": (version_2(1, 0x00, b""), None),
}


@pytest.mark.parametrize(("header", "address"), HEADERS.values(), ids=HEADERS)
def test_a_header_is_read_as_soon_as_it_is_whole(header: bytes, address: str | None) -> None:
    for size in range(len(header)):
        assert proxy_header(header[:size]) is None
    assert proxy_header(header) == Header(len(header), address)
    assert proxy_header(header + REST) == Header(len(header), address), "what follows is the client's"


WRONG = {
    "no header": REST,
    "a browser": b"GET / HTTP/1.1\r\n\r\n",
    "another word": b"PROXIES TCP4 192.0.2.7 127.0.0.1 1 2\r\n",
    "another family": b"PROXY TCP5 192.0.2.7 127.0.0.1 1 2\r\n",
    "an address of the other family": b"PROXY TCP4 2001:db8::7 ::1 1 2\r\n",
    "no address": b"PROXY TCP4 elsewhere 127.0.0.1 1 2\r\n",
    "too few words": b"PROXY TCP4 192.0.2.7 127.0.0.1 1\r\n",
    "too many words": b"PROXY TCP4 192.0.2.7 127.0.0.1 1 2 3\r\n",
    "two blanks": b"PROXY TCP4  192.0.2.7 127.0.0.1 1 2\r\n",
    "no port": b"PROXY TCP4 192.0.2.7 127.0.0.1 1 http\r\n",
    "a port with a zero before it": b"PROXY TCP4 192.0.2.7 127.0.0.1 1 02\r\n",
    "a port that is too large": b"PROXY TCP4 192.0.2.7 127.0.0.1 1 65536\r\n",
    "LF without CR": b"PROXY TCP4 192.0.2.7 127.0.0.1 1 2\n",
    "no ASCII": "PROXY TCP4 \u066192.0.2.7 127.0.0.1 1 2\r\n".encode(),
    "a line without an end": b"PROXY UNKNOWN " + b"x" * 200,
    "v2, another version": version_2(1, 0x11, IPV4).replace(b"\n\x21", b"\n\x31"),
    "v2, another command": version_2(2, 0x11, IPV4),
    "v2, another family": version_2(1, 0x41, IPV4),
    "v2, another transport": version_2(1, 0x13, IPV4),
    "v2, too short for an address": version_2(1, 0x11, IPV4[:-1]),
    "v2, too short for an address of IPv6": version_2(1, 0x21, IPV4),
    "v2, too long": version_2(1, 0x11, IPV4 + bytes(4096)),
    "v2, almost its signature": SIGNATURE[:-1] + b"\r" + bytes(4),
}


@pytest.mark.parametrize("data", WRONG.values(), ids=WRONG)
def test_what_is_no_header_is_refused(data: bytes) -> None:
    with pytest.raises(BadHeader):
        proxy_header(data)
