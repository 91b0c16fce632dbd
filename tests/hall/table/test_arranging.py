"""Who sits where, and what it takes to begin: modes, swaps, approval, the order of play, calling it off."""

from typing import Any

import msgspec
import pytest
from tests.games.support.parlour import Dealt, Parlour
from tests.hall.table.test_table import ANN, BOB, CID, DOT, KEY, Stage, playing_tower, tower

from gamut.games.game import Seat
from gamut.hall.ids import PersonId
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, NoClock, Overtime, PerTurn, Time
from gamut.hall.table.deciding.resizing import resized
from gamut.hall.table.evolve import replayed
from gamut.hall.table.seats import BotSitter, Holder, Sitter


def parlour(*people: PersonId, **settings: Any) -> Stage:
    return Stage(Parlour(), *people, start=settings.pop("start", "host"), **settings)


def configured(stage: Stage, **options: Any) -> list[str]:
    return stage.do(c.Configure(ANN, options))


def swap(by: PersonId, a: int, b: int) -> c.Swap:
    return c.Swap(by, Seat(a), Seat(b))


# Seats that follow from an option


def row(text: str) -> tuple[Holder | None, ...]:
    """People by letters in their seats, bots by capitals."""
    kinds = {".": None}
    return tuple(
        kinds.get(sign, BotSitter("hasty", sign) if sign.isupper() else Sitter(PersonId(sign), sign))
        for sign in text
    )


@pytest.mark.parametrize(
    ("before", "count", "after"),
    [
        ("a.c.e", 3, "aec"),
        ("..cd", 2, "cd"),
        ("...d", 3, "..d"),
        ("ab", 3, "ab."),
        (".b.D", 2, "Db"),
        ("a..", 1, "a"),
        ("..c", 1, "c"),
        ("..", 4, "...."),
    ],
)
def test_whoever_sits_on_a_seat_that_goes_moves_to_the_highest_free_one(
    before: str, count: int, after: str
) -> None:
    assert resized(row(before), count) == row(after)


def test_a_mode_for_fewer_moves_people_down_and_one_for_more_adds_empty_seats() -> None:
    stage = parlour(ANN)
    stage.sit(CID, 2)
    assert configured(stage, mode="duel") == ["Configured"]
    assert stage.holders() == ["ann", "cid"]
    assert stage.table.persons == (ANN, CID)
    assert stage.table.seat_of(CID) == 1
    configured(stage, mode="trio")
    assert stage.holders() == ["ann", "cid", None]
    assert len(stage.table.clock.times) == 3


def test_a_mode_for_fewer_than_sit_here_is_refused_and_bots_count() -> None:
    stage = parlour(ANN, BOB)
    stage.do(c.SeatBot(ANN, "hasty"))
    assert stage.refused(c.Configure(ANN, {"mode": "duel"})) == "too_many_seated"
    stage.do(c.Unseat(ANN, Seat(1)))
    configured(stage, mode="duel")
    assert stage.holders() == ["ann", "Hasty bot"]
    assert stage.refused(c.Configure(ANN, {"mode": "solo"})) == "too_many_seated"


def test_a_mode_that_leaves_the_number_alone_moves_nobody() -> None:
    stage = parlour(ANN, BOB)
    configured(stage, mode="trio")
    (changed,) = stage.events[-1:]
    assert changed.holders == ()
    assert stage.holders() == ["ann", "bob", None]


def test_a_mode_that_fills_the_table_lets_play_begin() -> None:
    stage = parlour(ANN, BOB, start="full")
    assert configured(stage, mode="duel") == ["Configured", "Started"]
    assert len(stage.table.players) == 2


# Swapping


def test_the_host_swaps_people_bots_and_empty_seats() -> None:
    stage = parlour(ANN, BOB)
    assert stage.do(swap(ANN, 0, 1)) == ["Swapped"]
    assert stage.holders() == ["bob", "ann", None]
    stage.do(swap(ANN, 2, 0))
    assert stage.holders() == [None, "ann", "bob"]
    stage.do(c.SeatBot(ANN, "careful"))
    stage.do(swap(ANN, 0, 2))
    assert stage.holders() == ["bob", "ann", "Careful bot"]
    assert stage.table.persons == (BOB, ANN, None)


def test_nobody_else_swaps_and_nothing_is_swapped_that_is_not_there() -> None:
    stage = parlour(ANN)
    assert stage.refused(swap(BOB, 0, 1)) == "not_host"
    assert stage.refused(swap(ANN, 0, 3)) == "no_such_seat"
    assert stage.refused(swap(ANN, -1, 0)) == "no_such_seat"
    assert stage.refused(swap(ANN, 0, 0)) == "same_seat"
    assert stage.refused(swap(ANN, 1, 2)) == "empty_seat"
    stage.sit(BOB)
    stage.sit(CID)
    stage.do(c.Start(ANN))
    assert stage.refused(swap(ANN, 0, 1)) == "started"


def test_in_some_games_seats_are_not_swapped() -> None:
    assert tower(ANN, BOB).refused(swap(ANN, 0, 1)) == "not_arrangeable"


