"""Three owners behind two gateways are restarted, one after the other: `make cluster` in short."""

import asyncio
from collections.abc import Iterator

import pytest
from bench.cluster import charges
from bench.cluster.figures import HANDING_OVER, Fault
from bench.cluster.gateways import Gateways
from bench.cluster.trial import Plan, Trial
from bench.servers.gamut import DataFolder
from bench.stores.database import Database
from tests.simulation.comparing import Comparing
from tests.simulation.log import Log
from tests.simulation.told import Told
from tests.support.nats import Nats

from gamut.games.registry import all_games
from gamut.hall.ids import TableId
from gamut.hall.lobby.talk import TALK


class Tried:
    def __init__(self, database: Database, trial: Trial) -> None:
        self.database = database
        self.trial = trial
        self.figures = trial.figures

    def logs(self) -> dict[TableId, Log]:
        with self.database.snapshot() as store:
            comparing = Comparing(store, all_games(), Told(lambda now, table: now))
            found = {table: comparing.log(table) for table in store.tables() if table != TALK}
        return {table: log for table, log in found.items() if log is not None}


@pytest.fixture(scope="module")
def tried() -> Iterator[Tried]:
    with DataFolder() as data, Database() as database, Nats() as nats:

        async def trying() -> Tried:
            async with Gateways(database, data, nats, owners=3, gateways=2) as gateways:
                trial = Trial(Plan(games=18, pause=0.2, peace=0.5, rollings=1), database, gateways)
                await trial.run()
                assert [node.starts for node in gateways.everybody] == [2, 2, 2, 1, 1]
                return Tried(database, trial)

        yield asyncio.run(trying())


@pytest.fixture(scope="module")
def rolling(tried: Tried) -> Fault:
    (rolling,) = tried.figures.faults
    return rolling


def test_play_goes_on_at_every_table_while_all_owners_are_restarted(tried: Tried, rolling: Fault) -> None:
    assert not tried.figures.wrong
    assert not tried.figures.lost
    assert not tried.figures.given_up
    assert rolling.takeover


def test_no_socket_at_a_gateway_ends_with_the_owners(rolling: Fault) -> None:
    assert sum(sockets.stayed for sockets in rolling.sockets.values()) > 0
    assert sum(sockets.closed for sockets in rolling.sockets.values()) == 0


def test_no_clock_runs_while_its_table_has_no_owner(tried: Tried, rolling: Fault) -> None:
    assert rolling.beyond is not None
    assert rolling.beyond < HANDING_OVER
    assert not tried.figures.overcharged


def test_a_clock_that_ran_on_without_an_owner_would_be_noticed(tried: Tried) -> None:
    logs = tried.logs()
    stored_by = {(table, seq): 1 for table, log in logs.items() for seq in range(1, len(log.events) + 1)}
    there_to_the_end = max(log.events[-1].at for log in logs.values())
    never_there = min(log.events[0].at for log in logs.values())
    assert charges.beyond_owners(logs, stored_by, {1: there_to_the_end}) == 0.0
    assert (charges.beyond_owners(logs, stored_by, {1: never_there}) or 0.0) > 0.0


def test_moves_are_timed_while_nothing_goes_wrong(tried: Tried) -> None:
    assert sum(taken.number for taken in tried.figures.moves_in_peace.values()) > 0
