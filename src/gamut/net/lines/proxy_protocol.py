"""The PROXY protocol, versions 1 and 2: how a proxy for TCP says who it speaks for, before anything else.

Bytes in, a header out, no sockets. https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt
"""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

import msgspec

_SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
_LONGEST_LINE = 107
_FIXED = 16
"""Bytes of a header of version 2 before its addresses."""
_LONGEST_BLOCK = 2_048
"""Addresses and what else a proxy has to say, such as names of certificates."""
_VERSION_2 = 0x20
_LOCAL, _PROXY = 0, 1
_INET, _INET6 = 1, 2
_STREAM = 1
_SIZES = {_INET: 12, _INET6: 36}
_PORT = re.compile(r"0|[1-9][0-9]{0,4}", re.ASCII)


class BadHeader(Exception):
    """This is not how a proxy begins."""


class Header(msgspec.Struct, frozen=True):
    size: int
    """How many bytes it took; what follows is the client's."""
    address: str | None
    """The client's. None if the proxy speaks for itself, or does not say for whom."""


def proxy_header(data: bytes) -> Header | None:
    """The header with which this begins, None if not all of it is here. Raises BadHeader as early as can be."""
    if data[:1] == b"P":
        return _line(data)
    if not data.startswith(_SIGNATURE[: len(data)]):
        raise BadHeader
    return _block(data) if len(data) >= _FIXED else None


def _line(data: bytes) -> Header | None:
    line, end, _ = data[:_LONGEST_LINE].partition(b"\r\n")
    if not b"PROXY ".startswith(line[:6]) or b"\n" in line:
        raise BadHeader
    if not end:
        if len(data) >= _LONGEST_LINE:
            raise BadHeader
        return None
    size = len(line) + len(end)
    try:
        words = line.decode("ascii").split(" ")
    except UnicodeDecodeError:
        raise BadHeader from None
    if words[1:2] == ["UNKNOWN"]:
        return Header(size, None)
    if len(words) != 6 or words[1] not in ("TCP4", "TCP6"):
        raise BadHeader
    _, family, source, target, *ports = words
    if not all(_PORT.fullmatch(port) and int(port) <= 65_535 for port in ports):
        raise BadHeader
    try:
        addresses = [ip_address(text) for text in (source, target)]
    except ValueError:
        raise BadHeader from None
    if any(address.version != (4 if family == "TCP4" else 6) for address in addresses):
        raise BadHeader
    return Header(size, str(addresses[0]))


def _block(data: bytes) -> Header | None:
    version, command = data[12] & 0xF0, data[12] & 0x0F
    family, transport = data[13] >> 4, data[13] & 0x0F
    length = int.from_bytes(data[14:_FIXED], "big")
    size = _FIXED + length
    if version != _VERSION_2 or command not in (_LOCAL, _PROXY) or length > _LONGEST_BLOCK:
        raise BadHeader
    if family > 3 or transport > 2:
        raise BadHeader
    known = command == _PROXY and transport == _STREAM and family in _SIZES
    if known and length < _SIZES[family]:
        raise BadHeader
    if len(data) < size:
        return None
    if not known:
        return Header(size, None)
    found = data[_FIXED : _FIXED + 4] if family == _INET else data[_FIXED : _FIXED + 16]
    return Header(size, str(IPv4Address(found) if family == _INET else IPv6Address(found)))
