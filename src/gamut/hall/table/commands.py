"""What people, bots and time ask of a table."""

from typing import Any

import msgspec

from gamut.games.game import Seat
from gamut.hall.clock import ClockSetting
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.table.events import Channel, StartRule
from gamut.hall.table.seats import Sitter


class Sit(msgspec.Struct, frozen=True, gc=False):
    sitter: Sitter
    seat: Seat | None = None
    """None: the lowest free one."""
    key: str | None = None
    password: str | None = None
    password_hash: str | None = None
    """What a client that hashes passwords sends in place of it (`gamut.hall.prehash`)."""


class SeatBot(msgspec.Struct, frozen=True, gc=False):
    by: PersonId
    level: str
    seat: Seat | None = None


class Unseat(msgspec.Struct, frozen=True, gc=False):
    """Kick a person, or send a bot off."""

    by: PersonId
    seat: Seat


class Leave(msgspec.Struct, frozen=True, gc=False):
    person: PersonId


class Ready(msgspec.Struct, frozen=True, gc=False):
    person: PersonId
    ready: bool


class Start(msgspec.Struct, frozen=True, gc=False):
    by: PersonId


class Promote(msgspec.Struct, frozen=True, gc=False):
    by: PersonId
    seat: Seat


class Configure(msgspec.Struct, frozen=True, gc=False):
    """Change the settings; what is None stays."""

    by: PersonId
    options: Any = None
    """As a client sent them, or as the game's own type if they have been checked."""
    clock: ClockSetting | None = None
    start: StartRule | None = None
    private: bool | None = None
    decor: dict[str, Any] | None = None
    """Entries that are not named stay."""


class Decorate(msgspec.Struct, frozen=True, gc=False):
    """Change how the table looks; entries that are not named stay."""

    by: PersonId
    decor: dict[str, Any]


class Close(msgspec.Struct, frozen=True, gc=False):
    """The host takes the game away in order to go on with it somewhere else."""

    by: PersonId


class Act(msgspec.Struct, frozen=True, gc=False):
    person: PersonId
    action: Any
    seen: Seq | None = None
    """The last event the person had seen. Has the game moved on since, a late or doubled click does nothing."""


class BotAct(msgspec.Struct, frozen=True, gc=False):
    seat: Seat
    action: Any
    resigns: bool = False
    """It does not act any more: the game is given up."""


class Resign(msgspec.Struct, frozen=True, gc=False):
    person: PersonId


class OfferDraw(msgspec.Struct, frozen=True, gc=False):
    """Offer a draw, or take the one that is offered."""

    person: PersonId


class DeclineDraw(msgspec.Struct, frozen=True, gc=False):
    person: PersonId


class Pause(msgspec.Struct, frozen=True, gc=False):
    by: PersonId


class Resume(msgspec.Struct, frozen=True, gc=False):
    by: PersonId


class Rematch(msgspec.Struct, frozen=True, gc=False):
    person: PersonId


class Succeed(msgspec.Struct, frozen=True, gc=False):
    """The hall has opened the table that follows this one."""

    next: TableId


class Say(msgspec.Struct, frozen=True, gc=False):
    person: PersonId
    name: str
    text: str
    channel: Channel


class Drop(msgspec.Struct, frozen=True, gc=False):
    person: PersonId


class Return(msgspec.Struct, frozen=True, gc=False):
    person: PersonId
    key: int | None = None


class Tick(msgspec.Struct, frozen=True, gc=False):
    """Time has passed: what is due is done."""


class Wake(msgspec.Struct, frozen=True, gc=False):
    """The server has come back."""

    away: Millis = Millis(0)
    """After so long."""


Command = (
    Sit
    | SeatBot
    | Unseat
    | Leave
    | Ready
    | Start
    | Promote
    | Configure
    | Decorate
    | Close
    | Act
    | BotAct
    | Resign
    | OfferDraw
    | DeclineDraw
    | Pause
    | Resume
    | Rematch
    | Succeed
    | Say
    | Drop
    | Return
    | Tick
    | Wake
)
