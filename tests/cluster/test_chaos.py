"""Faults by chance for half a minute, at a node and its standby: `make cluster ARGS="--chaos ..."` in short."""

import asyncio
from collections.abc import Iterator

import pytest
from bench.cluster.pair import Pair
from bench.cluster.trial import Plan, Trial
from bench.servers.gamut import DataFolder
from bench.stores.database import Database

_PLAN = Plan(games=6, pause=0.1, seed=3, chaos=0.3, every=3.0)


@pytest.fixture(scope="module")
def tried() -> Iterator[Trial]:
    with DataFolder() as data, Database() as database:

        async def trying() -> Trial:
            async with Pair(database, data) as pair:
                trial = Trial(_PLAN, database, pair)
                await trial.run()
                return trial

        yield asyncio.run(trying())


def test_it_strikes_again_and_again_and_stops_by_itself(tried: Trial) -> None:
    assert len(tried.figures.faults) >= 2
    assert not tried.figures.wrong


def test_nothing_is_lost_and_no_game_given_up(tried: Trial) -> None:
    assert not tried.figures.lost
    assert not tried.figures.given_up


def test_what_was_compared_and_is_over_is_forgotten(tried: Trial) -> None:
    over = [table for table, log in tried.comparison.logs.items() if log.now.phase == "over"]
    # What ended after the last fault was only just compared.
    assert tried.figures.finished > len(over)
