"""Whoever deletes themself leaves no name and no words behind; the games stay as they were played."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.games.support.parlour import Parlour
from tests.hall.support.inmemory import QUICK, PromptBots
from tests.ledger.support.stores import StoreUnderTest

from gamut.games.registry import all_games
from gamut.games.tower.rules import Place
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.erasure import erase
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.lobby.summary import summary_from
from gamut.hall.store.journal import Journal
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import NoClock
from gamut.hall.table.seats import Sitter
from gamut.hall.table.without import NOBODY, UNSAID, nameless, without
from gamut.hall.time import Timer
from gamut.ledger.writer import ThreadedCommitter
from gamut.net.timekeeper import LoopTime

ANN, BOB, CY, DEE = (PersonId(name) for name in ("ann", "bob", "cy", "dee"))


class NoWaiting(LoopTime):
    """What is to happen later happens soon."""

    def later(self, delay: Millis, call: Callable[[], None]) -> Timer:
        return super().later(Millis(0), call) if delay < 10_000 else super().later(delay, call)


def in_a_hall(store: StoreUnderTest, scene: Callable[[Hall], Any]) -> None:
    """Run a scene in a hall on a real ledger."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        ledger = store.ledger
        failures: list[BaseException] = []
        committer = ThreadedCommitter(loop, ledger, lambda *_: None, failures.append)
        time = NoWaiting(loop)
        time.go()
        hall = Hall(
            games=all_games(),
            storage=ledger,
            journal=Journal(committer),
            time=time,
            bots=PromptBots(),
            chance=Random(1),
            settings=QUICK,
            run_blocking=lambda call, *args: loop.run_in_executor(None, call, *args),
        )
        await hall.start()
        await hall.wake()
        await scene(hall)
        await hall.durable()
        committer.close()
        assert not failures

    asyncio.run(run())
    store.reopen()


def a_game(hall: Hall) -> LiveTable:
    live = hall.open(Opening(game="tower"), ANN)
    for person, name in ((ANN, "Ann Ominous"), (BOB, "Bob"), (CY, "Cy")):
        hall.do(live, c.Sit(Sitter(person, name)))
    hall.do(live, c.Act(ANN, Place(0)))
    hall.do(live, c.Say(ANN, "Ann Ominous", "my phone number is 12345", "table"))
    hall.do(live, c.Say(BOB, "Bob", "do not say that", "table"))
    hall.do(live, c.Act(BOB, Place(8)))
    return live


def test_the_name_and_the_words_of_a_deleted_person_leave_every_log_and_the_game_goes_on(
    store: StoreUnderTest,
) -> None:
    async def scene(hall: Hall) -> None:
        live = a_game(hall)
        hall.lobby.say(ANN, "Ann Ominous", "hello everybody")
        hall.lobby.say(BOB, "Bob", "hello Ann")
        marks = live.table.state.marks
        await erase(hall, ANN)
        assert live.table.state.marks == marks
        assert live.table.seat_of(ANN) is None, "they have left the game they were in"
        hall.do(live, c.Sit(Sitter(DEE, "Dee")))
        hall.do(live, c.Act(CY, Place(16)))
        assert [said.name for said in hall.lobby.talk.lines] == [NOBODY, "Bob"]

    in_a_hall(store, scene)

    async def later(hall: Hall) -> None:
        (table_id,) = hall.register.unfinished
        live = await hall.load(table_id)
        assert live is not None, "the chain of checksums holds"
        said = [event.text for event in live.log if hasattr(event, "text")]
        assert said == [UNSAID, "do not say that"]
        assert live.table.state.marks[16] == 2
        assert [said.text for said in hall.lobby.talk.lines] == [UNSAID, "hello Ann"]
        assert hall.storage.played_by(ANN, 10) == []
        assert len(hall.storage.played_by(BOB, 10)) == 1

    in_a_hall(store, later)


def test_nothing_of_a_deleted_person_can_be_found_in_the_rows_that_are_kept(store: StoreUnderTest) -> None:
    async def scene(hall: Hall) -> None:
        live = a_game(hall)
        hall.do(live, c.Say(DEE, "Dee Watcher", "psst, tile 4", "kibitz"))
        await hall.durable()
        await erase(hall, DEE)
        await erase(hall, ANN)
        await hall.durable()
        for stored in (hall.storage.log(live.id), hall.storage.unfinished()):
            kept = repr(stored)
            assert "Ominous" not in kept
            assert "12345" not in kept
            assert "Watcher" not in kept
            assert "psst" not in kept

    in_a_hall(store, scene)


def test_somebody_who_never_played_can_be_erased_as_well(store: StoreUnderTest) -> None:
    async def scene(hall: Hall) -> None:
        live = a_game(hall)
        before = list(live.log)
        await erase(hall, PersonId("nobody"))
        assert live.log == before

    in_a_hall(store, scene)


def played_out(hall: Hall) -> LiveTable:
    live = a_game(hall)
    for person, tile in ((CY, 16), (ANN, 1), (BOB, 9), (CY, 17), (ANN, 2)):
        hall.do(live, c.Act(person, Place(tile)))
    assert live.table.outcome is not None
    return live


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_nothing_of_a_deleted_person_is_left_in_any_file(store: StoreUnderTest, tmp_path: Path) -> None:
    async def scene(hall: Hall) -> None:
        for _ in range(3):
            played_out(hall)
        hall.lobby.say(ANN, "Ann Ominous", "call 12345")
        await erase(hall, ANN)
        assert await hall.scrubbing.done()
        check()

    def check() -> None:
        for file in tmp_path.iterdir():
            kept = file.read_bytes()
            assert b"Ominous" not in kept, file
            assert b"12345" not in kept, file

    in_a_hall(store, scene)


