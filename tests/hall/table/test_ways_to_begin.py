"""Games that begin with empty seats or with a free first turn, and seats that are held only so long."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from gamut.games.game import Refused, Seat
from gamut.games.tower.rules import Place, Tower, TowerOptions
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, ClockSetting, NoClock
from gamut.hall.table.deciding.decide import decide
from gamut.hall.table.deciding.draft import Timeouts
from gamut.hall.table.deciding.presence import next_deadline
from gamut.hall.table.evolve import opened
from gamut.hall.table.seats import Sitter
from gamut.hall.table.state import Table

ANN, BOB, CY = (PersonId(name) for name in ("ann", "bob", "cy"))
NOON = Millis(1_000_000)


class LooseTower(Tower):
    """Tower that two may begin, and whose first turn takes as long as it likes."""

    traits = msgspec.structs.replace(Tower.traits, fewest=2, first_turn_free=True)

    def begin_with_empty_seats(
        self, options: TowerOptions, seats: int, empty: Sequence[Seat], chance: Random
    ) -> Sequence[Any]:
        assert list(empty) == [Seat(2)]
        return self.begin(options, seats, chance)


def opened_table(game: Tower, clock: ClockSetting) -> Table:
    event = e.Opened(
        at=NOON,
        table=TableId("t"),
        game="tower",
        options={},
        seats=3,
        clock=clock,
        start="host",
        private=False,
        key="k",
        host=ANN,
    )
    return opened(game, event)


def done(game: Tower, table: Table, command: c.Command, after: int = 0) -> Table:
    return decide(game, table, command, Millis(table.at + after), Random(1), Timeouts()).table


def two_at(game: Tower, clock: ClockSetting = NoClock(), kept_for: Millis | None = None) -> Table:  # noqa: B008
    table = opened_table(game, clock)
    for person in (ANN, BOB):
        table = done(game, table, c.Sit(Sitter(person, person.title(), kept_for=kept_for)))
    return table


def test_a_game_that_names_no_fewest_needs_every_seat_taken() -> None:
    table = two_at(Tower())
    with pytest.raises(Refused, match="Every seat"):
        done(Tower(), table, c.Start(ANN))


def test_a_game_may_begin_with_empty_seats_once_the_fewest_sit_there() -> None:
    game = LooseTower()
    alone = done(game, opened_table(game, NoClock()), c.Sit(Sitter(ANN, "Ann")))
    with pytest.raises(Refused, match="At least 2"):
        done(game, alone, c.Start(ANN))
    table = done(game, two_at(game), c.Start(ANN))
    assert table.phase == "playing"
    assert table.seats[2] is None
    assert done(game, table, c.Act(ANN, Place(0))).state.turn == 1


def test_a_free_first_turn_costs_nobody_any_time() -> None:
    game = LooseTower()
    table = done(game, two_at(game, Bank(main=10_000)), c.Start(ANN))
    assert next_deadline(table, Timeouts()) is None
    table = done(game, table, c.Act(ANN, Place(0)), after=60_000)
    assert [time.main for time in table.clock.times] == [10_000] * 3
    assert table.clock.running == (1,)
    table = done(game, table, c.Act(BOB, Place(1)), after=4_000)
    assert table.clock.times[1].main == 6_000


def test_a_seat_that_is_held_for_a_while_waits_for_somebody_else_when_that_is_over() -> None:
    game = Tower()
    table = two_at(game, kept_for=Millis(30_000))
    table = done(game, table, c.Sit(Sitter(CY, "Cy")))
    table = done(game, table, c.Start(ANN))
    gone = done(game, table, c.Drop(BOB))
    assert next_deadline(gone, Timeouts()) == gone.at + 30_000
    back = done(game, gone, c.Return(BOB), after=29_999)
    assert next_deadline(back, Timeouts()) is None
    assert done(game, gone, c.Tick(), after=29_999).seat_of(BOB) == 1
    assert done(game, gone, c.Tick(), after=30_000).waiting == (1,)
    without_cy = done(game, table, c.Drop(CY))
    assert done(game, without_cy, c.Tick(), after=3_600_000).seat_of(CY) == 2, "others keep theirs"
