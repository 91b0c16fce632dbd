"""A hall of three wings, three owners and two gateways, through faults of whoever has one: `make cluster` in short."""

import asyncio
from collections.abc import Iterator

import pytest
from bench.cluster.figures import Figures
from bench.cluster.gateways import Gateways
from bench.cluster.trial import Plan, Trial
from bench.cluster.wings import in_wrong_wings
from bench.division import divided
from bench.servers.gamut import DataFolder
from bench.stores.database import Database
from tests.support.nats import Nats

_WINGS = 3
_PLAN = Plan(games=12, pause=0.1, peace=0.5, kills=1, drains=2, rollings=1)


class Tried:
    def __init__(self, database: Database, trial: Trial, starts: list[int]) -> None:
        self.database = database
        self.trial = trial
        self.figures: Figures = trial.figures
        self.starts = starts


@pytest.fixture(scope="module")
def tried() -> Iterator[Tried]:
    with DataFolder() as data, Database() as database, Nats() as nats:

        async def trying() -> Tried:
            async with Gateways(database, data, nats, owners=3, gateways=2, wings=_WINGS) as gateways:
                trial = Trial(_PLAN, database, gateways)
                await trial.run()
                return Tried(database, trial, [node.starts for node in gateways.everybody])

        yield asyncio.run(trying())


def test_play_goes_on_in_every_wing_after_every_fault(tried: Tried) -> None:
    assert not tried.figures.wrong
    assert [fault.kind for fault in tried.figures.faults] == ["kill -9", "drain", "drain", "rolling"]
    assert all(fault.takeover for fault in tried.figures.faults)


def test_people_play_in_several_wings(tried: Tried) -> None:
    assert len(tried.figures.wings) == _WINGS
    assert sum(tables > 0 for tables in tried.figures.wings) > 1


def test_all_that_anybody_was_told_in_any_wing_is_stored(tried: Tried) -> None:
    assert not tried.figures.lost
    assert {"web", "topple", "tafl", "acquire", "powerchess", "tower"} <= tried.figures.compared.keys()


def test_no_game_is_given_up_and_no_clock_overcharged_in_any_wing(tried: Tried) -> None:
    assert not tried.figures.given_up
    assert not tried.figures.overcharged


def test_a_fault_strikes_the_wings_of_one_node_and_a_rolling_restart_all(tried: Tried) -> None:
    *faults, rolling = tried.figures.faults
    assert all(fault.wings for fault in faults)
    assert rolling.wings == list(range(_WINGS))
    # One for each fault, all three at the end, and gateways only once.
    assert sum(tried.starts) == 5 + len(faults) + 3
    assert tried.starts[3:] == [1, 1]


def test_sockets_at_gateways_outlive_the_owners_of_all_wings(tried: Tried) -> None:
    sockets = [found for fault in tried.figures.faults for found in fault.sockets.values()]
    assert sum(found.stayed for found in sockets) > sum(found.closed for found in sockets)


def test_an_event_that_another_wing_has_stored_would_be_noticed(tried: Tried) -> None:
    with tried.database.connect() as connection:
        connection.execute("UPDATE nodes SET wing = (wing + 1) %% %s", (_WINGS,))
    with tried.database.snapshot() as store:
        assert any("has stored events of it" in wrong for wrong in in_wrong_wings(divided(_WINGS), store))
