"""A table is in memory once, whoever holds it and however slow the disk is."""

import asyncio
from random import Random

import pytest
from tests.hall.support.inmemory import FakeListener, HeldCommitter, House, MemoryStorage, make_hall

from gamut.games.game import Refused
from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.settings import HallSettings
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter

IDLE = HallSettings().idle_after
TOWER = Opening(game="tower")
ANN, BOB, CID, WIM = map(PersonId, ("ann", "bob", "cid", "wim"))


def finished(house: House, *, returns: bool = True) -> LiveTable:
    live = house.hall.open(TOWER, ANN)
    for name in ("ann", "bob", "cid"):
        house.sit(live, name, returns=returns)
    while live.table.phase != "over":
        house.act(live)
    return live


def agreed(house: House, live: LiveTable) -> None:
    for person in (ANN, BOB, CID):
        house.hall.do(live, c.Rematch(person))


def test_what_happens_while_a_finished_table_is_being_let_go_is_stored_once() -> None:
    async def story() -> None:
        disk = HeldCommitter(MemoryStorage())
        house = make_hall(committer=disk)
        live = finished(house)
        disk.release_all()
        agreed(house, live)
        disk.settle()  # what goes on at the next table is on its way to the disk,
        house.hall.do(live, c.Say(WIM, "wim", "well played", "kibitz"))  # and this waits for the next commit
        disk.release()
        again = await house.hall.load(live.id)
        assert again is live
        house.hall.do(again, c.Say(WIM, "wim", "all of you", "kibitz"))
        disk.release_all()
        assert len(house.storage.log(live.id)) == live.table.seq

    asyncio.run(story())


def test_a_finished_table_leaves_the_memory_once_all_of_it_is_stored() -> None:
    disk = HeldCommitter(MemoryStorage())
    house = make_hall(committer=disk)
    live = finished(house)
    disk.release_all()
    agreed(house, live)
    disk.settle()
    house.hall.do(live, c.Say(WIM, "wim", "well played", "kibitz"))
    disk.release()
    assert live.id in house.hall.live
    disk.release_all()
    assert live.id not in house.hall.live


def test_who_held_a_table_that_was_swept_away_acts_at_the_one_that_others_see() -> None:
    """As a Topple client does whose seat at a finished table is given up half a minute after it was lost."""

    async def story() -> None:
        house = make_hall()
        await house.start()
        held = finished(house)
        house.advance(2 * IDLE)
        assert held.id not in house.hall.live
        other = await house.hall.load(held.id)
        assert other is not None
        house.do(other, c.Say(WIM, "wim", "well played", "kibitz"))
        house.do(held, c.Leave(ANN))
        assert other.table.seat_of(ANN) is None
        assert len(house.storage.log(held.id)) == held.table.seq

    asyncio.run(story())


def test_a_table_in_play_that_was_swept_away_is_seen_to_again_when_it_is_wanted() -> None:
    async def story() -> None:
        house = make_hall()
        await house.start()
        live = house.open(Opening(game="parlour"), "ann", "ann", "bob", "cid")
        for name in ("ann", "bob", "cid"):
            house.depart(live, house.attend(live, name))
        house.advance(2 * IDLE)
        assert live.id not in house.hall.live
        assert await house.hall.load(live.id) is live
        assert live.id in house.hall.live
        for _ in range(0, house.hall.settings.timeouts.abandoned_after + 4 * IDLE, IDLE):
            house.advance(IDLE)
            await asyncio.sleep(0)
        assert live.table.phase == "over", "nobody came back"

    asyncio.run(story())


class Evening:
    """People who play, leave, come back, want rematches and look on at random, on a disk that is slow at random."""

    PEOPLE = [f"p{number}" for number in range(12)]

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.disk = HeldCommitter(MemoryStorage())
        self.house = make_hall(committer=self.disk, seed=seed)
        self.hall = self.house.hall
        self.hands: list[LiveTable] = []
        """Tables that somebody holds, the hall's own copies or not."""
        self.ids: list[TableId] = []
        self.listeners: list[tuple[LiveTable, FakeListener]] = []
        self.ended = 0

    def somebody(self) -> PersonId:
        return PersonId(self.chance.choice(self.PEOPLE))

    async def table(self) -> LiveTable | None:
        """One that is in somebody's hands, or any there ever was."""
        if self.hands and self.chance.random() < 0.5:
            return self.chance.choice(self.hands)
        return await self.hall.load(self.chance.choice(self.ids)) if self.ids else None

    def play_out(self) -> None:
        """A game from its first move to its last."""
        returns = self.chance.random() < 0.5
        live = self.hall.open(TOWER, self.somebody())
        self.ids.append(live.id)
        self.hands.append(live)
        for name in self.chance.sample(self.PEOPLE, 3):
            self.hall.do(live, c.Sit(Sitter(PersonId(name), name, returns=returns)))
        self.go_through(live)

    def go_through(self, live: LiveTable) -> None:
        while live.table.phase == "playing" and not live.table.waiting:
            seat = live.game.awaited(live.table.state)[0]
            holder = live.table.seats[seat]
            assert isinstance(holder, Sitter)
            self.hall.do(
                live, c.Act(holder.person, self.chance.choice(live.game.legal(live.table.state, seat)))
            )
        self.ended += live.table.outcome is not None

    async def step(self) -> None:
        live = await self.table()
        match self.chance.randrange(12):
            case 0 | 1:
                self.play_out()
            case 2 | 3 if live is not None:
                self.try_(live, c.Leave(self.chance.choice(self.sitting(live))))
            case 4 if live is not None:
                for person in self.sitting(live):
                    self.try_(live, c.Rematch(person))
                if live.table.successor is not None:
                    following = await self.hall.load(live.table.successor)
                    assert following is not None
                    self.ids.append(following.id)
                    self.go_through(following)
            case 5 if live is not None:
                listener = self.house.listener(self.somebody())
                self.hall.attendance.attend(live, listener)
                self.listeners.append((live, listener))
            case 6 if self.listeners:
                self.hall.attendance.depart(*self.listeners.pop(self.chance.randrange(len(self.listeners))))
            case 7 if live is not None:
                self.try_(live, c.Say(self.somebody(), "somebody", "hm", "kibitz"))
            case 8 if self.hands:
                self.hands.pop(self.chance.randrange(len(self.hands)))
            case 9:
                self.house.time.advance(self.chance.choice((1, 1_000, IDLE)))
            case _:
                self.disk.settle()
                if self.disk.held:
                    self.disk.release()

    def sitting(self, live: LiveTable) -> list[PersonId]:
        return [sitter.person for _, sitter in live.table.sitters()] or [self.somebody()]

    def try_(self, live: LiveTable, command: c.Command) -> None:
        try:
            self.hall.do(live, command)
        except Refused:
            return

    def check(self) -> None:
        for held in self.hands:
            assert self.hall.here(held.id) is held
        for live, _ in self.listeners:
            assert self.hall.here(live.id) is live
            assert live.table.phase != "over" or self.hall.live.get(live.id) is live or not live.listeners


@pytest.mark.parametrize("seed", range(8))
def test_thousands_of_games_that_end_while_people_come_and_go_are_each_stored_once(seed: int) -> None:
    async def story() -> None:
        evening = Evening(seed)
        await evening.house.start()
        while evening.ended < 400:
            await evening.step()
            evening.check()
        evening.disk.release_all()
        for table in evening.ids:
            live = await evening.hall.load(table)
            assert live is not None
            # The storage checks that the chain of events is whole.
            assert len(evening.house.storage.log(table)) == live.table.seq

    asyncio.run(story())
