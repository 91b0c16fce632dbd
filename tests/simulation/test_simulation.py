"""Hundreds of crashes in simulated time: nothing that anybody was told is lost. `make simulate` runs thousands."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import Contained
from tests.simulation.__main__ import PER_WORLD, main
from tests.simulation.disk import MemoryMedium, SqliteMedium
from tests.simulation.gateway_world import GatewayWorld
from tests.simulation.postgres_disk import PostgresMedium
from tests.simulation.wings_world import WingsWorld
from tests.simulation.world import compare_with_memory, run

from gamut.hall.store.journal import Journal, Wire


@pytest.mark.parametrize("first", range(1000, 1025, 5))
def test_nothing_that_anyone_was_told_is_lost_in_a_crash(first: int) -> None:
    crashes = told = ended = 0
    for seed in range(first, first + 5):
        world = run(seed, MemoryMedium(), PER_WORLD)
        crashes += world.crashes
        told += world.told.count
        ended += world.ended
    assert crashes == 5 * PER_WORLD
    assert ended, "in some crashes another node had taken over"
    assert told > 10 * crashes, "a world in which nobody hears anything proves nothing"


@pytest.mark.faults
@pytest.mark.parametrize("first", range(2000, 2015, 5))
def test_nothing_that_anyone_was_told_is_lost_where_the_server_fails_now_and_then(
    first: int, contained: Contained
) -> None:
    faults = told = 0
    for seed in range(first, first + 5):
        world = run(seed, MemoryMedium(), PER_WORLD, faults=True)
        assert world.faulty is not None
        faults += world.faulty.count
        told += world.told.count
    assert faults > 5 * PER_WORLD, "a world in which nothing fails proves nothing"
    assert told > 50 * PER_WORLD
    assert {"tell", "brief", "alarm", "write"} <= set(contained.kinds)


def test_whoever_is_at_a_gateway_does_not_notice_that_one_server_after_the_other_is_gone() -> None:
    crashes = stayed = closed = 0
    for seed in range(3000, 3012):
        world = run(seed, MemoryMedium(), PER_WORLD, of=GatewayWorld)
        assert isinstance(world, GatewayWorld)
        crashes += world.crashes
        stayed += world.stayed
        closed += world.closed
    assert crashes == 12 * PER_WORLD
    # The worlds are harsh, and twelve are few: over sixty it is between five and six times as many.
    assert stayed > 3 * closed, "a connection goes on, unless its gateway had not heard all that is stored"
    assert stayed > 5 * crashes, "a world in which hardly anybody is there proves nothing"


def test_nobody_notices_in_which_wings_of_the_hall_they_are_and_that_those_lose_their_servers() -> None:
    crashes = stayed = closed = 0
    answers: Counter[str] = Counter()
    for seed in range(4000, 4007):
        world = run(seed, MemoryMedium(), PER_WORLD, of=WingsWorld)
        assert isinstance(world, WingsWorld)
        crashes += world.crashes
        stayed += world.stayed
        closed += world.closed
        answers += world.lives.answers
    assert crashes >= 7 * PER_WORLD
    assert min(answers[each] for each in ("renamed", "registered", "logged out", "deleted", "not stored")) > 5
    assert stayed > 3 * closed, "a connection goes on, unless its gateway had not heard all that is stored"
    assert stayed > 5 * crashes, "a world in which hardly anybody is there proves nothing"


def test_sessions_at_an_owner_may_forget_all_but_their_state() -> None:
    world = compare_with_memory(1, MemoryMedium, PER_WORLD, of=GatewayWorld)
    assert world.amnesia is not None
    assert world.amnesia.count > 20 * PER_WORLD


@pytest.mark.parametrize("seeds", [(1, 2, 3), (6, 9, 12), (15, 48, 51), (10, 36, 49)])
def test_nobody_hears_anything_else_where_sessions_forget_all_but_their_state(seeds: tuple[int, ...]) -> None:
    for seed in seeds:
        world = compare_with_memory(seed, MemoryMedium, PER_WORLD)
        assert world.amnesia is not None
        assert world.amnesia.count > 20 * PER_WORLD, "a world in which hardly anybody forgets proves nothing"


def test_nothing_is_lost_and_no_name_is_left_over_where_names_have_to_be_waited_for() -> None:
    waits = refused = 0
    for seed in (10, 36, 49, 62, 153):
        world = run(seed, MemoryMedium(), PER_WORLD)
        assert world.elsewhere is not None
        waits += world.elsewhere.waits
        refused += world.elsewhere.refused
    assert waits > 5 * PER_WORLD
    assert refused > PER_WORLD


def test_nothing_is_lost_when_the_files_of_the_ledger_are_cut_off_in_the_middle_of_a_commit(
    tmp_path: Path,
) -> None:
    for seed in (1, 2):
        medium = SqliteMedium(tmp_path / str(seed))
        try:
            assert run(seed, medium, 10).crashes == 10
        finally:
            medium.close()


def test_nothing_is_lost_and_nothing_comes_late_where_the_ledger_is_postgresql(
    new_database: Callable[[], str],
) -> None:
    refused = 0
    for seed in (1, 2):
        medium = PostgresMedium(new_database())
        try:
            assert run(seed, medium, 10).crashes == 10
        finally:
            medium.close()
        refused += medium.refused
    assert refused, "a node that has nothing on its way when it is ended proves nothing"


def test_a_seed_gives_the_same_world_again() -> None:
    traces: list[list[str]] = [[], []]
    worlds = [run(7, MemoryMedium(), PER_WORLD, trace.append) for trace in traces]
    assert traces[0] == traces[1]
    assert len(traces[0]) > 1000
    assert worlds[0].digest == worlds[1].digest


def test_a_seed_gives_the_same_world_in_another_process() -> None:
    """Whatever order that process has its sets in, and whatever time it is there."""
    script = (
        "from tests.simulation.disk import MemoryMedium\n"
        "from tests.simulation.world import run\n"
        "from tests.simulation.wings_world import WingsWorld\n"
        f"print(*(run(seed, MemoryMedium(), {PER_WORLD}).digest for seed in (7, 8, 9)))\n"
        f"print(*(run(seed, MemoryMedium(), {PER_WORLD}, of=WingsWorld).digest for seed in (7, 8, 9)))\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", script],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert said[0].strip()


def test_a_failing_seed_is_printed_and_fails_again_in_the_same_step(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broadcast(self: Journal, wires: tuple[Wire, ...], data: bytes) -> None:
        for wire in wires:
            wire.write(data)

    monkeypatch.setattr(Journal, "broadcast", broadcast)
    assert main(["--crashes", "1000", "--first", "3"]) == 1
    what, how = capsys.readouterr().out.splitlines()
    assert what.startswith("seed ")
    arguments = how.partition("python -m tests.simulation ")[2].split()
    assert main(arguments) == 1
    again = capsys.readouterr().out.splitlines()
    assert again[-2:] == [what, how]
    assert len(again) > 100, "all that was said and done"
