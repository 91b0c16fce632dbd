"""What the server says at the web door."""

from typing import Any

import msgspec

from gamut.doors.framing import text_frame
from gamut.games.game import Outcome, Seat
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.lobby.summary import Summary
from gamut.hall.table.clock import Clock, ClockSetting, NoClock
from gamut.hall.table.events import Said, StartRule
from gamut.hall.table.seats import Holder
from gamut.hall.table.state import Phase

PROTOCOL = 1


class ToClient(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    pass


class Welcome(ToClient, frozen=True, tag="welcome"):
    person: PersonId
    name: str
    guest: bool
    now: Millis
    protocol: int
    """Always said, so it has no default: those are left out."""
    token: str | None = None
    """Only for a guest made by `hello`: say it next time to be the same person."""
    tables: list[TableId] = []
    """Where you have a seat in an unfinished game."""
    id: int | None = None


class Renamed(ToClient, frozen=True, tag="renamed"):
    """What you are called from now on: you have asked for it on this connection's page, or on another."""

    name: str


class Ok(ToClient, frozen=True, tag="ok"):
    id: int


class Error(ToClient, frozen=True, tag="error"):
    code: str
    message: str
    id: int | None = None


class Pong(ToClient, frozen=True, tag="pong"):
    now: Millis
    id: int | None = None


class Bye(ToClient, frozen=True, tag="bye"):
    """The server stops; come back in a moment and say where you were."""

    why: str


class LobbySnapshot(ToClient, frozen=True, tag="lobby"):
    now: Millis
    tables: list[Summary]
    here: int
    said: list[Said]
    anew: bool = False
    """It was not asked for, and is answered by nothing: what was told before may not be true any more."""


class LobbyChanged(ToClient, frozen=True, tag="lobby_changed"):
    here: int
    changed: list[Summary] = []
    gone: list[str] = []
    said: list[Said] = []


class Opened(ToClient, frozen=True, tag="opened"):
    table: TableId
    key: str
    id: int | None = None


class TableSnapshot(ToClient, frozen=True, tag="table"):
    """A table as this viewer may see it, complete up to and including event `seq`."""

    table: TableId
    seq: Seq
    stamp: Millis
    now: Millis
    game: str
    phase: Phase
    options: dict[str, Any]
    seats: tuple[Holder | None, ...]
    you: Seat | None
    host: PersonId | None
    start: StartRule
    clock: ClockSetting
    times: Clock | None
    awaited: tuple[Seat, ...]
    state: Any
    opened: Millis
    watchers: int
    outcome: Outcome | None = None
    ready: tuple[Seat, ...] = ()
    draw_offers: tuple[Seat, ...] = ()
    rematch: tuple[Seat, ...] = ()
    waiting: tuple[Seat, ...] = ()
    away: list[PersonId] = []
    private: bool = False
    locked: bool = False
    """Who sits down must know a password."""
    watchable: bool = True
    guards_watching: bool = False
    """Who watches must know it, too."""
    one_chat: bool = False
    """Watchers talk at the table, too."""
    decor: dict[str, Any] = {}
    """How the table looks, in the game's own words."""
    key: str | None = None
    room: str | None = None
    before: TableId | None = None
    successor: TableId | None = None
    anew: bool = False
    """Another past than the one you were told: you see the whole game through other eyes now, or all was revealed."""


class Events(ToClient, frozen=True, tag="events"):
    """What happened: everything after event `after`, up to and including `seq`, that this viewer may see."""

    table: TableId
    after: int
    seq: Seq
    stamp: Millis
    """Tells event `seq` from any other that could ever have this number: say it in `watch` with `since`."""
    now: Millis
    phase: Phase
    awaited: tuple[Seat, ...]
    events: list[Any]
    times: Clock | None = None
    waiting: tuple[Seat, ...] = ()
    outcome: Outcome | None = None


class Continued(ToClient, frozen=True, tag="continued"):
    """This table goes on as another one; you follow it already."""

    table: TableId
    to: TableId


class Watcher(msgspec.Struct, frozen=True):
    person: PersonId
    name: str


class Watchers(ToClient, frozen=True, tag="watchers"):
    """Who looks on at this table without a seat, of the people at this door."""

    table: TableId
    count: int
    people: list[Watcher]
    """Those who came first; of a crowd, not all."""


class Legal(ToClient, frozen=True, tag="legal"):
    table: TableId
    seq: Seq
    actions: list[Any]
    id: int | None = None


_encode = msgspec.json.Encoder().encode


def framed(message: ToClient) -> bytes:
    return text_frame(_encode(message))


def snapshot(live: LiveTable, person: PersonId, now: Millis, *, anew: bool = False) -> TableSnapshot:
    table = live.table
    you = live.viewer(person)
    return TableSnapshot(
        table=table.id,
        seq=table.seq,
        stamp=live.stamp(table.seq),
        now=now,
        game=table.game,
        phase=table.phase,
        options=msgspec.to_builtins(table.options),
        seats=table.seats,
        you=you,
        host=table.host,
        start=table.start,
        clock=table.clock_setting,
        times=times(live),
        awaited=live.awaited,
        state=live.state_for(you),
        opened=table.opened,
        watchers=live.watchers,
        outcome=table.outcome,
        ready=table.ready,
        draw_offers=table.draw_offers,
        rematch=table.rematch,
        waiting=table.waiting,
        away=[gone.person for gone in table.away],
        private=table.private,
        locked=table.password is not None,
        watchable=table.watchable,
        guards_watching=table.guards_watching,
        one_chat=table.one_chat,
        decor=table.decor,
        key=table.key if table.inside(person) else None,
        room=table.room,
        before=table.before,
        successor=table.successor,
        anew=anew,
    )


def happened(
    live: LiveTable, events: list[Any], after: int, upto: int, now: Millis, stamp: Millis | None = None
) -> Events:
    """What somebody may see of all that happened after that event and up to that one; and how things stand now."""
    table = live.table
    return Events(
        table=table.id,
        after=after,
        seq=Seq(upto),
        stamp=live.stamp(Seq(upto)) if stamp is None else stamp,
        now=now,
        phase=table.phase,
        awaited=live.awaited,
        events=events,
        times=times(live),
        waiting=table.waiting,
        outcome=table.outcome,
    )


def times(live: LiveTable) -> Clock | None:
    clock = live.table.clock
    return None if isinstance(clock.setting, NoClock) else clock
