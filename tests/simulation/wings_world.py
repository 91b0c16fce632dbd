"""A world in which the hall has two or three wings, each with servers of its own, and nobody notices where they are."""

from asyncio import Task
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace
from tests.simulation.disk import Medium, MemoryMedium
from tests.simulation.gateway_world import (
    DOORS_AT_MAIN,
    GatewayProcess,
    GatewayWorld,
    Node,
    OwnerServer,
    parts_of,
)
from tests.simulation.lives import Lives
from tests.simulation.people_of_wings import KeptPeople, PeopleOfAnnex, PeopleOfMain
from tests.simulation.readers import Reader
from tests.simulation.residents import Resident
from tests.simulation.succession import Succession
from tests.simulation.told import Broken
from tests.simulation.web_people import WebPerson
from tests.simulation.wire import Connection
from tests.simulation.world import GAMES

from gamut.cluster.annex_feed import AnnexFeed
from gamut.cluster.gateway import Gateway
from gamut.cluster.messages import OF_AN_ANNEX
from gamut.cluster.roaming_session import RoamingSession
from gamut.doors.annex.door import annex_offer
from gamut.doors.offer import Offer
from gamut.hall.ids import Millis
from gamut.hall.live.erasure import erase
from gamut.hall.live.restart import Before
from gamut.hall.lobby.summary import Summary, summary_from
from gamut.hall.wings import MAIN, Wings

GAMES_AT_MAIN = frozenset(("tafl", "acquire"))


def _as_shown(summary: Summary) -> bytes:
    """But for when something happened there last: of a move the lobby hears nothing."""
    return msgspec.json.encode(replace(summary, changed=Millis(0)))


class WingServer(OwnerServer):
    feed: AnnexFeed
    way_to_main: Gateway

    def _known_people(self, world: Any) -> Any:
        self._links = world.links
        if self.wings.is_main:
            return PeopleOfMain(world.people, self.time.now, self._run_blocking, lambda: self.disk.is_ended)
        return PeopleOfAnnex(world.people, self.time.now, self._run_blocking)

    def _offers(self) -> Iterator[Offer]:
        offers = list(super()._offers())
        if self.wings.is_main:
            offers.append(annex_offer(self.hall, self._people))
            self._people.erasers.append(partial(erase, self.hall))
        for offer in offers:
            if offer.renamed is not None:
                self._people.on_change.append(offer.renamed)
            if offer.logged_out is not None:
                self._people.on_logout.append(offer.logged_out)
            if offer.deleted is not None:
                self._people.on_delete.append(offer.deleted)
        yield from offers

    async def start(self) -> None:
        await super().start()
        if self.wings.is_main:
            return
        id = f"{OF_AN_ANNEX}{self.number}"
        self.way_to_main = Gateway(
            id, "node", self.node.end, self.node, self._links.__next__, wings=self.wings.count
        )
        self.way_to_main.begin()
        self.feed = AnnexFeed(self.way_to_main, self.node, self.hall, self._people, self.number)
        self.feed.begin()

    def leave_main(self) -> None:
        """As an annex does that stops."""
        if not self.wings.is_main:
            self.feed.end()
            self.way_to_main.end()


