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
    WingStorage,
    games,
    make_hall,
)

from gamut.cluster.gateways import Gateways
from gamut.cluster.owner import Owner
from gamut.doors.offer import Newcomer, Offer
from gamut.doors.powerchess.door import PowerChessDoor
from gamut.doors.powerchess.naming import Numbers
from gamut.doors.powerchess.session import PowerChessSession
from gamut.doors.topple.door import ToppleDoor
from gamut.doors.topple.session import ToppleSession
from gamut.doors.tower.door import TowerDoor
from gamut.doors.tower.session import TowerSession
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import WebSession
from gamut.games.powerchess.rules import PowerChess
from gamut.games.topple.rules import Topple
from gamut.hall.ids import Millis
from gamut.hall.live.restart import Before
from gamut.hall.settings import HallSettings
from gamut.hall.wings import MAIN, Wings

SETTINGS = HallSettings(bot_delay=Millis(0))


class Node:
    """An owner with its hall."""

    def __init__(self, town: "Town", number: int, *, held: bool, wing: int = MAIN) -> None:
        self.number = number
        self.wing = wing
        self.storage = storage = town.storages[wing]
        self.bus = town.bus.end()
        self.time = ManualTime(town.now)
        self.committer = HeldCommitter(storage) if held else InlineCommitter(storage)
        self.house = make_hall(
            committer=self.committer,
            time=self.time,
            bots=PonderingBots(),
            settings=SETTINGS,
            seed=number,
            played={**games(), "topple": Topple(), "powerchess": PowerChess()},
            wings=Wings(wing, len(town.storages)),
        )
        self.hall = self.house.hall
        self.owner = Owner("node", self.bus, town.pulse, 1_000_000, wing=wing, wings=len(town.storages))
        self.alive = True

    async def open(self, town: "Town") -> None:
        last = town.last.get(self.wing, 0)
        self.owner.begin(self.number, last, self.storage.appends)
        town.last[self.wing] = self.number
        before = Before(charged=self.time.now(), node=self.number) if last else None
        await self.hall.start(before, read=False)
        web, tower = WebDoor(self.hall, town.people), TowerDoor(self.hall, town.people.check_unregistered)
        self.topple = ToppleDoor(self.hall, "a secret of these tests", town.people.check_unregistered)
        self.powerchess = PowerChessDoor(self.hall, "a secret of these tests", town.people.check_unregistered)
        await self.hall.naming.use("powerchess", Numbers())
        offers = [
            Offer(name="topple", door=self.topple, session_type=ToppleSession),
            Offer(name="web", door=web, session_type=WebSession),
            Offer(name="tower", door=tower, session_type=TowerSession),
            Offer(name="powerchess", door=self.powerchess, session_type=PowerChessSession),
        ]
        await self.owner.gathered()
        self.owner.take_up(
            self.hall, offers, town.recognise, town.people.are_valid, lambda: self.storage.appends
        )
        await self.owner.open()


class Client:
    """Somebody at a gateway."""

    def __init__(self, town: "Town", gateway: Gateways, door: str, newcomer: Newcomer) -> None:
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
    def __init__(self, gateways: int = 1, shared: int | None = None, wings: int = 1) -> None:
        """`shared`: the gateway that is in one process with the owner."""
        self._loop = asyncio.new_event_loop()
        self._links = count(100)
        self.storage = MemoryStorage()
        self.storages = [self.storage] if wings == 1 else [WingStorage(self.storage) for _ in range(wings)]
        """Of each wing."""
        self.last: dict[int, int] = {}
        """The number of the last node that had each wing."""
        self.people = Register()
        self.bus = HandBus()
        self.pulse = HandPulse()
        self.now = ManualTime().now()
        self.nodes: dict[int, Node] = {}
        """By wing."""
        self._numbers = count(1)
        self.entrances = [
            self._gateways(number, "node" if number == shared else f"gateway {number}", wings)
            for number in range(gateways)
        ]
        self.gateways = [entrance.main for entrance in self.entrances]

    def _gateways(self, number: int, name: str, wings: int) -> Gateways:
        gateways = Gateways(f"g{number}", name, self.bus.end(), self.pulse, lambda: next(self._links), wings)
        gateways.begin()
        return gateways

    @property
    def node(self) -> Node | None:
        """That has the main wing."""
        return self.nodes.get(MAIN)

    def recognise(self, newcomer: Newcomer) -> Newcomer:
        return msgspec.structs.replace(newcomer, person=self.people.by_token(newcomer.cookie), cookie="")

    def stand_by(self, *, held: bool = False, wing: int = MAIN) -> Node:
        """A node that waits for its turn."""
        return Node(self, next(self._numbers), held=held, wing=wing)

    def open_all(self) -> None:
        for wing in range(len(self.storages)):
            self.open(wing=wing)

    def open(self, standby: Node | None = None, *, held: bool = False, wing: int = MAIN) -> Node:
        """Another node takes over."""
        node = self.stand_by(held=held, wing=wing) if standby is None else standby
        self.nodes[node.wing] = node
        node.time.advance(max(0, self.now - node.time.now()))
        self.run_until(node.open(self))
        return node

    def kill(self, wing: int = MAIN) -> None:
        """The node is gone, with all that it has not stored."""
        node = self.nodes.pop(wing)
        self.now = Millis(node.time.now() + 5)
        node.alive = node.bus.connected = False
        node.owner.end()

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
            for node in self.nodes.values() if commit else ():
                node.committer.settle()
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
        for node in self.nodes.values():
            node.house.advance(int(1_000 * seconds))
        self.settle()

    def close(self) -> None:
        self.settle()
        self._loop.close()

    # People

    def guest(self, name: str, gateway: int = 0) -> Client:
        known = next((p for p in self.people.people.values() if p.name == name), None)
        person = known if known is not None else self.people.add(name)
        newcomer = Newcomer("127.0.0.1", cookie=self.people.issue(person))
        return Client(self, self.entrances[gateway], "web", newcomer)

    def player(self, gateway: int = 0) -> Client:
        return Client(self, self.entrances[gateway], "tower", Newcomer("127.0.0.1"))


@contextmanager
def town(gateways: int = 1, shared: int | None = None, wings: int = 1) -> Iterator[Town]:
    place = Town(gateways, shared, wings)
    try:
        yield place
    finally:
        place.close()
