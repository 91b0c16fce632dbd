"""A main wing with its gateways, and an annex that tells it what it has, in one process, by hand."""

from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any, TypeVar

import msgspec
from tests.cluster.support.town import SETTINGS, Client, Node, Town
from tests.doors.support.inn import TextWire
from tests.hall.support.inmemory import (
    HeldCommitter,
    InlineCommitter,
    ManualTime,
    MemoryStorage,
    PonderingBots,
    games,
    make_hall,
)
from tests.hall.support.townsfolk import CHEAP, MemoryStore

from gamut.cluster.annex_feed import AnnexFeed
from gamut.doors.annex.door import annex_offer
from gamut.doors.offer import Newcomer, Offer
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import WebSession, WebState
from gamut.games.topple.rules import Topple
from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.erasure import erase
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.live.restart import Before
from gamut.hall.lobby.summary import Summary
from gamut.hall.people.known import KnownPeople
from gamut.hall.people.people import People
from gamut.hall.people.person import Person
from gamut.hall.wings import MAIN, Wings

Result = TypeVar("Result")

GAMES = {**games(), "topple": Topple()}
AT_MAIN, IN_THE_ANNEX = Wings(0, 2), Wings(1, 2)


def opening_for_two(*, private: bool = False) -> Opening:
    """In whichever wing it is opened."""
    return Opening(game="topple", seats=2, private=private, stays=True)


class MainNode(Node):
    """An owner of the main wing."""

    def __init__(self, town: "AnnexedTown", number: int, *, held: bool) -> None:
        super().__init__(town, number, held=held)
        self.house = make_hall(
            committer=self.committer,
            time=self.time,
            bots=PonderingBots(),
            settings=SETTINGS,
            seed=number,
            played=GAMES,
            wings=AT_MAIN,
        )
        self.hall = self.house.hall
        passwords = People.passwords(CHEAP)
        self.people = People(town.store, passwords, CHEAP, self.time.now)
        self.offers: list[Offer] = []

    async def open(self, town: Town) -> None:
        assert isinstance(town, AnnexedTown)
        self.owner.begin(self.number, self.number - 1, town.storage.appends)
        await self.hall.start(Before(charged=self.time.now(), node=self.number), read=False)
        for summary in town.noted:
            self.hall.annexes.recall(summary)
        self.offers = [
            Offer(name="web", door=WebDoor(self.hall, self.people), session_type=WebSession),
            annex_offer(self.hall, self.people),
        ]
        self.people.erasers.append(partial(erase, self.hall))
        await self.owner.gathered()
        self.owner.take_up(
            self.hall,
            self.offers,
            self._recognise,
            self.people.are_valid,
            lambda: town.storage.appends,
            self.people.may_come,
        )
        await self.owner.open()

    def _recognise(self, newcomer: Newcomer) -> Newcomer:
        return msgspec.structs.replace(newcomer, person=self.people.by_token(newcomer.cookie), cookie="")


