"""Numbers for people: clients of this protocol know everybody by an integer."""

from collections.abc import Iterable
from hashlib import blake2b

from gamut.hall.ids import PersonId
from gamut.hall.table.deciding.bot_names import shown_name
from gamut.hall.table.seats import BotSitter, Holder

_BITS = 52
"""Larger numbers are not the same in every program that reads JSON."""
_FIRST = 1_000
"""Below that are the bots."""


def user_id(person: PersonId, *, guest: bool) -> int:
    """The same for ever, and on every server: it follows from the person's id. Those of guests are negative."""
    digest = int.from_bytes(blake2b(person.encode(), digest_size=8).digest()) >> 64 - _BITS
    number = max(_FIRST, digest)
    return -number if guest else number


def user_ids(holders: Iterable[Holder | None]) -> list[int | None]:
    """Of each seat. The bots of a table are -1, -2 and so on, in the order in which they sit."""
    found: list[int | None] = []
    bots = 0
    for holder in holders:
        if holder is None:
            found.append(None)
        elif isinstance(holder, BotSitter):
            bots += 1
            found.append(-bots)
        else:
            found.append(user_id(holder.person, guest=holder.guest))
    return found


def usernames(holders: Iterable[Holder | None]) -> list[str | None]:
    return [None if holder is None else shown_name(holder) for holder in holders]


def has_bots(holders: Iterable[Holder | None]) -> bool:
    return any(isinstance(holder, BotSitter) for holder in holders)
