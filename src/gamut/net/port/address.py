"""Where a request comes from, also when it comes through proxies."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from gamut.hall.limits.attempts import address_key, is_loopback

__all__ = ["UNKNOWN", "Network", "client_address", "counted_as", "is_loopback", "is_trusted", "networks"]

Network = IPv4Network | IPv6Network

UNKNOWN = "unknown"
"""The address of whoever has none, as on a Unix socket. All of them share one limit."""


counted_as = lru_cache(maxsize=4096)(address_key)
"""What counts as one address, read once and not at each connection."""


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """The trusted proxies as set: addresses ("10.0.0.7") and networks ("10.0.0.0/8"). Raises ValueError."""
    return tuple(ip_network(text.strip()) for text in texts if text.strip())


@lru_cache(maxsize=4096)
def _parse(text: str) -> IPv4Address | IPv6Address | None:
    """An address as found in X-Forwarded-For: plain, or with a port, or in brackets."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        parsed = ip_address(text)
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped
    return parsed


def is_trusted(address: str | None, trusted_proxies: Collection[Network]) -> bool:
    """Whether this is one of our proxies, so that what it says about the client may be believed."""
    parsed = None if address is None else _parse(address)
    return parsed is not None and any(parsed in network for network in trusted_proxies)


def client_address(peer: str | None, forwarded_for: str | None, trusted_proxies: Collection[Network]) -> str:
    """The right-most address that is not a trusted proxy's.

    Whatever stands to its left, the client may have made up. An entry that is no address ends the search.
    """
    known = None if peer is None else _parse(peer)
    if known is None:
        return UNKNOWN
    hops = [] if forwarded_for is None else forwarded_for.split(",")
    while hops and is_trusted(str(known), trusted_proxies):
        further = _parse(hops.pop())
        if further is None:
            break
        known = further
    return str(known)
