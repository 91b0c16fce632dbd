"""The hall with its two doors and no sockets: visitors say messages, and read what their wires were given."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

import msgspec
from tests.hall.support.inmemory import InlineCommitter, ManualTime, MemoryStorage, games, make_hall

from gamut.doors.close_codes import INTERNAL_ERROR
from gamut.doors.offer import Newcomer
from gamut.doors.session import Session
from gamut.doors.tower.door import TowerDoor
from gamut.doors.tower.session import TowerSession
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import WebSession
from gamut.games.game import AnyGame, Refused
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.restart import Before
from gamut.hall.names.lookalikes import looks
from gamut.hall.names.person_names import NameTaken, clean_name
from gamut.hall.names.room_names import RoomNames
from gamut.hall.people.person import Credentials, Person
from gamut.hall.settings import HallSettings

Message = dict[str, Any]

QUICK = HallSettings(bot_delay=Millis(0))


def unframed(data: bytes) -> Iterator[bytes]:
    """The text messages in what was written, each a whole WebSocket frame (RFC 6455) from a server."""
    while data:
        assert data[0] == 0x81, "a whole text frame"
        size, head = data[1], 2
        assert size < 128, "a server does not mask"
        if size >= 126:
            head = 4 if size == 126 else 10
            size = int.from_bytes(data[2:head], "big")
        assert len(data) >= head + size
        yield data[head : head + size]
        data = data[head + size :]


class TextWire:
    """The sending end of a connection. What comes after the close is lost, as on a real one."""

    def __init__(self) -> None:
        self.data = b""
        self.closed: int | None = None
        self.pending = 0
        self.queued = 0
        """What a test says that the reader has not taken yet."""
        self.dropped = False

    def write(self, data: bytes) -> None:
        if self.closed is None:
            self.data += data

    def close(self, code: int, reason: str) -> None:
        if self.closed is None:
            self.closed = code

    def drop(self) -> None:
        self.dropped = True

    def fail(self) -> None:
        self.close(INTERNAL_ERROR, "something went wrong")


class Register:
    """Who people are, in memory; it outlives the hall as the real one's store does."""

    def __init__(self) -> None:
        self.people: dict[PersonId, Person] = {}
        self._number = count(1)

    def by_token(self, token: str) -> Person | None:
        return self.people.get(PersonId(token.removeprefix("token of ")))

    def as_of_now(self, person: Person) -> Person | None:
        now = self.people.get(person.id)
        return now if now is not None and now.epoch == person.epoch else None

    async def guest(self, name: str, address: str | None = None) -> Person:
        name = clean_name(name)
        if any(person.name == name for person in self.people.values()):
            raise Refused("name_taken", "Someone already has this name.")
        return self.add(name)

    def add(self, name: str, *, guest: bool = True) -> Person:
        id = PersonId(f"{name}-{next(self._number)}")
        person = self.people[id] = Person(id, name, guest, Millis(0), Millis(0), 1)
        return person

    def check_unregistered(self, name: str) -> None:
        accounts = [person.name for person in self.people.values() if not person.guest]
        if any(looks(name) & looks(account) for account in accounts):
            raise NameTaken

    def account_of(self, id: PersonId) -> str | None:
        person = self.people.get(id)
        return None if person is None or person.guest else person.name

    def are_valid(self, credentials: Credentials) -> bool:
        person = self.people.get(credentials.person)
        return person is not None and person.credentials == credentials

    may_come = are_valid

    def issue(self, person: Person) -> str:
        return f"token of {person.id}"


