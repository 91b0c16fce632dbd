"""The server: everything put together, its ports opened, and closed again in good order."""

import asyncio
import errno
import hmac
import logging
import resource
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from importlib.resources.abc import Traversable
from random import SystemRandom
from time import time as wall_clock
from typing import Any

import msgspec
from aiohttp import web

from gamut.doors.keys import Keys
from gamut.doors.topple.door import GAME, ToppleDoor, ToppleSettings
from gamut.doors.topple.session import MOST_TEXT, ToppleSession
from gamut.doors.tower.door import TowerDoor
from gamut.doors.tower.session import MOST_BYTES as MOST_TOWER_BYTES
from gamut.doors.tower.session import TowerSession
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import MOST_BYTES as MOST_WEB_BYTES
from gamut.doors.web.session import WebSession
from gamut.games.registry import Games, all_games
from gamut.hall.allowance import Allowance
from gamut.hall.attempts import Attempts, Limit
from gamut.hall.bots import ProcessBots
from gamut.hall.erasure import erase
from gamut.hall.hall import Hall, HallSettings
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.journal import Journal
from gamut.hall.moderation import Pace
from gamut.hall.people import People, PeopleSettings
from gamut.hall.person import Person
from gamut.hall.summary import summary_of
from gamut.hall.table.draft import Timeouts
from gamut.ledger.database import Database, open_database
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.sql import SqlLedger
from gamut.ledger.writer import ThreadedCommitter
from gamut.net import accounts, files, pages, tables, topple
from gamut.net.acceptor import Acceptor, listening
from gamut.net.address import client_address, networks
from gamut.net.damage import described
from gamut.net.durable import OwnState, joined, log_of, never_before_it_is_durable
from gamut.net.entrance import Admit, Entrance
from gamut.net.guard import guarding, rating
from gamut.net.handshake import HandshakeRefused, Upgrade
from gamut.net.headers import add_security_headers
from gamut.net.limits import ConnectionLimits, Places, TurnedAway, fitting
from gamut.net.metrics import Metrics
from gamut.net.origin import origin_allowed
from gamut.net.settings import Settings
from gamut.net.sockets import Admission, Sockets
from gamut.net.timekeeper import LoopTime
from gamut.net.trimming import Trimming
from gamut.net.visitors import Visitors

log = logging.getLogger("gamut.server")

_DRAIN_SECONDS = 2.5
_LINGER_SECONDS = 0.5
_WARM_UP_SECONDS = 0.5
_GAMES_A_PAGE = 50
_COMMITS_AHEAD = 4
"""What waits for a slow disk is not the reader's fault: so many times the send queue may wait there for each."""
_TEND_SECONDS = 60.0
_STUCK_SECONDS = 5.0
_CLOCK_SLACK = 60_000
"""In milliseconds: the clocks of machines are never quite right."""


class CannotListen(Exception):
    """A port is not to be had. The message is one clear line."""


