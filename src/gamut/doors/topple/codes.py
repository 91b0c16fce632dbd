"""Names that the protocol gives to rooms and spectators."""

import secrets
from collections.abc import Container

from gamut.hall.ids import Millis, PersonId, new_person_id
from gamut.hall.live.live_table import LiveTable

LONGEST_CODE = 32
"""No room has a longer name, nor a table a longer id."""
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ456789"
_DAY = 86_400_000
_FIRST_DAY = 20_358
_TRIES = 50
_MACHINE = "bot~"
"""No other person's id has such a sign in it."""


class NoCode(Exception):
    """No free room code was found."""


def new_room_code(now: Millis, taken: Container[tuple[str, str]]) -> str:
    """A code whose first three characters count days and whose other five are random."""
    day = now // _DAY - _FIRST_DAY
    prefix = "".join(ALPHABET[day // weight % 32] for weight in (1024, 32, 1))
    for _ in range(_TRIES):
        code = prefix + "".join(secrets.choice(ALPHABET) for _ in range(5))
        if ("topple", code) not in taken:
            return code
    raise NoCode


def code_of(live: LiveTable) -> str:
    """What this protocol calls the room; a table that was opened on the page has only its id."""
    return live.table.room if live.table.room is not None else live.id


def new_machine_id() -> PersonId:
    """The id of a bot from elsewhere, which plays through a connection of its own: it says what it is."""
    return PersonId(_MACHINE + new_person_id())


def is_machine(person: PersonId) -> bool:
    return person.startswith(_MACHINE)


def new_spectator_id() -> str:
    """Clients tell spectators from players by the id's type, and some make numbers of texts: never only digits."""
    while True:
        made = secrets.token_urlsafe(8)
        if not made.isdigit():
            return made
