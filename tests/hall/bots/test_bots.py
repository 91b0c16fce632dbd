"""Bots think in processes of their own, and those end with the server."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import Seat
from gamut.games.tower.rules import Place, Tower
from gamut.hall.bots.processes import ProcessBots, Question, _Thought


def asked(bots: ProcessBots, level: str, owner: str = "ann") -> Any:
    """What a bot answers about the empty tower."""
    tower = Tower()
    state = tower.replay(tower.begin(tower.options_type(), 3, Random(1)))

    async def ask() -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        question = Question(game=tower, state=state, seat=Seat(0), level=level, seed=7, owner=owner)
        bots.think(question, answer.set_result)
        return await asyncio.wait_for(answer, 60)

    return ask()


def workers(bots: ProcessBots) -> list[Any]:
    """The processes in which they think."""
    return [process for pool in bots._processes for process in (pool._processes or {}).values()]


def test_a_bot_answers_from_another_process_and_the_same_seed_gives_the_same_answer() -> None:
    async def scene() -> None:
        bots = ProcessBots(1, asyncio.get_running_loop())
        bots.warm_up()
        try:
            first = await asked(bots, "strong")
            assert isinstance(first, Place)
            assert await asked(bots, "strong") == first
        finally:
            bots.close()

    asyncio.run(scene())


def test_a_bot_that_fails_answers_with_its_exception_and_the_next_thought_works() -> None:
    async def scene() -> None:
        bots = ProcessBots(1, asyncio.get_running_loop())
        try:
            assert isinstance(await asked(bots, "no such level"), KeyError)
            assert isinstance(await asked(bots, "casual"), Place)
        finally:
            bots.close()

    asyncio.run(scene())


def test_a_pool_whose_process_was_killed_is_replaced() -> None:
    async def scene() -> None:
        bots = ProcessBots(1, asyncio.get_running_loop())
        try:
            assert isinstance(await asked(bots, "casual"), Place)
            (worker,) = workers(bots)
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGKILL)
            worker.join()
            answers = [await asked(bots, "casual") for _ in range(3)]
            assert all(isinstance(answer, Place) for answer in answers), "whoever thought there thinks again"
        finally:
            bots.close()

    asyncio.run(scene())


def test_a_process_that_stands_still_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        bots = ProcessBots(1, asyncio.get_running_loop())
        try:
            await asked(bots, "casual")
            (worker,) = workers(bots)
            os.kill(worker.pid, signal.SIGSTOP)
            with monkeypatch.context() as impatient:
                impatient.setattr("gamut.hall.bots.processes._SECONDS_TO_THINK", 0.01)
                answer = asyncio.ensure_future(asked(bots, "casual"))
                await asyncio.sleep(0)
            assert isinstance(await answer, Place)
            assert worker not in workers(bots)
        finally:
            bots.close()

    asyncio.run(scene())


@contextmanager
def no_more_files(but: int = 0) -> Iterator[None]:
    """This process can open nothing more, but for so many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) - 1 + but, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("workers_busy", [0, 1])
def test_bots_wait_for_a_process_that_cannot_be_started_and_then_move(
    monkeypatch: pytest.MonkeyPatch, workers_busy: int
) -> None:
    monkeypatch.setattr("gamut.hall.bots.processes._SECONDS_BETWEEN_STARTS", 0.01)

    async def scene() -> None:
        bots = ProcessBots(2, asyncio.get_running_loop())
        try:
            if workers_busy:
                await asked(bots, "casual")
            with no_more_files():
                bots.warm_up()
                waiting = [asyncio.ensure_future(asked(bots, "casual")) for _ in range(3)]
                if workers_busy:
                    await asyncio.gather(*waiting)
                    assert len(workers(bots)) == 1, "the one that there was has answered them all"
                else:
                    done, _ = await asyncio.wait(waiting, timeout=0.1)
                    assert not done, "nobody plays just anything for want of a process"
            answers = [*await asyncio.gather(*waiting), await asked(bots, "casual")]
            assert all(isinstance(answer, Place) for answer in answers)
        finally:
            bots.close()

    asyncio.run(scene())


def test_one_process_that_dies_disturbs_no_bot_in_another() -> None:
    async def scene() -> None:
        bots = ProcessBots(2, asyncio.get_running_loop())
        try:
            await asyncio.gather(asked(bots, "casual"), asked(bots, "casual"))
            first, second = workers(bots)
            os.kill(first.pid, signal.SIGKILL)
            first.join()
            await asyncio.gather(*(asked(bots, "casual") for _ in range(4)))
            assert second in workers(bots)
        finally:
            bots.close()

    asyncio.run(scene())


def test_everybodys_bots_get_their_turn_however_many_somebody_has() -> None:
    async def scene() -> None:
        bots = ProcessBots(1, asyncio.get_running_loop())
        try:
            order: list[str] = []

            async def ask(owner: str) -> None:
                await asked(bots, "casual", owner)
                order.append(owner)

            await asyncio.gather(*(ask(owner) for owner in ["ann"] * 20 + ["bob", "cid"]))
            assert order[:4] == ["ann", "ann", "bob", "cid"] or order[:3] == ["ann", "bob", "cid"]
        finally:
            bots.close()

    asyncio.run(scene())


def test_what_a_bot_waits_for_a_process_is_taken_from_its_time() -> None:
    tower = Tower()
    state = tower.replay(tower.begin(tower.options_type(), 3, Random(1)))

    def left(budget: Budget, waited: float) -> Budget:
        asked = Question(game=tower, state=state, seat=Seat(0), level="x", seed=7, budget=budget, owner="ann")
        return _Thought(asked, print, 100.0).left(100.0 + waited)

    assert left(Budget(millis=800), 0.5) == Budget(millis=300)
    assert left(Budget(millis=800, nodes=7), 5.0) == Budget(millis=1, nodes=7)
    assert left(UNLIMITED, 5.0) == UNLIMITED


def test_no_bot_thinks_on_when_the_server_has_stopped() -> None:
    async def scene() -> None:
        bots = ProcessBots(2, asyncio.get_running_loop())
        await asyncio.gather(asked(bots, "casual"), asked(bots, "casual"))
        processes = workers(bots)
        assert len(processes) == 2
        for pool in bots._processes:
            pool.submit(sleep, 600)  # a thought that takes longer than anybody waits
        bots.close()
        for process in processes:
            assert wait([process.sentinel], 60), "it thinks on"

    asyncio.run(scene())


_ORPHAN = """
import asyncio, os, signal
from tests.hall.bots.test_bots import asked, workers
from gamut.hall.bots.processes import ProcessBots

async def scene():
    bots = ProcessBots(1, asyncio.get_running_loop())
    await asked(bots, "casual")
    print(*(process.pid for process in workers(bots)), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(scene())
"""


def test_a_server_that_is_killed_leaves_no_bot_behind() -> None:
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    # The pipe is inherited by the worker: it is at its end only when the worker is gone as well.
    server = subprocess.run(
        [sys.executable, "-c", _ORPHAN], env=environment, stdout=subprocess.PIPE, timeout=60, check=False
    )
    assert server.returncode == -signal.SIGKILL
    worker = Path(f"/proc/{int(server.stdout.split()[0])}/stat")
    assert not worker.exists() or worker.read_text().split()[2] == "Z"