class Connected:
    """One connection at a door, in whatever words they speak there."""

    session: Any

    def __init__(self, inn: Any, session_on: Callable[[TextWire], Session]) -> None:
        self.inn = inn
        self.wire = TextWire()
        self.session = session_on(self.wire)
        self._read = 0
        inn.run(self.session.opened())
        inn.settle()

    @property
    def raw(self) -> bytes:
        """Every byte this connection was ever given."""
        return self.wire.data

    @property
    def closed(self) -> bool:
        return self.wire.closed is not None

    def read(self) -> list[Any]:
        """What has come since the last look."""
        new, self._read = self.wire.data[self._read :], len(self.wire.data)
        return self._told(new)

    def _told(self, data: bytes) -> list[Any]:
        return [msgspec.json.decode(message) for message in unframed(data)]

    def send(self, data: bytes) -> None:
        self.inn.run(self.session.text(data))
        self.inn.settle()

    def raw_say(self, data: bytes) -> list[Any]:
        """Say this; what comes of it at once."""
        self.send(data)
        return self.read()

    def hang_up(self) -> None:
        self.session.closed()
        self.inn.settle()

    def hand_over(self) -> None:
        """The node is gone; this connection is not."""
        state = self.session.hand_over()
        self._door = next(name for name, door in vars(self.inn).items() if door is self.session.door)
        self._state = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=type(state))

    def take_up(self) -> list[LiveTable]:
        """Go on at the node that there is now. Gives the tables, to be held until they are woken."""
        self.wire, self._read = TextWire(), 0
        self.session = type(self.session)(getattr(self.inn, self._door), self.wire, self._state)
        tables: list[LiveTable] = self.inn.run(self.session.load())
        self.session.take_up()
        self.session.refresh()
        return tables

    def move_to_another_node(self) -> None:
        """From now on this is another session on another wire, which knows nothing but the state of the one before."""
        self.session, self.wire = on_another_node(self.inn, self.session)
        self._read = 0


class Visitor(Connected):
    """Somebody who speaks JSON objects."""

    def say(self, message: Any) -> list[Message]:
        """Say something; what comes of it at once."""
        return self.raw_say(msgspec.json.encode(message))


def on_another_node(inn: "Inn", session: Any) -> tuple[Any, TextWire]:
    """A session that has taken over from this one, and its wire."""
    state = session.hand_over()
    state = msgspec.json.decode(msgspec.json.encode(state), type=type(state))
    wire = TextWire()
    taken_up = type(session)(session.door, wire, state)
    tables = inn.run(taken_up.load())
    taken_up.take_up()
    assert {live.id for live in tables} == set(state.tables)
    inn.settle()
    return taken_up, wire


class Guest(Visitor):
    """Somebody at the web door."""

    session: WebSession
    _asked = 0

    @property
    def person(self) -> PersonId:
        return self.session.person

    def ask(self, kind: str, **fields: Any) -> tuple[Message, list[Message]]:
        """Say something with an id: its answer, and whatever else came."""
        self._asked += 1
        heard = self.say({"type": kind, "id": self._asked, **fields})
        (answer,) = [message for message in heard if message.get("id") == self._asked]
        heard.remove(answer)
        return answer, heard

    def sure(self, kind: str, **fields: Any) -> list[Message]:
        """Something that is allowed: what came of it, without the plain ok."""
        answer, heard = self.ask(kind, **fields)
        assert answer["type"] != "error", answer
        return heard if answer["type"] == "ok" else [answer, *heard]

    def refused(self, kind: str, **fields: Any) -> str:
        """Something that is not: the code of the refusal. Nothing else comes of it."""
        self.read()
        answer, heard = self.ask(kind, **fields)
        assert answer["type"] == "error", answer
        assert answer["message"].endswith(".")
        assert heard == []
        return str(answer["code"])

    def open(self, game: str = "tower", **fields: Any) -> TableId:
        opened = self.sure("open", game=game, **fields)[0]
        assert opened["type"] == "opened"
        return TableId(opened["table"])


class Player(Visitor):
    """Somebody at the Tower door."""

    session: TowerSession

    def join(self, room: str, name: str) -> list[Message]:
        return self.say({"type": "join_room", "data": {"room": room, "name": name}})

    def place(self, position: Any) -> list[Message]:
        return self.say({"type": "place_mark", "data": {"position": position}})


