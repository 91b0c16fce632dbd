"""A disk that stands still: what waits for it stays small, bots wait, and afterwards everything goes on."""

from collections.abc import Callable

import pytest
from tests.hall.support.inmemory import (
    HeldCommitter,
    House,
    ManualTime,
    MemoryStorage,
    PonderingBots,
    make_hall,
)

from gamut.hall.ids import PersonId
from gamut.hall.limits.congestion import LONG, Congestion
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.store import journal
from gamut.hall.table import commands as c

ANN = PersonId("ann")


def slow_house() -> tuple[House, HeldCommitter, PonderingBots, LiveTable]:
    """Two bots are to move, and all that happened so far is stored."""
    disk, bots = HeldCommitter(MemoryStorage()), PonderingBots()
    house = make_hall(committer=disk, bots=bots)
    live = house.open(Opening(game="parlour", seats=3), "ann", "ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "careful"))
    disk.release_all()
    return house, disk, bots, live


def talk(house: House, live: LiveTable) -> None:
    house.do(live, c.Say(ANN, "ann", "hello", "table"))


def test_a_commit_that_does_not_come_back_holds_everything_up_until_it_does() -> None:
    house, disk, _, live = slow_house()
    congestion, heard = house.hall.congestion, list[str]()
    congestion.on_begin.append(lambda: heard.append("hold"))
    congestion.on_end.append(lambda: heard.append("go on"))
    talk(house, live)
    house.advance(2 * LONG)
    assert congestion.on
    assert heard == ["hold"]
    disk.release()
    assert not congestion.on
    assert heard == ["hold", "go on"]
    assert congestion.times == 1


def test_commits_that_come_back_hold_up_nobody_however_many_there_are() -> None:
    house, disk, _, live = slow_house()
    for _ in range(20):
        talk(house, live)
        house.advance(LONG // 2)
        disk.release()
    house.advance(10 * LONG)
    assert house.hall.congestion.times == 0


def test_bots_wait_for_the_disk_and_then_play_what_they_found() -> None:
    house, disk, bots, live = slow_house()
    talk(house, live)
    house.advance(2 * LONG)
    waiting, seq = house.journal.depth, live.table.seq
    for thought in list(bots.thoughts):
        thought.answer()
    house.settle()
    assert house.journal.depth == waiting
    assert live.table.seq == seq
    disk.release_all()
    assert live.table.seq == seq + 2
    assert house.hall._thinking.failures == 0
    disk.release_all()
    assert len(house.storage.rows[live.id]) == live.table.seq


@pytest.mark.parametrize(("name", "most"), [("MOST_ROWS", 10), ("MOST_BYTES", 1_000)])
def test_too_much_that_waits_for_a_commit_holds_everything_up(
    monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    monkeypatch.setattr(journal, name, most)
    house, disk, _, live = slow_house()
    said = 0
    while not house.hall.congestion.on:
        talk(house, live)
        said += 1
        assert said < 100
    disk.release_all()
    assert not house.hall.congestion.on
    assert len(house.storage.rows[live.id]) == live.table.seq, "nothing is lost"


def test_one_that_is_too_much_again_makes_the_others_wait_on() -> None:
    time = ManualTime()
    congestion, done = Congestion(time), list[int]()

    def too_much(number: int) -> Callable[[], None]:
        def call() -> None:
            done.append(number)
            congestion.begin()

        return call

    congestion.begin()
    for number in range(3):
        congestion.when_over(too_much(number))
    for number in range(3):
        congestion.stored()
        assert done == list(range(number + 1))
    congestion.stored()
    assert not congestion.on
