"""Three nodes in network namespaces, cut off from each other in turns: `make cluster-netns` in short.

Namespaces belong to root. Where there are none to be had, that is what is said, in one line."""

import asyncio
import os
import subprocess
import sys
from collections import Counter

from bench.cluster.gateways import Gateways
from bench.cluster.netns.namespaces import Namespaces
from bench.cluster.trial import Plan, Trial
from bench.pace import BenchFailed
from bench.servers.gamut import DataFolder
from bench.stores.database import Database
from tests.support.nats import Nats

_PLAN = Plan(games=6, pause=0.1, peace=0.5, isolations=1, nats_partitions=1, postgres_partitions=1)


def test_nothing_told_is_lost_when_a_node_is_cut_off_from_everything_from_nats_or_from_postgresql() -> None:
    refused = _refused()
    if refused:
        assert len(refused.splitlines()) == 1
        return
    with Namespaces(3, delay_ms=1, loss=0.1) as namespaces, namespaces.players.entered():
        trial = _tried(namespaces)
    assert not trial.figures.wrong
    assert not trial.figures.lost
    assert not trial.figures.given_up
    assert Counter(fault.kind for fault in trial.figures.faults) == {
        "isolation": 1,
        "no NATS": 1,
        "no PostgreSQL": 1,
    }
    assert (
        str(os.getpid())
        not in subprocess.run(("ip", "netns"), capture_output=True, text=True, check=True).stdout
    )


def _refused() -> str:
    try:
        with Namespaces(1):
            return ""
    except BenchFailed as failed:
        return str(failed)


def _tried(namespaces: Namespaces) -> Trial:
    with DataFolder() as data, Database(namespaces.postgres) as database:
        with namespaces.nats.entered():
            nats = Nats(settings={"host": namespaces.nats.address})

        async def trying() -> Trial:
            async with Gateways(database, data, nats, both=3, network=namespaces) as gateways:
                trial = Trial(_PLAN, database, gateways)
                await trial.run()
                return trial

        with nats:
            return asyncio.run(trying())


def test_without_iproute2_it_says_so_in_one_line() -> None:
    done = subprocess.run(
        (sys.executable, "-m", "bench.cluster", "--netns"),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": "/nowhere"},
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == ["cluster: ip and tc not found: install Debian's package iproute2"]
    assert not done.stdout
