"""How often something may be tried, for each name or address."""

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

import msgspec

from gamut.games.game import Refused
from gamut.hall.ids import Millis
from gamut.hall.limits.token_bucket import Rate, TokenBuckets
from gamut.hall.limits.waits import in_seconds


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many tries at once; each comes back after `per` divided by `tries`."""

    tries: int
    per: Millis


class TooManyTries(Refused):
    def __init__(self, wait: Millis) -> None:
        super().__init__("too_many_tries", f"Too many tries. Please wait {in_seconds(wait)} and try again.")
        self.wait = wait


class Attempts:
    """The tries of each key: as many as a limit allows (`keys_at_most`: see TokenBuckets)."""

    def __init__(self, limit: Limit, now: Callable[[], Millis], keys_at_most: int | None = 100_000) -> None:
        if limit.tries < 1 or limit.per < 1 or (keys_at_most is not None and keys_at_most < 1):
            raise ValueError("a limit allows at least one try in at least a millisecond")
        self._buckets = TokenBuckets(Rate(limit.tries, limit.tries, limit.per), now, keys_at_most)
        self.refused = 0

    def take(self, key: str) -> None:
        """Use up one try, or raise TooManyTries."""
        wait = self._buckets.wait(key, 1)
        if wait:
            self.refused += 1
            raise TooManyTries(wait)
        self._buckets.take(key, 1)

    def give_back(self, key: str) -> None:
        """The try turned out not to count."""
        self._buckets.give_back(key, 1)

    @property
    def forgotten(self) -> int:
        return self._buckets.forgotten

    def __len__(self) -> int:
        return len(self._buckets)


@lru_cache(maxsize=4096)
def is_loopback(address: str) -> bool:
    """This machine itself: tools, tests, and a proxy that was not declared as one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped.is_loopback
    return parsed.is_loopback


def address_key(address: str) -> str:
    """What counts as one address: in IPv6 the /64, as every household has 2**64 addresses to try from."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((int(parsed), 64), strict=False))


def site_key(address: str) -> str:
    """What counts as one place over weeks: in IPv6 the /48, as whoever has one has 65,536 of those /64."""
    network = address_key(address)
    if "/" not in network:
        return network
    return str(IPv6Network(network).supernet(new_prefix=48))
