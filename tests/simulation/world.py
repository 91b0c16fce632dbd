"""A small world on one seed: a server, a faulty disk, people at seven doors, and a power cut now and then."""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from random import Random
from typing import Any
from zlib import crc32

from tests.doors.support.tafl_inn import Accounts
from tests.games.support.parlour import Parlour
from tests.hall.support.inmemory import NOON, ManualTime, ManualTimer
from tests.simulation.acquire_people import AcquirePerson
from tests.simulation.amnesia import Amnesia, Remembering
from tests.simulation.chance import drawn_from
from tests.simulation.comparing import Comparing
from tests.simulation.disk import Disk, Medium
from tests.simulation.faults import Faulty, Injected, is_injected
from tests.simulation.loop import Tasks
from tests.simulation.powerchess_people import HomePerson, PowerPerson
from tests.simulation.promises import everybody_is_gone, nobody_is_a_ghost, nothing_is_overdue
from tests.simulation.readers import Reader
from tests.simulation.slow_names import Elsewhere, SlowNames, names_are_bound
from tests.simulation.surroundings import Hear, Surroundings
from tests.simulation.tafl_people import TaflPerson
from tests.simulation.told import Broken, Told
from tests.simulation.topple_people import TopplePerson
from tests.simulation.tower_people import TowerPerson
from tests.simulation.web_people import WebPerson
from tests.simulation.wire import Connection, Wire, frames, lines

from gamut.doors.acquire.door import AcquireDoor
from gamut.doors.acquire.naming import GameNumbers
from gamut.doors.acquire.session import AcquireSession
from gamut.doors.offer import Newcomer
from gamut.doors.powerchess.door import PowerChessDoor
from gamut.doors.powerchess.home import HomeDoor, HomeSession
from gamut.doors.powerchess.naming import Numbers
from gamut.doors.powerchess.session import PowerChessSession
from gamut.doors.session import Session
from gamut.doors.tafl.door import TaflDoor
from gamut.doors.tafl.naming import Guids
from gamut.doors.tafl.session import TaflSession
from gamut.doors.topple.door import ToppleDoor
from gamut.doors.topple.session import ToppleSession
from gamut.doors.tower.door import TowerDoor
from gamut.doors.tower.session import TowerSession
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import WebSession
from gamut.games.acquire.rules import Acquire
from gamut.games.game import AnyGame
from gamut.games.powerchess.rules import PowerChess
from gamut.games.tafl.rules import Tafl
from gamut.games.topple.rules import Topple
from gamut.games.tower.rules import Tower
from gamut.hall.bots.processes import Question
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.pace import Pace
from gamut.hall.live.restart import Before
from gamut.hall.settings import HallSettings
from gamut.hall.store.journal import MOST_PENDING, Journal
from gamut.hall.time import Timekeeper
from gamut.hall.wings import WHOLE, Wings

GAMES: dict[str, AnyGame] = {
    "tower": Tower(),
    "parlour": Parlour(),
    "topple": Topple(),
    "tafl": Tafl(),
    "acquire": Acquire(),
    "powerchess": PowerChess(),
}
SETTINGS = HallSettings(
    bot_delay=Millis(300), idle_after=Millis(60_000), pace=Pace(talk=Limit(1_000, Millis(1_000)))
)
ADDRESS = "127.0.0.1"
SECRET = "a secret of this simulation"
_STEPS = (2, 90)
"""Between two crashes."""
_MAGNATES = (0, 0, 4, 6)
"""People at the Acquire door, by seed: in a world with fewer people each of them is about more often."""
_OF_ONE_GAME = ("tower", "tafl", "topple", "powerchess", "acquire")
"""Every third world is of one of these alone: people of its own door and of the web door, at the same tables."""
PAUSES = (0, 0, 0, 0, 1, 2, 5, 5, 20, 20, 100, 400)


NO_OWNER = "there is no owner"
"""What a gateway says that gives up, after so long that it should."""
NOT_ERASED = "people could not be erased from all wings"
"""What the main wing says when another one has had no owner for so long."""


