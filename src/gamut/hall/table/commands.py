"""What people, bots and time ask of a table."""

from typing import Any

import msgspec

from gamut.games.game import Seat
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.table.clock import ClockSetting, Time
from gamut.hall.table.events import Channel, StartRule
from gamut.hall.table.seats import Sitter


class Command(msgspec.Struct, frozen=True, gc=False):
    """Each kind of it has a rule in `gamut.hall.table.deciding.decide`."""


class Sit(Command, frozen=True):
    sitter: Sitter
    seat: Seat | None = None
    """None: the lowest free one."""
    key: str | None = None
    password: str | None = None
    password_hash: str | None = None
    """What a client that hashes passwords sends in place of it (`gamut.hall.people.prehash`)."""


class SeatBot(Command, frozen=True):
    by: PersonId
    level: str
    seat: Seat | None = None


class Unseat(Command, frozen=True):
    """Kick a person, or send a bot off."""

    by: PersonId
    seat: Seat
    bar: bool = True
    """A person who is kicked does not come back to this table."""


class Swap(Command, frozen=True):
    """Let two seats change places, with whatever they hold."""

    by: PersonId
    a: Seat
    b: Seat


class Leave(Command, frozen=True):
    person: PersonId


class Ready(Command, frozen=True):
    """Say that play may begin, or take that back; where everybody has to approve, it is not taken back."""

    person: PersonId
    ready: bool


class Start(Command, frozen=True):
    by: PersonId


class Promote(Command, frozen=True):
    by: PersonId
    seat: Seat


class Configure(Command, frozen=True):
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


class Decorate(Command, frozen=True):
    """Change how the table looks; entries that are not named stay."""

    by: PersonId
    decor: dict[str, Any]


class Close(Command, frozen=True):
    """The host takes the game away in order to go on with it somewhere else."""

    by: PersonId


class CallOff(Command, frozen=True):
    """The host gives the table up before play has begun."""

    by: PersonId


class Act(Command, frozen=True):
    person: PersonId
    action: Any
    seen: Seq | None = None
    """The last event the person had seen. Has the game moved on since, a late or doubled click does nothing."""


class BotAct(Command, frozen=True):
    seat: Seat
    action: Any
    resigns: bool = False
    """It does not act any more: the game is given up."""


class Resign(Command, frozen=True):
    person: PersonId


class ReportFlag(Command, frozen=True):
    """A player says that their own time is over: they do not need what is allowed after it."""

    person: PersonId


class TakeBack(Command, frozen=True):
    """Take back one's own last action, and all that came after it."""

    person: PersonId
    moves: int
    """How many moves the person wants to stand then. Would others stand, a late or doubled click does nothing."""


class OfferDraw(Command, frozen=True):
    """Offer a draw, or take the one that is offered."""

    person: PersonId


class DeclineDraw(Command, frozen=True):
    person: PersonId


class BotAnswer(Command, frozen=True):
    """A bot takes the draw that is offered, or declines it."""

    seat: Seat
    accept: bool


class Pause(Command, frozen=True):
    by: PersonId


class Resume(Command, frozen=True):
    by: PersonId


class Rematch(Command, frozen=True):
    person: PersonId
    level: str | None = None
    """How strong the bots are to be, if not as they were: for whoever plays with bots alone."""


class Succeed(Command, frozen=True):
    """The hall has opened the table that follows this one."""

    next: TableId


class Say(Command, frozen=True):
    person: PersonId
    name: str
    text: str
    channel: Channel


class Drop(Command, frozen=True):
    person: PersonId


class Return(Command, frozen=True):
    person: PersonId
    key: int | None = None


class Rename(Command, frozen=True):
    """This is what somebody is called now, and whether they are a guest."""

    person: PersonId
    name: str
    guest: bool


class Tick(Command, frozen=True):
    """Time has passed: what is due is done."""


class Wake(Command, frozen=True):
    """The server has come back."""

    away: Millis = Millis(0)
    """After so long."""
    charged: Millis | None = None
    """Up to when clocks ran; None: it had crashed, and up to the last event of the table is what is known."""
    node: int | None = None
    """The number of the node that takes over from another one; None: there is one server, and no other."""
    here: frozenset[PersonId] = frozenset()
    """Whose connections to this table have lived on."""


class CutOff(Command, frozen=True):
    """A fault of ours has ended connections, while the server has lived on."""

    here: frozenset[PersonId]
    """Who still has one to this table."""
    heard: Millis | None = None
    """When the others were heard last; None: just now."""
