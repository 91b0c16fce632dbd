"""What clients say at the web door. A message is declared here once: codec, check and documentation in one."""

from typing import Annotated, Any

import msgspec

from gamut.doors.messages import any_of
from gamut.games.game import Seat
from gamut.hall.ids import Seq
from gamut.hall.table.clock import ClockSetting, NoClock
from gamut.hall.table.events import Channel, StartRule

Id = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
SeatNumber = Annotated[Seat, msgspec.Meta(ge=0, le=99)]
Seats = Annotated[int, msgspec.Meta(ge=0, le=99)]
Event = Annotated[Seq, msgspec.Meta(ge=0, le=2**53 - 1)]
Word = Annotated[str, msgspec.Meta(max_length=64)]
Password = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Table = Annotated[str, msgspec.Meta(max_length=32)]


class FromClient(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    id: Id | None = None
    """Repeated in the answer."""


class OfTable(FromClient, frozen=True):
    table: Table


class Hello(FromClient, frozen=True, tag="hello"):
    """Say who you are: a new guest by name, or someone known by token. Not needed with a session cookie."""

    name: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    token: Annotated[str, msgspec.Meta(max_length=500)] | None = None


class Ping(FromClient, frozen=True, tag="ping"):
    pass


class Lobby(FromClient, frozen=True, tag="lobby"):
    """Follow the lobby (or stop)."""

    follow: bool = True


class Open(FromClient, frozen=True, tag="open"):
    """Open a table and sit down at it."""

    game: Word
    options: dict[str, Any] = {}
    seats: Seats | None = None
    clock: ClockSetting = NoClock()
    start: StartRule = "full"
    private: bool = False
    password: Password | None = None
    """Whoever sits down must say it, unless they have the key."""
    guards_watching: bool = False
    """And whoever watches, too."""
    watchable: bool = True
    one_chat: bool = False
    """Watchers talk at the table, too."""
    bots: Annotated[list[Word], msgspec.Meta(max_length=16)] = []
    """Levels of bots to seat beside you."""
    seat: SeatNumber | None = None
    """Where you sit; None: on the first seat."""


class Watch(OfTable, frozen=True, tag="watch"):
    """Follow a table: a snapshot of it first, or everything since an event that you have already."""

    since: Event | None = None
    stamp: Id | None = None
    """What the server said beside that number: if it knows that event otherwise, it lost what came before."""
    key: Word | None = None
    password: Password | None = None
    """Where watchers must know it."""
    glance: bool = False
    """Only a look at the board, as in a list of tables: not among the watchers, and not told who they are."""


class Unwatch(OfTable, frozen=True, tag="unwatch"):
    pass


class Sit(OfTable, frozen=True, tag="sit"):
    seat: SeatNumber | None = None
    key: Word | None = None
    password: Password | None = None


class Leave(OfTable, frozen=True, tag="leave"):
    """Give up your seat."""


class Bot(OfTable, frozen=True, tag="bot"):
    level: Word
    seat: SeatNumber | None = None


class Unseat(OfTable, frozen=True, tag="unseat"):
    seat: SeatNumber
    bar: bool = True
    """Whoever is kicked does not come back."""


class Swap(OfTable, frozen=True, tag="swap"):
    """Let two seats change places, with whatever they hold."""

    a: SeatNumber
    b: SeatNumber


class Ready(OfTable, frozen=True, tag="ready"):
    ready: bool = True


class Start(OfTable, frozen=True, tag="start"):
    pass


class Promote(OfTable, frozen=True, tag="promote"):
    seat: SeatNumber


class Configure(OfTable, frozen=True, tag="configure"):
    options: dict[str, Any] | None = None
    clock: ClockSetting | None = None
    start: StartRule | None = None
    private: bool | None = None
    seats: Seats | None = None
    """How many there are to be."""


class Decorate(OfTable, frozen=True, tag="decorate"):
    """Choose how the table looks; what there is to choose is the game's."""

    decor: dict[str, Any]


class Export(OfTable, frozen=True, tag="export"):
    """Take the game away, to go on with it at another table. This one is closed."""


class CallOff(OfTable, frozen=True, tag="call_off"):
    """Give the table up before play has begun."""


class Act(OfTable, frozen=True, tag="act"):
    action: msgspec.Raw
    seen: Event | None = None


class Legal(OfTable, frozen=True, tag="legal"):
    """Ask what you may do now."""


class Resign(OfTable, frozen=True, tag="resign"):
    pass


class TakeBack(OfTable, frozen=True, tag="take_back"):
    """Take back your last action, and what bots have done since."""

    moves: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    """How many moves are to stand then: said twice, it is done once."""


class Flag(OfTable, frozen=True, tag="flag"):
    """Say that your own time is over."""


class Draw(OfTable, frozen=True, tag="draw"):
    """Offer a draw, take an offered one, or decline it."""

    accept: bool = True


class Pause(OfTable, frozen=True, tag="pause"):
    pass


class Resume(OfTable, frozen=True, tag="resume"):
    pass


class Rematch(OfTable, frozen=True, tag="rematch"):
    level: Word | None = None
    """How strong the bots are to be, if not as they were."""


class Say(FromClient, frozen=True, tag="say", rename={"channel": "room"}):
    """Talk at a table, among its watchers, or in the lobby (no table)."""

    text: Annotated[str, msgspec.Meta(max_length=2000)]
    table: Table | None = None
    channel: Channel = "table"


_decode = msgspec.json.Decoder(any_of(FromClient)).decode
WRONG = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_LONGEST_REASON = 300


class _Numbered(msgspec.Struct):
    id: Id | None = None


_numbered = msgspec.json.Decoder(_Numbered)


class Unreadable(msgspec.Struct, frozen=True):
    """Something that is no message."""

    id: int | None
    """Which one it was, if that much can be read."""
    reason: str


BEFORE_HELLO = (Hello, Unreadable)
IN_A_PART = (Open, Unreadable)
"""Of what names no table, this is dealt with in any wing of the hall."""


def parsed(data: bytes) -> FromClient | Unreadable:
    try:
        message: FromClient = _decode(data)
    except WRONG as error:
        return Unreadable(_number_of(data), explained(error))
    return message


def _number_of(data: bytes) -> int | None:
    try:
        return _numbered.decode(data).id
    except WRONG:
        return None


def explained(error: Exception) -> str:
    if isinstance(error, msgspec.ValidationError):
        return f"That message is not right: {shortened(error)}."
    return "That is not JSON."


def shortened(error: Exception) -> str:
    """It may repeat a word of the message, however long that was."""
    return str(error)[:_LONGEST_REASON]
