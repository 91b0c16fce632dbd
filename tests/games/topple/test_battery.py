"""The battery that every game must pass, for Topple: on small boards, as large ones would take it too long."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import pytest
from tests.games import test_every_game as battery
from tests.games.support.topple_tables import options

from gamut.games.topple.rules import Topple

GAME = Topple()
CHECKS = {
    name: check
    for name, check in vars(battery).items()
    if name.startswith("test_") and list(signature(check).parameters) == ["game"]
}


@pytest.fixture(autouse=True)
def small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battery, "options_of", lambda game: options())


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS.keys())
def test_topple_passes(check: Callable[[Any], None]) -> None:
    check(GAME)


@pytest.mark.parametrize("level", [level.name for level in GAME.traits.levels])
def test_topple_has_bots_that_pass(level: str) -> None:
    battery.test_bots_choose_a_legal_action_from_what_their_seat_sees(GAME, level)


def test_the_whole_battery_was_run() -> None:
    assert len(CHECKS) >= 16
