"""Where several act at once, each has a turn of their own: an action is late only if that turn is over."""

from tests.games.support.parlour import Lay, Take
from tests.hall.table.test_table import ANN, BOB, CID, Stage, playing_parlour, playing_tower

from gamut.hall.ids import PersonId, Seq
from gamut.hall.table import commands as c
from gamut.hall.table.clock import PerTurn


def lay(stage: Stage, person: str, seat: int, seen: int | None = None) -> c.Act:
    """The lowest card of that seat, laid by whoever sits there."""
    return c.Act(
        PersonId(person), Lay(min(stage.table.state.hands[seat])), None if seen is None else Seq(seen)
    )


def test_what_somebody_else_does_at_the_same_time_makes_no_action_late() -> None:
    stage = playing_parlour()
    seen = stage.table.seq
    for seat, person in ((1, BOB), (0, ANN)):
        assert stage.do(lay(stage, person, seat, seen)) == ["Played"]
    assert stage.refused(lay(stage, ANN, 0, seen)) == "stale", "a doubled click"
    stage.do(c.Resign(BOB))
    assert stage.do(lay(stage, CID, 2, seen)) == ["Played"], "it was Cid's turn before and after"


def test_an_action_of_an_earlier_turn_is_late_where_several_act_at_once() -> None:
    stage = playing_parlour()
    seen = stage.table.seq
    for seat, person in enumerate((ANN, BOB, CID)):
        stage.do(lay(stage, person, seat, seen))
    chooser = stage.table.state.chooser
    assert stage.refused(c.Act(PersonId((ANN, BOB, CID)[chooser]), Take(), Seq(seen))) == "stale"
    turned = stage.table.seq
    assert stage.refused(c.Act(PersonId((ANN, BOB, CID)[chooser]), Take(), Seq(turned - 1))) == "stale"
    stage.do(c.Act(PersonId((ANN, BOB, CID)[chooser]), Take(), turned))
    other = (chooser + 1) % 3
    assert stage.refused(lay(stage, (ANN, BOB, CID)[other], other, turned)) == "stale", "a round later"
    assert stage.do(lay(stage, (ANN, BOB, CID)[other], other, stage.table.seq)) == ["Played"]


def test_a_seat_whose_flag_fell_acts_too_late_and_the_others_do_not() -> None:
    stage = playing_parlour(clock=PerTurn(10_000))
    stage.do(lay(stage, ANN, 0))
    seen = stage.table.seq
    stage.pass_time(10_000)
    assert (stage.events[-1].why, stage.events[-1].seat) == ("flagged", 1)
    assert stage.refused(lay(stage, BOB, 1, seen)) == "stale"
    assert stage.do(lay(stage, CID, 2, seen)) == ["Played"]


def test_turns_are_counted_for_each_seat_only_where_several_act_at_once() -> None:
    assert playing_tower().table.last_turns == ()
    assert len(playing_parlour().table.last_turns) == 3
