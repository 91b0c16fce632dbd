"""A door that speaks lines and says everything back: no game, but every part of the shell."""

import asyncio
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import msgspec
from tests.hall.support.inmemory import House, InlineCommitter, MemoryStorage, make_hall
from tests.net.support import sockets
from tests.net.support.process import PATIENCE

from gamut.cluster.bus import LocalBus
from gamut.cluster.gateway import Gateway
from gamut.cluster.owner import Owner
from gamut.cluster.pulse import LoopPulse
from gamut.doors.close_codes import GOING_AWAY, NORMAL, POLICY, TOO_BIG
from gamut.doors.http import Answer, Request, Route, json_answer
from gamut.doors.offer import (
    DoorKind,
    Entrances,
    Lines,
    Newcomer,
    Offer,
    Port,
    PortNumber,
    Premises,
    SessionOn,
)
from gamut.games.game import Refused
from gamut.hall.ids import Seq, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.journal import Journal, Wire
from gamut.hall.store.storage import Row
from gamut.net.gateway import after_answers
from gamut.net.lines.entrance import LineEntrance
from gamut.net.lines.tls import tls_context
from gamut.net.port.acceptor import Acceptor, listening
from gamut.net.port.address import Network
from gamut.net.port.connections import AfterAnswers, Connections
from gamut.net.port.limits import ConnectionLimits, TurnedAway
from gamut.net.port.visitors import Visitors
from gamut.net.settings import Settings

CERTIFICATE = Path(__file__).parent / "tls" / "certificate.pem"
"""Of 127.0.0.1, signed by itself; its key is beside it and worth nothing."""
KEY = CERTIFICATE.with_name("key.pem")
LARGEST = 200_000


class EchoSession:
    def __init__(self, door: "EchoDoor", wire: Wire, newcomer: Newcomer) -> None:
        self.door = door
        self.wire = wire
        self.newcomer = newcomer
        self.heard = 0
        """Lines so far."""
        self.told: list[str] = []
        """What the shell had to say, by name."""
        self.over = asyncio.Event()

    @classmethod
    def new(cls, door: "EchoDoor", wire: Wire, newcomer: Newcomer) -> "EchoSession":
        door.sessions.append(session := cls(door, wire, newcomer))
        return session

    @property
    def greeted(self) -> bool:
        return self.heard > 0

    def send(self, line: bytes) -> None:
        self.door.journal.send(self.wire, line + b"\n")

    def _hang_up(self, code: int) -> None:
        self.door.journal.close(self.wire, code, "goodbye")

    def opened(self) -> None:
        if self.door.stopping:
            self.send(b"come back later")
            self._hang_up(GOING_AWAY)
        else:
            self.send(b"welcome " + self.newcomer.address.encode())

    def text(self, data: bytes) -> Awaitable[None] | None:
        self.heard += 1
        match data.partition(b" "):
            case (b"wait", _, _):
                return self._wait()
            case (b"store", _, _):
                self.door.store()
            case (b"break", _, _):
                raise ZeroDivisionError
            case (b"large", _, size):
                self.send(b"x" * int(size))
                return None
            case (b"bye", _, _):
                self.send(b"bye")
                self._hang_up(NORMAL)
                return None
        self.send(b"> " + data)
        return None

    async def _wait(self) -> None:
        await self.door.gate.wait()
        self.send(b"waited")

    def binary(self, data: bytes) -> None:
        self.send(b"no UTF-8: " + data.decode("utf-8", "replace").encode())

    def oversized(self) -> None:
        self.told.append("oversized")
        self.send(b"too long")
        if self.door.strict:
            self._hang_up(TOO_BIG)

    def rate_limited(self) -> None:
        self.told.append("rate_limited")
        self.send(b"slow down")

    def broken(self) -> None:
        self.wire.fail()

    def flooded(self) -> None:
        self.told.append("flooded")
        self.send(b"enough")
        self._hang_up(POLICY)

    def closing(self) -> None:
        self.say_goodbye()
        self._hang_up(GOING_AWAY)

    def closed(self) -> None:
        self.told.append("closed")
        self.over.set()

    # At an owner

    can_be_packed = False
    is_part = False
    is_spread = False
    is_deaf = False
    state = SimpleNamespace(tables=())

    def say_goodbye(self) -> None:
        self.told.append("closing")
        self.send(b"stopping")

    def hold(self) -> bool:
        return False

    def part(self, unheard: Sequence[bytes]) -> None:
        self.say_goodbye()

    def close(self, code: int, reason: str) -> None:
        self.door.journal.close(self.wire, code, reason)

    def cut_off(self) -> list[LiveTable]:
        return []


def _lines(**options: Any) -> Lines:
    return Lines(largest=LARGEST, refusal=lambda reason: f"refused: {reason}\n".encode(), **options)


class EchoDoor:
    name = "echo"

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.gate = asyncio.Event()
        """What whoever says `wait` waits for."""
        self.strict = False
        """A line that is too long ends the connection."""
        self.stopping = False
        self.sessions: list[EchoSession] = []
        self._stored = 0

    def session(self, wire: Wire, newcomer: Newcomer) -> EchoSession:
        return EchoSession.new(self, wire, newcomer)

    def store(self) -> None:
        """Something happens that must be durable before anybody is told."""
        self._stored += 1
        self.journal.append(Row(TableId("echo"), Seq(self._stored), b"", b""))

    def stop(self) -> None:
        self.stopping = True

    async def shout(self, request: Request) -> Answer:
        if not request.body:
            raise Refused("nothing_said", "Say something.")
        said = request.body.decode().upper()
        return json_answer({"said": said, "to": request.names["whom"], "from": request.address})


# At a server


