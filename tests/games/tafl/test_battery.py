"""The battery that every game must pass, for Tafl: with rules that make a game."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.games import test_every_game as battery
from tests.games.support.tafl_tables import options
from tests.games.topple.test_battery import CHECKS

from gamut.games.tafl import bots
from gamut.games.tafl.rules import Tafl

GAME = Tafl()


@pytest.fixture(autouse=True)
def small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battery, "options_of", lambda game: options())
    # How far it looks is nothing that a battery asks for.
    monkeypatch.setattr(bots, "_STRONG_STEPS", 2_000)


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS.keys())
def test_tafl_passes(check: Callable[[Any], None]) -> None:
    check(GAME)


@pytest.mark.parametrize("level", [level.name for level in GAME.traits.levels])
def test_tafl_has_bots_that_pass(level: str) -> None:
    battery.test_bots_choose_a_legal_action_from_what_their_seat_sees(GAME, level)
