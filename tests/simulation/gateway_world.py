"""A world in which people are connected to gateways, which live on while one server after the other is gone."""

from asyncio import Task
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from tests.simulation.amnesia import Remembering
from tests.simulation.bus import BusEnd, SlowBus
from tests.simulation.disk import Medium, MemoryMedium
from tests.simulation.process import Clock, Process
from tests.simulation.promises import nobody_is_a_ghost
from tests.simulation.readers import Reader
from tests.simulation.succession import Succession
from tests.simulation.surroundings import Hear
from tests.simulation.told import Broken
from tests.simulation.wire import Connection, frames, lines
from tests.simulation.world import ADDRESS, PAUSES, Server, Time, World

from gamut.cluster.distant_session import DistantSession
from gamut.cluster.distant_wire import DistantWire
from gamut.cluster.gateway import Gateway
from gamut.cluster.gateways import Gateways
from gamut.cluster.owner import Owner
from gamut.cluster.peer import Peer
from gamut.cluster.roaming_session import RoamingSession
from gamut.doors.acquire.session import AcquireSession
from gamut.doors.offer import Newcomer, Offer
from gamut.doors.powerchess.home import HomeSession
from gamut.doors.powerchess.session import PowerChessSession
from gamut.doors.tafl.session import TaflSession
from gamut.doors.topple.session import ToppleSession
from gamut.doors.tower.session import TowerSession
from gamut.doors.web.session import WebSession
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.restart import Before
from gamut.hall.lobby.talk import TALK
from gamut.hall.table import events as e
from gamut.hall.table.without import UNSAID
from gamut.hall.time import Timekeeper
from gamut.hall.wings import MAIN, Wings

DOORS_AT_MAIN = frozenset(("tafl", "acquire", "home"))
_AWAY = (0, 0, 50, 50, 500, 500, 2_000)
_LONG_AWAY = 15_000
"""So long that gateways give up."""
_OUTLIVES = (20, 500, 2_500, 6_000)
_COMES_BACK_WITHIN = 3_000
"""Milliseconds in which nobody is away whose link is broken."""


class _Timers:
    """Implements `gamut.hall.time.Timekeeper` for what is in a process."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def now(self) -> Millis:
        return self._process.clock.now()

    def later(self, delay: Millis, call: Callable[[], None]) -> Any:
        return self._process.clock.later(delay, lambda: self._process.run(call))


class GatewayProcess(Process):
    def __init__(self, world: "GatewayWorld", number: int) -> None:
        super().__init__(world.clock, world.tasks.loop)
        self.name = f"g{number}"
        self.time = _Timers(self)
        self.connections: dict[Connection, None] = {}
        self.end = world.bus.end_of(self)
        count = len(world.successions)
        self.gateways = Gateways(
            self.name, self.name, self.end, self, world.links.__next__, count, DOORS_AT_MAIN
        )
        self.is_stopping = False
        self.highest = [0] * count
        """The number of the last owner that it was seen to follow, in each wing."""

    def die(self) -> None:
        self.alive = False
        self.gateways.end()
        for connection in self.connections:
            connection.open = False


class Node(Process):
    """A process that listens, and becomes the server when its turn comes."""

    def __init__(self, world: "GatewayWorld", wings: Wings) -> None:
        super().__init__(world.clock, world.tasks.loop)
        self.end = world.bus.end_of(self)
        most_queued = world.chance.choice((1_000_000, 1_000_000, 60_000))
        self.owner = Owner("node", self.end, self, most_queued, wing=wings.wing, wings=wings.count)


class _ServerTime(Time):
    def __init__(self, now: Millis, moment: Callable[[], None], process: Process) -> None:
        super().__init__(now, moment)
        self._process = process
        self.stands = False

    def stand(self) -> None:
        self.stands = True

    def later(self, delay: Millis, call: Callable[[], None]) -> Any:
        return super().later(delay, lambda: self._process.run(call))


class DistantMemory:
    """A connection of the owner's, as something that can forget."""

    def __init__(self, wire: DistantWire, label: str) -> None:
        self._wire = wire
        self.label = label

    @property
    def can_forget(self) -> bool:
        wire = self._wire
        return (
            wire._handled >= 0 and not wire.sleeps and not wire._closed and bool(wire.session.can_be_packed)
        )

    def forget(self) -> Any:
        return self._wire.session.hand_over()

    def remember(self, state: Any) -> None:
        session = self._wire.session
        self._wire.session = type(session)(session.door, self._wire, state)
        self._wire.session.take_up()