class Server:
    """One process: one hall, its ledger and its doors."""

    def __init__(self, settings: Settings, games: Games = all_games, page: Traversable | None = None) -> None:
        self.settings = settings
        self._games = games
        self._page = page
        """The folder of the built page; None: the one in the package."""
        self.stopped = asyncio.Event()
        self.failure: BaseException | None = None
        """Why the server had to stop by itself, if it had to."""
        self.stuck = False
        """The disk does not answer: what happened last is not stored, and nobody was told of it."""
        self._loop = asyncio.get_running_loop()
        self._proxies = networks(settings.trusted_proxies.split(","))
        self._origins = [text.strip() for text in settings.allowed_origins.split(",") if text.strip()]
        self._runners: list[web.AppRunner] = []
        self._acceptors: list[Acceptor] = []
        self.ports: dict[str, int] = {}

    async def start(self) -> None:
        settings, loop = self.settings, self._loop
        self._database: Database = await asyncio.to_thread(open_database, settings.data)
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="reading")
        self._ledger = SqlLedger(self._database.engine, self._database.high_water, self._database.damage)
        self.metrics = Metrics()
        time = await self._time()
        self._committer = ThreadedCommitter(loop, self._ledger, self.metrics.committed, self._failed)
        self._bots = ProcessBots(settings.bot_workers, loop.call_soon_threadsafe, self._games)
        store = SqlPeopleStore(self._database.engine, self._database.damage)
        self.people = await People.open(store, _people(settings), time.now)
        self.hall = Hall(
            games=self._games(),
            storage=self._ledger,
            journal=Journal(self._committer, _COMMITS_AHEAD * settings.send_queue_bytes),
            time=time,
            bots=self._bots,
            chance=SystemRandom(),
            settings=_hall(settings),
            run_blocking=self._run_blocking,
        )
        await self.hall.start()
        self._let_people_in(time)
        self._web = WebDoor(self.hall, self.people)
        self._tower = TowerDoor(self.hall, self.people.check_unregistered)
        self._topple: ToppleDoor | None = None
        self._secret = secret = await asyncio.to_thread(store.secret)
        if GAME in self.hall.games:
            self._topple = ToppleDoor(self.hall, secret, self.people.check_unregistered, _topple(settings))
            self.sockets.told_to_wait.add(GAME)
        self.people.on_change.append(self._web.renamed)
        self.people.on_logout.append(self._web.logged_out)
        self.people.on_delete.append(self._web.logged_out)
        self.people.erasers.append(partial(erase, self.hall))
        self.people.exporters["games"] = lambda person: joined(self._games_of(person))
        self.people.exporters["lobby"] = lambda person: joined(self._talk_of(person))
        self.metrics.watch(
            self.hall,
            lambda: {door: len(sessions) for door, sessions in self.sockets.open.items()},
            self._visitors.__len__,
            self.sockets.queued_bytes,
            self.sockets.hits,
            lambda: self.people.refusals() | self.hall.moderation.refusals(),
        )
        await self._listen("main", self._main_doors(), self._main_routes(), settings.port)
        if settings.tower_port:
            await self._listen("tower", {"/": self._admit_tower}, [], settings.tower_port)
        time.go()
        self._trimming = Trimming(self.hall.live.__len__, self._ledger.rest)
        places = self._places()
        if places != Places(settings.connections, settings.visitors):
            log.warning(
                "the limit of open files allows fewer connections than are set",
                extra=msgspec.structs.asdict(places),
            )
        self._tending = asyncio.ensure_future(self._tend())
        loop.call_later(_WARM_UP_SECONDS, self._bots.warm_up)

    def _let_people_in(self, time: LoopTime) -> None:
        settings, hits = self.settings, Counter[str]()
        places = self._places()
        turned_away = TurnedAway(hits)
        limits = ConnectionLimits(settings.connections_per_address, places.connections, turned_away)
        # A whole club that shares an address may come back at once.
        handshakes = _rate(settings, max(settings.http_burst, settings.connections_per_address), time)
        self.sockets = Sockets(settings, hits, limits, handshakes)
        self._visitors = Visitors(places.visitors, settings.visitors_per_address, self._proxies, turned_away)
        self._requests = _rate(settings, settings.http_burst, time)

    def _places(self) -> Places:
        """As many as are set, if the process may open as many files."""
        wanted = Places(self.settings.connections, self.settings.visitors)
        most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return wanted if most == resource.RLIM_INFINITY else fitting(wanted, most)

    async def _time(self) -> LoopTime:
        """Server time goes on after the last thing that the ledger knows, whatever the machine's clock says."""
        latest = await asyncio.to_thread(self._ledger.latest)
        time = LoopTime(self._loop, not_before=latest + 1)
        ahead = time.now() - int(wall_clock() * 1000)
        if ahead > _CLOCK_SLACK:
            log.warning("the clock of this machine was set back", extra={"milliseconds": ahead})
        return time

    def _run_blocking(self, call: Any, *args: Any) -> "asyncio.Future[Any]":
        return self._loop.run_in_executor(self._threads, partial(call, *args))

    async def _tend(self) -> None:
        while True:
            for person in list(self.hall.connected):
                self.people.saw(person)
            try:
                await self.people.tend()
            except Exception:
                # Say, a locked database: whatever it is, there is another try in a minute.
                log.exception("housekeeping failed")
                self.sockets.hits["housekeeping_failed"] += 1
            if self._trimming.due():
                await self._run_blocking(self._trimming.trim)
            await asyncio.sleep(_TEND_SECONDS)

    async def _listen(
        self, name: str, doors: Mapping[str, Admit], routes: Iterable[web.AbstractRouteDef], port: int
    ) -> None:
        entrance = Entrance(doors, self.sockets, self._visitors)
        hits = self.sockets.hits
        app = web.Application(
            middlewares=[rating(self._requests, self._proxies, hits), guarding(self._origins, hits)]
        )
        app.add_routes([*(web.get(path, entrance.from_http) for path in doors), *routes])
        app.on_response_prepare.append(add_security_headers)
        never_before_it_is_durable(app, lambda: self.hall.durable())
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        self._runners.append(runner)
        try:
            sockets = await asyncio.to_thread(listening, self.settings.host, port)
        except OSError as error:
            reason = "it is in use" if error.errno == errno.EADDRINUSE else (error.strerror or str(error))
            raise CannotListen(f"Cannot listen on {self.settings.host} port {port}: {reason}.") from None
        assert runner.server is not None
        entrance.serve_http(runner.server)
        self._acceptors.append(acceptor := await Acceptor.open(sockets, entrance))
        self.ports[name] = acceptor.port

    def _main_routes(self) -> list[web.AbstractRouteDef]:
        return [
            *(topple.routes(self._topple, self._requester) if self._topple is not None else ()),
            *self._file_routes(),
            web.get("/healthz", self._health),
            web.get("/metrics", self._metrics),
            *accounts.routes(self.people, trusted_proxies=self._proxies),
            *tables.routes(self.hall, self.people, self._run_blocking),
            web.get("/{path:.*}", pages.built_page(self._page).serve),
        ]

    def _file_routes(self) -> list[web.RouteDef]:
        new_rooms = {} if self._topple is None else {GAME: self._topple.new_room}
        return files.routes(
            self.hall,
            self.people,
            self._requester,
            lambda game: Keys(self._secret, game).fingerprint,
            new_rooms,
        )

    def _requester(self, request: web.Request) -> str:
        """Where a request comes from."""
        forwarded = ",".join(request.headers.getall("X-Forwarded-For", ()))
        return client_address(request.remote, forwarded or None, self._proxies)

    # Doors

    def _main_doors(self) -> dict[str, Admit]:
        doors: dict[str, Admit] = {"/hall": self._admit_web, "/tower": self._admit_tower}
        if self._topple is not None:
            doors |= dict.fromkeys(("/ws/", "/ws", "/topple"), self._admit_topple)
        return doors

    def _address(self, request: Upgrade, peer: str | None) -> str:
        return client_address(peer, request.headers.get("x-forwarded-for"), self._proxies)

    def _admit_web(self, request: Upgrade, peer: str | None) -> Admission:
        headers = request.headers
        if not origin_allowed(headers.get("origin"), headers.get("host", ""), self._origins):
            self.sockets.hits["foreign_origin"] += 1
            raise HandshakeRefused(HTTPStatus.FORBIDDEN, "This page may not come in here.")
        person: Person | None = accounts.by_cookie(headers.get("cookie"), self.people)
        address = self._address(request, peer)
        return Admission(
            "web", address, lambda wire: WebSession(self._web, wire, person, address), MOST_WEB_BYTES
        )

    def _admit_tower(self, request: Upgrade, peer: str | None) -> Admission:
        address = self._address(request, peer)
        return Admission(
            "tower", address, lambda wire: TowerSession(self._tower, wire, address), MOST_TOWER_BYTES
        )

    def _admit_topple(self, request: Upgrade, peer: str | None) -> Admission:
        door, address = self._topple, self._address(request, peer)
        assert door is not None
        # Of what is too large by less, the door has something to say before it closes.
        return Admission(
            GAME, address, lambda wire: ToppleSession(door, wire, request.query, address), 2 * MOST_TEXT
        )

    # Requests

    async def _health(self, request: web.Request) -> web.Response:
        status, damage = "ok", self._database.damage
        if self.sockets.stopping or self.failure is not None:
            status = "stopping"
        elif self._committer.storing_for > _STUCK_SECONDS:
            status = "stuck"
        elif damage:
            status = "degraded"
        state = {"status": status, "damage": described(damage)} if damage else {"status": status}
        return OwnState(
            # Damage is no reason to be taken for dead: a restart would take the rest away, too.
            status=200 if status in ("ok", "degraded") else 503,
            body=msgspec.json.encode(state),
            content_type="application/json",
        )

    async def _metrics(self, request: web.Request) -> web.Response:
        # Being on this machine proves nothing: whoever comes through a proxy on it is, too.
        if not self.settings.metrics_open:
            token = self.settings.metrics_token
            shown = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
            if not token or not hmac.compare_digest(shown, f"Bearer {token}".encode()):
                self.sockets.hits["metrics_token"] += 1
                raise web.HTTPForbidden(
                    text="Metrics are for whoever has the token (setting metrics_token).\n"
                )
        return OwnState(body=self.metrics.exposition(), headers={"Content-Type": "text/plain; version=0.0.4"})

    # What is kept of people

    async def _games_of(self, person: PersonId) -> AsyncIterator[bytes]:
        """Every table at which this person sat or spoke, with its log as they may see it."""
        await self.hall.durable()
        before: TableId | None = None
        while page := await self._run_blocking(self._ledger.tables_of, person, _GAMES_A_PAGE, before):
            for table in page:
                live = await self.hall.readable(table)
                if live is not None:
                    fields = [("table", summary_of(live.game, live.table))]
                    pieces = log_of(live, live.viewer(person), fields)
                    yield b"".join([piece async for piece in pieces])
            before = page[-1]

    async def _talk_of(self, person: PersonId) -> AsyncIterator[bytes]:
        """What they said in the lobby, as far as it is kept."""
        for said in self.hall.lobby.talk.of(person):
            yield msgspec.json.encode(said)

    # The end

    def _failed(self, error: BaseException) -> None:
        """The ledger cannot store what happened: stop before anyone is told of it."""
        log.critical("the ledger failed", extra={"error": str(error)})
        self.failure = error
        self.stopped.set()

    async def stop(self) -> None:
        """Finish what was accepted, tell everybody, and let go of everything."""
        if hasattr(self, "_tending"):
            self._tending.cancel()
        if hasattr(self, "sockets") and self.failure is None:
            # Clients of a protocol that has a word for it knock again at once, and are told to come later.
            expected = any(self.sockets.open.get(door) for door in self.sockets.told_to_wait)
            if self._topple is not None:
                self._topple.start_draining()
            self.sockets.stop()
            done = asyncio.Event()
            self.hall.journal.after(done.set)
            try:
                async with asyncio.timeout(_DRAIN_SECONDS):
                    await done.wait()
                    await self.sockets.drained()
            except TimeoutError:
                self.stuck = self.hall.journal.busy
                log.warning("some connections did not close in time")
            if expected and not self.stuck:
                await asyncio.sleep(_LINGER_SECONDS)
        for acceptor in self._acceptors:
            acceptor.close()
        for runner in self._runners:
            await runner.cleanup()
        if hasattr(self, "_bots"):
            self._bots.close()
        if self.stuck:
            return  # whatever would be closed now waits for the same disk
        if hasattr(self, "people") and self.failure is None:
            await self.people.close()
        if hasattr(self, "_committer"):
            await asyncio.to_thread(self._committer.close)
            self._ledger.close()
            self._threads.shutdown()
        if hasattr(self, "_database"):
            self._database.close()


