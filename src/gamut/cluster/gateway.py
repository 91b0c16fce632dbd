"""A gateway holds sockets while owners come and go: it sends frames there and bytes here, and decides nothing.

Of each connection it keeps what another owner needs to go on: the packed session as of the last thing told, and the
frames that were not dealt with. *Attaching* everybody anew is what it does about every fault of an owner, or of the way
to it.
"""

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import count
from typing import TYPE_CHECKING, Any

from gamut.cluster.bus import Bus
from gamut.cluster.distant_session import DistantSession
from gamut.cluster.gateway_parting import GatewayParting
from gamut.cluster.link import Link, number_of
from gamut.cluster.messages import (
    NODES,
    NONSENSE,
    OF_AN_ANNEX,
    PROTOCOL,
    After,
    AllAttached,
    Attached,
    Close,
    Comes,
    Cut,
    Elsewhere,
    Ended,
    Frame,
    GatewayHere,
    Go,
    Hello,
    Know,
    Knows,
    Leaving,
    LetOut,
    Lost,
    Mark,
    OwnerHere,
    Point,
    Say,
    State,
    ToGateway,
    Told,
    Took,
    ToOwner,
    encode,
    here,
    subject_of_gateway,
    subject_of_owner,
    to_gateway,
)
from gamut.cluster.newcomers import Newcomers
from gamut.cluster.pulse import Pulse
from gamut.doors.offer import Newcomer, SessionOn
from gamut.hall.ids import Seq, TableId
from gamut.hall.lobby.talk import TALK
from gamut.hall.store.journal import Wire
from gamut.hall.wings import MAIN

if TYPE_CHECKING:
    from gamut.cluster.roaming_session import RoamingSession

log = logging.getLogger("gamut.cluster")

TICK = 0.05
HERE_EVERY = 0.25
"""Seconds between two signs of life."""
ALONE_FOR = 10.0
"""Seconds without an owner after which everybody is hung up on, as at a restart."""
_HEAD = 64
"""Bytes of an item beside what it carries, or a few less."""
_UNIT = 262_144
_UNDER_WAY = 1_048_576
"""Bytes on their way to the owner; what is more waits until some of them have arrived."""
_CANNOT_SERVE = (
    "an owner of another version cannot be served",
    "an owner of a hall with another number of wings cannot be served",
)
_TICKS_A_SIGN = round(HERE_EVERY / TICK)