class OwnerServer(Server):
    time: _ServerTime

    def __init__(
        self,
        world: "GatewayWorld",
        node: Node,
        succession: Succession,
        number: int,
        now: Millis,
        before: Before | None,
    ) -> None:
        self.node = node
        self.owner = node.owner
        self.number = number
        self._succession = succession
        last = getattr(succession, "server", None)
        self._stored_before = (0, 0) if last is None else (last.number, last.disk.stored)
        super().__init__(world, now, before)
        self._people: Any = self.web.people
        self.returning: dict[TableId, int] = {}
        """Tables at which somebody may be attached again, and until when."""
        cut_off_later = self.owner._cut_off_later

        def watched(
            tables: Any, heard: Millis | None = None, seconds: float = _COMES_BACK_WITHIN / 1_000
        ) -> None:
            tables = list(tables)
            for live in tables:
                self.returning[live.id] = world.clock.now() + _COMES_BACK_WITHIN
            cut_off_later(tables, heard, seconds)

        vars(self.owner)["_cut_off_later"] = watched

    def _new_time(self, world: World, now: Millis) -> _ServerTime:
        return _ServerTime(now, world.moment, self.node)

    def _time_outside(self) -> Timekeeper:
        return _Timers(self.node)

    def remembering(self) -> Collection[Remembering]:
        if not self.is_open:
            return ()
        return [DistantMemory(wire, f"{wire.door} {wire.number}") for wire in self.owner._wires()]

    async def start(self) -> None:
        self.owner.begin(self.number, *self._stored_before)
        await self.hall.start(self._before, read=False)
        await self.open_doors()
        await self.owner.gathered()
        self.owner.take_up(
            self.hall,
            self._offers(),
            self._recognise,
            self._people.are_valid,
            lambda: self.disk.stored,
            self._people.may_come,
        )
        self._succession.is_up()
        await self.owner.open()
        self.is_open = True

    def _its_wings(self) -> Wings:
        return self._succession.wings

    def _offers(self) -> Iterator[Offer]:
        yield _of_people("web", self.web, WebSession)
        yield Offer(name="tower", door=self.tower, session_type=TowerSession)
        yield Offer(name="topple", door=self.topple, session_type=ToppleSession)
        yield Offer(name="play", door=self.power, session_type=PowerChessSession)
        if self.wings.is_main:
            yield _of_people("tafl", self.tafl, TaflSession)
            yield _of_people("acquire", self.acquire, AcquireSession)
            yield Offer(name="home", door=self.home, session_type=HomeSession)

    def _recognise(self, newcomer: Newcomer) -> Newcomer:
        return Newcomer(
            newcomer.address, newcomer.query, person=self._people.by_token(newcomer.cookie), cookie=""
        )


def _of_people(name: str, door: Any, session_type: type[Any]) -> Offer:
    """A door where the hall knows who somebody is."""
    return Offer(
        name=name,
        door=door,
        session_type=session_type,
        renamed=door.renamed,
        logged_out=door.logged_out,
        deleted=door.logged_out,
    )


class Steady:
    """Somebody at a table, who says nothing and stays connected."""

    def __init__(self, connection: Connection, table: TableId, person: PersonId, seq: int) -> None:
        self._connection = connection
        self._said = connection.said
        self.table = table
        self.person = person
        self.seq = seq
        self.label = connection.label

    @property
    def is_connected(self) -> bool:
        return self._connection.open

    @property
    def stayed(self) -> bool:
        return self.is_connected and self._connection.said == self._said


def parts_of(connection: Connection) -> Mapping[int, DistantSession]:
    """Its sessions at the gateway, by wing."""
    session = connection.session
    return session._parts if type(session) is RoamingSession else {MAIN: session}