def _millis(seconds: float) -> Millis:
    return Millis(int(seconds * 1000))


def _rate(settings: Settings, burst: int, time: LoopTime) -> Attempts | None:
    """So many at once from one address, and then as many as the rate of requests allows."""
    if not settings.http_rate:
        return None
    return Attempts(Limit(burst, _millis(burst / settings.http_rate)), time.now)


def _hall(settings: Settings) -> HallSettings:
    return HallSettings(
        tables_per_person=settings.tables_per_person,
        most_tables=settings.most_tables,
        watchers_per_table=settings.watchers_per_table,
        bot_delay=_millis(settings.bot_delay),
        pace=Pace(
            talk=Limit(settings.talk_burst, _millis(settings.talk_burst)),
            by_person=Allowance(settings.stored_at_once, settings.stored_per_second),
            from_address=Allowance(
                settings.stored_at_once_from_address, settings.stored_per_second_from_address
            ),
        ),
        timeouts=Timeouts(
            host_grace=_millis(settings.host_grace),
            setup_grace=_millis(settings.setup_grace),
            room_grace=_millis(settings.room_grace),
            abandoned_after=_millis(settings.abandoned_after),
        ),
    )


def _topple(settings: Settings) -> ToppleSettings:
    return ToppleSettings(rejoin_window=_millis(settings.topple_rejoin), compat=settings.topple_compat)


def _people(settings: Settings) -> PeopleSettings:
    ten_minutes, hour = _millis(600), _millis(3600)
    return PeopleSettings(
        logins_per_name=Limit(settings.logins_per_name, ten_minutes),
        logins_per_address=Limit(settings.logins_per_address, ten_minutes),
        guests_per_address=Limit(settings.guests_per_address, hour),
        registrations_per_address=Limit(settings.registrations_per_address, hour),
    )
