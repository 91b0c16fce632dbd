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


def person_in(holder: Holder | None) -> PersonId | None:
    """Whose seat it is; None: nobody's, or a bot's."""
    return holder.person if type(holder) is Sitter else None


class Away(msgspec.Struct, frozen=True, gc=False):
    """A person of the table without a connection, and since when."""

    person: PersonId
    since: Millis
