"""A client of a hall with several wings, at its gateway: its session goes to the wing that it wants something of.

It begins in the main wing. What a client says goes to the owner where its session is, and that one says if it is about
something in another wing. Then a session that is in one wing at a time goes there whole, with all that its client has
said since. One that is *spread* stays in the main wing, and has a part in each other one that it needs.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from gamut.cluster.distant_session import DistantSession
from gamut.cluster.messages import Elsewhere, Frame
from gamut.doors.offer import Newcomer
from gamut.hall.ids import TableId
from gamut.hall.store.journal import Wire
from gamut.hall.wings import MAIN

if TYPE_CHECKING:
    from gamut.cluster.gateways import Gateways

_MOST_TURNS = 4
"""How often what a client has said may be sent on to another wing before it is answered: nodes that do not agree where
things are would send it around for ever."""
_table_in = re.compile(rb'"table"\s*:\s*"(\w{11})"').search
"""The table that a message is about. (In a text its quotation marks would have signs before them.) What is written
otherwise is sent on by the main wing."""


class RoamingSession:
    """Implements `gamut.doors.session.Session`."""

    __slots__ = (
        "_gateways",
        "_here",
        "_is_parting",
        "_newcomer",
        "_parts",
        "_turns",
        "_when_answered",
        "door",
        "wire",
    )

    def __init__(self, gateways: "Gateways", door: str, wire: Wire, newcomer: Newcomer) -> None:
        self._gateways = gateways
        self.door = door
        self.wire = wire
        self._newcomer = newcomer
        self._here = gateways.main.session(door, wire, newcomer, self)
        """What is said goes there first."""
        self._parts: dict[int, DistantSession] = {MAIN: self._here}
        """By wing; the others of a spread session, too."""
        self._turns: dict[tuple[DistantSession, int], int] = {}
        """How often frames were sent on, by where they are now."""
        self._is_parting = False
        self._when_answered: Callable[[], None] | None = None

    # From the client

    def opened(self) -> None:
        self._here.opened()

    def text(self, data: bytes) -> Awaitable[None] | None:
        if len(self._parts) == 1:
            return self._here.text(data)
        waiting = self._about(data).text(data)
        return self._room() if waiting is None else waiting

    def _room(self) -> Awaitable[None] | None:
        """Parts that had room before fill up, too, with what the main wing sends on."""
        return next((room for part in self._parts.values() if (room := part.room()) is not None), None)

    def binary(self, data: bytes) -> Awaitable[None] | None:
        return self._here.binary(data)

    def oversized(self) -> None:
        self._here.oversized()

    def rate_limited(self) -> None:
        self._here.rate_limited()

    def flooded(self) -> None:
        self._here.flooded()

    def _about(self, data: bytes) -> DistantSession:
        """Where this is said first: what is about tables of one wing is said there in the order in which it came. What
        is about another wing is not waited for, since that one may have no owner just now."""
        wing, home = self._wing_in(data), self._here
        part = self._parts.get(wing, home)
        # Something may be on its way there that was said before there was a part.
        is_late = part is not home and any(self._wing_in(frame.data) == wing for frame in home.frames)
        return home if is_late else part

    def _wing_in(self, data: bytes) -> int:
        found = _table_in(data)
        return MAIN if found is None else self._gateways.wings.of_table(TableId(found[1].decode()))

    @property
    def greeted(self) -> bool | None:
        """None: what it said last may be a greeting."""
        return self._here.greeted or (None if self._is_waiting else False)

    @property
    def _is_waiting(self) -> bool:
        return any(part.is_waiting for part in self._parts.values())

    def after_answers(self, call: Callable[[], None]) -> None:
        """Call once all that the client has said is dealt with, and answered as far as that was possible. Nothing is
        said after this."""
        if self._is_waiting:
            self._when_answered = call
        else:
            call()

    def broken(self) -> None:
        self.wire.fail()

    def closing(self) -> None:
        self._is_parting = True
        for part in tuple(self._parts.values()):
            part.closing()

    def closed(self) -> None:
        for part in tuple(self._parts.values()):
            part.closed()

    # From owners

    def is_answered(self) -> None:
        """All that was said in one wing is dealt with there."""
        if self._is_waiting:
            return
        self._turns.clear()
        if self._when_answered is not None:
            call, self._when_answered = self._when_answered, None
            call()

    def is_elsewhere(self, part: DistantSession, word: Elsewhere, frames: Sequence[Frame]) -> None:
        """`frames`: what the client has said there from the one on that is to be said elsewhere."""
        turns = self._turns.pop((part, word.count), 0) + 1
        if turns > _MOST_TURNS or not self._gateways.has(word.wing) or self._parts.get(word.wing) is part:
            self._cannot_go_on(part)
        elif word.stays:
            self._send_on(word.wing, frames[0], turns)
        else:
            self._go(part, word, frames, turns)

    def _send_on(self, wing: int, frame: Frame, turns: int) -> None:
        home, there = self._parts[MAIN], self._parts.get(wing)
        if there is None:
            if not home.state:
                self._cannot_go_on(home)  # nobody could from how things stand there
                return
            there = self._parts[wing] = self._come(wing, (home.state, True), [frame])
        else:
            there.hears(frame.kind, frame.data)
        # For whom something else waits all the time `is_answered` may never come.
        self._turns = {said: often for said, often in self._turns.items() if said[1] > said[0].handled}
        self._turns[there, there.said_last] = turns

    def _cannot_go_on(self, part: DistantSession) -> None:
        self._gateways.closed_on_the_way += 1
        part.cut_off()

    def _go(self, part: DistantSession, word: Elsewhere, frames: Sequence[Frame], turns: int) -> None:
        came_with = (part.state, False) if word.count else None
        self._gateways.each[self._wing_of(part)].forget(part)
        self._here = self._come(word.wing, came_with, frames)
        self._parts = {word.wing: self._here}
        self._turns = {(self._here, 1 if word.count else 0): turns}

    def _come(
        self, wing: int, came_with: tuple[bytes, bool] | None, frames: Sequence[Frame]
    ) -> DistantSession:
        there = self._gateways.each[wing].session(self.door, self.wire, self._newcomer, self, came_with)
        for frame in frames:
            there.hears(frame.kind, frame.data)
        there.opened()
        if self._is_parting:
            there.closing()
        return there

    def _wing_of(self, part: DistantSession) -> int:
        return next(wing for wing, other in self._parts.items() if other is part)