def test_whoever_was_ready_is_ready_in_the_other_seat() -> None:
    stage = parlour(ANN, BOB, start="ready")
    stage.do(c.Ready(BOB, True))
    stage.do(swap(ANN, 1, 2))
    assert stage.table.ready == (2,)


# Approval


def approving(*people: PersonId) -> Stage:
    return parlour(*people, start="approval")


def approve(person: PersonId) -> c.Ready:
    return c.Ready(person, True)


def test_play_begins_when_the_last_has_approved_of_a_full_table() -> None:
    stage = approving(ANN, BOB)
    assert stage.refused(approve(ANN)) == "not_full"
    assert stage.sit(CID) == ["Sat"]
    assert stage.do(approve(ANN)) == ["Readied"]
    assert stage.refused(c.Ready(ANN, False)) == "approved"
    assert stage.refused(c.Start(ANN)) == "not_approved"
    assert stage.refused(approve(DOT)) == "not_seated"
    assert stage.do(approve(ANN)) == [], "once is enough"
    stage.do(approve(CID))
    assert stage.do(approve(BOB)) == ["Readied", "Started"], "the host approves like everybody"


@pytest.mark.parametrize(
    "change",
    [
        c.Configure(ANN, {"hand": 2}),
        c.Configure(ANN, clock=PerTurn(1_000)),
        c.Leave(CID),
        c.Unseat(ANN, Seat(2), bar=False),
        swap(ANN, 0, 1),
    ],
    ids=lambda change: type(change).__name__,
)
def test_whatever_changes_the_setup_takes_all_approvals_back(change: c.Command) -> None:
    stage = approving(ANN, BOB, CID)
    stage.do(approve(BOB))
    stage.do(change)
    assert stage.table.ready == ()


def test_how_the_table_looks_and_who_is_host_is_no_part_of_the_setup() -> None:
    stage = approving(ANN, BOB, CID)
    stage.do(approve(BOB))
    stage.do(c.Decorate(ANN, {"colour": 1}))
    stage.do(c.Promote(ANN, Seat(1)))
    assert stage.table.ready == (1,)


def test_bots_approve_of_everything_but_begin_nothing() -> None:
    stage = approving(ANN)
    stage.do(c.SeatBot(ANN, "hasty"))
    stage.do(c.SeatBot(ANN, "hasty"))
    assert stage.do(approve(ANN)) == ["Readied", "Started"]
    stage = approving()
    for _ in range(3):
        assert stage.do(c.SeatBot(ANN, "hasty")) == ["BotSat"]
    assert stage.do(c.Start(ANN)) == ["Started"], "a host who only watches says so"


def test_a_game_for_one_begins_when_its_player_approves() -> None:
    stage = approving(ANN)
    configured(stage, mode="solo")
    assert stage.do(approve(ANN)) == ["Readied", "Started"]
    while stage.table.phase == "playing":
        stage.do(c.Act(ANN, stage.game.legal(stage.table.state, Seat(0))[0]))
    assert stage.table.outcome is not None
    assert stage.table.outcome.winners == (0,)


def test_a_game_for_one_begins_at_once_where_a_full_table_is_all_it_takes() -> None:
    stage = parlour(seats=1, start="full")
    assert stage.sit(ANN) == ["Sat", "Started"]
    assert stage.do(c.Leave(ANN)) == ["Played", "Stood", "HostChanged"]
    assert stage.table.phase == "over"


# The order in which play begins


def drawn() -> Stage:
    """Play has begun in another order than people sat down."""
    for seed in range(20):
        stage = parlour(ANN, BOB, CID)
        stage.chance.seed(seed)
        configured(stage, order="random")
        stage.do(c.Start(ANN))
        if stage.events[-1].order == (1, 2, 0):
            return stage
    raise AssertionError("chance never draws this order")


def test_the_order_of_play_is_drawn_when_play_begins_and_everybody_moves() -> None:
    stage = drawn()
    assert stage.holders() == ["bob", "cid", "ann"]
    assert stage.table.persons == (BOB, CID, ANN)
    assert stage.table.players == stage.table.seats
    dealt = [event for event in stage.events[-1].events if isinstance(event, Dealt)]
    assert stage.table.state.hands == tuple(event.cards for event in dealt)
    card = stage.table.state.hands[2][0]
    assert stage.do(c.Act(ANN, msgspec.convert({"type": "lay", "card": card}, stage.game.action_type)))


def test_an_order_as_people_sit_is_not_written_down() -> None:
    stage = parlour(ANN, BOB, CID)
    stage.do(c.Start(ANN))
    assert stage.events[-1].order == ()
    assert b"order" not in codec.encode(stage.events[-1])


def test_whoever_played_is_known_after_they_left_also_when_the_order_was_drawn() -> None:
    stage = drawn()
    stage.do(c.Leave(BOB))
    stage.do(c.Leave(CID))
    assert stage.table.phase == "over"
    assert stage.holders() == [None, None, "ann"]
    assert [player.name for player in stage.table.players if player] == ["bob", "cid", "ann"]
    assert stage.table.outcome is not None
    assert stage.table.outcome.places == (2, 2, 1), "those who left share the last place"


