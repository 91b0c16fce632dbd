"""What people, bots and time ask of a table."""

from typing import Any

import msgspec

from gamut.games.game import Seat
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.table.clock import ClockSetting, Time
from gamut.hall.table.events import Channel, StartRule
from gamut.hall.table.seats import Sitter


class Sit(msgspec.Struct, frozen=True, gc=False):
    sitter: Sitter
    seat: Seat | None = None
    """None: the lowest free one."""
    key: str | None = None
    password: str | None = None
    password_hash: str | None = None
    """What a client that hashes passwords sends in place of it (`gamut.hall.people.prehash`)."""


class SeatBot(msgspec.Struct, frozen=True, gc=False):
    by: PersonId
    level: str
    seat: Seat | None = None


class Unseat(msgspec.Struct, frozen=True, gc=False):
    """Kick a person, or send a bot off."""

    by: PersonId
    seat: Seat
    bar: bool = True
    """A person who is kicked does not come back to this table."""


class Swap(msgspec.Struct, frozen=True, gc=False):
    """Let two seats change places, with whatever they hold."""

    by: PersonId
    a: Seat
    b: Seat


class Leave(msgspec.Struct, frozen=True, gc=False):
    person: PersonId


class Ready(msgspec.Struct, frozen=True, gc=False):
    """Say that play may begin, or take that back; where everybody has to approve, it is not taken back."""

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
    times: tuple[Time, ...] | None = None
    """What each seat has on its clock at first, as in a game that goes on."""
    seats: int | None = None
    """How many there are to be; None: as many as before, or as the options want."""


class Decorate(msgspec.Struct, frozen=True, gc=False):
    """Change how the table looks; entries that are not named stay."""

    by: PersonId
    decor: dict[str, Any]


class Close(msgspec.Struct, frozen=True, gc=False):
    """The host takes the game away in order to go on with it somewhere else."""

    by: PersonId


class CallOff(msgspec.Struct, frozen=True, gc=False):
    """The host gives the table up before play has begun."""

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


class ReportFlag(msgspec.Struct, frozen=True, gc=False):
    """A player says that their own time is over: they do not need what is allowed after it."""

    person: PersonId


class OfferDraw(msgspec.Struct, frozen=True, gc=False):
    """Offer a draw, or take the one that is offered."""

    person: PersonId


class DeclineDraw(msgspec.Struct, frozen=True, gc=False):
    person: PersonId


class BotAnswer(msgspec.Struct, frozen=True, gc=False):
    """A bot takes the draw that is offered, or declines it."""

    seat: Seat
    accept: bool


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


class Rename(msgspec.Struct, frozen=True, gc=False):
    """This is what somebody is called now, and whether they are a guest."""

    person: PersonId
    name: str
    guest: bool


class Tick(msgspec.Struct, frozen=True, gc=False):
    """Time has passed: what is due is done."""


class Wake(msgspec.Struct, frozen=True, gc=False):
    """The server has come back."""

    away: Millis = Millis(0)
    """After so long."""
    stopped_at: Millis | None = None
    """When it had come to its end in good order; None: it had crashed."""


Command = (
    Sit
    | SeatBot
    | Unseat
    | Swap
    | Leave
    | Ready
    | Start
    | Promote
    | Configure
    | Decorate
    | Close
    | CallOff
    | Act
    | BotAct
    | Resign
    | ReportFlag
    | OfferDraw
    | DeclineDraw
    | BotAnswer
    | Pause
    | Resume
    | Rematch
    | Succeed
    | Say
    | Drop
    | Return
    | Rename
    | Tick
    | Wake
)