class EchoSettings(msgspec.Struct, frozen=True, kw_only=True):
    echo_port: Annotated[PortNumber, "port of the echo; 0 turns it off"] = 0
    echo_tls_port: Annotated[PortNumber, "the same under TLS"] = 0


def _entrances(settings: EchoSettings) -> Entrances:
    lines = _lines()
    return Entrances(
        ports=(
            Port(name="echo", title="Echo", number=settings.echo_port, speaks=lines),
            Port(name="echo_tls", title="Echo", number=settings.echo_tls_port, speaks=lines, tls=True),
        )
    )


async def _open(premises: Premises, settings: EchoSettings) -> Offer:
    return _offer(EchoDoor(premises.hall.journal))


def _offer(door: EchoDoor) -> Offer:
    return Offer(
        name=door.name,
        door=door,
        session_type=EchoSession,
        routes=(
            Route(
                method="POST",
                path="/shout/{whom}",
                handler=door.shout,
                largest_body=10,
                statuses={"nothing_said": 422},
            ),
        ),
        before_stopping=door.stop,
    )


ECHO = DoorKind("echo", EchoSettings, _entrances, _open)


# On a port of its own, without a server


class EchoPort:
    def __init__(
        self,
        door: EchoDoor,
        connections: Connections,
        visitors: Visitors,
        number: int,
        settle: Callable[[], None],
    ) -> None:
        self.settle = settle
        """The disk has stored what waits to be stored."""
        self.door = door
        self.connections = connections
        self.visitors = visitors
        self.number = number
        self.hits = connections.hits

    async def client(self, tls: ssl.SSLContext | None = None) -> "LineClient":
        return await LineClient.to(self.number, tls)

    async def greeted_client(self) -> "LineClient":
        """One that has been let in."""
        client = await self.client()
        assert (await client.line()).startswith(b"welcome")
        return client


@asynccontextmanager
async def echo_port(
    *,
    tls: bool = False,
    proxies: Collection[Network] = (),
    per_address: int = 10,
    visitors: int = 10,
    lines: dict[str, Any] | None = None,
    **settings: Any,
) -> AsyncIterator[EchoPort]:
    hits: Counter[str] = Counter()
    committer = InlineCommitter(MemoryStorage())
    house = make_hall(committer=committer)
    door = EchoDoor(house.journal)
    turned_away = TurnedAway(hits)
    asked = Settings(**{"message_rate": 0, **settings})
    behind = await _behind_a_gateway(door, house, asked) if sockets.at_gateways else _behind_the_port(door)
    connections = Connections(
        asked,
        hits,
        ConnectionLimits(per_address, 10, turned_away),
        after_answers=behind.after_answers,
    )
    queue = Visitors(visitors, 10, proxies, turned_away)
    entrance = LineEntrance(
        door.name,
        behind.session,
        _lines(**(lines or {})),
        connections,
        queue,
        tls=tls_context(str(CERTIFICATE), str(KEY)) if tls else None,
        proxies=proxies,
    )
    acceptor = await Acceptor.open(listening("127.0.0.1", 0), entrance)
    try:
        yield EchoPort(door, connections, queue, acceptor.port, committer.settle)
    finally:
        acceptor.close()
        committer.settle()
        connections.stop()
        async with asyncio.timeout(PATIENCE):
            await connections.drained()
        behind.end()


@dataclass
class _Behind:
    """What speaks with clients behind a port."""

    session: SessionOn
    after_answers: AfterAnswers
    end: Callable[[], None] = lambda: None


def _behind_the_port(door: EchoDoor) -> _Behind:
    return _Behind(door.session, lambda session, call: door.journal.after(call))


async def _behind_a_gateway(door: EchoDoor, house: House, settings: Settings) -> _Behind:
    """The session is at an owner."""
    bus, pulse = LocalBus(), LoopPulse(asyncio.get_running_loop())
    gateway = Gateway("gateway", "", bus, pulse, count(1).__next__)
    owner = Owner("", bus, pulse, settings.send_queue_bytes)
    gateway.begin()
    owner.begin(1)
    await house.hall.start()
    owner.take_up(house.hall, [_offer(door)], lambda newcomer: newcomer, lambda _: True, lambda: 0)
    await owner.open()
    async with asyncio.timeout(PATIENCE):
        while not gateway.is_open:  # noqa: ASYNC110 - it has no word for it
            await asyncio.sleep(0.001)

    def end() -> None:
        owner.end()
        gateway.end()

    return _Behind(gateway.session_at(door.name), after_answers, end)


class LineClient:
    """Every wait ends after a generous while."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def to(cls, port: int, tls: ssl.SSLContext | None = None) -> "LineClient":
        async with asyncio.timeout(PATIENCE):
            return cls(*await asyncio.open_connection("127.0.0.1", port, ssl=tls, limit=1 << 21))

    async def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.writer.write(piece)
            async with asyncio.timeout(PATIENCE):
                await self.writer.drain()

    async def line(self) -> bytes:
        """Without its end; nothing if there is no more."""
        async with asyncio.timeout(PATIENCE):
            return (await self.reader.readline()).removesuffix(b"\n")

    async def rest(self) -> list[bytes]:
        """All lines until the server ends the connection; this side then ends it, too."""
        async with asyncio.timeout(PATIENCE):
            found = (await self.reader.read()).splitlines()
        await self.close()
        return found

    async def close(self) -> None:
        self.writer.close()
        try:
            async with asyncio.timeout(PATIENCE):
                await self.writer.wait_closed()
        except OSError:
            return  # the other side was quicker, and rude


def trusting() -> ssl.SSLContext:
    """A client's, that knows the certificate of the tests."""
    return ssl.create_default_context(cafile=str(CERTIFICATE))
