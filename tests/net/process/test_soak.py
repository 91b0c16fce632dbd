"""The short form of `make soak`: a few kills lose nothing, and a server that tells too early is found out."""

from pathlib import Path

import pytest
import uvloop
from bench.soak.evening import Plan, Soak
from bench.soak.figures import Figures, table
from bench.soak.model import Model, ToppleGame, TowerGame
from bench.stores.database import Database

KILLS = ("SIGKILL", "SIGKILL while frozen", "frozen (SIGSTOP)")
DOORS = frozenset({"web", "tower", "topple", "tafl", "acquire", "powerchess"})
ATTACKS = ("pings", "garbage_json", "made_up_tokens")


def soak(
    tmp_path: Path, seed: int, *, seconds: float = 10.0, database: Database | None = None, **fields: object
) -> Figures:
    plan = Plan(seconds=seconds, seed=seed, rounds=(0.5, 1.5), clock_steps=0.5, **fields)  # type: ignore[arg-type]
    figures = uvloop.run(Soak(plan, tmp_path / "data", database).run())
    print(table(figures))  # noqa: T201 - shown when it fails
    return figures


def test_nothing_that_anybody_was_told_is_lost_in_a_short_evening(tmp_path: Path, seed: int) -> None:
    figures = soak(
        tmp_path, seed, faults=(*KILLS, "SIGTERM"), attacks=ATTACKS, attack_seconds=0.5, doors=DOORS, starts=2
    )
    assert not figures.failed
    assert figures.attacks
    assert figures.starts > 2
    assert figures.told > 0
    assert figures.compared > 0
    assert set(figures.told_at) == DOORS
    assert set(figures.compared_at) == DOORS


def test_nothing_is_lost_on_postgresql_which_is_restarted(tmp_path: Path, seed: int) -> None:
    restarts = "PostgreSQL restarted", "SIGKILL while PostgreSQL is away"
    with Database() as database:
        figures = soak(tmp_path, seed, seconds=0.0, database=database, faults=restarts, starts=1)
    assert not figures.failed
    assert figures.faults["SIGKILL while PostgreSQL is away"] >= 2
    assert sum(figures.compared_at.values()) > 0


def test_a_server_that_tells_before_it_stores_is_found_out(tmp_path: Path, seed: int) -> None:
    figures = soak(tmp_path, seed, wrapper=("bench.soak.forgetful",), faults=("SIGKILL",), starts=2)
    assert figures.lost
    assert any("first told to" in lost for lost in figures.lost), "over HTTP"
    assert any("first told to" not in lost for lost in figures.lost), "in the ledger"
    assert figures.lost_at.total() == len(figures.lost) + figures.more_lost
    assert f"--seed {figures.seed}" in table(figures)


def played(kind: str, *moves: dict[str, int]) -> list[dict[str, object]]:
    return [{"type": "played", "events": [{"type": kind, **move}]} for move in moves]


def test_a_tower_game_is_in_a_log_with_every_mark_that_was_heard() -> None:
    game = TowerGame("room", "Ann", 0.0)
    game.marks = {3: 0, 7: 1}
    log = played("placed", {"tile": 3, "seat": 0}, {"tile": 7, "seat": 1}, {"tile": 9, "seat": 2})
    assert game.is_in(log)
    assert not game.is_in(log[:1])


@pytest.mark.parametrize(
    ("stays", "found"),
    [([[4, 0], [0]], True), ([[4, 0, 4, 0]], True), ([[0, 4], [4]], False), ([[4, 0, 4], [0, 5]], False)],
)
def test_a_topple_game_is_in_a_log_with_what_was_heard_in_each_stay(
    stays: list[list[int]], found: bool
) -> None:
    game = ToppleGame("AAAAAAAA", "Ann", 0.0)
    game.stays = stays
    assert game.is_in(played("moved", *({"tile": tile} for tile in (4, 0, 4, 0)))) is found


def test_what_pollers_read_never_goes_back() -> None:
    model = Model()
    over = {"id": "T", "phase": "over", "changed": 5, "outcome": {"winners": [1]}}
    model.summary(over, "a poller")
    model.summary({**over, "changed": 3}, "a poller of lists", in_a_list=True)
    model.listing("AAAAAAAA", "play", "a poller")
    model.file("/replays/AAAAAAAA.topl", b"one", "a poller")
    model.answer(3, {"legal": []}, "a poller")
    model.event("T", 1, {"type": "opened", "key": "secret"}, "a player")
    model.event("T", 1, {"type": "opened", "key": ""}, "a poller")
    assert not model.lost
    model.summary({**over, "outcome": {"winners": [0]}}, "a poller")
    model.summary({**over, "phase": "playing"}, "a poller")
    model.listing("AAAAAAAA", "wait", "a poller")
    model.file("/replays/AAAAAAAA.topl", b"two", "a poller")
    model.answer(3, {"legal": [1]}, "a poller")
    model.event("T", 1, {"type": "closed"}, "a poller")
    model.stamp("T", 1, 10, "Ann")
    model.stamp("T", 1, 11, "Ben")
    assert len(model.lost) == 7
