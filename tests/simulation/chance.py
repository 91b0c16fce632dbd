"""Everything that the server draws from chance, drawn from one seed; and its large numbers made small."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import UUID

from gamut.cluster import annex_feed, owner
from gamut.doors.powerchess import naming as power_naming
from gamut.doors.tafl import naming
from gamut.doors.topple import codes
from gamut.doors.web import pieces
from gamut.hall import annexes, ids
from gamut.hall.live import restart
from gamut.hall.lobby import talk as lobby_talk
from gamut.hall.table.deciding import lock

REMEMBERED = 8
"""Lines of lobby talk that a newcomer is shown."""

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


class _Secrets:
    """In the place of the module `secrets`."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choice(self, among: Sequence[Any]) -> Any:
        return self._chance.choice(among)

    def randbelow(self, end: int) -> int:
        return self._chance.randrange(end)

    def token_bytes(self, size: int) -> bytes:
        return self._chance.randbytes(size)

    def token_urlsafe(self, size: int) -> str:
        return "".join(self._chance.choices(_ALPHABET, k=size))


@contextmanager
def drawn_from(chance: Random) -> Iterator[None]:
    """As long as this lasts, ids, keys, codes and salts come from here: a seed gives the same ones each time."""
    secrets = _Secrets(chance)
    # Of a chance of their own: a hall draws these whether or not it has several wings.
    numbers = Random("numbers of halls and owners")
    with ExitStack() as stack:
        for module, name, value in (
            (ids, "_random", lambda: chance.randbytes(16)),
            (naming, "uuid4", lambda: UUID(bytes=chance.randbytes(16), version=4)),
            (codes, "secrets", secrets),
            (power_naming, "secrets", secrets),
            (lock, "secrets", secrets),
            (annexes, "randbits", numbers.getrandbits),
            (owner, "token_hex", lambda size: numbers.randbytes(size).hex()),
            # What an annex was not told, or did not understand, is not to come right by itself a minute later.
            (annex_feed, "PEOPLE_EVERY", 1_000_000.0),
            # A table's password costs a millisecond by design.
            (lock, "_ROUNDS", 1),
            # What is told in pieces, or cut off when it is long, is so at tables that live for a moment only.
            (pieces, "EVENTS", 6),
            (pieces, "TABLES", 4),
            (restart, "REMEMBERED", REMEMBERED),
            (lobby_talk, "REMEMBERED", REMEMBERED),
            (lobby_talk, "MOST_STORED", 3 * REMEMBERED),
        ):
            stack.enter_context(patch.object(module, name, value))
        yield