class Inn:
    """The whole server without its sockets. It can be struck by lightning and opened again on what was stored."""

    names: RoomNames | None = None
    _before: Before | None = None
    """What is known of the node before this one; None: there is one server, and no other."""
    _node = 1
    _still_here: Sequence[Connected] = ()
    """Those whose connections outlive the node that they were at."""

    def __init__(self, settings: HallSettings = QUICK, bots: Any = None, seed: int = 1) -> None:
        self.storage = MemoryStorage()
        self.people = Register()
        self._settings = settings
        self._bots = bots
        self._seed = seed
        self._loop = asyncio.new_event_loop()
        self._now = ManualTime().now()
        self._open()

    def _open(self) -> None:
        self.committer = InlineCommitter(self.storage)
        self.time = ManualTime(self._now)
        self.house = make_hall(
            committer=self.committer,
            time=self.time,
            bots=self._bots,
            settings=self._settings,
            seed=self._seed,
            played={**games(), **self._more_games()},
            names=self.names,
        )
        self.hall: Hall = self.house.hall
        self.web = WebDoor(self.hall, self.people)
        self.tower = TowerDoor(self.hall, self.people.check_unregistered)
        self._open_doors()
        self.run(self.hall.start(self._before))
        self._name_tables()
        tables = [client.take_up() for client in self._still_here]
        self.run(self.hall.wake())
        del tables
        self.settle()

    def _more_games(self) -> Mapping[str, AnyGame]:
        """Besides those that every inn has."""
        return {}

    def _open_doors(self) -> None:
        """Besides those of the page and of Tower."""

    def _name_tables(self) -> None:
        """For doors whose tables have names of their own kind."""

    def restart(self) -> None:
        """A crash and a new start: nobody was told, nothing in memory is left."""
        self.settle()
        self._now = self.time.now()
        self._open()

    def take_over(self, *still_here: Connected, pause: int = 2_000) -> None:
        """Another node goes on from here. The connections of these have lived on; all others were cut off."""
        self.settle()
        for client in still_here:
            client.read()
            client.hand_over()
        charged = self.time.now()
        self._now = Millis(charged + pause)
        self._node += 1
        self._before, self._still_here = Before(charged=charged, node=self._node), still_here
        self._open()
        self._before, self._still_here = None, ()

    def cut_off(self, *clients: Connected, for_good: bool = True) -> None:
        """A fault of ours has ended their connections. `for_good`: they do not come back at once."""
        followed = [live for client in clients for live in client.session.cut_off()]
        if for_good:
            self.advance(3_000)
        for live in followed:
            self.hall.attendance.cut_off(live)
        self.settle()

    def close(self) -> None:
        self._loop.close()

    def run(self, waiting: Awaitable[Any] | None) -> Any:
        async def wait(awaitable: Awaitable[Any]) -> Any:
            return await awaitable

        return None if waiting is None else self._loop.run_until_complete(wait(waiting))

    def settle(self) -> None:
        self.committer.settle()

    def advance(self, span: int) -> None:
        self.house.advance(span)

    def load(self, table: TableId) -> LiveTable:
        live = self.run(self.hall.load(table))
        self.settle()
        assert isinstance(live, LiveTable)
        return live

    def stranger(self) -> Guest:
        """A connection at the web door that has not said hello."""
        return Guest(self, lambda wire: WebSession.new(self.web, wire, Newcomer("127.0.0.1")))

    def guest(self, name: str) -> Guest:
        """Somebody at the web door who is known, by a cookie; a new person if there is none of that name."""
        known = next((p for p in self.people.people.values() if p.name == name), None)
        person = known if known is not None else self.people.add(name)
        guest = Guest(self, lambda wire: WebSession.new(self.web, wire, Newcomer("127.0.0.1", person=person)))
        (welcome,) = guest.read()
        assert welcome["type"] == "welcome"
        return guest

    def player(self) -> Player:
        return Player(self, lambda wire: TowerSession.new(self.tower, wire, Newcomer("127.0.0.1")))

    def bytes_of(self, table: TableId) -> tuple[bytes, ...]:
        """A table's whole log as stored."""
        return tuple(row.body for row in self.storage.log(table))


@contextmanager
def inn(settings: HallSettings = QUICK, bots: Any = None, seed: int = 1) -> Iterator[Inn]:
    house = Inn(settings, bots, seed)
    try:
        yield house
    finally:
        house.close()


def coordinate(tile: int) -> Mapping[str, int]:
    """Where a tile is, worked out here anew from the picture in the protocol."""
    y, rest = divmod(tile, 8)
    x, z = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))[rest]
    return {"x": x, "y": y, "z": z}