class SlowBots:
    """Answer some time later, with anything that is legal."""

    def __init__(self, time: ManualTime, chance: Random) -> None:
        self._time = time
        self._chance = chance

    def think(self, question: Question, done: Callable[[Any], None]) -> None:
        action = Random(question.seed).choice(list(question.game.legal(question.state, question.seat)))
        self._time.later(Millis(self._chance.choice((0, 5, 50, 2_000))), lambda: done(action))


class Time(ManualTime):
    def __init__(self, now: Millis, moment: Callable[[], None]) -> None:
        super().__init__(now)
        self._moment = moment
        """Called before each timer fires."""

    def later(self, delay: Millis, call: Callable[[], None]) -> ManualTimer:
        def fire() -> None:
            self._moment()
            call()

        return super().later(delay, fire)

    @property
    def next_due(self) -> Millis | None:
        """When the next timer fires."""
        return self._timers[0][0] if self._timers else None


class Server:
    """One run of the server, from its start to its crash."""

    def __init__(self, world: "World", now: Millis, before: Before | None = None) -> None:
        self.opened = now
        self._before = before
        self._chance = world.chance
        self.alive = True
        self.is_open = False
        self.time = self._new_time(world, now)
        self.wings = self._its_wings()
        self.outside = self._time_outside()
        self.disk = Disk(world.medium, self.outside, world.chance, world.trace)
        # With some servers whoever hears nothing for long, because the disk is slow, is soon let go.
        self.journal = Journal(self.disk, world.chance.choice((MOST_PENDING, MOST_PENDING, 5_000)))
        faulty = world.faulty
        self.names = None if world.elsewhere is None else SlowNames(world.elsewhere, self.time)
        self.hall = Hall(
            games=GAMES if faulty is None else {name: faulty.game(game) for name, game in GAMES.items()},
            storage=world.medium.storage,
            journal=self.journal,
            time=self.time,
            bots=SlowBots(self.time, world.chance),
            chance=Random(world.chance.getrandbits(64)),
            settings=SETTINGS,
            run_blocking=self._run_blocking,
            wings=self.wings,
            names=self.names,
        )
        people = self._known_people(world)
        self.web = WebDoor(self.hall, people)
        self.tower = TowerDoor(self.hall, people.check_unregistered)
        self.topple = ToppleDoor(self.hall, SECRET, people.check_unregistered, account_of=people.account_of)
        self.power = PowerChessDoor(self.hall, SECRET, people.check_unregistered)
        if self.wings.is_main:
            self.tafl = TaflDoor(self.hall, people)
            self.acquire = AcquireDoor(self.hall, people)
            self.home = HomeDoor(self.hall)
        if faulty is not None:
            faulty.break_hall(self.hall)
            for door in (self.web, self.tower, self.topple, self.tafl, self.acquire, self.power, self.home):
                faulty.break_door(door)
        self.connections: dict[Connection, None] = {}
        self._tasks = world.tasks
        self._has_magnates = "acquire" in world.games

    def _new_time(self, world: "World", now: Millis) -> Time:
        return Time(now, world.moment)

    def _its_wings(self) -> Wings:
        return WHOLE

    def _known_people(self, world: "World") -> Any:
        """Everybody, as far as doors need it."""
        return world.people

    def _time_outside(self) -> Timekeeper:
        """That of disks and threads, which goes on while the server's own time stands."""
        return self.time

    def remembering(self) -> Collection[Remembering]:
        """All whose sessions are here."""
        return self.connections

    async def start(self) -> None:
        await self.hall.start(self._before)
        await self.hall.wake()
        await self.open_doors()

    async def open_doors(self) -> None:
        if self.names is not None:
            self.names.take_over(self.hall.register.rooms)
        if self.wings.is_main:
            await self.hall.naming.use("tafl", Guids())
            if self._has_magnates:
                await self.hall.naming.use("acquire", GameNumbers())
        await self.hall.naming.use("powerchess", Numbers())

    async def _run_blocking(self, call: Callable[..., Any], *args: Any) -> Any:
        """In a thread, which does it at some moment before anybody hears of it."""
        span = self._chance.choice((0, 0, 1, 3, 40))
        done = self._tasks.loop.create_future()
        results: list[Any] = []
        later = self.outside.later
        later(Millis(self._chance.randrange(span + 1)), lambda: results.append(_tried(call, args)))
        later(Millis(span), lambda: None if done.done() else done.set_result(None))
        await done
        result, error = results[0]
        if error is not None:
            raise error
        return result


