"""What stands at a gateway for a session that is at an owner: enough to have it go on at another one."""

from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

from gamut.cluster.messages import (
    BINARY,
    FLOODED,
    OVERSIZED,
    RATE_LIMITED,
    TEXT,
    Comes,
    Elsewhere,
    Frame,
    Kind,
    Number,
    Opened,
    Parting,
    Point,
    State,
)
from gamut.cluster.room import Room
from gamut.doors.close_codes import GOING_AWAY
from gamut.doors.offer import Newcomer
from gamut.hall.ids import TableId
from gamut.hall.store.journal import Wire

if TYPE_CHECKING:
    from gamut.cluster.gateway import Gateway
    from gamut.cluster.roaming_session import RoamingSession

MOST_FRAMES = 16
MOST_BYTES = 65_536
"""Of what was said and is not dealt with: nobody is read who has said more."""
_REPORTED = 16_384
"""Bytes that a client may have taken before the owner is told."""
_NOT_EVEN_OPENED = -1


class DistantSession:
    """Implements `gamut.doors.session.Session`."""

    __slots__ = (
        "_after_answers",
        "_bytes",
        "_came_with",
        "_count",
        "_gateway",
        "_greeted",
        "_has_come",
        "_held_after",
        "_reported",
        "_roaming",
        "_room",
        "_written",
        "door",
        "ended",
        "frames",
        "handled",
        "is_parting",
        "newcomer",
        "number",
        "state",
        "tables",
        "wire",
    )

    def __init__(
        self,
        gateway: "Gateway",
        number: Number,
        door: str,
        wire: Wire,
        newcomer: Newcomer,
        roaming: "RoamingSession | None" = None,
        came_with: tuple[bytes, bool] | None = None,
    ) -> None:
        """`roaming`: whose session this is in one wing of the hall; None: there is one wing. `came_with`: the state of
        its session in another wing, and whether that one goes on; None: it comes from outside."""
        self._roaming = roaming
        self._came_with = came_with
        self._has_come = False
        self._gateway = gateway
        self.number = number
        self.door = door
        self.wire = wire
        self.newcomer = newcomer
        self._greeted = False
        self.handled = _NOT_EVEN_OPENED
        """How many frames the owner has dealt with."""
        self.state = b""
        """From which the session goes on elsewhere; empty where it cannot."""
        self.tables: tuple[TableId, ...] = ()
        """That it follows."""
        self.frames: deque[Frame] = deque()
        """What the owner has not dealt with, as far as we know."""
        self._bytes = 0
        """Of these."""
        self._count = 0
        self._room = Room()
        self._after_answers: Callable[[], None] | None = None
        self._written = self._reported = 0
        self.is_parting = False
        """This gateway stops, and the owner was told so."""
        self._held_after = 0
        """How many frames came before that."""
        self.ended = False
        """The owner has let go of it, or the client has."""

    # From the client

    def opened(self) -> None:
        self._gateway.came(self)

    def text(self, data: bytes) -> Awaitable[None] | None:
        return self.say(TEXT, data)

    def binary(self, data: bytes) -> Awaitable[None] | None:
        return self.say(BINARY, data)

    def oversized(self) -> None:
        self.say(OVERSIZED)

    def rate_limited(self) -> None:
        self.say(RATE_LIMITED)

    def flooded(self) -> None:
        self.say(FLOODED)

    def coming(self) -> Opened | Comes:
        if self._came_with is not None:
            again, self._has_come = self._has_come, True
            return Comes(self.number, self.door, *self._came_with, again)
        newcomer = self.newcomer
        return Opened(self.number, self.door, newcomer.address, newcomer.query, newcomer.cookie)

    def hears(self, kind: Kind, data: bytes) -> None:
        """What the client has said in another wing of the hall, and is about something here."""
        self._count += 1
        frame = Frame(self.number, self._count, kind, data)
        self.frames.append(frame)
        self._bytes += len(data)
        if self.number in self._gateway.sessions:
            self._gateway.said(frame)

    def say(self, kind: Kind, data: bytes = b"") -> Awaitable[None] | None:
        if self.ended:
            return None
        self._count += 1
        frame = Frame(self.number, self._count, kind, data)
        self.frames.append(frame)
        self._bytes += len(data)
        self._gateway.said(frame)
        return self.room()

    def room(self) -> Awaitable[None] | None:
        """What to wait for before more is said; None: there is room for it."""
        if len(self.frames) < MOST_FRAMES and self._bytes < MOST_BYTES:
            return None
        return self._room.wait()

    @property
    def is_part(self) -> bool:
        """A session in the main wing speaks for the same client."""
        return self._came_with is not None and self._came_with[1]

    @property
    def said_last(self) -> int:
        """The number of the last frame."""
        return self._count

    @property
    def greeted(self) -> bool | None:
        """None: what it said last may be a greeting."""
        return self._greeted or (None if self.is_waiting else False)

    @property
    def is_waiting(self) -> bool:
        """Something that it said, or its coming, is not dealt with."""
        return not self.ended and self.handled < self._count

    def after_answers(self, call: Callable[[], None]) -> None:
        """Call once all that the client has said is dealt with, and answered as far as that was possible. Nothing is
        said after this."""
        if self.is_waiting:
            self._after_answers = call
        else:
            call()

    def broken(self) -> None:
        self.wire.fail()

    def closing(self) -> None:
        self.is_parting, self._held_after = True, self._count
        self._gateway.parting.begin(self)

    def closed(self) -> None:
        self._gateway.left(self)

    # From the owner

    @property
    def is_opened(self) -> bool:
        """The owner has dealt with our coming."""
        return self.handled != _NOT_EVEN_OPENED

    def write(self, data: bytes) -> bool:
        """Whether the owner may want to hear how much the client took in."""
        self.wire.write(data)
        self._written += len(data)
        return self._written - self._reported >= _REPORTED

    def took(self) -> int | None:
        took = self._written - self.wire.queued
        if took - self._reported < _REPORTED:
            return None
        self._reported = took
        return took

    @property
    def is_slow(self) -> bool:
        """It has yet to take in so much that the owner will want to hear of it."""
        return self._written - self._reported >= _REPORTED

    def is_at(self, point: Point) -> None:
        self.handled, self._greeted = point.handled, point.greeted
        frames = self.frames
        while frames and frames[0].count <= point.handled:
            self._bytes -= len(frames.popleft().data)
        if len(frames) <= MOST_FRAMES // 2 and self._bytes <= MOST_BYTES // 2:
            self._room.make()
        if self._after_answers is not None and not self.is_waiting:
            call, self._after_answers = self._after_answers, None
            call()
        if self._roaming is not None and not self.is_waiting:
            self._roaming.is_answered()

    def is_elsewhere(self, word: Elsewhere) -> None:
        """What the client has said is about something in another wing of the hall."""
        frames = [frame for frame in self.frames if frame.count >= word.count]
        if self._roaming is None or (word.count and (not frames or frames[0].count != word.count)):
            self.cut_off()  # an owner that is not as we are
        else:
            self._roaming.is_elsewhere(self, word, frames)

    def goes_on_from(self, state: State) -> None:
        self.state, self.tables = state.packed, state.tables

    # Between two owners

    def link_begins(self) -> None:
        """What is written is counted from here on."""
        self._written = self._reported = 0

    def said(self) -> Iterator[Frame | Parting]:
        """What an owner that goes on with it is to hear, in its order."""
        if not self.is_parting:
            yield from self.frames
            return
        yield from (frame for frame in self.frames if frame.count <= self._held_after)
        yield Parting(self.number, soon=True)
        yield from (frame for frame in self.frames if frame.count > self._held_after)

    def end(self) -> None:
        """Nothing more is heard from it, and nothing sent to it."""
        self.ended = True
        self.frames.clear()
        self._bytes = 0
        self._after_answers = None
        self._room.make()

    def cut_off(self) -> None:
        """It cannot go on anywhere. Its client knows how to come back, as after a restart."""
        self.end()
        self.wire.close(GOING_AWAY, "the server is restarting")