class GatewayWorld(World):
    is_heard_at_once = False
    server: OwnerServer

    def __init__(self, seed: int, medium: Medium, *rest: Any, **options: Any) -> None:
        self.clock = Clock()
        self.bus = SlowBus(seed, self.clock)
        self.links = count(1)
        self.successions = [Succession(wings, self.clock) for wings in self._wings_in(seed)]
        """Of each wing of the hall."""
        self._gateway_numbers = count(1)
        self.gateways: list[GatewayProcess] = []
        self.all_gateways: list[Gateway] = []
        self.owners: list[Owner] = []
        self._watched: list[Steady] = []
        """Who was connected when a link was about to break."""
        self._suspicious: list[tuple[Steady, Any]] = []
        """Who seems to have been connected when an event said that they were away."""
        super().__init__(seed, medium, *rest, **options)
        self._nodes = True
        for _ in range(self.chance.randint(1, 3)):
            self._add_gateway()

    def _wings_in(self, seed: int) -> Iterable[Wings]:
        return (Wings(),)

    def _new_server(self, now: Millis, before: Before | None) -> OwnerServer:
        return self._next_in(self.successions[MAIN], before)

    def _open_servers(self) -> Sequence[OwnerServer]:
        return (self.server,)

    def _next_in(self, line: Succession, before: Before | None) -> OwnerServer:
        node, line.standby = line.standby or Node(self, line.wings), None
        self.owners.append(node.owner)
        line.server = self._server_on(node, line, before)
        return line.server

    def _server_on(self, node: Node, line: Succession, before: Before | None) -> OwnerServer:
        return OwnerServer(self, node, line, len(self.owners), self.clock.now(), before)

    def _add_gateway(self) -> None:
        gateway = GatewayProcess(self, next(self._gateway_numbers))
        self.gateways.append(gateway)
        self.all_gateways += gateway.gateways.each
        gateway.run(gateway.gateways.begin)

    # What everybody uses

    @property
    def now(self) -> int:
        return self.clock.now()

    @property
    def stayed(self) -> int:
        """Connections that went on at another owner, or over another link."""
        return sum(owner.taken_up for owner in self.owners)

    @property
    def closed(self) -> int:
        """Connections that could not."""
        return sum(owner.behind for owner in self.owners) + sum(
            each.closed_behind for each in self.all_gateways
        )

    def call(
        self, door: str, label: str, hear: Hear, *, query: str = "", cookie: str | None = None
    ) -> Connection:
        gateway = self.chance.choice([each for each in self.gateways if not each.is_stopping])
        newcomer = Newcomer(ADDRESS, query, cookie=cookie or "")
        session = gateway.gateways.session_at(door)
        self.trace(f"{label} comes to {gateway.name}")
        parts = lines if door == "tafl" else frames
        return Connection(self, label, hear, lambda wire: session(wire, newcomer), parts, gateway)

    # Time

    async def _pass(self, span: int) -> None:
        if span > 1_000:
            for person in self._web:
                person.read_on()
        until = self.clock.now() + span
        while True:
            times: list[Time | Clock] = [*self._times(), self.clock]
            next_due = min((time.next_due for time in times if time.next_due is not None), default=until + 1)
            if next_due > until:
                break
            for time in times:
                time.advance(max(0, next_due - time.now()))
            await self.tasks.go_on()
            await self._come_and_go()
            self._nobody_goes_back()
        times = [*self._times(), self.clock]
        for time in times:
            time.advance(until - time.now())
        await self.tasks.go_on()
        self._stop_at_trouble()

    def _times(self) -> Iterator[Time]:
        """Of all servers whose time goes on."""
        return (server.time for server in self._servers() if not server.time.stands)

    def _servers(self) -> list[OwnerServer]:
        return [server for line in self.successions for server in line.servers()]

    async def _come_and_go(self) -> None:
        """Servers whose time has come."""
        await self._end_ghosts()

    async def _end_ghosts(self, *, at_once: bool = False) -> None:
        for line in self.successions:
            for until, server in tuple(line.ghosts):
                if at_once or self.clock.now() >= until:
                    line.ghosts.remove((until, server))
                    self.trace(f"the old server {server.number} is gone")
                    await self._kill(server)

    def _pause(self) -> int:
        luck = self.chance.random()
        if luck < 0.9:
            return self.chance.choice(PAUSES)
        return self.chance.randrange(5_000 if luck < 0.998 else 120_000)

    async def _settle(self) -> None:
        for _ in range(100):
            await super()._settle()
            # And over the bus.
            await self._pass(200)
            if not self._is_busy or self._is_stuck:
                return
        raise Broken("something is never finished")

    def _ask_over_http(self, reader: Reader) -> None:
        self.server.node.run(reader.act)

    # The weather

    def _weather(self) -> None:
        chance, luck = self.chance, self.chance.random()
        if luck < 0.003:
            self._gateway_dies(chance.choice(self.gateways))
        elif luck < 0.006:
            self._gateway_stops(chance.choice(self.gateways))
        elif luck < 0.015:
            self._cut_off(chance.choice(self.gateways).end, chance.choice((100, 500, 2_100, 3_000, 5_000)))
        elif luck < 0.018:
            self._cut_off(self._some_line().server.node.end, chance.choice((100, 500, 2_100, 3_000)))

    def _some_line(self) -> Succession:
        return self.successions[MAIN]

    def _gateway_dies(self, gateway: GatewayProcess) -> None:
        if gateway.alive:
            self.trace(f"{gateway.name} dies")
            gateway.die()
            self.gateways.remove(gateway)
            if not any(not each.is_stopping for each in self.gateways):
                self._add_gateway()

    def _gateway_stops(self, gateway: GatewayProcess) -> None:
        if gateway.is_stopping:
            return
        self.trace(f"{gateway.name} is asked to stop")
        gateway.is_stopping = True
        if all(each.is_stopping for each in self.gateways):
            self._add_gateway()
        for connection in list(gateway.connections):
            gateway.run(connection.session.closing)
        self.clock.later(Millis(self.chance.choice((300, 2_500))), lambda: self._gateway_dies(gateway))

    def _cut_off(self, end: BusEnd, span: int) -> None:
        if end.connected:
            servers = {server.node.end for server in self._servers()}
            self.trace(f"{'the server' if end in servers else 'a gateway'} hears nothing for {span} ms")
            for line in self.successions:
                self._watched += self._who_is_steady(line)
            end.connected = False
            self.clock.later(Millis(span), lambda: self._reconnect(end))

    def _reconnect(self, end: BusEnd) -> None:
        end.connected = True

    # Crashes

    async def _start(self) -> bool:
        line = self.successions[MAIN]
        starting = self._begin(line.server)
        doomed = self.chance.random() < 0.05 and self.crashes < self._wanted
        end = self.clock.now() + (self.chance.randrange(700) if doomed else 1_000_000)
        while self.clock.now() < end and not starting.done():
            await self._pass(self.chance.choice((1, 1, 5, 20)))
            if self.chance.random() < 0.2 and not starting.done():
                self._somebody_acts()
        if not starting.done():
            return False
        starting.result()
        self._has_begun(line)
        return True

    def _begin(self, server: OwnerServer) -> "Task[None]":
        starting: list[Task[None]] = []
        server.node.run(lambda: starting.append(self.tasks.loop.create_task(server.start())))
        return starting[0]

    def _has_begun(self, line: Succession) -> None:
        if self.chance.random() < 0.7:
            line.standby = Node(self, line.wings)
        self.comparing.running_hall(line.server.hall)
        self._nobody_is_a_ghost()
        self._look_for_the_away(line.steady)
        line.steady = []

    def _uptime(self, now: int, table: TableId) -> int | None:
        wing = self.successions[MAIN].wings.of_table(table)
        return self.successions[wing].uptime(now)

    def _somebody_acts(self) -> None:
        self.step += 1
        self.chance.choice(self.everybody).act()

    async def _crash(self) -> None:
        line = self.successions[MAIN]
        await self._end_of(line)
        await self._without_a_server(self._away())
        self.server = self._comes_after(line)

    def _away(self) -> int:
        return self.chance.choice(_AWAY) if self.chance.random() < 0.95 else _LONG_AWAY

    def _comes_after(self, line: Succession) -> OwnerServer:
        """Another server, which knows when the one before it was there last."""
        charged = Millis(line.there_until - self.chance.randrange(250))
        before = Before(opened=line.server.opened, charged=charged, node=len(self.owners) + 1)
        return self._next_in(line, before)

    async def _end_of(self, line: Succession) -> None:
        """It crashes, or hands over, or is ended and does not know it."""
        chance, old = self.chance, line.server
        line.steady = list(self._who_is_steady(line)) if old.is_open else line.steady
        if old.is_open and not old.disk.stuck and chance.random() < 0.1:
            self.stops += 1
            await self._drain(old)
        else:
            self.crashes += 1
        line.stand()
        if old.is_open and chance.random() < 0.3 and isinstance(self.medium, MemoryMedium):
            self.ended += 1
            old.disk.end()
            line.outlives(old, self.clock.now() + chance.choice(_OUTLIVES))
        else:
            await self._kill(old)
        if line.wings.is_main:
            for reader in self._readers:
                reader.crashed()
        self.comparing.disk_with_told()
        self._nothing_was_said_twice()

    async def _kill(self, server: OwnerServer) -> None:
        server.alive = server.node.alive = False
        server.owner.end()
        server.disk.crash()
        await self.tasks.end_all(server.node)

    async def _drain(self, server: OwnerServer) -> bool:
        """Whether it came to an end with that in time."""
        self.trace("the server is asked to hand over")
        draining: list[Any] = []
        server.node.run(
            lambda: draining.append(self.tasks.loop.create_task(server.owner.drained(server.time.stand)))
        )
        for _ in range(300):
            if draining[0].done():
                return True
            if self.chance.random() < 0.1:
                self._somebody_acts()
            await self._pass(10)
        return False

    async def _without_a_server(self, away: int) -> None:
        until = self.clock.now() + away
        while self.clock.now() < until:
            if self.chance.random() < 0.5:
                self._somebody_acts()
                await self.tasks.go_on()
            await self._pass(min(until - self.clock.now(), self.chance.choice((1, 5, 20, 100, 400))))

    # What must hold

    def _sessions(self) -> Iterator[tuple[str, Any]]:
        return (
            (str(wire), wire.session) for server in self._open_servers() for wire in server.owner._wires()
        )

    def _calls(self) -> list[Connection]:
        return [connection for gateway in self.gateways for connection in gateway.connections]

    def _nobody_is_a_ghost(self) -> None:
        now = self.clock.now()
        for server in self._open_servers():
            returning = {table for table, until in server.returning.items() if until >= now}
            sessions = {wire.session for wire in server.owner._wires()}
            nobody_is_a_ghost(server.hall, sessions, returning)

    def _who_is_steady(self, line: Succession) -> Iterator[Steady]:
        wing = line.wings.wing
        peers = {peer.gateway: peer for peer in line.server.owner._peers.values()}
        for gateway in self.gateways:
            peer = peers.get(gateway.gateways.each[wing].id)
            if peer is None:
                continue
            for connection in gateway.connections:
                session = parts_of(connection).get(wing)
                wire = None if session is None else peer.connections.get(session.number)
                if session is None or wire is None or session.frames or session.ended or not connection.open:
                    continue
                for live in wire.session.followed:
                    if live.id in session.tables and live.table.inside(wire.session.person):
                        yield Steady(connection, live.id, wire.session.person, live.table.seq)

    def _look_for_the_away(self, steady: list[Steady]) -> None:
        """Among those who were connected all the time."""
        for one in steady:
            log = self.comparing.logs.get(one.table)
            if log is None or not one.stayed:
                continue
            for event in log.events[one.seq :]:
                if (type(event) is e.Dropped and event.person == one.person) or (
                    type(event) is e.Woken and (event.cut_off is None or one.person in event.cut_off)
                ):
                    # Perhaps they are just being told that they have to come again.
                    self._suspicious.append((one, event))

    def _nobody_goes_back(self) -> None:
        for process in self.gateways:
            for wing, gateway in enumerate(process.gateways.each):
                node, highest = gateway.answered, process.highest[wing]
                if node < highest:
                    raise Broken(f"{gateway.id} went from owner {highest} back to {node}")
                process.highest[wing] = node

    def _nothing_was_said_twice(self) -> None:
        for table, log in self.comparing.logs.items():
            said = Counter(event.text for event in log.events if type(event) is e.Said)
            for text, times in said.items():
                if times > 1 and text != UNSAID:
                    raise Broken(f"'{text}' was said twice at table {table}")

    async def _look_around(self) -> None:
        self._compare_halls()
        if self.chance.random() < 0.5 and not self._is_stuck:
            await self._find_peace()
            if not self._is_stuck:
                self._compare_halls()
                self._nobody_missed_anything()
        self.bus.is_calm = False

    async def _find_peace(self) -> None:
        """Nothing fails for a while: then nothing is left that waits."""
        self.trace("peace")
        self.bus.is_calm = True
        servers = (line.server.node.end for line in self.successions)
        for end in (*servers, *(gateway.end for gateway in self.gateways)):
            end.connected = True
        await self._end_ghosts(at_once=True)
        await self._pass(5_000)
        await self._settle()
        await self._pass(5_000)
        unrest = ""
        for _ in range(3_000):
            if self._is_stuck:
                return
            unrest = self._unrest()
            if not unrest:
                break
            await self._pass(531 if any(server.journal.busy for server in self._open_servers()) else 37)
        else:
            raise Broken(unrest)
        self._compare_halls()
        self._look_for_the_away(self._watched)
        self._watched.clear()
        for one, event in self._suspicious:
            if one.is_connected:
                raise Broken(f"{one.label} was connected, and was away from table {one.table}: {event}")
        self._suspicious.clear()
        for person in self._web:
            person.read_on()
            person.has_answers()

    def _unrest(self) -> str:
        """What is not as it is when nothing is on its way."""
        if self.tasks.any:
            return f"something is never finished: {list(self.tasks._tasks)}"
        return next(filter(None, map(self._unrest_in, self.successions)), "")

    def _unrest_in(self, line: Succession) -> str:
        server, wing = line.server, line.wings.wing
        if server.hall.journal.busy:
            return "something is never stored"
        peers = {peer.gateway: peer for peer in server.owner._peers.values()}
        gateways = self._gateways_of(line)
        if set(peers) != {gateway.id for gateway in gateways}:
            there = [gateway.id for gateway in gateways]
            return f"the owner has links to {sorted(peers)}, and there are {there}"
        for gateway in gateways:
            unrest = _unrest_between(gateway, peers[gateway.id], server)
            if unrest:
                return unrest
        for process in self.gateways:
            gateway = process.gateways.each[wing]
            sessions = (parts_of(connection).get(wing) for connection in process.connections)
            numbers = {session.number for session in sessions if session is not None and not session.ended}
            if numbers != set(peers[gateway.id].connections):
                return f"{gateway.id} has sessions of connections that are gone"
        return ""

    def _gateways_of(self, line: Succession) -> Sequence[Gateway]:
        """All that have a link to its server."""
        return [process.gateways.each[line.wings.wing] for process in self.gateways]