def _tried(call: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    try:
        return call(*args), None
    except Exception as error:  # noqa: BLE001 - it is raised where it is waited for
        return None, error


class World(Surroundings):
    is_heard_at_once = True
    """What is written is heard in that moment, by everybody."""
    has_slow_names = True
    """In some worlds."""

    def __init__(
        self,
        seed: int,
        medium: Medium,
        crashes: int,
        trace: Callable[[str], None] | None = None,
        *,
        faults: bool = False,
        amnesia: bool = True,
    ):
        super().__init__(Random(seed), Told(self._uptime, at_once=self.is_heard_at_once))
        self.seed = seed
        self.faulty = Faulty(seed, self.trace) if faults else None
        self.amnesia = Amnesia(seed, self.trace) if amnesia else None
        self.elsewhere = Elsewhere(seed, self.trace) if seed % 13 == 10 and self.has_slow_names else None
        """Other servers have a part of the hall, so that names have to be waited for."""
        magnates = _MAGNATES[seed % len(_MAGNATES)]
        self._only = self._only_game(seed)
        if self._only is not None:
            self.games = (self._only,)
            magnates = 5 if self._only == "acquire" else 0
        else:
            self.games = ("tower", "parlour", "parlour", "topple", "tafl", "powerchess")
            self.games += ("acquire",) if magnates else ()
        self.medium = medium
        self.step = 0
        self.crashes = 0
        self.stops = 0
        self.ended = 0
        """How often another node had ended the server before it was gone."""
        self.digest = 0
        """Of every byte that was said: the same seed must give the same."""
        self.heard_by: dict[str, int] = {}
        """The same of what each of the people heard."""
        self._wanted = crashes
        self._nodes = seed % 4 == 2
        """Each server is a node that takes over from the one before it, and not the same one again."""
        self._trace = trace
        self._down = [(int(NOON), 0)]
        self.troubles: list[BaseException] = []
        self.tasks = Tasks(self.troubles.append)
        self.people = self._everybody_there_is()
        self.comparing = Comparing(medium, GAMES, self.told, brief_fails=faults)
        self.server = self._new_server(NOON, None)
        web = [self._web_person(number) for number in range(self.chance.randint(3, 8))]
        self._web = [*web, self._web_person(0, web[0])]
        self.everybody: list[Any] = list(self._web)
        self.everybody += [TowerPerson(self, number) for number in range(self._some("tower", 3, 7))]
        self.everybody += [TopplePerson(self, number) for number in range(self._some("topple", 2, 6))]
        self.everybody += [TaflPerson(self, number) for number in range(self._some("tafl", 3, 7))]
        self.everybody += [AcquirePerson(self, number) for number in range(magnates)]
        self.everybody += [PowerPerson(self, number) for number in range(self._some("powerchess", 3, 7))]
        if self._only in (None, "powerchess"):
            self.everybody.append(HomePerson(self, 0))
        self._readers = [Reader(self, number) for number in range(3)]

    def _web_person(self, number: int, twin: Any = None) -> WebPerson:
        return WebPerson(self, number, twin)

    def _only_game(self, seed: int) -> str | None:
        return only_game(seed)

    def _new_server(self, now: Millis, before: Before | None) -> Server:
        return Server(self, now, before)

    def _everybody_there_is(self) -> Any:
        return Accounts()

    def _open_servers(self) -> Sequence[Server]:
        """Those that people are at."""
        return (self.server,)

    @property
    def _is_stuck(self) -> bool:
        """A disk has failed: there is no more to be heard from its server."""
        return self.server.disk.stuck

    def _some(self, game: str, fewest: int, most: int) -> int:
        """How many people come to this game's own door."""
        return self.chance.randint(fewest, most) if self._only in (None, game) else 0

    # What everybody uses

    @property
    def now(self) -> int:
        return self.server.time.now()

    def trace(self, line: str) -> None:
        if self._trace is not None:
            self._trace(f"{self.step:5} {self.now - NOON:9} {line}")

    def said(self, label: str, data: bytes) -> None:
        self.digest = crc32(data, self.digest)
        if self._trace is not None:
            self.trace(f"{label} says {data.decode(errors='replace')}")

    def written(self, label: str, data: bytes) -> None:
        self.digest = crc32(data, self.digest)
        if self._trace is not None:
            self.trace(f"{label} is told {data!r}")

    def heard(self, label: str, data: bytes) -> None:
        self.heard_by[label] = crc32(data, self.heard_by.get(label, 0))

    def call(
        self, door: str, label: str, hear: Hear, *, query: str = "", cookie: str | None = None
    ) -> Connection:
        server = self.server
        person = None if cookie is None else self.people.by_token(cookie)
        sessions: dict[str, Callable[[Wire], Session]] = {
            "web": lambda wire: WebSession.new(server.web, wire, Newcomer(ADDRESS, person=person)),
            "tower": lambda wire: TowerSession.new(server.tower, wire, Newcomer(ADDRESS)),
            "topple": lambda wire: ToppleSession.new(server.topple, wire, Newcomer(ADDRESS, query)),
            "tafl": lambda wire: TaflSession.new(server.tafl, wire, Newcomer(ADDRESS)),
            "acquire": lambda wire: AcquireSession.new(server.acquire, wire, Newcomer(ADDRESS)),
            "play": lambda wire: PowerChessSession.new(server.power, wire, Newcomer(ADDRESS)),
            "home": lambda wire: HomeSession.new(server.home, wire, Newcomer(ADDRESS)),
        }
        return Connection(self, label, hear, sessions[door], lines if door == "tafl" else frames)

    def sitter(self, game: str, room: str, seat: int) -> PersonId | None:
        log = self.comparing.latest_in_room(game, room)
        if log is None:
            raise Broken(f"somebody was told of room {room} of {game}, which is not on the disk")
        return None if log.now.phase == "over" else log.now.persons[seat]

    def _uptime(self, now: int, table: TableId) -> int | None:
        """How long the server had been up at this moment, all its runs together."""
        for since, down in reversed(self._down):
            if now >= since:
                return now - down
        return now

    def moment(self) -> None:
        """Something is about to happen at the server; before that, sessions may forget everything but their state."""
        if self.amnesia is not None and self.server.alive:
            self.amnesia.perhaps(self.server)

    # The course of things

    async def live(self) -> None:
        try:
            await self._live()
        finally:
            self.server.alive = False
            await self.tasks.end_all()

    async def _live(self) -> None:
        if await self._start():
            await self._evening()
        while self.crashes < self._wanted:
            await self._crash()
            if await self._start():
                await self._evening()
        await self._settle()
        if not self._is_stuck:
            await self._find_peace()
        self.comparing.disk_with_told()
        self._compare_halls()
        if not self._is_stuck:
            self._nobody_missed_anything()
        self.comparing.lists_of_games()
        if not self._is_stuck:
            await self._good_night()

    async def _good_night(self) -> None:
        """Everybody has their answers, hangs up, and all that happened is on the disk."""
        for person in self._web:
            person.read_on()
        await self._pass(1_000)
        await self._settle()
        if self._is_stuck:
            return
        for person in self._web:
            person.has_answers()
        for connection in self._calls():
            connection.cut()
        await self._pass(30_000)
        await self._settle()
        if self._is_stuck:
            return
        for server in self._open_servers():
            everybody_is_gone(server.hall)
            if server.names is not None:
                names_are_bound(server.hall, server.names)
            for table, live in server.hall.live.items():
                log = self.comparing.log(table)
                if log is None or len(log.rows) != live.table.seq:
                    raise Broken(
                        f"table {table} has {live.table.seq} events, of which not all are on the disk"
                    )

    def _compare_halls(self) -> None:
        for server in self._open_servers():
            self.comparing.running_hall(server.hall)

    def _calls(self) -> list[Connection]:
        """All that are under way."""
        return list(self.server.connections)

    async def _start(self) -> bool:
        """Whether the server came up; it may be struck on the way."""
        starting = self.tasks.loop.create_task(self.server.start())
        doomed = self.chance.random() < 0.03 and self.crashes < self._wanted
        for _ in range(self.chance.randrange(20) if doomed else 100_000):
            if starting.done():
                break
            await self._pass(1)
        if not starting.done():
            return False
        self.server.is_open = True
        if self.crashes or self.stops:
            self.comparing.hall_with_disk(self.server.hall)
        return True

    def _ask_over_http(self, reader: Reader) -> None:
        reader.act()

    def _weather(self) -> None:
        """What befalls everybody, now and then."""

    async def _evening(self) -> None:
        """So many steps; the last may end in the middle of what everybody is doing."""
        for left in range(self.chance.randint(*_STEPS), 0, -1):
            self.step += 1
            self._weather()
            for _ in range(self.chance.choice((1, 1, 1, 2, 6))):
                self.chance.choice(self.everybody).act()
                await self.tasks.go_on()
            if self.chance.random() < 0.3:
                self._ask_over_http(self.chance.choice(self._readers))
                await self.tasks.go_on()
            if left > 1 or self.chance.random() < 0.5:
                await self._pass(self._pause())
            if self.step % 8 == 0:
                self._one_copy()
                for server in self._open_servers():
                    nothing_is_overdue(server.hall)
                    if server.names is not None:
                        names_are_bound(server.hall, server.names)
                self._nobody_is_a_ghost()
            if self._is_stuck and self.crashes < self._wanted:
                break
        self._one_copy()
        if self.chance.random() < 0.3:
            await self._look_around()

    async def _look_around(self) -> None:
        """In the midst of everything."""
        self._compare_halls()
        if not (self.server.journal.busy or self.tasks.any):
            self._nobody_missed_anything()

    def _nobody_is_a_ghost(self) -> None:
        nobody_is_a_ghost(self.server.hall, {each.session for each in self.server.connections})

    def _pause(self) -> int:
        luck = self.chance.random()
        if luck < 0.9:
            return self.chance.choice(PAUSES)
        if luck < 0.985:
            return self.chance.randrange(5_000)
        if luck < 0.999:
            return self.chance.randrange(200_000)
        return self.chance.randrange(30 * 3_600_000)

    async def _pass(self, span: int) -> None:
        time = self.server.time
        if span > 1_000:
            # Whoever does not read for so long would be let go by their heartbeat.
            for person in self._web:
                person.read_on()
        until = time.now() + span
        while self.tasks.any and (due := time.next_due) is not None and due <= until:
            time.advance(max(0, due - time.now()))
            await self.tasks.go_on()
        time.advance(until - time.now())
        await self.tasks.go_on()
        self._stop_at_trouble()

    def _stop_at_trouble(self) -> None:
        if self.troubles:
            first = self.troubles[0]
            if isinstance(first, (Broken, Injected)):
                raise first
            raise Broken(f"something failed: {first!r}") from first

    @property
    def _is_busy(self) -> bool:
        """Something is yet to be stored, or to be done."""
        return self.tasks.any or any(server.journal.busy for server in self._open_servers())

    async def _settle(self) -> None:
        """Everything that is on its way arrives."""
        for _ in range(1_000):
            if not self._is_busy or self._is_stuck:
                return
            await self._pass(1_000)
        raise Broken("something is never finished")

    async def _find_peace(self) -> None:
        """Everything that is on its way to the people arrives."""

    def _nobody_missed_anything(self) -> None:
        for person in self.everybody:
            game = getattr(person, "following", None)
            if game is not None:
                self.comparing.all_of_it_was_told(person.label, game)

    def _one_copy(self) -> None:
        for label, session in self._sessions():
            following = getattr(session, "following", None)
            tables = following.values() if following is not None else (getattr(session, "live", None),)
            for live in tables:
                if live is not None and session.hall.here(live.id) is not live:
                    raise Broken(f"{label} has a copy of table {live.id} that is not the hall's")

    def _sessions(self) -> Iterator[tuple[str, Any]]:
        """All that the server has, and whose they are."""
        return ((each.label, each.session) for each in self.server.connections)

    async def _crash(self) -> None:
        chance, old = self.chance, self.server
        if chance.random() < 0.05:
            self.stops += 1
            self.trace("the server is asked to stop")
            old.topple.start_draining()
            for connection in list(old.connections):
                connection.session.closing()
            await self._pass(chance.choice((0, 1, 5, 1_000)))
        else:
            self.crashes += 1
        there_until = old.time.now()
        if self._nodes and old.is_open and chance.random() < 0.3:
            await self._outlive_the_end()
        old.alive = False
        for connection in old.connections:
            connection.open = False
        old.disk.crash()
        await self.tasks.end_all()
        for person in (*self.everybody, *self._readers):
            person.crashed()
        self.comparing.disk_with_told()
        away = chance.choice((0, 0, 50, 2_000, 60_000, 3_600_000))
        now = Millis(old.time.now() + away)
        self._down.append((int(now), self._down[-1][1] + now - there_until))
        before = None
        if self._nodes:
            # How long the node before was there is known from its lease, which it renews now and then.
            charged = Millis(there_until - chance.randrange(250))
            before = Before(opened=old.opened, charged=charged, node=self.crashes + self.stops)
        self.server = self._new_server(now, before)

    async def _outlive_the_end(self) -> None:
        """The server was frozen for so long that another one has taken over. Now it goes on and does not know it:
        nothing that it does is stored, and everybody who is there acts and listens."""
        self.ended += 1
        self.server.disk.end()
        for _ in range(self.chance.randint(1, 20)):
            self.step += 1
            self.chance.choice((*self.everybody, *self._readers)).act()
            await self.tasks.go_on()
            await self._pass(self.chance.choice(PAUSES))


class _Errors(logging.Handler):
    def __init__(self, troubles: list[BaseException]) -> None:
        super().__init__(logging.ERROR)
        self._troubles = troubles

    def emit(self, record: logging.LogRecord) -> None:
        if is_injected(record) or record.getMessage().startswith((NO_OWNER, NOT_ERASED)):
            return
        error = None if record.exc_info is None else record.exc_info[1]
        if isinstance(error, Broken):
            # A client has found it out while it was written to.
            self._troubles.append(error)
            return
        fields = {name: record.__dict__.get(name) for name in ("table", "error", "code", "kind", "door")}
        self._troubles.append(Broken(f"the server logged: {record.getMessage()} {fields} {_trace(record)}"))


def only_game(seed: int) -> str | None:
    """The one game that is played in this seed's world; None: all of them are."""
    return _OF_ONE_GAME[seed // 3 % len(_OF_ONE_GAME)] if seed % 3 == 0 else None


class Failed(Exception):
    """A world in which something went wrong, and how to see it again."""

    def __init__(self, world: World, error: BaseException) -> None:
        super().__init__(f"seed {world.seed}, step {world.step}: {error}")
        self.error = error
        self.seed = world.seed
        self.step = world.step


def _trace(record: logging.LogRecord) -> str:
    return "" if record.exc_info is None else logging.Formatter().formatException(record.exc_info)


def run(
    seed: int,
    medium: Medium,
    crashes: int,
    trace: Callable[[str], None] | None = None,
    *,
    faults: bool = False,
    amnesia: bool = True,
    of: type[World] = World,
) -> World:
    """One world from its beginning to its end, or Failed; with `faults`, one in which the server fails, too, and with
    `amnesia` one in which sessions forget what is not in their state."""
    with ExitStack() as stack:
        # Apart from what people do: whoever compares two traces sees the same people do the same for longer.
        stack.enter_context(drawn_from(Random(f"ids of {seed}")))
        world = of(seed, medium, crashes, trace, faults=faults, amnesia=amnesia)
        errors = _Errors(world.troubles)
        log = logging.getLogger("gamut")
        log.addHandler(errors)
        stack.callback(log.removeHandler, errors)
        try:
            world.tasks.run(world.live())
        except Exception as error:
            raise Failed(world, error) from error
    return world


def compare_with_memory(
    seed: int, medium: Callable[[], Medium], crashes: int, *, of: type[World] = World
) -> World:
    """One world with amnesia, or Failed also if anybody hears anything else there than without it."""
    before = run(seed, medium(), crashes, amnesia=False, of=of)
    world = run(seed, medium(), crashes, of=of)
    for label in before.heard_by.keys() | world.heard_by.keys():
        if before.heard_by.get(label) != world.heard_by.get(label):
            raise Failed(world, Broken(f"{label} has heard something else because of amnesia"))
    return world
