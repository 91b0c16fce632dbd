"""Whoever deletes themself leaves no name and no words behind; the games stay as they were played."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.hall.inmemory import PromptBots

from gamut.games.registry import all_games
from gamut.games.tower.rules import Place
from gamut.hall.erasure import NOBODY, UNSAID, erase
from gamut.hall.hall import Hall, HallSettings
from gamut.hall.ids import PersonId
from gamut.hall.journal import Journal
from gamut.hall.live import LiveTable
from gamut.hall.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter
from gamut.ledger.database import open_database
from gamut.ledger.sql import SqlLedger
from gamut.ledger.writer import ThreadedCommitter
from gamut.net.timekeeper import LoopTime

ANN, BOB, CY, DEE = (PersonId(name) for name in ("ann", "bob", "cy", "dee"))


def in_a_hall(folder: Path, scene: Callable[[Hall], Any]) -> None:
    """Run a scene in a hall on a real ledger."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        database = open_database(folder)
        ledger = SqlLedger(database.engine)
        failures: list[BaseException] = []
        committer = ThreadedCommitter(loop, ledger, lambda *_: None, failures.append)
        hall = Hall(
            games=all_games(),
            storage=ledger,
            journal=Journal(committer),
            time=LoopTime(loop),
            bots=PromptBots(),
            chance=Random(1),
            settings=HallSettings(),
            run_blocking=lambda call, *args: loop.run_in_executor(None, call, *args),
        )
        await hall.start()
        await scene(hall)
        await hall.durable()
        committer.close()
        ledger.close()
        database.close()
        assert not failures

    asyncio.run(run())


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
    tmp_path: Path,
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
        assert [said.name for said in hall.lobby.talk] == [NOBODY, "Bob"]

    in_a_hall(tmp_path, scene)

    async def later(hall: Hall) -> None:
        (table_id,) = hall.unfinished
        live = await hall.load(table_id)
        assert live is not None, "the chain of checksums holds"
        said = [event.text for event in live.log if hasattr(event, "text")]
        assert said == [UNSAID, "do not say that"]
        assert live.table.state.marks[16] == 2
        assert [said.text for said in hall.lobby.talk] == [UNSAID, "hello Ann"]
        assert hall.storage.played_by(ANN, 10) == []
        assert len(hall.storage.played_by(BOB, 10)) == 1

    in_a_hall(tmp_path, later)


def test_nothing_of_a_deleted_person_can_be_found_in_the_rows_that_are_kept(tmp_path: Path) -> None:
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

    in_a_hall(tmp_path, scene)


def test_somebody_who_never_played_can_be_erased_as_well(tmp_path: Path) -> None:
    async def scene(hall: Hall) -> None:
        live = a_game(hall)
        before = list(live.log)
        await erase(hall, PersonId("nobody"))
        assert live.log == before

    in_a_hall(tmp_path, scene)
