"""Two owners, two gateways, NATS, and a game at every door, through faults of each: `make cluster` in short."""

import asyncio
from collections import Counter
from collections.abc import Iterator

import pytest
from bench.cluster.figures import Figures
from bench.cluster.gateways import Gateways
from bench.cluster.sockets import Sockets, added
from bench.cluster.trial import Plan, Trial
from bench.servers.gamut import DataFolder
from bench.stores.database import Database
from tests.support.nats import Nats

from gamut.cluster.gateway import ALONE_FOR

_PLAN = Plan(games=6, pause=0.1, peace=0.0, kills=1, gateway_kills=1, cuts=1, owner_cuts=2)


class Tried:
    def __init__(self, database: Database, trial: Trial, errors: list[str]) -> None:
        self.database = database
        self.trial = trial
        self.figures: Figures = trial.figures
        self.errors_of_gateways = errors

    def sockets(self, kind: str) -> Sockets:
        fault = next(fault for fault in self.figures.faults if fault.kind == kind)
        return added(fault.sockets.values())


@pytest.fixture(scope="module")
def tried() -> Iterator[Tried]:
    with DataFolder() as data, Database() as database, Nats() as nats:

        async def trying() -> Tried:
            async with Gateways(database, data, nats, gateways=2) as gateways:
                trial = Trial(_PLAN, database, gateways)
                await trial.run()
                errors = [line for gateway in gateways.gateways for line in gateway.log.errors]
                return Tried(database, trial, errors)

        yield asyncio.run(trying())


def test_play_goes_on_at_every_table_after_every_fault(tried: Tried) -> None:
    assert not tried.figures.wrong
    assert Counter(fault.kind for fault in tried.figures.faults) == {
        "kill -9": 1,
        "gateway kill": 1,
        "cut": 1,
        "owner cut": 2,
    }


def test_all_that_anybody_was_told_at_any_door_is_stored(tried: Tried) -> None:
    assert not tried.figures.lost
    assert {"web", "topple", "tafl", "acquire", "powerchess", "tower"} <= tried.figures.compared.keys()


def test_no_game_is_given_up_because_of_a_fault(tried: Tried) -> None:
    assert not tried.figures.given_up


def test_sockets_outlive_the_owner(tried: Tried) -> None:
    # But for those at a table at which something was just stored, and not told yet.
    sockets = tried.sockets("kill -9")
    assert sockets.stayed > sockets.closed


def test_whoever_was_at_a_gateway_that_was_killed_comes_back_by_another_one(tried: Tried) -> None:
    sockets = tried.sockets("gateway kill")
    assert sockets.at_struck > 0
    assert sockets.came_back == sockets.at_struck + sockets.closed


def test_a_gateway_that_is_killed_ends_no_socket_at_another_one(tried: Tried) -> None:
    sockets = tried.sockets("gateway kill")
    assert sockets.stayed > 0
    assert sockets.closed == 0


def test_an_owner_that_is_cut_off_from_its_gateways_hands_over_before_anybody_is_hung_up_on(
    tried: Tried,
) -> None:
    faults = [fault for fault in tried.figures.faults if fault.kind == "owner cut"]
    assert all(fault.takeover for fault in faults)
    assert max(fault.open_after for fault in faults) < ALONE_FOR
    for fault in faults:
        # The owner has stored what reached it before it was cut off, and whoever was not told of that comes back.
        assert added(fault.sockets.values()).stayed
    assert not any("everybody is hung up on" in line for line in tried.errors_of_gateways)


def test_an_event_of_a_node_that_does_not_have_the_table_would_be_noticed(tried: Tried) -> None:
    with tried.database.connect() as connection:
        connection.execute("UPDATE events SET node = 1")
    tried.trial.look(all=True)
    assert any("is of node 1, and node 2 has it" in wrong for wrong in tried.trial.events_of_others())
