"""A table under any sequence of commands, whoever gives them and whatever the time: what is always true of it."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    run_state_machine_as_test,
)
from tests.games.support.parlour import UNSEEN, Parlour, ParlourOptions, Revealed
from tests.games.support.tafl_tables import SMALL
from tests.hall.support.table_play import TableMachine

from gamut.games.acquire.options import AcquireOptions
from gamut.games.acquire.rules import Acquire
from gamut.games.game import Seat
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.powerchess.rules import PowerChess
from gamut.games.registry import all_games
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.rules import Tafl
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.rules import Topple
from gamut.games.tower.rules import Tower, TowerOptions
from gamut.hall.table.state import Table

LIMITS = settings(
    max_examples=100,
    stateful_step_count=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


class TowerTable(TableMachine):
    game = Tower()
    options = [TowerOptions()]


class ToppleTable(TableMachine):
    """Begins with empty seats, and with a turn that nobody counts; on boards on which games end."""

    game = Topple()
    options = [
        ToppleOptions(x=3, y=2, idle_rounds=2),
        ToppleOptions(topology="bwrap", x=3, y=3, penalty="skip", idle_rounds=1, scoring="tile"),
        ToppleOptions(x=2, y=2, penalty="lose", scoring="piece"),
        ToppleOptions(x=4, y=3, teams=(1, 2, 1, 2, 3)),
    ]
    begun = ["as it is", "as it is", "full", "with bots", None]

    def may_begin(self, table: Table) -> bool:
        teams = table.options.teams
        return not teams or len({teams[seat] for seat, _ in table.present()}) > 1


class TaflTable(TableMachine):
    game = Tafl()
    options = [
        Tafl().checked(chosen)
        for chosen in (
            TaflOptions(variant="brandub"),
            TaflOptions(variant="brandub", quirks=True, moves=("a4-a3",)),
            *(TaflOptions(rules=rules) for rules in SMALL),
        )
    ]


class AcquireTable(TableMachine):
    """Draws its order, and plays on for those who have gone."""

    game = Acquire()
    options = [
        AcquireOptions(mode="singles_1"),
        AcquireOptions(mode="singles_2"),
        AcquireOptions(mode="singles_3", order="exact"),
        AcquireOptions(mode="teams_2_vs_2", order="teams"),
        AcquireOptions(mode="singles_5"),
    ]


class PowerChessTable(TableMachine):
    game = PowerChess()
    options = [PowerChessOptions(), PowerChessOptions(boxes=False)]


class ParlourTable(TableMachine):
    """Several act at once, and what is hidden has a name."""

    game = Parlour()
    options = [
        ParlourOptions(),
        ParlourOptions(hand=2, order="random"),
        ParlourOptions(hand=3, mode="duel", order="random"),
        ParlourOptions(mode="trio"),
        ParlourOptions(hand=2, mode="solo"),
    ]

    def shows_no_secret(self, happened: Any, viewer: Seat | None) -> None:
        if getattr(happened, "seat", None) == viewer or type(happened) is Revealed:
            return
        for secret in ("cards", "card", "gave", "drew"):
            value: Any = getattr(happened, secret, UNSEEN)
            assert value == UNSEEN or set(value) == {UNSEEN}

    def knows_no_secret(self, state: Any, viewer: Seat | None) -> None:
        for seat, hand in enumerate(state.hands):
            assert seat == viewer or not any(hand)


MACHINES: list[type[TableMachine]] = TableMachine.__subclasses__()


def test_every_game_has_a_table() -> None:
    assert {machine.game.traits.name for machine in MACHINES} >= set(all_games())


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.game.traits.name)
def test_a_table_under_any_commands(machine: type[TableMachine]) -> None:
    run_state_machine_as_test(machine, settings=LIMITS)
