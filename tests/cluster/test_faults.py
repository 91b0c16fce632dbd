"""Two nodes on one PostgreSQL and a game at every door, through one fault after the other: `make cluster` in short."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.cluster.figures import Figures
from bench.cluster.pair import Pair
from bench.cluster.trial import Plan, Trial
from bench.servers.gamut import DataFolder
from bench.stores.database import Database

_PLAN = Plan(games=6, pause=0.1, peace=0.0, kills=2, freezes=1, restarts=1, drains=1, failovers=1)


class Tried:
    def __init__(self, database: Database, trial: Trial) -> None:
        self.database = database
        self.trial = trial
        self.figures: Figures = trial.figures


@pytest.fixture(scope="module")
def tried() -> Iterator[Tried]:
    with DataFolder() as data, Database() as database:
        yield asyncio.run(_tried(database, data))


async def _tried(database: Database, data: Path) -> Tried:
    async with Pair(database, data) as pair:
        trial = Trial(_PLAN, database, pair)
        await trial.run()
        return Tried(database, trial)


def test_play_goes_on_at_every_table_after_every_fault(tried: Tried) -> None:
    assert not tried.figures.wrong
    assert Counter(fault.kind for fault in tried.figures.faults) == {
        "kill -9": 2,
        "freeze": 1,
        "restart": 1,
        "drain": 1,
        "fail-over": 1,
    }


def test_all_that_anybody_was_told_at_any_door_is_stored(tried: Tried) -> None:
    assert not tried.figures.lost
    assert {"web", "topple", "tafl", "acquire", "powerchess", "tower"} <= tried.figures.compared.keys()


def test_no_game_is_given_up_because_of_a_fault(tried: Tried) -> None:
    assert not tried.figures.given_up


def test_a_node_that_is_gone_is_replaced_by_its_standby(tried: Tried) -> None:
    assert all(
        fault.takeover for fault in tried.figures.faults if fault.kind in ("kill -9", "freeze", "drain")
    )


def test_an_event_that_was_told_and_is_gone_would_be_noticed(tried: Tried) -> None:
    table, seq = tried.trial.told_last()
    with tried.database.connect() as connection:
        connection.execute("DELETE FROM events WHERE table_id = %s AND seq >= %s", (table, seq))
    tried.trial.look(all=True)
    assert any(table in lost for lost in tried.trial.comparison.lost)
