"""A recorded game, as the files have it: players are numbered from 1 there, and times are milliseconds."""

from typing import Annotated, Literal

import msgspec

from gamut.games.topple.state import Penalty, Scoring

Style = Literal["per turn", "chess"]

Pair = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
Quad = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFFFF)]
Span = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFF)]
Long = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Player = Annotated[int, msgspec.Meta(ge=1, le=0xFFF)]
Colour = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFF)]


class Moved(msgspec.Struct, frozen=True, gc=False, tag="move", omit_defaults=True):
    player: Player
    tile: Annotated[int, msgspec.Meta(ge=0, lt=1 << 20)]
    after: Pair = 0
    """Milliseconds since the event before."""
    extra: dict[str, bytes] = {}
    """Values of extension fields, by name."""


class Removed(
    msgspec.Struct, frozen=True, gc=False, tag="removed", omit_defaults=True, forbid_unknown_fields=True
):
    """Out of the turn order: captured out, left, kicked, or lost on time."""

    player: Annotated[int, msgspec.Meta(ge=1, le=0xFF)]
    after: Pair = 0
    extra: dict[str, bytes] = {}


class Waited(
    msgspec.Struct, frozen=True, gc=False, tag="waited", omit_defaults=True, forbid_unknown_fields=True
):
    """Time passed: more than the two bytes of an event can say."""

    after: Span
    extra: dict[str, bytes] = {}


class Marked(
    msgspec.Struct, frozen=True, gc=False, tag="marked", omit_defaults=True, forbid_unknown_fields=True
):
    """An event that consists of extension fields only."""

    extra: dict[str, bytes] = {}


Event = Moved | Removed | Waited | Marked


class Person(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Who sat in a slot."""

    account: str = ""
    bot: str = ""
    """The bot's resource, such as `constantine/0`; empty for people."""
    called: str = ""
    """The name at the table, where the file says it: guests and bots have one, too, and no account."""


class Clock(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    style: Style
    limit: Quad
    """In whole seconds: each turn's, or each player's for the whole game."""
    penalty: Penalty
    left: tuple[Quad, ...] = ()
    """Seconds left of player 1 and so on; only with style chess."""


class Flagged(msgspec.Struct, frozen=True, gc=False, tag="flag"):
    """A field is there if a bit of the record's flag bytes is set; bit 0 is the most significant."""

    byte: Annotated[int, msgspec.Meta(ge=0, le=0x7F)]
    bit: Annotated[int, msgspec.Meta(ge=0, le=7)]


class Compared(msgspec.Struct, frozen=True, gc=False, tag="compare"):
    """A field is there if an earlier field is there and compares true with a value."""

    back: Annotated[int, msgspec.Meta(ge=0, le=7)]
    """0 is the field just before."""
    check: Annotated[int, msgspec.Meta(ge=0, le=7)]
    """==, !=, >, <, >=, <=, divisible by, not divisible by."""
    value: bytes


class ExtraField(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    name: str
    size: Annotated[int, msgspec.Meta(ge=1, le=0xFF)]
    when: Flagged | Compared | None = None


class Extension(msgspec.Struct, frozen=True, gc=False):
    """Fields that all events of one type (0 removed, 1 move, 2 waited, 3 marked) may have in this file."""

    event: Annotated[int, msgspec.Meta(ge=0, le=3)]
    fields: Annotated[tuple[ExtraField, ...], msgspec.Meta(max_length=8)]


class Record(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A whole file of any version."""

    room: str
    started: Long
    """Milliseconds since 1970, UTC."""
    topology: Annotated[int, msgspec.Meta(ge=0, le=3)]
    x: Annotated[int, msgspec.Meta(ge=1, le=0xFFFF)]
    y: Annotated[int, msgspec.Meta(ge=1, le=1 << 20)]
    teams: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=6)], ...], msgspec.Meta(max_length=0xFF)]
    """The team of player 1 and so on; 0 for an empty slot."""
    events: tuple[Event, ...]
    version: Annotated[int, msgspec.Meta(ge=1, le=6)] = 6
    """Of the file it was read from; what is written is always version 6."""
    timed: bool = True
    """The events tell when they happened."""
    size: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    """How wide moves are written: see `size_for`."""
    sequence: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The running number of the game on its server."""
    fingerprint: bytes = bytes(16)
    """16 bytes that tell servers apart."""
    colours: tuple[Colour, ...] | None = None
    """0xRRGGBB of neutral and of each team."""
    people: tuple[Person | None, ...] | None = None
    """Who player 1 was and so on."""
    ruled: bool = True
    """The file says what the clock and the scoring were; the next two fields."""
    clock: Clock | None = None
    scoring: Scoring | None = None
    suspended: bool = False
    """It is a suspended game, an `.stpl` file."""
    flags: bytes = b""
    """Flag bytes that extension fields may depend on."""
    other: dict[str, bytes] = {}
    """Metadata that we do not know but keep."""
    extensions: tuple[Extension, ...] = ()
