"""How often something may be tried: a token bucket for each name or address.

A bucket is one number, the moment at which it will be full again. That makes forgetting exact: a bucket that
is full is the same as one that was never used.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

import msgspec

from gamut.games.game import Refused
from gamut.hall.ids import Millis


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many tries at once; each comes back after `per` divided by `tries`."""

    tries: int
    per: Millis


class TooManyTries(Refused):
    def __init__(self, wait: Millis) -> None:
        seconds = -(-wait // 1000)
        super().__init__("too_many_tries", f"Too many tries. Please wait {seconds} seconds and try again.")
        self.wait = wait


class Attempts:
    """The buckets of one limit. At most `keys_at_most` are kept: the longest unused is forgotten first.

    None forgets nothing but what is full. That is for keys of which strangers cannot make any number.
    """

    def __init__(self, limit: Limit, now: Callable[[], Millis], keys_at_most: int | None = 100_000) -> None:
        if limit.tries < 1 or limit.per < 1 or (keys_at_most is not None and keys_at_most < 1):
            raise ValueError("a limit allows at least one try in at least a millisecond")
        self._limit = limit
        self._now = now
        self._keys_at_most = keys_at_most
        # When each bucket is full again, in milliseconds times `tries`: whole numbers need no rounding.
        self._full_at: OrderedDict[str, int] = OrderedDict()
        self.refused = 0
        self.forgotten = 0

    def take(self, key: str) -> None:
        """Use up one try, or raise TooManyTries."""
        tries, per = self._limit.tries, self._limit.per
        now = self._now() * tries
        full_at = max(self._full_at.get(key, now), now) + per
        wait = full_at - now - per * tries
        if wait > 0:
            self.refused += 1
            raise TooManyTries(Millis(-(-wait // tries)))
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)
        self._forget(now)

    def give_back(self, key: str) -> None:
        """The try turned out not to count."""
        if key in self._full_at:
            self._full_at[key] -= self._limit.per

    def _forget(self, now: int) -> None:
        while self._full_at:
            key, full_at = next(iter(self._full_at.items()))
            if full_at > now:
                if self._keys_at_most is None or len(self._full_at) <= self._keys_at_most:
                    return
                self.forgotten += 1
            del self._full_at[key]

    def __len__(self) -> int:
        return len(self._full_at)


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