class Gateway:
    def __init__(
        self,
        id: str,
        name: str,
        bus: Bus,
        pulse: Pulse,
        new_link: Callable[[], int],
        wing: int = MAIN,
        wings: int = 1,
    ) -> None:
        """`new_link`: a number that no link has had."""
        self.id = id
        self.wing = wing
        self._wings = wings
        self._name = name
        self._version = version("gamut")
        self._bus = bus
        self._pulse = pulse
        self._new_link = new_link
        self.node = 0
        """The number of the last owner that we know of: whoever has a lower one was ended."""
        self.answered = 0
        """The number of the last one that has said something to us."""
        self._handed_over = 0
        """The number of the last owner that has said so: what it still says is late."""
        self.link: Link | None = None
        self._link_number = 0
        self.is_open = False
        """The owner has everybody, and hears them."""
        self._alone_since: float | None = None
        self._numbers = count(1)
        self.sessions: dict[int, DistantSession] = {}
        self.newcomers = Newcomers(self.say, pulse.now)
        self.marks: dict[TableId, Seq] = {}
        self._following: Counter[TableId] = Counter()
        """How many sessions follow each table."""
        self._held: deque[tuple[int, list[ToGateway]]] = deque()
        """What the owner has said, and the batch that must be stored before that is true; 0: none but those before."""
        self._outgoing: deque[ToOwner] = deque()
        self._flushing = False
        self._slow: dict[int, DistantSession] = {}
        """Sessions whose clients have yet to take in what was written."""
        self._ticks = 0
        self._cannot_serve = 0
        """The highest number of an owner that cannot be served and was told of in the log."""
        self.attached = 0
        """How often everybody was attached."""
        self.closed_behind = 0
        """Connections that could not go on at another owner."""
        self.parting = GatewayParting(self, pulse)
        self._ended = False
        bus.subscribe(subject_of_gateway(id), self._packet)
        bus.subscribe(NODES, self._somebody_is_here)

    def begin(self) -> None:
        self._alone_since = self._pulse.now()
        self._tick()

    def end(self) -> None:
        """The gateway has stopped."""
        if self._ended:
            return
        self.say(Leaving())
        self._flush()
        self._ended = True
        self._bus.unsubscribe(subject_of_gateway(self.id), self._packet)
        self._bus.unsubscribe(NODES, self._somebody_is_here)

    def session_at(self, door: str) -> SessionOn:
        def session(wire: Wire, newcomer: Newcomer) -> DistantSession:
            return self.session(door, wire, newcomer)

        return session

    def session(
        self,
        door: str,
        wire: Wire,
        newcomer: Newcomer,
        roaming: "RoamingSession | None" = None,
        came_with: tuple[bytes, bool] | None = None,
    ) -> DistantSession:
        return DistantSession(self, next(self._numbers), door, wire, newcomer, roaming, came_with)

    # From clients

    def came(self, session: DistantSession) -> None:
        self.sessions[session.number] = session
        if self.link is not None:
            self.newcomers.came(session.coming())
            for frame in session.frames:
                self.newcomers.said(frame)

    def said(self, frame: Frame) -> None:
        self.newcomers.said(frame)

    def left(self, session: DistantSession) -> None:
        """The client is gone."""
        if self.forget(session) and self.newcomers.left(session.number):
            self.say(Lost(session.number))

    def forget(self, session: DistantSession) -> bool:
        """The client is gone, or in another wing of the hall; whether it was here."""
        if self.sessions.pop(session.number, None) is None:
            return False
        session.end()
        self._slow.pop(session.number, None)
        self._follow(session.tables, ())
        return True

    def say(self, item: ToOwner) -> None:
        """To the owner. Without one nothing is kept here: whoever is attached later says it then."""
        if self.link is None:
            return
        self._outgoing.append(item)
        if not self._flushing:
            self._flushing = True
            self._pulse.soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        link, outgoing = self.link, self._outgoing
        if link is None:
            return
        while outgoing and link.unacknowledged < _UNDER_WAY:
            unit: list[ToOwner] = []
            size = 0
            while outgoing and size < _UNIT:
                item = outgoing.popleft()
                size += len(item.data) + _HEAD if type(item) is Frame else _size(item)
                unit.append(item)
            link.say(encode(unit))
        self._publish(link)

    def _publish(self, link: Link) -> None:
        subject = subject_of_owner(self.node)
        for packet in link.packets():
            self._bus.publish(subject, packet)

    # From everybody

    def _somebody_is_here(self, data: bytes) -> None:
        try:
            who = here(data)
        except NONSENSE:
            return
        if type(who) is not OwnerHere or who.wing != self.wing:
            return
        if who.node < self.node or who.node == self._handed_over or self._ended:
            return
        if who.protocol != PROTOCOL or who.wings != self._wings:
            if who.node > self._cannot_serve:
                self._cannot_serve = who.node
                log.error(_CANNOT_SERVE[who.protocol == PROTOCOL], extra={"node": who.node})
            return
        if who.node > self.node or self.link is None:
            if who.node == self.node:
                self._let_out(who.stored)
            elif who.before == self.node:
                self._let_out(who.before_stored)
            # Nothing else of it has happened, or nobody knows: who is behind then comes back by themself.
            self._held.clear()
            self._attach(who.node)

    def _attach(self, node: int) -> None:
        """Everybody goes on at this owner."""
        log.info("attaching to an owner", extra={"node": node, "connections": len(self.sessions)})
        self.attached += 1
        self.node = node
        self.is_open = False
        self._link_number = self._new_link()
        self.link = Link(self._link_number, self._pulse.now())
        self._outgoing.clear()
        self.newcomers.clear()
        self._slow.clear()
        for item in self._all():
            self.say(item)

    def _all(self) -> Iterator[ToOwner]:
        yield Hello(self.id)
        for table, seq in self.marks.items():
            yield Told(table, seq)
        for session in tuple(self.sessions.values()):
            session.link_begins()
            if session.ended:
                continue
            if not session.is_opened:
                yield session.coming()
            elif session.state:
                yield Attached(session.number, session.door, session.handled, session.state)
            else:
                self.closed_behind += 1
                session.cut_off()
            yield from session.said()
            yield from self.parting.last_word(session)
        yield AllAttached()

    # From the owner

    def _packet(self, packet: bytes) -> None:
        link = self.link
        if link is None or self._ended or number_of(packet) != self._link_number:
            return
        # It takes as long as it takes until the owner hears us: it is there.
        self._alone_since = None
        self.answered = self.node
        for message in link.heard(packet, self._pulse.now()):
            try:
                unit = to_gateway(message)
            except NONSENSE:
                link.broken = "nonsense"
                break
            self._take(unit)
        if link.broken:
            self._lose(link)
        elif self._outgoing and not self._flushing:
            self._flush()
        else:
            self._publish(link)

    def _take(self, unit: list[ToGateway]) -> None:
        first = unit[0] if unit else None
        if type(first) is LetOut:
            self._let_out(first.batch)
        elif type(first) is Know:
            self.say(Knows(first.connection))
        elif type(first) is After:
            self._held.append((first.batch, unit[1:]))
        elif self._held:
            self._held.append((0, unit))
        else:
            self._do(unit)

    def _let_out(self, batch: int) -> None:
        """The batches of the owner up to this number are stored."""
        while self._held and self._held[0][0] <= batch:
            self._do(self._held.popleft()[1])

    def _do(self, unit: list[ToGateway]) -> None:
        for item in unit:
            _DO[type(item)](self, item)

    def _write(self, said: Say) -> None:
        data, sessions = said.data, self.sessions
        for number in said.connections:
            session = sessions.get(number)
            if session is None or session.ended:
                continue
            if session.write(data):
                self._report(session)

    def _report(self, session: DistantSession) -> None:
        """Tell the owner how much the client took in; if that is less than was written, look again later."""
        took = session.took()
        if took is not None:
            self.say(Took(session.number, took))
        if session.is_slow:
            self._slow[session.number] = session
        else:
            self._slow.pop(session.number, None)

    def _is_at(self, point: Point) -> None:
        self.newcomers.answered(point.connection)
        session = self.sessions.get(point.connection)
        if session is not None:
            session.is_at(point)

    def _goes_on_from(self, state: State) -> None:
        session = self.sessions.get(state.connection)
        if session is not None:
            if state.tables != session.tables:
                self._follow(session.tables, state.tables)
            session.goes_on_from(state)

    def _elsewhere(self, word: Elsewhere) -> None:
        session = self.sessions.get(word.connection)
        if session is not None and not session.ended:
            session.is_elsewhere(word)

    def _follow(self, before: tuple[TableId, ...], now: tuple[TableId, ...]) -> None:
        self._following.update(now)
        self._following.subtract(before)
        for table in before:
            if self._following[table] <= 0:
                del self._following[table]
                self.marks.pop(table, None)

    def _mark(self, mark: Mark) -> None:
        if mark.table in self._following or mark.table == TALK:
            self.marks[mark.table] = mark.seq

    def _close(self, close: Close) -> None:
        self.newcomers.answered(close.connection)
        session = self.sessions.get(close.connection)
        if session is not None and not session.ended:
            session.end()
            session.wire.close(close.code, close.reason)

    def _cut(self, cut: Cut) -> None:
        self.newcomers.answered(cut.connection)
        session = self.sessions.get(cut.connection)
        if session is not None and not session.ended:
            session.end()
            if cut.fault:
                session.wire.fail()
            else:
                session.wire.drop()

    def _go(self, go: Go) -> None:
        self.is_open = True

    def _out_of_place(self, item: ToGateway) -> None:
        """Only at the beginning of a unit it means something."""
        if self.link is not None:
            self.link.broken = "nonsense"

    def _over(self, ended: Ended) -> None:
        self._handed_over = self.node
        self._forget_link()

    # Time

    def _here(self) -> GatewayHere:
        owner = self.node if self.is_open else 0
        silence = 0.0 if self.link is None else self.link.silence
        return GatewayHere(
            self.id,
            self._name,
            PROTOCOL,
            self._version,
            sum(not session.is_part for session in self.sessions.values()),
            owner,
            round(silence, 2),
            self.wing,
        )

    def _tick(self) -> None:
        if self._ended:
            return
        self._pulse.later(TICK, self._tick)
        now, link = self._pulse.now(), self.link
        if self._ticks % _TICKS_A_SIGN == 0 and not self.id.startswith(OF_AN_ANNEX):
            self._bus.publish(NODES, encode(self._here()))
        self._ticks += 1
        for session in tuple(self._slow.values()):
            self._report(session)
        if link is not None:
            self.newcomers.tick()
            link.tick(now)
            if link.broken:
                self._lose(link)
            else:
                self._publish(link)
        if self._alone_since is not None and now - self._alone_since > ALONE_FOR:
            self._give_up()

    def _lose(self, link: Link) -> None:
        """The way to the owner is not what it was."""
        log.warning("the link to the owner is broken", extra={"node": self.node, "error": link.broken})
        self._forget_link()
        # Of an owner that has never answered nobody knows that it exists: the one before it may still be there.
        self.node = self.answered

    def _forget_link(self) -> None:
        """What clients say from now on is kept until they are attached anew."""
        self.link = None
        self.is_open = False
        self._outgoing.clear()
        self.newcomers.clear()
        if self._alone_since is None:
            self._alone_since = self._pulse.now()

    def _give_up(self) -> None:
        """There has been no owner for so long that everybody may try elsewhere."""
        self._alone_since = self._pulse.now()
        if self.sessions:
            log.error("there is no owner: everybody is hung up on", extra={"connections": len(self.sessions)})
        for session in tuple(self.sessions.values()):
            if not session.ended:
                session.cut_off()

    # For whoever looks after the server

    @property
    def is_alone(self) -> bool:
        """Nobody who comes can be served just now, and has not been for a while."""
        return self._alone_since is not None and self._pulse.now() - self._alone_since > ALONE_FOR / 5

    @property
    def is_heard(self) -> bool:
        """The owner has heard all that was said to it, or there is none."""
        return self.link is None or not (self._outgoing or self.link.unacknowledged)

    def waiting_bytes(self) -> int:
        """What was said to us and is not dealt with, all together."""
        return sum(len(frame.data) for session in self.sessions.values() for frame in session.frames)


def _size(item: ToOwner) -> int:
    return _HEAD + (len(item.state) if isinstance(item, Attached | Comes) else 0)


_DO: dict[type, Callable[[Gateway, Any], None]] = {
    Say: Gateway._write,
    Point: Gateway._is_at,
    State: Gateway._goes_on_from,
    Mark: Gateway._mark,
    Close: Gateway._close,
    Cut: Gateway._cut,
    Go: Gateway._go,
    Ended: Gateway._over,
    After: Gateway._out_of_place,
    LetOut: Gateway._out_of_place,
    Know: Gateway._out_of_place,
    Elsewhere: Gateway._elsewhere,
}