def _unrest_between(gateway: Gateway, peer: Peer, server: OwnerServer) -> str:
    name, link = gateway.id, gateway.link
    if not gateway.is_open or link is None or gateway.node != server.number:
        return f"{name} is not attached"
    if link.unacknowledged or gateway._outgoing or not peer.is_drained:
        return f"something is left on the link of {name}"
    there = {number for number, session in gateway.sessions.items() if not session.ended}
    if there != set(peer.connections):
        return f"{name} has the connections {there}, and the owner {set(peer.connections)}"
    followed: set[TableId] = set()
    for number in there:
        session, wire = gateway.sessions[number], peer.connections[number]
        if session.frames or session.handled != session._count:
            return f"connection {number} of {name} has frames that nobody deals with: {session.frames}"
        if not wire.session.can_be_packed:
            return f"connection {number} of {name} cannot be packed"
        if session.state != wire.session.packed():
            return (
                f"{name} does not know the state of connection {number} at {session.door}: "
                f"{session.state!r} for {wire.session.packed()!r}"
            )
        tables: Collection[LiveTable] = wire.session.followed
        if {live.id for live in tables} != set(session.tables):
            return f"connection {number} of {name} follows {session.tables}, and is at {tables}"
        followed.update(session.tables)
        for live in tables:
            if wire.session not in live.listeners.get(wire.session.door, ()):
                return f"connection {number} of {name} does not hear of table {live.id}"
            if gateway.marks.get(live.id) != live.table.seq:
                return (
                    f"{name} was told of table {live.id} up to {gateway.marks.get(live.id)}, "
                    f"and there are {live.table.seq} events"
                )
    if gateway.marks.get(TALK) != server.hall.lobby.talk.seq:
        return f"{name} does not know how much was said in the lobby"
    if not followed | {TALK} >= set(gateway.marks):
        return f"{name} has marks of tables that nobody follows"
    return ""


def world_of(seed: int, *, faults: bool = False) -> type[World]:
    """In some worlds people are connected to gateways."""
    return GatewayWorld if seed % 17 == 13 and not faults else World
