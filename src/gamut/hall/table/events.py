"""Everything that can happen at a table. Only these are stored and sent; docs/events.md says how they may evolve."""

from typing import Any, Generic, Literal, TypeVar

import msgspec

from gamut.games.game import Seat
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.table.clock import ClockSetting, Time
from gamut.hall.table.seats import Holder, Sitter

StartRule = Literal["full", "ready", "host", "approval"]
"""Play begins when every seat is taken; when everyone is also ready; when the host says so; or when everyone has
approved of how the table stands, which they can once every seat is taken, and counts until something is changed."""

Channel = Literal["table", "kibitz"]
"""Players talk at the table, where all can hear; watchers whisper among themselves."""

GameEvent = TypeVar("GameEvent")


class Happening(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="type"):
    """What all events of a table have: when they happened, by the server's clock."""

    at: Millis


class Opened(Happening, frozen=True, tag="opened"):
    table: TableId
    game: str
    options: dict[str, Any]
    seats: int
    clock: ClockSetting
    start: StartRule
    private: bool
    key: str
    """Whoever knows it may take a seat at a private table."""
    host: PersonId | None
    room: str | None = None
    """The name under which a door of a game's own knows this table."""
    before: TableId | None = None
    """The table whose rematch this is."""
    vacated: bool = False
    """Somebody has left the room that this table continues."""
    password: str | None = None
    """A salted hash (`gamut.hall.table.deciding.lock`): who takes a seat must know the word, or the key."""
    watchable: bool = True
    """People without a seat may follow the game."""
    guards_watching: bool = False
    """They must know the password, too, or have the key."""
    decor: dict[str, Any] = {}
    """What a game's own door wants to remember of this table and the rules do not need."""
    times: tuple[Millis | Time, ...] = ()
    """What each seat has on its clock at first, where that is not what the setting says; a number is the main time."""
    barred: tuple[PersonId, ...] = ()
    """Who was kicked from the table that this one continues."""
    holders: tuple[Holder | None, ...] = ()
    """Who sits here from the first, seat by seat: those who played on from the table before. Nobody if empty."""
    one_chat: bool = False
    """Watchers talk at the table, too."""


class Configured(Happening, frozen=True, tag="configured"):
    options: dict[str, Any]
    clock: ClockSetting
    start: StartRule
    private: bool
    decor: dict[str, Any] | None = None
    """None: as it was."""
    times: tuple[Millis | Time, ...] = ()
    """What each seat has on its clock, where that is not what the setting says; a number is the main time."""
    holders: tuple[Holder | None, ...] = ()
    """Who sits where from now on, if there are more seats or fewer than before. Empty: as they sat."""


class Decorated(Happening, frozen=True, tag="decorated"):
    """The host changed how the table looks: colours and the like."""

    decor: dict[str, Any]


class Sat(Happening, frozen=True, tag="sat"):
    seat: Seat
    sitter: Sitter


class BotSat(Happening, frozen=True, tag="bot_sat"):
    seat: Seat
    level: str
    name: str


class Stood(Happening, frozen=True, tag="stood"):
    """A seat is empty again: its person left, was kicked or stayed away too long, or its bot was sent off."""

    seat: Seat
    person: PersonId | None
    why: Literal["left", "kicked", "gone", "removed"]
    bar: bool = True
    """Whoever was kicked does not come back. Of others it says nothing."""


class HostChanged(Happening, frozen=True, tag="host_changed"):
    host: PersonId | None


class Readied(Happening, frozen=True, tag="readied"):
    seat: Seat
    ready: bool


class Swapped(Happening, frozen=True, tag="swapped"):
    """What these two seats held, they hold the other way round: people, bots, or nobody."""

    a: Seat
    b: Seat


class Started(Happening, Generic[GameEvent], frozen=True, tag="started"):
    events: tuple[GameEvent, ...]
    order: tuple[Seat, ...] = ()
    """For each seat, in which one its player sat until now. Empty: all stay where they sat."""


class Played(Happening, Generic[GameEvent], frozen=True, tag="played"):
    """Something happened in the game: a seat acted, ran out of time, quit, or all agreed to a draw."""

    events: tuple[GameEvent, ...]
    seat: Seat | None = None
    why: Literal["acted", "flagged", "quit", "agreed"] = "acted"


class TakenBack(Happening, frozen=True, tag="taken_back"):
    """A seat has taken its last action back, with all that came after it. What was played stays in the log."""

    seat: Seat
    moves: int
    """So many of the `played` stand, counted from the first; of those that came later, none does any more."""


class Paused(Happening, frozen=True, tag="paused"):
    pass


class Resumed(Happening, frozen=True, tag="resumed"):
    pass


class DrawOffered(Happening, frozen=True, tag="draw_offered"):
    seat: Seat


class DrawDeclined(Happening, frozen=True, tag="draw_declined"):
    seat: Seat


class RematchWanted(Happening, frozen=True, tag="rematch_wanted"):
    seat: Seat
    level: str | None = None
    """How strong the bots are to be; None: as they were."""


class Succeeded(Happening, frozen=True, tag="succeeded"):
    """Everyone goes on at another table."""

    next: TableId


class Said(Happening, frozen=True, tag="said", rename={"channel": "room"}):
    person: PersonId
    name: str
    text: str
    channel: Channel


class Dropped(Happening, frozen=True, tag="dropped"):
    """The last connection of a person of this table was lost. The seat is kept."""

    person: PersonId


class Returned(Happening, frozen=True, tag="returned"):
    person: PersonId
    key: int | None = None
    """Which of the keys that a door has given this person opened the seat; None: they are known otherwise."""


class Renamed(Happening, frozen=True, tag="renamed"):
    """Somebody who sits here is called something else from now on, or has an account."""

    person: PersonId
    name: str
    guest: bool = True


class WaitedOut(Happening, frozen=True, tag="waited_out"):
    """Play has rested for somebody for as long as it does: it goes on without them, and their clock runs."""

    seat: Seat


class Woken(Happening, frozen=True, tag="woken"):
    """The server was away, or a part of it: people were cut off. Nobody is charged for it, and they have yet to come
    back."""

    away: Millis | None = None
    """For how long: whoever was away before has as much time left as then. None: not known, and it begins anew."""
    clocks_stand: bool = False
    """The clocks of those whom the stop has cut off stand until they are back. Once they ran at once."""
    stopped_at: Millis | None = None
    """When the server had come to its end in good order: clocks ran up to then. None: up to the event before."""
    cut_off: tuple[PersonId, ...] | None = None
    """Who was there and has no connection any more. The others are there, or away, as they were. None: nobody has."""


class Handed(Happening, frozen=True, tag="handed"):
    """Another node has the table from now on. Nobody is charged for the pause, and nobody is away because of it."""

    charged: Millis
    """Up to when clocks ran. They go on at the moment of this event."""
    node: int
    """The number of the node that has it now."""


class Closed(Happening, frozen=True, tag="closed"):
    """The table ends without a result."""

    why: Literal["empty", "abandoned", "exported", "called_off", "removed", "endless"]
    """`removed`: the host has removed somebody, and without them it would have been won. `endless`: it went on for
    longer than any game does."""