# Kicks, and calling it off


def test_a_kick_may_leave_the_way_back_open() -> None:
    stage = parlour(ANN, BOB, CID)
    assert stage.do(c.Unseat(ANN, Seat(1), bar=False)) == ["Stood"]
    assert stage.sit(BOB) == ["Sat"]
    stage.do(c.Unseat(ANN, Seat(1)))
    assert stage.cannot_sit(BOB) == "barred"


def test_the_host_calls_a_table_off_before_play_begins() -> None:
    stage = parlour(ANN, BOB)
    assert stage.refused(c.CallOff(BOB)) == "not_host"
    assert stage.do(c.CallOff(ANN)) == ["Closed"]
    assert stage.events[-1].why == "called_off"
    assert stage.table.phase == "over"
    assert stage.table.outcome is None
    assert stage.cannot_sit(CID) == "over"
    assert playing_tower().refused(c.CallOff(ANN)) == "started"


# Times that are given


def test_the_host_gives_each_seat_its_time_and_it_stays_until_another_clock_is_wanted() -> None:
    setting = Overtime(60_000, 10_000, 3)
    stage = parlour(ANN, BOB, CID, clock=setting)
    times = (Time(50_000, 10_000, 3), Time(0, 4_000, 2), Time(40_000, 10_000, 1))
    stage.do(c.Configure(ANN, times=times))
    assert stage.table.clock.times == times
    stage.do(c.Configure(ANN, {"hand": 2}))
    assert stage.table.clock.times == times
    stage.do(swap(ANN, 0, 1))
    assert stage.table.clock.times == times, "it is the seat's, whoever sits there"
    stage.do(c.Configure(ANN, clock=Bank(9_000)))
    assert stage.table.clock.times == (Time(9_000),) * 3


def test_times_that_nobody_could_play_with_are_refused() -> None:
    stage = parlour(ANN, BOB, CID, clock=Bank(60_000))
    assert stage.refused(c.Configure(ANN, times=(Time(5),) * 2)) == "bad_times"
    assert stage.refused(c.Configure(ANN, times=(Time(5), Time(0), Time(5)))) == "bad_times"
    assert stage.refused(c.Configure(ANN, clock=NoClock(), times=(Time(5),) * 3)) == "bad_times"


# What is stored


OLD_EVENTS = [
    b'{"type":"opened","at":1,"table":"T","game":"parlour","options":{},"seats":3,'
    b'"clock":{"kind":"bank","main":1000,"increment":0},"start":"full","private":false,"key":"k","host":"ann",'
    b'"times":[500,600,700]}',
    b'{"type":"sat","at":2,"seat":0,"sitter":{"kind":"person","person":"ann","name":"ann","guest":true,'
    b'"keeps":false,"hold":null}}',
    b'{"type":"sat","at":3,"seat":1,"sitter":{"kind":"person","person":"bob","name":"bob","guest":true,'
    b'"keeps":true,"hold":30000}}',
    b'{"type":"configured","at":4,"options":{"hand":2},"clock":{"kind":"bank","main":1000,"increment":0},'
    b'"start":"host","private":false,"times":[500,600,700]}',
    b'{"type":"sat","at":5,"seat":2,"sitter":{"kind":"person","person":"cid","name":"cid"}}',
    b'{"type":"stood","at":6,"seat":2,"person":"cid","why":"kicked"}',
]


def test_logs_from_before_there_was_any_of_this_mean_what_they_meant() -> None:
    game = Parlour()
    decoder = codec.Decoder(game)
    log = [decoder.decode(body) for body in OLD_EVENTS]
    table = replayed(game, log)
    ann, bob, nobody = table.seats
    assert ann == Sitter(PersonId("ann"), "ann", returns=False, rests=True, listed=False, renews=True)
    assert isinstance(bob, Sitter)
    assert (bob.returns, bob.kept_for, bob.rests, bob.listed, bob.renews) == (
        True,
        30_000,
        False,
        True,
        False,
    )
    assert nobody is None
    assert table.barred == ("cid",)
    assert [time.main for time in table.clock.times] == [500, 600, 700]
    assert [decoder.decode(codec.encode(event)) for event in log] == log


def test_what_is_new_survives_being_stored() -> None:
    stage = approving(ANN)
    stage.sit(CID, 2)
    configured(stage, mode="duel", order="random")
    stage.do(swap(ANN, 0, 1))
    stage.do(c.Configure(ANN, clock=Overtime(5_000, 1_000, 2), times=(Time(1, 2, 1), Time(3, 4, 2))))
    stage.do(approve(ANN))
    stage.do(approve(CID))
    decoder = codec.Decoder(stage.game)
    assert [decoder.decode(codec.encode(event)) for event in stage.events] == stage.events
    opening = e.Opened(
        at=stage.events[0].at,
        table=stage.table.id,
        game="parlour",
        options={},
        seats=3,
        clock=NoClock(),
        start="approval",
        private=False,
        key=KEY,
        host=ANN,
    )
    assert replayed(stage.game, [opening, *stage.events]) == stage.table
