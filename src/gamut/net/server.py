"""The server: everything put together, started, and stopped again in good order."""

import asyncio
import logging
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from random import SystemRandom
from time import time as wall_clock
from typing import Any

from aiohttp import web

from gamut.cluster.annex_feed import AnnexFeed
from gamut.cluster.gateway import Gateway
from gamut.cluster.gateways import link_numbers
from gamut.cluster.messages import OF_AN_ANNEX
from gamut.cluster.owner import Owner
from gamut.doors.annex.door import annex_offer
from gamut.doors.keys import Keys
from gamut.doors.offer import Newcomer, Offer, Premises
from gamut.doors.registry import Doors, all_doors, doors_for, games_at_main
from gamut.games.registry import Games, all_games
from gamut.hall.faults import Fault, Faults
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis
from gamut.hall.live.erasure import erase
from gamut.hall.live.reading_ahead import Ahead
from gamut.hall.live.restart import Before
from gamut.hall.people.ahead import PeopleAhead
from gamut.hall.people.directory import Directory
from gamut.hall.people.known import KnownPeople
from gamut.hall.people.passwords import Passwords
from gamut.hall.people.people import People
from gamut.hall.people.person import NotStored
from gamut.hall.store.journal import Journal
from gamut.hall.store.storage import Fenced, LedgerError
from gamut.hall.table.deciding.bot_names import bot_names
from gamut.hall.wings import MAIN, Wings
from gamut.ledger.opening import open_store
from gamut.ledger.store import Hearing, Meanwhile, Place, Store, Watcher
from gamut.ledger.writer import ThreadedCommitter
from gamut.net.api import accounts, analysis, door_routes, files, tables
from gamut.net.api.exports import Exports
from gamut.net.api.previews import Previews
from gamut.net.api.remains import what_remains
from gamut.net.api.status import Status
from gamut.net.bots import Bots
from gamut.net.frontage import Frontage
from gamut.net.hall_settings import hall_settings, people_settings
from gamut.net.http.guard import request_address
from gamut.net.http.pages import Page, built_page
from gamut.net.lines.tls import tls_context
from gamut.net.main_port import MainPort
from gamut.net.metrics import HallCollector, Metrics, Wing
from gamut.net.port.open_files import OpenFiles
from gamut.net.ports import CannotListen, Doorway, OpenPort, check_ports
from gamut.net.settings import Settings
from gamut.net.threads import raising_to_a_future
from gamut.net.timekeeper import LoopTime
from gamut.net.trimming import Trimming

__all__ = ["CannotListen", "Server"]

log = logging.getLogger("gamut.server")

OpenStore = Callable[
    [Place, asyncio.Event, Callable[[str], None], Callable[[], None], Meanwhile | None, Hearing | None],
    Awaitable[Store | None],
]

_DRAIN_SECONDS = 2.5
_LINGER_SECONDS = 0.5
_WARM_UP_SECONDS = 0.5
_COMMITS_AHEAD = 4
"""What waits for a slow disk is not the reader's fault: so many times the send queue may wait there for each."""
_TEND_SECONDS = 60.0
_CLOCK_SLACK = 60_000
"""In milliseconds: the clocks of machines are never quite right."""


def _is_ready() -> None:
    """The ports are open already."""


def _one() -> int:
    return 1


