"""Who sits at a table."""

import msgspec

from gamut.hall.ids import Millis, PersonId


class Sitter(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="person"):
    """A person in a seat, under the name they had when they sat down."""

    person: PersonId
    name: str
    guest: bool = True
    """Not an account of this server: the name is only what they call themselves."""
    keeps: bool = True
    """The seat is kept when the connection is lost. Where a protocol has no way to come back, it is not."""
    hold: Millis | None = None
    """How long it is kept; None: as long as the table stands, or before the game as the house has it."""


class BotSitter(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="bot"):
    level: str
    name: str


Holder = Sitter | BotSitter


def persons_in(seats: tuple[Holder | None, ...]) -> tuple[PersonId | None, ...]:
    """Who sits in each seat; None where nobody does, or a bot."""
    return tuple([holder.person if type(holder) is Sitter else None for holder in seats])


class Away(msgspec.Struct, frozen=True, gc=False):
    """A person of the table without a connection, and since when."""

    person: PersonId
    since: Millis
