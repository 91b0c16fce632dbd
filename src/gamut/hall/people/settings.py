"""How people are kept, and how often they may try what."""

import msgspec

from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class PeopleSettings(msgspec.Struct, frozen=True, kw_only=True):
    guest_life: Millis = Millis(30 * DAY)
    """A guest who was not seen for so long is gone, and the name is free again."""
    guests_at_most: int = 200_000
    """Beyond this, new guests are refused: everybody is kept in memory."""
    session_life: Millis = Millis(30 * DAY)
    """How long a session token is good for."""
    session_renewal: Millis = Millis(DAY)
    """A token older than this is replaced when it is next used."""
    known_life: Millis = Millis(180 * DAY)
    """For how long a token shows that its browser is not a stranger's, also when it is void or has expired."""
    seen_every: Millis = Millis(MINUTE)
    """How exactly it is known when someone was last seen; finer means more writing."""

    logins_per_name: Limit = Limit(10, Millis(10 * MINUTE))
    """Every use of a name's password from one address: log-ins, changing it, deleting the account."""
    logins_per_name_anywhere: Limit = Limit(300, Millis(10 * MINUTE))
    """Log-ins of strangers that fail, wherever they come from."""
    logins_per_address: Limit = Limit(30, Millis(10 * MINUTE))
    """Log-ins that fail; those that succeed do not count, as a whole club may sit behind one address."""
    guests_per_address: Limit = Limit(1000, Millis(HOUR))
    registrations_per_address: Limit = Limit(1000, Millis(HOUR))
    exports_per_person: Limit = Limit(10, Millis(HOUR))
    people_per_site: Limit = Limit(5000, Millis(30 * DAY))
    """New guests, and as many new accounts: what one place can fill the server with in the life of a guest."""
    addresses_remembered: int = 100_000
    """How many names or addresses each of these limits keeps count of."""

    # The smallest that OWASP recommends: a flood of log-ins costs everybody what it costs to hash them.
    hash_time_cost: int = 2
    hash_memory_cost: int = 19_456
    """In KiB, for each hash that is being made."""
    hash_parallelism: int = 1
    hashes_at_once: int = 2
    hashes_waiting: int = 200
    """Beyond this, people are told that the server is busy."""
