"""Who sits at a table."""

from typing import Literal

import msgspec
from msgspec.structs import force_setattr

from gamut.hall.ids import Millis, PersonId

Inability = Literal["ready", "start", "rematch", "follow", "swap"]
"""What a client may have no word for: that its player is ready, or approves; that play begins, as a host says it; that
its player wants a rematch; what it is told when the others play on at another table; and that its player has another
seat now."""
_MUTE: tuple[Inability, ...] = ("ready", "start", "rematch")


class Sitter(
    msgspec.Struct,
    frozen=True,
    gc=False,
    tag_field="kind",
    tag="person",
    rename={"returns": "keeps", "kept_for": "hold"},
):
    """A person in a seat, under the name they had when they sat down, and what their protocol makes of the seat.

    Once there was only one word for all that, `keeps`: what is None follows from it, as in the logs of that time.
    """

    person: PersonId
    name: str
    guest: bool = True
    """Not an account of this server: the name is only what they call themselves."""
    returns: bool = True
    """Has a way back to the seat: a session, a key, a log-in. If not, the seat of somebody without a connection is
    free for whoever takes it, and they get it back only by taking it anew."""
    kept_for: Millis | None = None
    """How long the seat is kept without a connection; None: as long as the table stands, or before the game as the
    house has it."""
    rests: bool | None = None
    """When the server was away, play rests until they are back. Otherwise it goes on, and their clock runs."""
    listed: bool | None = None
    """The table is in their list of games."""
    renews: bool | None = None
    """Their protocol has no rematch: when somebody stands up after the game, the room goes on with a new one."""
    cannot: tuple[Inability, ...] | None = None
    """What their client has no word for. Who cannot say that they are ready counts as ready."""

    def __post_init__(self) -> None:
        if self.rests is None or not self.returns:
            # A seat that anybody may take is no seat that play could go on with.
            force_setattr(self, "rests", not self.returns)
        if self.listed is None:
            # Whoever has only a connection and no session cannot ask for a list of games.
            force_setattr(self, "listed", self.returns)
        if self.renews is None:
            force_setattr(self, "renews", not self.returns)
        if self.cannot is None:
            force_setattr(self, "cannot", () if self.returns else _MUTE)

    def can(self, what: Inability) -> bool:
        return not self.cannot or what not in self.cannot


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
    cut_off: bool = False
    """They did not go: the server stopped, and they have not come back since."""
    clock_stands: bool = False
    """No time passes for them until they are back, or have been waited for long enough."""
