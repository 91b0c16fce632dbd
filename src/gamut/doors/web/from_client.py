"""What clients say at the web door. A message is declared here once: codec, check and documentation in one."""

from typing import Annotated, Any

import msgspec

from gamut.hall.table.clock import ClockSetting, NoClock
from gamut.hall.table.events import Channel, StartRule

Id = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=99)]
Word = Annotated[str, msgspec.Meta(max_length=64)]
Password = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Table = Annotated[str, msgspec.Meta(max_length=32)]


class FromClient(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    id: Id | None = None
    """Repeated in the answer."""


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
    seats: SeatNumber | None = None
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


class Watch(FromClient, frozen=True, tag="watch"):
    """Follow a table: a snapshot of it first, or everything since an event that you have already."""

    table: Table
    since: Id | None = None
    stamp: Id | None = None
    """What the server said beside that number: if it knows that event otherwise, it lost what came before."""
    key: Word | None = None
    password: Password | None = None
    """Where watchers must know it."""
    glance: bool = False
    """Only a look at the board, as in a list of tables: not among the watchers, and not told who they are."""


class Unwatch(FromClient, frozen=True, tag="unwatch"):
    table: Table


class Sit(FromClient, frozen=True, tag="sit"):
    table: Table
    seat: SeatNumber | None = None
    key: Word | None = None
    password: Password | None = None


class Leave(FromClient, frozen=True, tag="leave"):
    """Give up your seat."""

    table: Table


class Bot(FromClient, frozen=True, tag="bot"):
    table: Table
    level: Word
    seat: SeatNumber | None = None


class Unseat(FromClient, frozen=True, tag="unseat"):
    table: Table
    seat: SeatNumber
    bar: bool = True
    """Whoever is kicked does not come back."""


class Swap(FromClient, frozen=True, tag="swap"):
    """Let two seats change places, with whatever they hold."""

    table: Table
    a: SeatNumber
    b: SeatNumber


class Ready(FromClient, frozen=True, tag="ready"):
    table: Table
    ready: bool = True


class Start(FromClient, frozen=True, tag="start"):
    table: Table


class Promote(FromClient, frozen=True, tag="promote"):
    table: Table
    seat: SeatNumber


class Configure(FromClient, frozen=True, tag="configure"):
    table: Table
    options: dict[str, Any] | None = None
    clock: ClockSetting | None = None
    start: StartRule | None = None
    private: bool | None = None
    seats: SeatNumber | None = None
    """How many there are to be."""


class Decorate(FromClient, frozen=True, tag="decorate"):
    """Choose how the table looks; what there is to choose is the game's."""

    table: Table
    decor: dict[str, Any]


class Export(FromClient, frozen=True, tag="export"):
    """Take the game away, to go on with it at another table. This one is closed."""

    table: Table


class CallOff(FromClient, frozen=True, tag="call_off"):
    """Give the table up before play has begun."""

    table: Table


class Act(FromClient, frozen=True, tag="act"):
    table: Table
    action: msgspec.Raw
    seen: Id | None = None


class Legal(FromClient, frozen=True, tag="legal"):
    """Ask what you may do now."""

    table: Table


class Resign(FromClient, frozen=True, tag="resign"):
    table: Table


class Flag(FromClient, frozen=True, tag="flag"):
    """Say that your own time is over."""

    table: Table


class Draw(FromClient, frozen=True, tag="draw"):
    """Offer a draw, take an offered one, or decline it."""

    table: Table
    accept: bool = True


class Pause(FromClient, frozen=True, tag="pause"):
    table: Table


class Resume(FromClient, frozen=True, tag="resume"):
    table: Table


class Rematch(FromClient, frozen=True, tag="rematch"):
    table: Table


class Say(FromClient, frozen=True, tag="say", rename={"channel": "room"}):
    """Talk at a table, among its watchers, or in the lobby (no table)."""

    text: Annotated[str, msgspec.Meta(max_length=2000)]
    table: Table | None = None
    channel: Channel = "table"


AnyMessage = (
    Hello
    | Ping
    | Lobby
    | Open
    | Watch
    | Unwatch
    | Sit
    | Leave
    | Bot
    | Unseat
    | Swap
    | Ready
    | Start
    | Promote
    | Configure
    | Decorate
    | Export
    | CallOff
    | Act
    | Legal
    | Resign
    | Flag
    | Draw
    | Pause
    | Resume
    | Rematch
    | Say
)

_decode = msgspec.json.Decoder(AnyMessage).decode
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


def parsed(data: bytes) -> AnyMessage | Unreadable:
    try:
        message: AnyMessage = _decode(data)
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
