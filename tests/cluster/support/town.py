"""Gateways and the owners that come and go behind them, in one process, by hand."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import msgspec
from tests.cluster.support.by_hand import HandBus, HandPulse
from tests.doors.support.inn import Register, TextWire, unframed
from tests.hall.support.inmemory import (
    HeldCommitter,
    InlineCommitter,
    ManualTime,
    MemoryStorage,
    PonderingBots,
    games,
    make_hall,
)

from gamut.cluster.gateway import Gateway
from gamut.cluster.owner import Owner
from gamut.doors.offer import Newcomer, Offer
from gamut.doors.topple.door import ToppleDoor
from gamut.doors.topple.session import ToppleSession
from gamut.doors.tower.door import TowerDoor
from gamut.doors.tower.session import TowerSession
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import WebSession
from gamut.games.topple.rules import Topple
from gamut.hall.ids import Millis
from gamut.hall.live.restart import Before
from gamut.hall.settings import HallSettings

SETTINGS = HallSettings(bot_delay=Millis(0))


class Node:
    """An owner with its hall."""

    def __init__(self, town: "Town", number: int, *, held: bool) -> None:
        self.number = number
        self.bus = town.bus.end()
        self.time = ManualTime(town.now)
        self.committer = HeldCommitter(town.storage) if held else InlineCommitter(town.storage)
        self.house = make_hall(
            committer=self.committer,
            time=self.time,
            bots=PonderingBots(),
            settings=SETTINGS,
            seed=number,
            played={**games(), "topple": Topple()},
        )
        self.hall = self.house.hall
        self.owner = Owner("node", self.bus, town.pulse, 1_000_000)
        self.alive = True

    async def open(self, town: "Town") -> None:
        self.owner.begin(self.number, self.number - 1, town.storage.appends)
        before = Before(charged=self.time.now(), node=self.number) if self.number > 1 else None
        await self.hall.start(before, read=False)
        web, tower = WebDoor(self.hall, town.people), TowerDoor(self.hall, town.people.check_unregistered)
        self.topple = ToppleDoor(self.hall, "a secret of these tests", town.people.check_unregistered)
        offers = [
            Offer(name="topple", door=self.topple, session_type=ToppleSession),
            Offer(name="web", door=web, session_type=WebSession),
            Offer(name="tower", door=tower, session_type=TowerSession),
        ]
        await self.owner.gathered()
        self.owner.take_up(
            self.hall, offers, town.recognise, town.people.are_valid, lambda: town.storage.appends
        )
        await self.owner.open()


class Client:
    """Somebody at a gateway."""

    def __init__(self, town: "Town", gateway: Gateway, door: str, newcomer: Newcomer) -> None:
        self.town = town
        self.wire = TextWire()
        self.session: Any = gateway.session_at(door)(self.wire, newcomer)
        self._read = 0
        self._asked = count(1)
        town.run(self.session.opened)
        town.settle()

    @property
    def closed(self) -> bool:
        return self.wire.closed is not None

    def read(self) -> list[Any]:
        new, self._read = self.wire.data[self._read :], len(self.wire.data)
        return [msgspec.json.decode(message) for message in unframed(new)]

    def utter(self, **message: Any) -> Any:
        """Say something, and do not wait for anything that comes of it."""
        return self.town.run(lambda: self.session.text(msgspec.json.encode(message)))

    def say(self, **message: Any) -> list[Any]:
        self.utter(**message)
        self.town.settle()
        return self.read()

    def ask(self, kind: str, **fields: Any) -> list[Any]:
        return self.say(type=kind, id=next(self._asked), **fields)

    def hang_up(self) -> None:
        self.session.closed()
        self.town.settle()


class Town:
    def __init__(self, gateways: int = 1, shared: int | None = None) -> None:
        """`shared`: the gateway that is in one process with the owner."""
        self._loop = asyncio.new_event_loop()
        self._links = count(100)
        self.storage = MemoryStorage()
        self.people = Register()
        self.bus = HandBus()
        self.pulse = HandPulse()
        self.now = ManualTime().now()
        self.node: Node | None = None
        self._numbers = count(1)
        self.gateways = [
            self._gateway(number, "node" if number == shared else f"gateway {number}")
            for number in range(gateways)
        ]

    def _gateway(self, number: int, name: str) -> Gateway:
        gateway = Gateway(f"g{number}", name, self.bus.end(), self.pulse, lambda: next(self._links))
        gateway.begin()
        return gateway

    def recognise(self, newcomer: Newcomer) -> Newcomer:
        return msgspec.structs.replace(newcomer, person=self.people.by_token(newcomer.cookie), cookie="")

    def stand_by(self, *, held: bool = False) -> Node:
        """A node that waits for its turn."""
        return Node(self, next(self._numbers), held=held)

    def open(self, standby: Node | None = None, *, held: bool = False) -> Node:
        """Another node takes over."""
        self.node = node = self.stand_by(held=held) if standby is None else standby
        node.time.advance(max(0, self.now - node.time.now()))
        self.run_until(node.open(self))
        return node

    def kill(self) -> None:
        """The node is gone, with all that it has not stored."""
        node = self.node
        assert node is not None
        self.now = Millis(node.time.now() + 5)
        node.alive = node.bus.connected = False
        node.owner.end()
        self.node = None

    def run(self, call: Callable[[], Any]) -> Any:
        """Call it as on a running loop."""

        async def called() -> Any:
            return call()

        return self._loop.run_until_complete(called())

    def run_until(self, waiting: Coroutine[Any, Any, None]) -> None:
        """Until this is done, however long it takes."""
        doing = asyncio.ensure_future(waiting, loop=self._loop)
        while not doing.done():
            self.settle()
            self.run(lambda: self.pulse.next_due(self.pulse.now() + 0.01))
        doing.result()
        self.settle()

    def lose(self, gateway: int) -> None:
        """It is gone from one moment to the next."""
        lost = self.gateways[gateway]
        lost._ended = True

    def stop(self, gateway: int) -> None:
        """It is asked to stop, and everybody there has heard so. Only when time passes, those who hold are let go."""
        for session in tuple(self.gateways[gateway].sessions.values()):
            self.run(session.closing)
        self.settle()

    def settle(self, *, commit: bool = True) -> None:
        """Everything that is on its way arrives."""
        while True:
            if commit and self.node is not None:
                self.node.committer.settle()
            busy = self.run(self.bus.deliver)
            self._turns()
            if not (self.run(self.pulse.turn) or busy):
                return

    def _turns(self) -> None:
        async def turns() -> None:
            for _ in range(5):
                await asyncio.sleep(0)

        self._loop.run_until_complete(turns())

    def advance(self, seconds: float) -> None:
        until = self.pulse.now() + seconds
        self.settle()
        while self.run(lambda: self.pulse.next_due(until)):
            self.settle()
        if self.node is not None:
            self.node.house.advance(int(1_000 * seconds))
        self.settle()

    def close(self) -> None:
        self.settle()
        self._loop.close()

    # People

    def guest(self, name: str, gateway: int = 0) -> Client:
        known = next((p for p in self.people.people.values() if p.name == name), None)
        person = known if known is not None else self.people.add(name)
        newcomer = Newcomer("127.0.0.1", cookie=self.people.issue(person))
        return Client(self, self.gateways[gateway], "web", newcomer)

    def player(self, gateway: int = 0) -> Client:
        return Client(self, self.gateways[gateway], "tower", Newcomer("127.0.0.1"))


@contextmanager
def town(gateways: int = 1, shared: int | None = None) -> Iterator[Town]:
    place = Town(gateways, shared)
    try:
        yield place
    finally:
        place.close()
