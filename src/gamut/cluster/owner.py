"""The owner's side of all links: clients at gateways are heard here, and what they are told is sent there."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from itertools import islice
from secrets import token_hex
from typing import Any

from gamut.cluster.bus import Bus
from gamut.cluster.distant_wire import DistantWire
from gamut.cluster.gateway import HERE_EVERY, TICK
from gamut.cluster.hearing import SILENT_AFTER
from gamut.cluster.link import Link, number_of
from gamut.cluster.messages import (
    NODES,
    NONSENSE,
    OF_AN_ANNEX,
    PROTOCOL,
    AllAttached,
    Attached,
    Close,
    Comes,
    Ended,
    Frame,
    GatewayHere,
    Go,
    Hello,
    Knows,
    Leaving,
    Lost,
    Mark,
    Opened,
    OwnerGone,
    OwnerHere,
    Parting,
    StandbyHere,
    ToGateway,
    Told,
    Took,
    ToOwner,
    encode,
    here,
    subject_of_owner,
    to_owner,
)
from gamut.cluster.peer import Peer
from gamut.cluster.points import Points
from gamut.cluster.pulse import Pulse
from gamut.cluster.rate import Rate
from gamut.cluster.returning import Returning
from gamut.doors.base_session import AnySession
from gamut.doors.close_codes import GOING_AWAY
from gamut.doors.offer import Newcomer, Offer, Recognise
from gamut.hall.faults import Fault
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.lobby.talk import TALK
from gamut.hall.people.person import Credentials
from gamut.hall.wings import MAIN

log = logging.getLogger("gamut.cluster")

ATTACHES_WITHIN = 0.5
"""Seconds that a new owner waits for the gateways that are there. Who comes later is behind, and is closed."""
_IS_THERE = 1.0
"""Seconds for which a gateway that was heard of counts as being there."""
MOST_GATEWAYS = 1_000
"""That are remembered, and that have a link, at a time: somebody may make them up."""
_REMEMBERED = 60.0
"""Seconds for which it is remembered that there was a gateway."""
_COMES_BACK_WITHIN = 3.0
"""Seconds in which somebody whose gateway is gone may be attached again, and was never away."""
_LOOKED_AT = 50
"""Sessions, in each tick."""
_TICKS_A_SIGN = round(HERE_EVERY / TICK)


def _no_lease() -> None:
    """Nobody waits for the end of this node."""


def _nobody(wing: int) -> str:
    """Whoever comes first has it."""
    return ""


class Owner:
    def __init__(
        self,
        name: str,
        bus: Bus,
        pulse: Pulse,
        most_queued: int,
        own_gateway: str = "",
        wing: int = MAIN,
        wings: int = 1,
        process: str = "",
        successor: Callable[[int], str] = _nobody,
    ) -> None:
        """`most_queued`: bytes that may wait for a slow reader before it is let go. `own_gateway`: the id of the
        gateway in this process. `process`: that of this process, which may be the owner of several wings.
        `successor`: the process that is to have a wing after this one."""
        self.wing = wing
        self._wings = wings
        self.bus = bus
        self.pulse = pulse
        self.holds = True
        """Nobody is heard: the hall is not open yet, or nothing can be stored."""
        self._is_open = False
        self.node = 0
        self.turn = asyncio.Event()
        """It may be this node's, which stands by."""
        self._process = process or token_hex(8)
        self._successor = successor
        self._name = name
        self._version = version("gamut")
        self._lease_age: Callable[[], float | None] = _no_lease
        self._moves = Rate()
        self._most_queued = most_queued
        self._own_gateway = own_gateway
        self._began = pulse.now()
        self._gateways: dict[str, tuple[float, str]] = {}
        """When each was heard of last, and what its node is called."""
        self._before = ""
        """What the owner before this one is called."""
        self._peers: dict[int, Peer] = {}
        """By the number of the link."""
        self._last_links: dict[str, int] = {}
        """The number of the last link of each gateway: they ascend, and one that was given up is not begun again."""
        self._hall: Hall | None = None
        self._offers: Mapping[str, Offer] = {}
        self._recognise: Recognise = lambda newcomer: newcomer
        self._are_valid: Callable[[Credentials], bool] = lambda credentials: True
        self._may_come: Callable[[Credentials], bool] = self._are_valid
        self.points: Points
        self.returning: Returning
        self._to_look_at: Iterator[DistantWire] = iter(())
        self._stored: Callable[[], int] = lambda: 0
        self._before_us = 0, 0
        self._took_over = self._without_bus = -_COMES_BACK_WITHIN
        """When this node took up those who were attached; when there was no bus last."""
        self._ticks = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = False
        self.taken_up = 0
        """Connections that went on here after they had been at another owner."""
        self.behind = 0
        """Connections that could not, and were closed as at a restart."""
        self.frames = self.units = self.links_broken = 0
        self._gaps = self._repeated = 0
        """Of links that are broken."""
        bus.subscribe(NODES, self._somebody_is_here)

    # Taking over

    def stand_by(self) -> None:
        """This node waits for its turn, and says so until it begins."""
        self._tick()

    def begin(
        self,
        node: int,
        before: int = 0,
        before_stored: int = 0,
        lease_age: Callable[[], float | None] = _no_lease,
    ) -> None:
        """This node is the owner from now on: gateways attach, and wait until the hall is open.

        `before`: the number of the owner before it, and how many of its batches are stored.
        """
        self.node = node
        self._before_us = before, before_stored
        self._lease_age = lease_age
        self._announced = self.pulse.now()
        self.bus.subscribe(subject_of_owner(node), self._packet)
        if self._ticks:
            self._announce()
        else:
            self._tick()

    async def gathered(self) -> None:
        """Wait for the gateways that are there, but not for long."""
        await self._until(self._all_are_here)

    async def _until(self, so: Callable[[], bool]) -> None:
        while not so():
            tick = asyncio.Event()
            self.pulse.later(TICK / 5, tick.set)
            await tick.wait()

    def _all_are_here(self) -> bool:
        now = self.pulse.now()
        if now - self._announced >= ATTACHES_WITHIN:
            return True
        if now - self._began < ATTACHES_WITHIN:
            return False  # we have not listened for long enough to know who is there
        # A gateway in the process of the owner that is gone is gone, too.
        there = {
            id
            for id, (at, name) in self._gateways.items()
            if now - at < _IS_THERE and name not in (self._before, "")
        }
        return there <= {peer.gateway for peer in self._peers.values() if peer.stage != "attaching"}

    def take_up(
        self,
        hall: Hall,
        offers: Iterable[Offer],
        recognise: Recognise,
        are_valid: Callable[[Credentials], bool],
        stored: Callable[[], int],
        may_come: Callable[[Credentials], bool] | None = None,
    ) -> None:
        """Everybody who has been attached by now will go on where they were. The hall has entered its tables, and has
        not woken them: nothing has happened there since.

        `may_come`: whether to let in whom another wing has let in; those who are valid, if nothing else is said.
        `stored`: how many batches of this node are.
        """
        self._hall = hall
        self._stored = stored
        self.points = Points(hall, self._peers, self.pulse.soon, stored)
        self.returning = Returning(hall, self._goes_on)
        self._took_over = self.pulse.now()
        hall.attendance.may_go_on = self._others_may_go_on
        self._offers = {offer.name: offer for offer in offers}
        self._recognise = recognise
        self._are_valid = are_valid
        self._may_come = are_valid if may_come is None else may_come
        hall.congestion.on_begin.append(self.hold)
        hall.congestion.on_end.append(self.release)
        self._take_up_attached()

    async def open(self) -> None:
        """Whoever is at a gateway is heard from now on, as soon as their tables are awake. Waits until all are."""
        hall = self._hall
        assert hall is not None
        hall.opens()
        if not hall.congestion.on:
            self.release()
        self._is_open = True
        self._take_up_attached()
        await self._bring_back()

    async def _bring_back(self) -> None:
        assert self._hall is not None
        await self._hall.wake(self.returning)
        await self.returning.take_up_rest()

    def _take_up_attached(self) -> None:
        for peer in tuple(self._peers.values()):
            if peer.stage == "attached":
                self._take_up(peer)

    def hold(self) -> None:
        self.holds = True

    def release(self) -> None:
        self.holds = False
        for wire in tuple(self._wires()):
            wire.go_on()

    def _bring_back_soon(self) -> None:
        task = asyncio.ensure_future(self._bring_back())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _take_up(self, peer: Peer) -> None:
        """All that it has are here from now on, and go on with their tables."""
        assert self._hall is not None
        early, peer.early = peer.early, []
        peer.stage = "open"
        attached = {item.connection: item for item in early if type(item) is Attached}
        waiting = {item.connection for item in early if type(item) is Frame}
        for number, item in attached.items():
            wire = self._unpacked(peer, item, speaks=number in waiting)
            if wire is None:
                self._is_behind(peer, number)
                continue
            peer.connections[number] = wire
            wire.goes_on(item.handled)
            self.returning.add(wire)
        for said in early:
            if type(said) is Comes and said.again and said.connection in waiting and self._may_be_late(said):
                self._is_behind(peer, said.connection)
            else:
                _HEARD[type(said)](self, peer, said)
        self.returning.woken()
        peer.tell(Go(), Mark(TALK, self._hall.lobby.talk.seq))

    def _is_behind(self, peer: Peer, number: int) -> None:
        self.behind += 1
        peer.tell(_as_at_a_restart(number))

    def _unpacked(self, peer: Peer, item: Attached, *, speaks: bool) -> DistantWire | None:
        """None: this connection cannot go on. `speaks`: something that it has said is not dealt with, as far as its
        gateway knows."""
        offer = self._offers.get(item.door)
        if offer is None:
            return None
        wire = DistantWire(peer, item.connection, item.door, self._most_queued)
        try:
            wire.session = offer.session_type.unpacked(offer.door, wire, item.state)
            return None if speaks and self._may_have_acted(peer, wire) else wire
        except Fault as fault:
            # Of one connection: the hall is taken over all the same.
            log.error("a session cannot be taken up", exc_info=fault, extra={"door": item.door})
            return None

    def _goes_on(self, wire: DistantWire) -> bool:
        """Whether this session goes on. Its tables are in memory."""
        session, peer = wire.session, wire.peer
        fine = False
        try:
            if self._may_go_on(peer, session):
                fine = True
                session.take_up()
                session.refresh()
        except Fault as fault:
            log.error("a session cannot be taken up", exc_info=fault, extra={"door": wire.door})
            if fine:
                session.cut_off()
            fine = False
        if fine:
            self.taken_up += 1
            wire.taken_up = True
            self.points.touched(wire)
        else:
            peer.gone(wire.number)
            self._is_behind(peer, wire.number)
        return fine

    def _may_go_on(self, peer: Peer, session: AnySession) -> bool:
        """It was told all that has happened at its tables, nobody has logged it out, and no other connection has come
        in its place."""
        assert self._hall is not None
        credentials = session.credentials
        if (credentials is not None and not self._are_valid(credentials)) or session.is_replaced:
            return False
        tables = (self._hall.in_memory(table) for table in session.state.tables)
        return all(live is not None and peer.told.get(live.id) == live.table.seq for live in tables)

    def _may_have_acted(self, peer: Peer, wire: DistantWire) -> bool:
        """Whether something that is not dealt with, as far as the gateway knows, has had an effect that no mark shows:
        in the lobby, or at a table to which the client has only just come."""
        assert self._hall is not None
        session = wire.session
        if not session.is_somebody:
            return False
        seated = self._hall.register.seated.get(session.person, set())
        return not seated.issubset(session.state.tables) or session.person in self._unheard_speakers(peer)

    def _may_be_late(self, item: Comes) -> bool:
        """Whether something may have been done here that the gateway has not heard of."""
        assert self._hall is not None
        offer = self._offers.get(item.door)
        if offer is None or item.stays:
            return True  # of a part nobody knows, since its person may sit here anyway
        state = offer.session_type.state_of(item.state)
        return bool(self._hall.register.seated.get(state.person))

    def _unheard_speakers(self, peer: Peer) -> set[PersonId]:
        """Whose words in the lobby the gateway does not know to be dealt with: they are not said again."""
        assert self._hall is not None
        talk, told = self._hall.lobby.talk, peer.told.get(TALK, 0)
        if told == talk.seq:
            return set()
        # Where old lines were cut off since, the others have other numbers.
        unheard = talk.seq - told if talk.seq > told else len(talk.lines)
        return {said.person for said in tuple(talk.lines)[-unheard:]}

    # From everybody

    def _somebody_is_here(self, data: bytes) -> None:
        try:
            who = here(data)
        except NONSENSE:
            return
        if who.wing != self.wing:
            return
        if type(who) is GatewayHere and who.protocol == PROTOCOL:
            if who.id in self._gateways or len(self._gateways) < MOST_GATEWAYS:
                self._gateways[who.id] = self.pulse.now(), who.name
        elif type(who) is OwnerHere and who.node != self.node:
            self._before = who.name
        elif type(who) is OwnerGone:
            self.turn.set()

    # From gateways

    def _packet(self, packet: bytes) -> None:
        if self._ended:
            return
        number = number_of(packet)
        if number is None:
            return
        peer = self._peers.get(number)
        link = Link(number, self.pulse.now()) if peer is None else peer.link
        for message in link.heard(packet, self.pulse.now()):
            try:
                unit = to_owner(message)
            except NONSENSE:
                link.broken = "nonsense"
                break
            if peer is None:
                if (
                    not unit
                    or type(unit[0]) is not Hello
                    or number <= self._last_links.get(unit[0].gateway, 0)
                ):
                    return  # of a link that is broken; it begins anew when its gateway notices
                if len(self._peers) >= MOST_GATEWAYS:
                    return
                peer = self._welcome(unit[0].gateway, number, link)
            for item in unit:
                self._hear(peer, item)
        if peer is None or peer.number not in self._peers:
            return
        if link.broken:
            self._lose(peer)
        else:
            peer.send()

    def _welcome(self, gateway: str, number: int, link: Link) -> Peer:
        for peer in tuple(self._peers.values()):
            if peer.gateway == gateway:
                self._lose(peer)
        self._gateways.setdefault(gateway, (self.pulse.now(), ""))
        self._last_links[gateway] = number
        peer = self._peers[number] = Peer(self, gateway, number, link)
        return peer

    def _hear(self, peer: Peer, item: ToOwner) -> None:
        if peer.stage == "open":
            _HEARD[type(item)](self, peer, item)
            return
        peer.early.append(item)
        if type(item) is AllAttached:
            peer.stage = "attached"
            peer.told = {told.table: told.seq for told in peer.early if type(told) is Told}
            if self._is_open:
                self._take_up(peer)
                self._bring_back_soon()

    def _opened(self, peer: Peer, item: Opened) -> None:
        offer = self._offers.get(item.door)
        if offer is None:
            peer.tell(_as_at_a_restart(item.connection))
            return
        wire = DistantWire(peer, item.connection, item.door, self._most_queued)
        newcomer = Newcomer(item.address, item.query, cookie=item.cookie)
        wire.session = offer.session_type.new(
            offer.door, wire, self._recognise(newcomer) if item.cookie else newcomer
        )
        peer.connections[item.connection] = wire
        wire.comes()

    def _comes(self, peer: Peer, item: Comes) -> None:
        offer = self._offers.get(item.door)
        if offer is None:
            peer.tell(_as_at_a_restart(item.connection))
            return
        wire = DistantWire(peer, item.connection, item.door, self._most_queued)
        made = offer.session_type.part_of if item.stays else offer.session_type.unpacked
        try:
            wire.session = made(offer.door, wire, item.state)
            credentials = wire.session.credentials
            if credentials is not None and not self._may_come(credentials):
                # They were logged out or renamed while it was on its way.
                self._is_behind(peer, item.connection)
                return
            wire.session.take_up()
        except Fault as fault:
            log.error("a session cannot be taken up", exc_info=fault, extra={"door": item.door})
            peer.tell(_as_at_a_restart(item.connection))
            return
        peer.connections[item.connection] = wire
        wire.came_from_elsewhere()

    def _frame(self, peer: Peer, frame: Frame) -> None:
        self.frames += 1
        wire = peer.connections.get(frame.connection)
        if wire is not None:
            wire.hear(frame)

    def _lost(self, peer: Peer, lost: Lost) -> None:
        wire = peer.connections.get(lost.connection)
        if wire is not None:
            wire.lost()

    def _took(self, peer: Peer, took: Took) -> None:
        wire = peer.connections.get(took.connection)
        if wire is not None:
            wire.took = took.bytes

    def _knows(self, peer: Peer, knows: Knows) -> None:
        wire = peer.connections.get(knows.connection)
        if wire is not None:
            wire.is_known()

    def _parting(self, peer: Peer, parting: Parting) -> None:
        wire = peer.connections.get(parting.connection)
        if wire is not None and not (parting.soon and wire.holds_back()):
            wire.parts()

    def has_parted(self, tables: Iterable[LiveTable]) -> None:
        """A connection to these is gone for good. Those that part in this moment are cut off together."""
        self._cut_off_later(tables, seconds=TICK)

    def _leaving(self, peer: Peer, leaving: Leaving) -> None:
        self._part_with(peer)

    def _nothing_new(self, peer: Peer, item: ToOwner) -> None:
        """It was dealt with when the gateway attached."""

    # Time

    def _announce(self) -> None:
        who = (
            self._owner_here()
            if self.node
            else StandbyHere(self._process, self._name, self._version, self.wing)
        )
        self.bus.publish(NODES, encode(who))

    def _owner_here(self) -> OwnerHere:
        hall = self._hall
        return OwnerHere(
            self.node,
            self._name,
            PROTOCOL,
            self._process,
            self._version,
            tables=0 if hall is None else len(hall.register.unfinished),
            sockets=sum(self.connections.values()),
            moves=0.0 if hall is None else self._moves.of(hall.moves, self.pulse.now()),
            lease_age=self._lease_age(),
            stored=self._stored(),
            before=self._before_us[0],
            before_stored=self._before_us[1],
            wing=self.wing,
            wings=self._wings,
        )

    def _tick(self) -> None:
        if self._ended:
            return
        self.pulse.later(TICK, self._tick)
        if self._ticks % _TICKS_A_SIGN == 0:
            self._announce()
            self._forget_gateways()
        self._ticks += 1
        now = self.pulse.now()
        if not self.bus.connected:
            self._without_bus = now
        for peer in tuple(self._peers.values()):
            peer.link.tick(now)
            if peer.link.broken:
                self._lose(peer)
            else:
                peer.send()
        self._look_around()

    def _forget_gateways(self) -> None:
        """Of those that are long gone nothing is kept."""
        horizon = self.pulse.now() - _REMEMBERED
        for id in [id for id, (at, _) in self._gateways.items() if at < horizon]:
            del self._gateways[id]
            self._last_links.pop(id, None)

    def _look_around(self) -> None:
        """Some things a session forgets by itself, without a word to its client: so everybody is looked at in turn."""
        looked_at = tuple(islice(self._to_look_at, _LOOKED_AT))
        if not looked_at:
            self._to_look_at = iter(tuple(self._wires()))
        for wire in looked_at:
            self.points.touched(wire)

    def _others_may_go_on(self) -> bool:
        """Whether some gateway may be about to attach its people, who were cut off only because it was not heard."""
        return self.pulse.now() - max(self._took_over, self._without_bus) < _COMES_BACK_WITHIN

    def _lose(self, peer: Peer) -> None:
        """The gateway is gone, or the way to it: perhaps everybody is attached again in a moment."""
        log.warning(
            "the link to a gateway is broken", extra={"gateway": peer.gateway, "error": peer.link.broken}
        )
        self.links_broken += 1
        self._part_with(peer)

    def _part_with(self, peer: Peer) -> None:
        self._gaps += peer.link.gaps
        self._repeated += peer.link.repeated
        del self._peers[peer.number]
        tables: list[LiveTable] = []
        for wire in peer.connections.values():
            self.points.gone(wire)
            self.returning.gone(wire)
            tables += wire.cut_off()
        if tables and self._hall is not None:
            heard = Millis(self._hall.time.now() - round(1_000 * peer.link.silence))
            self._cut_off_later(tables, heard)

    def _cut_off_later(
        self, tables: Iterable[LiveTable], heard: Millis | None = None, seconds: float = _COMES_BACK_WITHIN
    ) -> None:
        """`heard`: when those who were connected to these were heard last, if that is not when they are cut off."""
        found = {live.id: live for live in tables}
        self.pulse.later(seconds, lambda: self._cut_off(found, heard))

    def _cut_off(self, tables: Mapping[TableId, LiveTable], heard: Millis | None) -> None:
        hall = self._hall
        if self._ended or hall is None:
            return
        # Without a bus whoever is at a gateway that lives cannot be attached again: that is waited for, but not where a
        # clock runs.
        waits = self.pulse.now() - self._without_bus < _COMES_BACK_WITHIN
        later: list[LiveTable] = []
        for table in tables:
            live = hall.here(table)
            if live is None:
                continue
            if waits and not live.table.clock.running:
                later.append(live)
            else:
                hall.faults.guard("cut_off", hall.attendance.cut_off, live, heard, table=table)
        if later:
            self._cut_off_later(later, heard)

    # The end

    async def drained(self, stand: Callable[[], None]) -> None:
        """Hear nobody any more, and wait until every gateway has all that was said, unless this node is cut off from
        them. `stand`: let nothing more happen by itself, or there would always be something new to tell."""
        self.holds = True
        await self._until(self._all_is_done)
        stand()
        await self._until(self._all_is_told)

    def _all_is_done(self) -> bool:
        # A session may be waiting until its client has read something.
        return not any(wire.is_busy for peer in self._within_reach() for wire in peer.connections.values())

    def _all_is_told(self) -> bool:
        assert self._hall is not None
        if self._hall.journal.busy:
            return False
        self.points.flush()
        return all(peer.is_drained for peer in self._within_reach())

    def is_cut_off(self) -> bool:
        """No gateway of another process is heard."""
        return not any(
            peer.gateway != self._own_gateway and peer.link.silence < SILENT_AFTER
            for peer in self._peers_with_clients()
        )

    def _within_reach(self) -> list[Peer]:
        peers = list(self._peers.values())
        if not self.is_cut_off():
            return peers  # one that is silent may only be busy
        return [peer for peer in peers if peer.link.silence < SILENT_AFTER]

    def _wires(self) -> Iterator[DistantWire]:
        return (wire for peer in self._peers.values() for wire in peer.connections.values())

    def handed_over(self) -> None:
        """Another node may have the hall from now on."""
        for peer in self._peers.values():
            peer.tell(Ended())
            peer.complete()
            peer.flush()
        self.bus.publish(NODES, encode(OwnerGone(self.node, self.wing, self._successor(self.wing))))

    def end(self) -> None:
        if self._ended:
            return
        self._ended = True
        self.bus.unsubscribe(NODES, self._somebody_is_here)
        if self.node:
            self.bus.unsubscribe(subject_of_owner(self.node), self._packet)
        for task in self._tasks:
            task.cancel()

    # For whoever looks after the server

    @property
    def connections(self) -> dict[str, int]:
        """Of clients, by door."""
        found: dict[str, int] = {}
        for peer in self._peers_with_clients():
            for wire in peer.connections.values():
                found[wire.door] = found.get(wire.door, 0) + 1
        return found

    @property
    def gateways(self) -> int:
        return sum(1 for _ in self._peers_with_clients())

    def _peers_with_clients(self) -> Iterator[Peer]:
        return (peer for peer in self._peers.values() if not peer.gateway.startswith(OF_AN_ANNEX))

    @property
    def gaps(self) -> int:
        return self._gaps + sum(peer.link.gaps for peer in self._peers.values())

    @property
    def repeated(self) -> int:
        return self._repeated + sum(peer.link.repeated for peer in self._peers.values())

    def waiting_bytes(self) -> int:
        return sum(peer.waiting + peer.link.unacknowledged for peer in self._peers.values())


def _as_at_a_restart(number: int) -> ToGateway:
    return Close(number, GOING_AWAY, "the server is restarting")


_HEARD: dict[type, Callable[[Owner, Peer, Any], None]] = {
    Frame: Owner._frame,
    Opened: Owner._opened,
    Comes: Owner._comes,
    Lost: Owner._lost,
    Took: Owner._took,
    Knows: Owner._knows,
    Parting: Owner._parting,
    Leaving: Owner._leaving,
    Hello: Owner._nothing_new,
    Told: Owner._nothing_new,
    Attached: Owner._nothing_new,
    AllAttached: Owner._nothing_new,
}