class WingsWorld(GatewayWorld):
    """Whoever lives here is at gateways, and what they do and hear is compared as it is anywhere else. The servers of
    each wing come and go while those of the others are there, or are not."""

    has_slow_names = False
    medium: MemoryMedium
    people: KeptPeople

    def __init__(self, seed: int, medium: Medium, *rest: Any, **options: Any) -> None:
        assert isinstance(medium, MemoryMedium), "it must not be torn from under servers that go on"
        self._comes_back: dict[Succession, int] = {}
        """Wings that have no server, and until when."""
        self._starting: dict[Succession, Task[None]] = {}
        """Those whose server is on its way."""
        self._has_started = False
        self.lives = Lives(self, seed)
        super().__init__(seed, medium, *rest, **options)
        for line in self.successions[1:]:
            self._next_in(line, None)

    def _wings_in(self, seed: int) -> Iterable[Wings]:
        count = Random(f"wings of {seed}").choice((2, 3))
        return (Wings(wing, count, GAMES_AT_MAIN) for wing in range(count))

    def _only_game(self, seed: int) -> str | None:
        game = super()._only_game(seed)
        return None if game in GAMES_AT_MAIN else game

    def _everybody_there_is(self) -> KeptPeople:
        return KeptPeople()

    def _web_person(self, number: int, twin: Any = None) -> WebPerson:
        return Resident(self, self.lives, number, twin)

    def _server_on(self, node: Node, line: Succession, before: Before | None) -> OwnerServer:
        return WingServer(self, node, line, len(self.owners), self.clock.now(), before)

    def _open_servers(self) -> Sequence[OwnerServer]:
        return [
            line.server for line in self._lines_that_are_there() if line.server.is_open and line.server.alive
        ]

    def _lines_that_are_there(self) -> list[Succession]:
        """Also those whose server is still on its way."""
        return [line for line in self.successions if line not in self._comes_back]

    @property
    def _is_stuck(self) -> bool:
        return any(line.server.disk.stuck for line in self._lines_that_are_there())

    def moment(self) -> None:
        if self.amnesia is not None:
            for server in self._open_servers():
                self.amnesia.perhaps(server)

    def _ask_over_http(self, reader: Reader) -> None:
        if self.server in self._open_servers():
            super()._ask_over_http(reader)

    def _some_line(self) -> Succession:
        return self.chance.choice(self.successions)

    def _weather(self) -> None:
        super()._weather()
        self.lives.go_on()

    # The course of things

    async def _start(self) -> bool:
        """A wing that has lost its server gets another one by itself."""
        if not self._has_started:
            self._has_started = True
            for line in self.successions:
                self._starting[line] = self._begin(line.server)
            await self._all_are_there()
        return True

    async def _crash(self) -> None:
        lines = self._lines_that_are_there()
        stuck = [line for line in lines if line.server.disk.stuck]
        if not lines:
            await self._pass(self._pause())
        else:
            await self._loses_its_server(self.chance.choice(stuck or lines))

    async def _loses_its_server(self, line: Succession) -> None:
        wing = line.wings.wing
        self.trace(f"wing {wing} is about to lose server {line.server.number}")
        await self._end_of(line)
        self._starting.pop(line, None)
        self._comes_back[line] = self.clock.now() + self._away()

    async def _come_and_go(self) -> None:
        await super()._come_and_go()
        for line, due in tuple(self._comes_back.items()):
            if self.clock.now() >= due:
                del self._comes_back[line]
                server = self._comes_after(line)
                self.trace(f"wing {line.wings.wing} gets server {server.number}")
                if line.wings.is_main:
                    self.server = server
                self._starting[line] = self._begin(server)
        for line, starting in tuple(self._starting.items()):
            if starting.done():
                del self._starting[line]
                starting.result()
                self._has_begun(line)

    async def _drain(self, server: OwnerServer) -> bool:
        assert isinstance(server, WingServer)
        server.node.run(server.leave_main)
        is_drained = await super()._drain(server)
        if is_drained:
            server.node.run(server.owner.handed_over)
        return is_drained

    async def _all_are_there(self) -> None:
        for _ in range(10_000):
            for line in self._lines_that_are_there():
                if line.server.disk.stuck:
                    await self._loses_its_server(line)
            if not (self._comes_back or self._starting):
                return
            await self._pass(self.chance.choice((1, 5, 20)))
        raise Broken("a wing of the hall has lost its server for good")

    async def _find_peace(self) -> None:
        await super()._find_peace()
        if await self.lives.all_are_gone_who_want_to():
            await super()._find_peace()

    async def _settle(self) -> None:
        await self._all_are_there()
        await super()._settle()

    # What must hold

    def _gateways_of(self, line: Succession) -> Sequence[Gateway]:
        found = super()._gateways_of(line)
        return [*found, *(each.way_to_main for each in self._annexes())] if line.wings.is_main else found

    def _annexes(self) -> list[WingServer]:
        servers = (line.server for line in self.successions[1:])
        return [server for server in servers if isinstance(server, WingServer)]

    def _unrest(self) -> str:
        return super()._unrest() or next(self._disagreements(), "")

    def _disagreements(self) -> Iterator[str]:
        """What the main wing does not know of the others, or knows otherwise."""
        yield from self._wrong_lines()
        yield from self._wrong_tables()
        yield from self._wrong_people()
        yield from self.lives.disagreements()
        for process in self.gateways:
            for connection in process.connections:
                yield from self._wrong_sessions(process, connection)

    def _nobody_goes_back(self) -> None:
        super()._nobody_goes_back()
        for process in self.gateways:
            if process.gateways.closed_on_the_way:
                raise Broken(f"{process.name} has hung up on somebody who was to go on in another wing")

    def _wrong_lines(self) -> Iterator[str]:
        annexes = self.server.hall.annexes
        for server in self._annexes():
            wing, feed = server.wings.wing, server.feed
            known = annexes._annexes[wing]
            if known.line is None or known.line.node != server.number:
                yield f"the main wing does not hear server {server.number} of wing {wing}"
            elif not feed._is_followed or feed._is_telling or feed._untold or known.named is not None:
                yield f"wing {wing} has something left to say to the main wing: {list(feed._untold)}"

    def _wrong_tables(self) -> Iterator[str]:
        # Whether anybody is there is noted nowhere: each wing says it of its own.
        deserted = {table for line in self.successions for table in line.server.hall.lobby.deserted}
        noted = {
            entry.table: _as_shown(replace(summary, deserted=entry.table in deserted))
            for entry in self.medium.storage.unfinished()
            if not (summary := summary_from(GAMES[entry.game], entry)).private
        }
        lobby = self.server.hall.lobby.tables
        shown = {table: _as_shown(summary) for table, summary in lobby.items() if summary.phase != "over"}
        for table in sorted(noted.keys() | shown.keys()):
            if noted.get(table) != shown.get(table):
                yield (
                    f"the main wing shows table {table} of wing {self.server.wings.of_table(table)} as "
                    f"{shown.get(table)!r}, and noted is {noted.get(table)!r}"
                )

    def _wrong_people(self) -> Iterator[str]:
        halls = [line.server.hall for line in self.successions]
        main = halls[MAIN]
        seated = {person for hall in halls for person in hall.register.seated}
        for person in sorted(seated | main.register.seated_elsewhere.keys()):
            there = sorted(table for hall in halls for table in hall.register.seated.get(person, ()))
            if main.register.tables_of(person) != there:
                yield (
                    f"{person} sits at {there}, and the main wing knows of {main.register.tables_of(person)}"
                )
        here = {wire.session.person for wire in self._wires() if wire.session.state.arrived}
        if main.people_here != len(here) or main.lobby._last_here != len(here):
            yield f"{len(here)} people are here, and the main wing counts {main.people_here}"

    def _wires(self) -> Iterator[Any]:
        return (wire for line in self.successions for wire in line.server.owner._wires())

    def _wrong_sessions(self, process: GatewayProcess, connection: Connection) -> Iterator[str]:
        """Whoever is at one table at a time has one session, in one wing. One of the page has one in the main wing, and
        may have parts of it elsewhere, which know who it is."""
        parts = {wing: part for wing, part in parts_of(connection).items() if not part.ended}
        if not parts:
            return
        session, where = connection.session, f"{connection.label} at {process.name}"
        if type(session) is RoamingSession and session._turns:
            yield f"{where} has something that was sent on and is not dealt with"
        if session.door in DOORS_AT_MAIN and parts.keys() != {MAIN}:
            yield f"{where} has sessions in wings {list(parts)}"
        if session.door != "web":
            if len(parts) != 1:
                yield f"{where} has sessions in wings {list(parts)}"
            return
        if MAIN not in parts:
            yield f"{where} has no session in the main wing"
            return
        sessions: dict[int, Any] = {}
        for wing, part in parts.items():
            owner = self.successions[wing].server.owner
            peers = {peer.gateway: peer for peer in owner._peers.values()}
            sessions[wing] = peers[process.gateways.each[wing].id].connections[part.number].session
        home = sessions[MAIN]
        for wing, there in sessions.items():
            if there.is_part != (wing != MAIN) or there.state.known != home.state.known:
                yield f"{where} is {home.state.known}, and in wing {wing} {there.state.known}"
            if any(self.server.wings.of_table(table) != wing for table in there.state.following):
                yield f"{where} follows in wing {wing} tables of another one: {list(there.state.following)}"

    async def _good_night(self) -> None:
        await super()._good_night()
        # A wing that has just got another server has yet to say who is there.
        for _ in range(100):
            if self._is_stuck or not self.server.hall.people_here:
                return
            await self._pass(100)
        raise Broken(f"all have gone, and the main wing counts {self.server.hall.people_here}")