class Server:
    """One hall, its ledger and its doors: all that a process has, or one wing of a hall that has several."""

    def __init__(
        self,
        settings: Settings,
        games: Games = all_games,
        page: Page | None = None,
        doors: Doors = all_doors,
        *,
        owner: Owner | None = None,
        hearing: Hearing | None = None,
        port: MainPort | None = None,
        bots: Bots | None = None,
        metrics: Metrics | None = None,
        stopped: asyncio.Event | None = None,
        open_store: OpenStore = open_store,
        wing: int = MAIN,
        burden: Callable[[], int] = _one,
    ) -> None:
        """`page`: None: that of the package is read.

        In a cluster: `owner` has the connections of gateways, `hearing` what it hears of others while it stands by.
        `port` is the main one, if it is open all the time, and `bots` those of the process, if they are not for this
        hall alone: who has made them closes them. `stopped` is set when this server is to stop. `burden`: how many
        wings of the hall the process has.
        """
        self.settings = settings
        self.wing = wing
        self._owner = owner
        self._hearing = hearing
        self._port = port
        self._bots = bots
        self._has_own_bots = bots is None
        self._burden = burden
        self._open_store = open_store
        self.metrics = Metrics() if metrics is None else metrics
        self._games = games
        self._page = page
        self._doors = doors
        self.stopped = asyncio.Event() if stopped is None else stopped
        self.opened = asyncio.Event()
        """Set when the hall is open."""
        self.moves = False
        """It is to stop since its wing is to be at another process; this one goes on."""
        self.failure: BaseException | None = None
        """Why the server had to stop by itself, if it had to."""
        self.stuck = False
        """The disk does not answer: what happened last is not stored, and nobody was told of it."""
        self.handed_over = False
        """The store is another node's from now on."""
        self._has_parted = False
        self._loop = asyncio.get_running_loop()
        self._faults = Faults(self._failed)

    @property
    def is_main(self) -> bool:
        return self.wing == MAIN

    @property
    def has_wing(self) -> bool:
        """It is this server's turn."""
        return hasattr(self, "_store")

    @property
    def ports(self) -> dict[str, int]:
        """Those that are open, by name."""
        return self._frontage.ports.numbers

    @property
    def ports_of_doors(self) -> list[OpenPort]:
        return self._frontage.ports.of_doors

    async def start(self, waiting: Callable[[str], None] = lambda _: None) -> bool:
        """Whether it has started; not if it was asked to stop while it waited for its turn.

        `waiting` is told which node it waits for, as a standby.
        """
        settings, loop = self.settings, self._loop
        if self.is_main:
            loop.set_exception_handler(self._stray_fault)
        standby = settings.standby or self._owner is not None
        opens_ports = self._port is None
        if settings.store and opens_ports:
            # Now, and not only when another node is gone and this one is waited for.
            check_ports(settings)
        # What needs no store comes first: a standby has it when its turn comes.
        tls = await asyncio.to_thread(tls_context, settings.tls_certificate, settings.tls_key)
        if self._bots is None:
            self._bots = Bots(settings, self._games)
        bots = self._bots
        games = bots.games
        wings = Wings(self.wing, settings.wings, games_at_main(doors_for(games, self._doors)))
        if standby:
            bots.warm_up()
        passwords: Passwords | None = None
        if self.is_main:
            passwords = await asyncio.to_thread(People.passwords, people_settings(settings))
            if self._page is None:
                self._page = await asyncio.to_thread(built_page)
        place = Place(
            url=settings.store,
            folder=settings.data,
            name=settings.node_name,
            version=version("gamut"),
            lease=settings.lease,
            standby=standby,
            turn=None if self._owner is None else self._owner.turn,
            wing=self.wing,
            wings=settings.wings,
            burden=self._burden,
        )
        check_ready = partial(check_ports, settings) if opens_ports else _is_ready
        ahead = Ahead(games, bot_names(games), wings)

        store = await self._open_store(
            place, self.stopped, waiting, check_ready, ahead.keep_up if standby else None, self._hearing
        )
        if store is None:
            return False
        if self._owner is not None:
            assert store.node is not None, "nodes of a cluster share a store"
            self._owner.begin(store.node, *store.before, store.lease_age)
        # Two for what takes long and what is analysed, one at a time of each; one is left for tables to be read.
        self._threads = ThreadPoolExecutor(3, thread_name_prefix="reading")
        self._store, self._ledger = store, store.ledger
        # Whoever takes over is waited for: what is asked of the store before anything else is asked at once.
        latest, known, self._secret = await asyncio.gather(
            asyncio.to_thread(self._ledger.latest),
            asyncio.to_thread(ahead.people),
            asyncio.to_thread(store.people.secret),
        )
        self._time = time = self._server_time(latest)
        self._committer = ThreadedCommitter(loop, self._ledger, self.metrics.committed, self._failed)
        store.watch(time.now, self._watcher)
        self._everybody = await self._open_people(known, bot_names(games), passwords)
        self.hall = Hall(
            games=games,
            storage=self._ledger,
            journal=Journal(self._committer, _COMMITS_AHEAD * settings.send_queue_bytes, self._faults),
            time=time,
            bots=bots.engines,
            chance=SystemRandom(),
            settings=hall_settings(settings),
            run_blocking=self._run_blocking,
            wings=wings,
            known=ahead.tables,
        )
        before = Before(latest, store.opened_before, store.stopped_at, store.node)
        await self.hall.start(before, read=self._owner is None)
        await self._open_doors()
        if self.is_main:
            self.people.erasers.append(partial(erase, self.hall))
            self.people.remains = partial(
                what_remains, self.hall.scrubbing, self._run_blocking, store.remains
            )
            Exports(self.hall, self._ledger.tables_of, self._run_blocking).add_to(self.people)
        congestion = self.hall.congestion
        congestion.on_begin.append(time.stand)
        congestion.on_end.append(time.go)
        if self._owner is None:
            await self.hall.wake()
            await self._open_ports(time, tls)
            congestion.on_begin.append(self.connections.hold)
            congestion.on_end.append(self.connections.release)
            if congestion.on:
                self.connections.hold()
        else:
            await self._owner.gathered()
            self._owner.take_up(
                self.hall,
                self._offers,
                self._recognise,
                self._everybody.are_valid,
                store.batches,
                self._everybody.may_come,
            )
        if not congestion.on:
            # Else the store went away while the hall was opened.
            time.go()
        if store.node is None:
            # Whoever was deleted before a crash is gone from the files after it. PostgreSQL sees to it by itself.
            self.hall.scrubbing.begin()
        self._trimming = Trimming(self.hall.live.__len__, self._ledger.rest)
        loop.call_later(_WARM_UP_SECONDS, bots.warm_up)
        if self._owner is not None:
            # Whoever is at a gateway waits for us, and not for what is asked over HTTP.
            await asyncio.gather(self._owner.open(), self._open_ports(time, tls))
            if not self.is_main:
                self._link_to_main(self._owner)
        self._tending = asyncio.ensure_future(self._tend())
        self.opened.set()
        return True

    def _server_time(self, latest: Millis) -> LoopTime:
        """Server time goes on after the last thing that the ledger knows, whatever the clock says."""
        time = LoopTime(self._loop, latest + 1, self._store.clock_ahead)
        ahead = time.now() - self._store.clock_ahead - int(wall_clock() * 1000)
        if ahead > _CLOCK_SLACK:
            log.warning("the clock of this machine was set back", extra={"milliseconds": ahead})
        return time

    async def _open_people(
        self, known: PeopleAhead | None, bots: Iterable[str], passwords: Passwords | None
    ) -> Directory:
        """Everybody. Only the main wing changes who they are."""
        store, settings, now = self._store.people, people_settings(self.settings), self._time.now
        if not self.is_main:
            self._known_people = await KnownPeople.open(store, settings, now, bots, ahead=known)
            return self._known_people
        self.people = await People.open(store, settings, now, bots, known, passwords)
        return self.people

    def _link_to_main(self, owner: Owner) -> None:
        """An annex says in the main wing which tables it has and who is connected here, and hears who has changed and
        who is to be erased."""
        assert self._store.node is not None
        id = f"{OF_AN_ANNEX}{self._store.node}"
        self._way_to_main = Gateway(
            id,
            self.settings.node_name,
            owner.bus,
            owner.pulse,
            link_numbers().__next__,
            wings=self.settings.wings,
        )
        self._way_to_main.begin()
        self._feed = AnnexFeed(
            self._way_to_main, owner.pulse, self.hall, self._known_people, self._store.node
        )
        self._feed.begin()

    async def _open_doors(self) -> None:
        premises = Premises(self.hall, self._everybody, self._secret)
        kinds = (
            kind for kind in doors_for(self.hall.games, self._doors) if self.is_main or not kind.is_at_main
        )
        self._offers: list[Offer] = []
        self._doorways: list[Doorway] = []
        for kind in kinds:
            settings = self.settings.of(kind)
            offer = await kind.open(premises, settings)
            self._offers.append(offer)
            self._doorways.append(Doorway(kind.name, kind.entrances(settings), offer.session))
        if self.is_main and self.settings.wings > 1:
            self._offers.append(annex_offer(self.hall, self.people))
        for offer in self._offers:
            if offer.renamed is not None:
                self._everybody.on_change.append(partial(self._let_know, "rename", offer, offer.renamed))
            if offer.logged_out is not None:
                self._everybody.on_logout.append(partial(self._let_know, "log_out", offer, offer.logged_out))
            if offer.deleted is not None:
                self._everybody.on_delete.append(partial(self._let_know, "delete", offer, offer.deleted))

    def _let_know(self, kind: str, offer: Offer, tell: Callable[..., None], *about: Any) -> None:
        """What one door makes of it keeps no other from hearing of it."""
        self._faults.guard(kind, tell, *about, door=offer.name)

    def _recognise(self, newcomer: Newcomer) -> Newcomer:
        return accounts.recognised(newcomer, self._everybody)

    async def _open_ports(self, time: LoopTime, tls: ssl.SSLContext | None) -> None:
        port = self._port
        self._frontage = self._own_frontage(time, tls) if port is None else port.frontage
        self.connections = self._frontage.connections
        self._watch()
        self._status = self._own_status()
        if port is None:
            await self._frontage.open(self._routes())
        elif self.is_main:
            # Whoever is still being answered by the port does not keep the hall from opening.
            self._answering = asyncio.ensure_future(port.answer_for(self._routes(), self.hall.durable))

    def _own_frontage(self, time: LoopTime, tls: ssl.SSLContext | None) -> Frontage:
        assert self._bots is not None
        return Frontage(
            self.settings,
            Counter[str](),
            time.now,
            # In a cluster the doors' sockets are at gateways.
            self._doorways if self._owner is None else (),
            files=OpenFiles(self.settings.bot_workers, self._bots.engines.count),
            tls=tls,
            recognise=self._recognise,
            durable=lambda: self.hall.durable(),
            after_answers=lambda session, call: self.hall.journal.after(call),
            speak_while_stopping=[offer.name for offer in self._offers if offer.before_stopping],
        )

    def _watch(self) -> None:
        if self.metrics.halls is None:
            connections = self.connections
            self.metrics.halls = HallCollector(
                connections=lambda: {door: len(those) for door, those in connections.open.items()},
                visitors=self._frontage.visitors.__len__,
                queued_bytes=connections.queued_bytes,
                limits=lambda: connections.hits,
            )
            self.metrics.watch(self.metrics.halls)
        self._counted = Wing(
            hall=self.hall, limits=self._limit_hits, lease_age=self._store.lease_age, owner=self._owner
        )
        self.metrics.halls.wings.append(self._counted)

    def _limit_hits(self) -> dict[str, int]:
        return {
            **(self.people.refusals() if self.is_main else {}),
            **self.hall.pace.refusals(),
            "lost_connections": self.hall.attendance.flapping.delayed,
        }

    def _own_status(self) -> Status:
        return Status(
            stopping=lambda: self.connections.stopping or self.failure is not None,
            storing_for=lambda: self._committer.storing_for,
            under_way_for=lambda: self.hall.journal.under_way_for,
            out_of_order=self.hall.out_of_order,
            damage=self._store.damage,
            store=self._store.health,
            metrics=self.metrics,
            settings=self.settings,
            hits=self.connections.hits,
            wings=dict if self._port is None else self._port.wings,
        )

    @property
    def how_it_is(self) -> str:
        """In one word, for whoever looks after it."""
        return self._status.word if self.opened.is_set() else "opening"

    def _routes(self) -> Iterable[web.AbstractRouteDef]:
        """Everything that the main port answers by HTTP, the page last."""
        for offer in self._offers:
            yield from door_routes.routes(offer.routes, self.people, self._frontage.proxies)
        yield from files.routes(
            self.hall,
            self.people,
            self._address_of,
            lambda game: Keys(self._secret, game).fingerprint,
            {offer.name: offer.new_room for offer in self._offers if offer.new_room is not None},
        )
        yield from analysis.routes(self.hall, self.people, self._address_of)
        yield from self._status.routes()
        yield from accounts.routes(self.people, trusted_proxies=self._frontage.proxies)
        yield from tables.routes(self.hall, self.people, self._run_blocking)
        previews = Previews(self.hall, self._address_of)
        yield from previews.routes()
        assert self._page is not None
        yield web.get("/{path:(?!api/).*}", partial(self._page.serve, head=previews.head))

    def _address_of(self, request: web.Request) -> str:
        return request_address(request, self._frontage.proxies)

    # While it runs

    def _run_blocking(self, call: Any, *args: Any) -> "asyncio.Future[Any]":
        return self._loop.run_in_executor(self._threads, raising_to_a_future, call, *args)

    async def _tend(self) -> None:
        while True:
            if self.is_main:
                await self._try_to("see", self._note_who_is_here())
                await self._try_to("expire", self.people.tend())
            await self._try_to("trim", self._trim())
            await asyncio.sleep(_TEND_SECONDS)

    async def _try_to(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        """A part of the housekeeping. If it fails, say since the database is locked, the next try is in a minute."""
        try:
            await work
        except NotStored:
            self.connections.hits["housekeeping_failed"] += 1
        except Fault as fault:
            self._faults.contained("housekeeping", fault, task=what)
            self.connections.hits["housekeeping_failed"] += 1

    async def _note_who_is_here(self) -> None:
        for person in list(self.hall.connected):
            self.people.saw(person)

    async def _trim(self) -> None:
        if self._trimming.due():
            await self._run_blocking(self._trimming.trim)

    def _stray_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What nobody has caught: a timer, a task that nobody waits for, a connection before it is at a door."""
        error = context.get("exception")
        if isinstance(error, Fault):
            self._faults.contained("stray", error)
        else:
            log.error("the event loop complains", extra={"about": context.get("message", "")})

    # The end

    @property
    def _watcher(self) -> Watcher:
        watcher = Watcher(self._store_away, self._store_back, self._drain, self._failed)
        if self._owner is not None:
            watcher.is_cut_off, watcher.move = self._owner.is_cut_off, self.move
        return watcher

    def _store_away(self) -> None:
        if hasattr(self, "hall"):
            self.hall.congestion.store_is_away()

    def _store_back(self) -> None:
        if hasattr(self, "hall"):
            self.hall.congestion.store_is_back()

    def _drain(self) -> None:
        log.warning("asked to hand over to another node")
        self.moves = False
        self.stopped.set()

    def move(self) -> None:
        """Hand this wing over to another process; this one goes on."""
        self.moves = True
        self.stopped.set()

    def _failed(self, error: BaseException) -> None:
        """The ledger failed, or it is not known what it has stored: stop.
        Nobody was told what is not stored."""
        if self.handed_over or self.failure is not None:
            return  # what happens after the end is not stored, and nobody is told of it
        if isinstance(error, Fenced):
            log.critical("this node was ended by another one", extra={"error": str(error)})
        elif isinstance(error, LedgerError):
            log.critical("the ledger failed", extra={"error": str(error)})
        else:
            log.critical("a fault cannot be contained", exc_info=error)
        self.failure = error
        self.stopped.set()

    async def stop(self) -> None:
        """Finish what was accepted, tell everybody, and let go of everything."""
        await self.part()
        if self._bots is not None and self._has_own_bots:
            await self._bots.close()
        await self.close()

    async def part(self) -> None:
        """Finish what was accepted, tell everybody, and let the next node have the store. Once."""
        if self._has_parted:
            return
        self._has_parted = True
        if hasattr(self, "_tending"):
            self._tending.cancel()
        if hasattr(self, "hall"):
            self.hall.scrubbing.end()
        if hasattr(self, "_feed"):
            self._feed.end()
            self._way_to_main.end()
        if hasattr(self, "connections") and self.failure is None:
            if self._owner is None:
                await self._say_goodbye()
            else:
                await self._part_from(self._owner)
        if self._owner is not None:
            self._owner.end()
        if hasattr(self, "_answering"):
            await asyncio.wait((self._answering,))
            assert self._port is not None
            # The port stays open, and what is asked there is not asked of a hall that is closed.
            await self._port.answer_for_nobody()
        elif self._port is None and hasattr(self, "_frontage"):
            await self._frontage.ports.close()

    async def close(self) -> None:
        """Let go of everything, once the bots of this hall are silent."""
        if self.stuck:
            return  # closing the rest would wait for the disk that stands still
        if self.is_main and hasattr(self, "people") and self.failure is None:
            try:
                async with asyncio.timeout(_DRAIN_SECONDS):
                    await self.people.close()
            except (TimeoutError, NotStored):
                self.stuck = not self.handed_over
                if self.stuck:
                    return
        if hasattr(self, "_committer"):
            if self.failure is not None and self._committer.storing_for:
                self.stuck = True  # the thread that commits may wait for ever
                return
            await asyncio.to_thread(self._committer.close)
            # What is read or analysed for somebody who has gone on elsewhere may take a while.
            await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
            self._time.end()
        if hasattr(self, "_counted") and self.metrics.halls is not None:
            self.metrics.halls.leave(self._counted)
        if hasattr(self, "_store"):
            if hasattr(self, "_tending") and self.failure is None and not self.handed_over:
                await self._store.stop(self.hall.time.now())
            await self._store.close()

    def vacate(self) -> None:
        """It is closed, and the process goes on without this wing."""
        self.hall.vacate()

    async def _say_goodbye(self) -> None:
        """Tell everybody that the server stops, and wait for them, but not for long."""
        expected = False
        for offer in self._offers:
            if offer.before_stopping is not None:
                # Clients of this protocol come back at once:
                # they are let in to be told that the server stops.
                expected = expected or bool(self.connections.open.get(offer.name))
                self._let_know("stopping", offer, offer.before_stopping)
        self.connections.stop()
        done = asyncio.Event()
        self.hall.journal.after(done.set)
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                await done.wait()
                await self._hand_over()
                await self.connections.drained()
        except TimeoutError:
            self.stuck = self.hall.journal.busy and not self.handed_over
            log.warning("some connections did not close in time")
        if expected and not self.stuck:
            await asyncio.sleep(_LINGER_SECONDS)

    async def _part_from(self, owner: Owner) -> None:
        """Those at gateways go on at the next owner. They are told nothing: for them it is a pause."""
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                await owner.drained(self._time.stand)
                await self._hand_over()
                owner.handed_over()
        except TimeoutError:
            self.stuck = self.hall.journal.busy and not self.handed_over
            log.warning("not everything reached the gateways in time")

    async def _hand_over(self) -> None:
        """Let the next node have the store as soon as everything is stored and said, before the last have hung up."""
        if self._store.node is None:
            return
        self._time.stand()
        self.hall.silence_bots()
        if self.is_main:
            await self.people.finish()
        while self.hall.journal.busy:
            await self.hall.durable()
        self.handed_over = True
        await self._store.stop(self._time.now())