class AnnexNode:
    """An owner of the annex, and the gateway in its process that leads to the main wing."""

    def __init__(self, town: "AnnexedTown", number: int, *, held: bool) -> None:
        self.town = town
        self.number = number
        self.time = ManualTime(town.now)
        self.committer = HeldCommitter(town.annex_storage) if held else InlineCommitter(town.annex_storage)
        self.house = make_hall(
            committer=self.committer,
            time=self.time,
            bots=PonderingBots(),
            settings=SETTINGS,
            seed=1000 + number,
            played=GAMES,
            wings=IN_THE_ANNEX,
        )
        self.hall = self.house.hall
        self.gateway = town.another_gateway(f"annex {number}")
        self.people = KnownPeople(town.store, CHEAP, self.time.now, (), self.house._run_blocking)
        self.door = WebDoor(self.hall, self.people)
        self.people.on_change.append(self.door.renamed)
        self.people.on_logout.append(self.door.logged_out)
        self.people.on_delete.append(self.door.logged_out)
        self.feed = AnnexFeed(self.gateway, town.pulse, self.hall, self.people, number)

    async def open(self) -> None:
        await self.house.start()
        self.feed.begin()

    # What happens there

    def table(self, host: str = "Ann", *people: str, private: bool = False) -> LiveTable:
        opening = opening_for_two(private=private)
        live: LiveTable = self.town.run(lambda: self.house.open(opening, host, *(people or (host,))))
        self.town.advance(0.3)
        return live

    def sit(self, live: LiveTable, name: str) -> None:
        self.town.run(lambda: self.house.sit(live, name))
        self.town.advance(0.3)

    def do(self, live: LiveTable, command: Any) -> None:
        self.town.run(lambda: self.house.do(live, command))
        self.town.advance(0.3)

    def comes(self, person: Person) -> WebSession:
        """Somebody whose home is in the main wing, and who has a part here."""
        state = WebState(address="127.0.0.1", known=person, arrived=True, part=True)
        session = WebSession(self.door, TextWire(), state)
        self.town.run(session.take_up)
        self.town.advance(0.3)
        return session


class AnnexedTown(Town):
    node: MainNode | None

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.annex_storage = MemoryStorage()
        self.annex: AnnexNode | None = None
        self._annexes = count(1)
        self.noted: list[Summary] = []
        """Of tables of the annex, which the next owner of the main wing finds in the store."""
        self._opened: list[MainNode] = []
        super().__init__()

    def another_gateway(self, id: str) -> Any:
        gateway = self._gateways(len(self.gateways), id, 1).main
        self.gateways.append(gateway)
        return gateway

    # The main wing

    def stand_by(self, *, held: bool = False, wing: int = MAIN) -> MainNode:
        node = MainNode(self, next(self._numbers), held=held)
        self._opened.append(node)
        return node

    @property
    def main(self) -> MainNode:
        assert self.node is not None
        return self.node

    def shown(self) -> dict[TableId, Summary]:
        """The lobby of the main wing."""
        return dict(self.main.hall.lobby.tables)

    def seats_of(self, person: str) -> list[TableId]:
        return self.main.hall.register.tables_of(PersonId(person))

    def wait_for(self, waiting: Coroutine[Any, Any, Result]) -> Result:
        """For people, who are stored by a thread."""
        found = self._loop.run_until_complete(waiting)
        self.settle()
        return found

    def visitor(self, person: Person) -> Client:
        token = self.main.people.issue(person)
        return Client(self, self.entrances[0], "web", Newcomer("127.0.0.1", cookie=token))

    # The annex

    def open_annex(self, *, held: bool = False, number: int | None = None) -> AnnexNode:
        self.annex = annex = AnnexNode(self, next(self._annexes) if number is None else number, held=held)
        self.run_until(annex.open())
        self.advance(1.0)
        return annex

    def kill_annex(self) -> None:
        """Its process is gone, with all that it has not stored."""
        annex, self.annex = self.annex, None
        assert annex is not None
        annex.gateway._ended = annex.feed._ended = True

    def settle(self, *, commit: bool = True) -> None:
        while True:
            if self.annex is not None:
                self.annex.committer.settle()
            super().settle(commit=commit)
            if self.annex is None or not self.annex.committer._soon:
                return

    def advance(self, seconds: float) -> None:
        """A tick at a time, as both halls go on with it."""
        for _ in range(max(1, round(seconds / 0.1))):
            super().advance(min(seconds, 0.1))
            if self.annex is not None:
                self.annex.house.advance(int(1_000 * min(seconds, 0.1)))
                self.settle()

    def close(self) -> None:
        for node in self._opened:
            self._loop.run_until_complete(node.people.close())
        super().close()


@contextmanager
def annexed() -> Iterator[AnnexedTown]:
    """Both are open, and know of each other."""
    place = AnnexedTown()
    try:
        place.open()
        place.open_annex()
        yield place
    finally:
        place.close()
