"""The short form of `make soak`: a few kills lose nothing, and a server that tells too early is found out."""

from pathlib import Path
from random import randrange

import uvloop
from bench.soak.evening import Plan, Soak
from bench.soak.figures import Figures, table

KILLS = ("SIGKILL", "SIGKILL while frozen", "frozen (SIGSTOP)")
ATTACKS = ("pings", "garbage_json", "made_up_tokens")


def soak(tmp_path: Path, **fields: object) -> Figures:
    plan = Plan(seconds=10.0, seed=randrange(2**32), rounds=(0.5, 1.5), clock_steps=0.0, **fields)  # type: ignore[arg-type]
    figures = uvloop.run(Soak(plan, tmp_path / "data").run())
    print(table(figures))  # noqa: T201 - shown when it fails
    return figures


def test_nothing_that_anybody_was_told_is_lost_in_a_short_evening(tmp_path: Path) -> None:
    figures = soak(tmp_path, faults=(*KILLS, "SIGTERM"), attacks=ATTACKS, attack_seconds=0.5)
    assert not figures.failed
    assert figures.attacks
    assert figures.starts > 2
    assert figures.told > 0
    assert figures.compared > 0


def test_a_server_that_tells_before_it_stores_is_found_out(tmp_path: Path) -> None:
    figures = soak(tmp_path, wrapper=("bench.soak.forgetful",), faults=("SIGKILL",))
    assert figures.lost
    assert "first told to" in figures.lost[0]
    assert f"--seed {figures.seed}" in table(figures)