@pytest.mark.parametrize("wanted_it", [True, False])
def test_whoever_was_deleted_has_no_seat_in_the_next_game_and_is_not_waited_for(
    store: StoreUnderTest, wanted_it: bool
) -> None:
    async def scene(hall: Hall) -> None:
        live = played_out(hall)
        if wanted_it:
            hall.do(live, c.Rematch(ANN))
        await erase(hall, ANN)
        live = await loaded(hall, live.id)
        hall.do(live, c.Rematch(BOB))
        hall.do(live, c.Rematch(CY))
        assert live.table.successor is not None
        following = await loaded(hall, live.table.successor)
        assert sorted(sitter.person for _, sitter in following.table.sitters()) == [BOB, CY]
        assert following.table.phase == "setup", "anybody may take the seat"
        await hall.durable()
        assert hall.storage.played_by(ANN, 10) == []

    in_a_hall(store, scene)


async def loaded(hall: Hall, table: TableId) -> LiveTable:
    live = await hall.load(table)
    assert live is not None
    return live


def test_two_who_are_erased_at_once_are_both_gone_from_a_log_that_goes_on(store: StoreUnderTest) -> None:
    async def scene(hall: Hall) -> None:
        live = a_game(hall)
        for number in range(1_500):
            hall.do(live, c.Say(PersonId(f"w{number}"), "Wim", f"line {number}", "kibitz"))
        hall.do(live, c.Say(DEE, "Dee Watcher", "psst", "kibitz"))
        both = asyncio.gather(erase(hall, ANN), erase(hall, DEE))
        for _ in range(100):
            hall.do(live, c.Say(BOB, "Bob", "and so on", "table"))
            await asyncio.sleep(0)
        await both
        await hall.durable()
        kept = repr(hall.storage.log(live.id))
        assert "Ominous" not in kept
        assert "Watcher" not in kept
        assert kept.count("and so on") == sum(getattr(event, "text", "") == "and so on" for event in live.log)

    in_a_hall(store, scene)


def test_an_old_game_that_is_read_while_somebody_is_taken_out_of_it_is_the_new_one(
    store: StoreUnderTest,
) -> None:
    async def scene(hall: Hall) -> None:
        live = played_out(hall)
        table = live.id
        await hall.durable()
        hall.let_go(live)
        del live
        erasing = asyncio.ensure_future(erase(hall, ANN))
        for number in range(300):
            found = await hall.load(table)
            assert found is not None
            hall.do(found, c.Say(PersonId(f"w{number}"), "Wim", "and so on", "kibitz"))
            del found
            await asyncio.sleep(0)
        await erasing
        await hall.durable()
        assert "Ominous" not in repr(hall.storage.log(table)), "and the chain of checksums holds"

    in_a_hall(store, scene)


def test_while_somebody_is_erased_others_get_their_turn(store: StoreUnderTest) -> None:
    """However long the logs are, and however many games they have played."""

    async def scene(hall: Hall) -> None:
        for _ in range(60):
            live = played_out(hall)
            for number in range(100):
                hall.do(live, c.Say(PersonId(f"w{number}"), "Wim", f"line {number}", "kibitz"))
        await hall.durable()
        commits = hall.journal.commits
        erasing, turns = asyncio.ensure_future(erase(hall, ANN)), 0
        while not erasing.done():
            turns += 1
            await asyncio.sleep(0)
        await erasing
        assert turns > 60, "at least between any two tables"
        assert hall.journal.commits - commits >= 3, "and no commit stores all of it"

    in_a_hall(store, scene)


def test_an_old_game_is_not_news_because_somebody_was_erased(store: StoreUnderTest) -> None:
    async def scene(hall: Hall) -> None:
        played_out(hall)

    in_a_hall(store, scene)

    async def later(hall: Hall) -> None:
        assert not hall.lobby.tables
        await erase(hall, ANN)
        assert not hall.lobby.tables
        (entry,) = hall.storage.finished(None, None, 10)
        assert [holder and holder.name for holder in summary_from(None, entry).seats] == [NOBODY, "Bob", "Cy"]

    in_a_hall(store, later)


def test_a_game_stays_listed_with_those_who_played_it_whoever_talks_there_afterwards(
    store: StoreUnderTest,
) -> None:
    async def scene(hall: Hall) -> None:
        live = played_out(hall)
        hall.do(live, c.Leave(BOB))
        hall.do(live, c.Say(DEE, "Dee", "well played", "kibitz"))
        await hall.durable()
        (entry,) = hall.storage.finished(None, None, 10)
        assert [holder and holder.name for holder in summary_from(None, entry).seats] == [
            "Ann Ominous",
            "Bob",
            "Cy",
        ]

    in_a_hall(store, scene)


def test_a_name_leaves_the_log_also_where_people_were_moved_to_other_seats() -> None:
    game = Parlour()
    holders = (Sitter(BOB, "Bob"), None, Sitter(ANN, "Ann Ominous"))
    event = e.Configured(
        at=Millis(1), options={}, clock=NoClock(), start="full", private=False, holders=holders
    )
    left = without(ANN, nameless(game, event))
    assert b"Ominous" not in codec.encode(left)
    assert left.holders == (holders[0], None, Sitter(ANN, NOBODY))
    assert without(DEE, event) is event


def test_a_name_that_somebody_took_later_leaves_the_log_too() -> None:
    event = e.Renamed(at=Millis(1), person=ANN, name="Ann Ominous")
    assert without(ANN, event) == e.Renamed(at=Millis(1), person=ANN, name=NOBODY)
    assert without(BOB, event) is event
