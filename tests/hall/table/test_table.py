"""What a table says to each command, claim by claim."""

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.games.support.parlour import Lay, Parlour, ParlourState, Take
from tests.hall.support.inmemory import NOON

from gamut.games.game import AnyGame, Refused, Seat
from gamut.games.tower.rules import Place, Tower
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, ClockSetting, NoClock, PerTurn
from gamut.hall.table.deciding.decide import decide
from gamut.hall.table.deciding.draft import Timeouts
from gamut.hall.table.deciding.presence import next_deadline
from gamut.hall.table.deciding.rematch import rematch_agreed
from gamut.hall.table.deciding.talk import MOST_CHARACTERS
from gamut.hall.table.evolve import opened
from gamut.hall.table.seats import BotSitter, Sitter
from gamut.hall.table.state import Table
from gamut.hall.table.view import view

ANN, BOB, CID, DOT = (PersonId(name) for name in ("ann", "bob", "cid", "dot"))
MANNERS = Timeouts()
KEY = "the-key"
UNTIMED = NoClock()


class Stage:
    """One table, and a time that is set by hand."""

    def __init__(
        self,
        game: AnyGame,
        *people: PersonId,
        host: PersonId | None = ANN,
        seats: int = 3,
        clock: ClockSetting = UNTIMED,
        start: Any = "full",
        private: bool = False,
        returns: bool = True,
    ) -> None:
        self.game = game
        self.now = NOON
        self.events: list[Any] = []
        self.chance = Random(7)
        self.table: Table = opened(
            game,
            e.Opened(
                at=NOON,
                table=TableId("T"),
                game=game.traits.name,
                options={},
                seats=seats,
                clock=clock,
                start=start,
                private=private,
                key=KEY,
                host=host,
            ),
        )
        for person in people:
            self.sit(person, returns=returns)

    def do(self, command: c.Command) -> list[str]:
        """Carry it out, and name what happened."""
        draft = decide(self.game, self.table, command, self.now, self.chance, MANNERS)
        self.table = draft.table
        self.events += draft.events
        return [type(event).__name__ for event in draft.events]

    def refused(self, command: c.Command) -> str:
        before = msgspec.json.encode(self.table)
        with pytest.raises(Refused) as refusal:
            self.do(command)
        assert msgspec.json.encode(self.table) == before
        assert refusal.value.reason.endswith((".", "?", "!")), "a sentence for people"
        return refusal.value.code

    def sit(
        self, person: str, seat: int | None = None, *, returns: bool = True, name: str | None = None
    ) -> list[str]:
        wanted = None if seat is None else Seat(seat)
        return self.do(c.Sit(Sitter(PersonId(person), name or person, returns=returns), wanted, KEY))

    def cannot_sit(self, person: str, seat: int | None = None, key: str | None = KEY) -> str:
        wanted = None if seat is None else Seat(seat)
        return self.refused(c.Sit(Sitter(PersonId(person), person), wanted, key))

    def place(self, tile: int) -> None:
        """Whoever's turn it is puts a mark there."""
        holder = self.table.seats[self.table.state.turn]
        assert isinstance(holder, Sitter)
        self.do(c.Act(holder.person, Place(tile)))

    def pass_time(self, span: int) -> list[str]:
        self.now = Millis(self.now + span)
        return self.do(c.Tick())

    def holders(self) -> list[str | None]:
        return [None if holder is None else holder.name for holder in self.table.seats]

    def offers(self) -> tuple[Seat, ...]:
        return self.table.draw_offers

    def running(self) -> tuple[Seat, ...]:
        return self.table.clock.running

    def left(self, seat: int) -> int:
        return self.table.clock.times[seat].main


def tower(*people: PersonId, **settings: Any) -> Stage:
    return Stage(Tower(), *people, **settings)


def parlour(*people: PersonId, **settings: Any) -> Stage:
    return Stage(Parlour(), *people, **settings)


def playing_tower(**settings: Any) -> Stage:
    return tower(ANN, BOB, CID, **settings)


def playing_parlour(**settings: Any) -> Stage:
    return parlour(ANN, BOB, CID, **settings)


def over_tower(**settings: Any) -> Stage:
    """Seat 0 has won with the first three tiles of the top ring."""
    stage = playing_tower(**settings)
    for tile in (0, 8, 16, 1, 9, 17, 2):
        stage.place(tile)
    assert stage.table.phase == "over"
    return stage


# Taking a seat


def test_whoever_sits_first_gets_the_lowest_free_seat() -> None:
    stage = tower(ANN)
    assert stage.sit(BOB, 2) == ["Sat"]
    assert stage.holders() == ["ann", None, "bob"]
    assert stage.sit(CID) == ["Sat", "Started"]
    assert stage.holders() == ["ann", "cid", "bob"]


@pytest.mark.parametrize("seat", [0, -1, 3])
def test_a_seat_that_is_taken_or_does_not_exist_is_not_given(seat: int) -> None:
    assert tower(ANN).cannot_sit(BOB, seat) == "taken"


def test_nobody_sits_twice() -> None:
    assert tower(ANN).cannot_sit(ANN) == "seated"


def test_a_full_table_can_only_be_watched() -> None:
    assert playing_tower().cannot_sit(DOT) == "full"


def test_nobody_sits_down_after_the_end() -> None:
    stage = over_tower()
    stage.do(c.Leave(ANN))
    assert stage.cannot_sit(DOT) == "over"


@pytest.mark.parametrize("key", [None, "", "wrong", KEY.upper()])
def test_a_private_table_is_for_those_who_have_its_key(key: str | None) -> None:
    stage = tower(ANN, private=True)
    assert stage.cannot_sit(BOB, key=key) == "private"
    assert stage.sit(BOB) == ["Sat"]


def test_a_public_table_asks_for_no_key() -> None:
    stage = tower(ANN)
    assert stage.do(c.Sit(Sitter(BOB, "bob"))) == ["Sat"]


def test_the_first_to_sit_at_a_table_without_a_host_is_host() -> None:
    stage = tower(host=None)
    assert stage.sit(BOB) == ["Sat", "HostChanged"]
    assert stage.table.host == BOB
    stage.sit(ANN)
    assert stage.table.host == BOB


# Bots


def test_the_host_seats_bots_and_play_begins_when_all_seats_are_taken() -> None:
    stage = tower(ANN)
    assert stage.do(c.SeatBot(ANN, "casual", Seat(2))) == ["BotSat"]
    assert stage.do(c.SeatBot(ANN, "strong")) == ["BotSat", "Started"]
    assert stage.table.seats[1:] == (BotSitter("strong", "Granite"), BotSitter("casual", "Pebble"))


def test_nobody_else_seats_bots() -> None:
    stage = tower(ANN, BOB)
    assert stage.refused(c.SeatBot(BOB, "casual")) == "not_host"
    assert stage.refused(c.SeatBot(DOT, "casual")) == "not_host"


def test_a_bot_has_a_level_that_the_game_knows() -> None:
    assert tower(ANN).refused(c.SeatBot(ANN, "godlike")) == "no_such_level"


def test_a_bot_takes_no_seat_from_anyone() -> None:
    assert tower(ANN, BOB).refused(c.SeatBot(ANN, "casual", Seat(1))) == "taken"
    assert playing_tower().refused(c.SeatBot(ANN, "casual")) == "full"
    assert over_tower().refused(c.SeatBot(ANN, "casual")) == "over"


def test_a_bot_that_is_sent_off_is_not_barred() -> None:
    stage = tower(ANN)
    stage.do(c.SeatBot(ANN, "casual"))
    assert stage.do(c.Unseat(ANN, Seat(1))) == ["Stood"]
    assert stage.do(c.SeatBot(ANN, "casual")) == ["BotSat"]


def test_a_bot_plays_only_its_own_seat_and_only_in_turn() -> None:
    stage = tower(ANN, BOB)
    assert stage.refused(c.BotAct(Seat(0), Place(0))) == "not_started"
    stage.do(c.SeatBot(ANN, "casual"))
    assert stage.refused(c.BotAct(Seat(0), Place(0))) == "not_a_bot"
    assert stage.refused(c.BotAct(Seat(2), Place(0))) == "not_your_turn"
    assert stage.refused(c.BotAct(Seat(7), Place(0))) == "empty_seat"
    stage.place(0)
    stage.place(1)
    assert stage.do(c.BotAct(Seat(2), Place(2))) == ["Played"]


# Being sent away


def test_a_kicked_player_cannot_sit_again_with_or_without_the_key() -> None:
    stage = tower(ANN, BOB)
    assert stage.do(c.Unseat(ANN, Seat(1))) == ["Stood"]
    assert stage.events[-1].why == "kicked"
    assert stage.cannot_sit(BOB) == "barred"
    assert stage.cannot_sit(BOB, 2, key=None) == "barred"
    assert stage.sit(CID) == ["Sat"]


def test_a_player_kicked_in_mid_game_cannot_sit_in_again() -> None:
    stage = playing_tower()
    stage.do(c.Unseat(ANN, Seat(1)))
    assert stage.table.waiting == (1,)
    assert stage.cannot_sit(BOB) == "barred"


def test_only_the_host_kicks_and_never_the_host() -> None:
    stage = playing_tower()
    assert stage.refused(c.Unseat(BOB, Seat(2))) == "not_host"
    assert stage.refused(c.Unseat(ANN, Seat(0))) == "own_seat"
    assert tower(ANN).refused(c.Unseat(ANN, Seat(1))) == "empty_seat"
    assert tower(ANN).refused(c.Unseat(ANN, Seat(9))) == "empty_seat"
    assert tower(ANN).refused(c.Unseat(ANN, Seat(-1))) == "empty_seat"
    assert over_tower().refused(c.Unseat(ANN, Seat(1))) == "over"


# Leaving


def test_a_seat_left_before_the_start_is_free_again() -> None:
    stage = tower(ANN, BOB)
    assert stage.do(c.Leave(BOB)) == ["Stood"]
    assert stage.refused(c.Leave(BOB)) == "not_seated"
    stage.sit(CID)
    stage.sit(BOB)
    assert stage.table.phase == "playing"


def test_the_last_to_leave_closes_the_table() -> None:
    stage = tower(ANN, BOB)
    stage.do(c.SeatBot(ANN, "casual"))
    stage.do(c.Leave(ANN))
    assert stage.do(c.Leave(BOB)) == ["Stood", "Closed"]
    assert stage.events[-1].why == "empty"
    assert stage.table.phase == "over"
    assert stage.table.outcome is None


def test_a_leavers_seat_waits_in_tower_and_anyone_can_sit_in() -> None:
    stage = playing_tower(clock=Bank(60_000))
    stage.place(0)
    stage.now = Millis(stage.now + 7_000)
    stage.do(c.Leave(BOB))
    assert stage.table.phase == "playing"
    assert stage.table.halted
    assert stage.left(1) == 53_000, "Bob thought for seven seconds"
    assert stage.refused(c.Act(ANN, Place(5))) == "waiting"
    assert stage.pass_time(3_600_000) == []
    assert stage.sit(DOT) == ["Sat"]
    assert stage.holders() == ["ann", "dot", "cid"]
    assert stage.table.state.turn == 1, "it is still that seat's turn"
    assert stage.left(1) == 53_000, "nobody paid for the waiting"
    assert next_deadline(stage.table, MANNERS) == stage.now + 53_000
    stage.place(8)
    assert stage.table.state.turn == 2


def test_a_leaver_may_come_back_to_the_own_seat() -> None:
    stage = playing_tower()
    stage.do(c.Leave(BOB))
    assert stage.sit(BOB) == ["Sat"]
    assert stage.holders() == ["ann", "bob", "cid"]
    assert not stage.table.halted


def test_two_empty_seats_must_both_be_taken_before_play_goes_on() -> None:
    stage = playing_tower(clock=PerTurn(10_000))
    stage.do(c.Leave(BOB))
    stage.do(c.Leave(CID))
    assert stage.table.waiting == (1, 2)
    stage.sit(DOT, 2)
    assert stage.table.halted
    assert stage.running() == ()
    assert stage.do(c.SeatBot(ANN, "casual")) == ["BotSat"]
    assert stage.running() == (0,)


def test_in_parlour_a_leaver_quits_and_the_others_play_on() -> None:
    stage = playing_parlour()
    assert stage.do(c.Leave(BOB)) == ["Played", "Stood"]
    assert stage.events[-2].why == "quit"
    assert stage.table.waiting == ()
    assert stage.game.awaited(stage.table.state) == (0, 2)
    assert stage.cannot_sit(DOT) == "full"
    assert stage.do(c.Leave(CID)) == ["Played", "Stood"]
    assert stage.table.outcome is not None
    assert stage.table.outcome.winners == (0,)


def test_who_has_resigned_can_stand_up_or_be_sent_off_without_ado() -> None:
    stage = playing_parlour()
    stage.do(c.Resign(BOB))
    assert stage.do(c.Leave(BOB)) == ["Stood"]
    other = playing_parlour()
    other.do(c.Resign(CID))
    assert other.do(c.Unseat(ANN, Seat(2))) == ["Stood"]


def test_leaving_a_paused_parlour_gives_the_one_who_must_choose_a_whole_turn() -> None:
    stage = playing_parlour(clock=PerTurn(10_000))
    highest = max((max(hand), seat) for seat, hand in enumerate(stage.table.state.hands))[1]
    names = (ANN, BOB, CID)
    quitter = names[highest - 1]
    stage.now = Millis(stage.now + 9_990)
    for seat, person in enumerate(names):
        if person != quitter:
            stage.do(c.Act(person, Lay(max(stage.table.state.hands[seat]))))
    if stage.table.host == quitter:
        stage.do(c.Promote(quitter, Seat(highest)))
    host = stage.table.host
    assert host is not None
    stage.do(c.Pause(host))
    stage.do(c.Leave(quitter))
    assert stage.table.state.chooser == highest
    assert stage.running() == (), "the clock rests while the game is paused"
    stage.do(c.Resume(host))
    assert next_deadline(stage.table, MANNERS) == stage.now + 10_000


# The host


def test_the_host_hands_over_to_another_player() -> None:
    stage = tower(ANN, BOB)
    assert stage.do(c.Promote(ANN, Seat(1))) == ["HostChanged"]
    assert stage.table.host == BOB
    assert stage.refused(c.Promote(ANN, Seat(1))) == "not_host"


def test_only_a_person_who_sits_there_can_be_made_host() -> None:
    stage = tower(ANN)
    stage.do(c.SeatBot(ANN, "casual"))
    assert stage.refused(c.Promote(ANN, Seat(1))) == "bot"
    assert stage.refused(c.Promote(ANN, Seat(2))) == "empty_seat"
    assert stage.refused(c.Promote(ANN, Seat(0))) == "own_seat"
    assert over_tower().refused(c.Promote(ANN, Seat(1))) == "over"


def test_when_the_host_leaves_the_next_who_is_there_takes_over() -> None:
    stage = playing_tower()
    stage.do(c.Drop(BOB))
    assert stage.do(c.Leave(ANN)) == ["Stood", "HostChanged"]
    assert stage.table.host == CID


def test_when_the_host_leaves_and_nobody_is_there_the_first_to_come_back_is_host() -> None:
    stage = playing_tower()
    stage.do(c.Drop(BOB))
    stage.do(c.Drop(CID))
    stage.do(c.Leave(ANN))
    assert stage.table.host is None
    assert stage.do(c.Return(CID)) == ["Returned", "HostChanged"]
    assert stage.table.host == CID


def test_a_host_who_stays_away_is_followed_by_somebody_who_is_there() -> None:
    stage = playing_tower()
    stage.do(c.Drop(ANN))
    assert next_deadline(stage.table, MANNERS) == stage.now + MANNERS.host_grace
    assert stage.pass_time(MANNERS.host_grace - 1) == []
    assert stage.pass_time(1) == ["HostChanged"]
    assert stage.table.host == BOB
    assert stage.do(c.Return(ANN)) == ["Returned"]
    assert stage.table.host == BOB


def test_a_host_who_comes_back_in_time_stays_host() -> None:
    stage = playing_tower()
    stage.do(c.Drop(ANN))
    stage.pass_time(MANNERS.host_grace - 1)
    stage.do(c.Return(ANN))
    assert stage.pass_time(1_000_000) == []
    assert stage.table.host == ANN


def test_a_host_without_a_seat_who_stays_away_is_followed_however_late_anyone_looks() -> None:
    stage = tower(BOB, host=ANN)
    stage.do(c.Drop(ANN))
    assert stage.pass_time(10 * MANNERS.setup_grace) == ["HostChanged"]
    assert stage.table.host == BOB
    assert stage.table.away == (), "Ann has nothing to do with this table any more"


# Setting up


def test_the_host_changes_the_settings_and_keeps_the_rest() -> None:
    stage = parlour(ANN)
    stage.do(c.Configure(ANN, clock=Bank(5_000), start="host", private=True))
    table = stage.table
    assert (table.clock_setting, table.start, table.private) == (Bank(5_000), "host", True)
    assert stage.left(0) == 5_000
    stage.do(c.Configure(ANN, options={"hand": 2}))
    assert stage.table.options.hand == 2
    assert (stage.table.clock_setting, stage.table.start) == (Bank(5_000), "host")


def test_settings_are_the_hosts_and_are_fixed_when_play_begins() -> None:
    stage = tower(ANN, BOB)
    assert stage.refused(c.Configure(BOB, start="host")) == "not_host"
    assert playing_tower().refused(c.Configure(ANN, start="host")) == "started"


@pytest.mark.parametrize("options", [{"hand": 1}, {"hand": "four"}, {"hand": None}, {"feet": 2}])
def test_options_that_the_game_does_not_have_are_refused(options: dict[str, Any]) -> None:
    assert parlour(ANN).refused(c.Configure(ANN, options=options)) == "bad_options"


def test_under_the_ready_rule_play_begins_when_everybody_is_ready() -> None:
    stage = tower(ANN, BOB, start="ready")
    stage.do(c.Ready(ANN, True))
    stage.do(c.Ready(BOB, True))
    assert stage.do(c.SeatBot(ANN, "casual")) == ["BotSat", "Started"], "bots are always ready"
    assert stage.refused(c.Ready(ANN, True)) == "started"


def test_readiness_can_be_taken_back_and_does_not_survive_new_settings() -> None:
    stage = playing_tower(start="ready")
    assert stage.table.phase == "setup"
    assert stage.do(c.Ready(ANN, True)) == ["Readied"]
    assert stage.do(c.Ready(ANN, True)) == []
    assert stage.do(c.Ready(ANN, False)) == ["Readied"]
    stage.do(c.Ready(ANN, True))
    stage.do(c.Ready(BOB, True))
    stage.do(c.Configure(ANN, clock=PerTurn(1_000)))
    assert stage.table.ready == ()
    assert stage.do(c.Ready(CID, True)) == ["Readied"]
    assert stage.refused(c.Ready(DOT, True)) == "not_seated"


def test_a_new_rule_may_begin_the_game_at_once() -> None:
    stage = playing_tower(start="host")
    assert stage.do(c.Configure(ANN, start="full")) == ["Configured", "Started"]


def test_under_the_host_rule_play_begins_when_the_host_says_so() -> None:
    stage = tower(ANN, BOB, start="host")
    assert stage.refused(c.Start(ANN)) == "not_full"
    assert stage.sit(CID) == ["Sat"]
    assert stage.refused(c.Start(BOB)) == "not_host"
    assert stage.do(c.Start(ANN)) == ["Started"]
    assert stage.refused(c.Start(ANN)) == "started"


def test_the_host_may_begin_without_waiting_for_the_ready() -> None:
    assert playing_tower(start="ready").do(c.Start(ANN)) == ["Started"]


def test_who_takes_a_lost_seat_is_not_ready_because_the_lost_one_was() -> None:
    stage = tower(ANN, start="ready")
    stage.sit(BOB, returns=False)
    stage.do(c.Ready(BOB, True))
    stage.do(c.Drop(BOB))
    stage.sit(DOT, 1)
    assert stage.table.ready == ()


# Playing


def test_a_move_is_made_by_whoever_is_to_move() -> None:
    stage = playing_tower()
    assert stage.do(c.Act(ANN, Place(4))) == ["Played"]
    assert stage.table.state.marks[4] == 0
    assert stage.refused(c.Act(ANN, Place(5))) == "not_your_turn"
    assert stage.refused(c.Act(BOB, Place(4))) == "taken"
    assert stage.refused(c.Act(BOB, Place(99))) == "no_such_tile"
    assert stage.refused(c.Act(DOT, Place(5))) == "not_seated"


def test_nobody_plays_before_the_start_or_after_the_end() -> None:
    assert tower(ANN).refused(c.Act(ANN, Place(0))) == "not_started"
    assert over_tower().refused(c.Act(BOB, Place(5))) == "over"


def test_a_click_that_was_meant_for_an_earlier_position_does_nothing() -> None:
    stage = playing_tower()
    seen = stage.table.seq
    stage.place(0)
    assert stage.refused(c.Act(BOB, Place(1), seen)) == "stale"
    seen = stage.table.seq
    stage.do(c.Say(ANN, "ann", "your turn", "table"))
    assert stage.do(c.Act(BOB, Place(1), seen)) == ["Played"], "talk does not make a click late"
    assert stage.table.last_play == stage.table.seq


def test_a_flag_that_falls_moves_the_game_on() -> None:
    stage = playing_tower(clock=PerTurn(10_000))
    assert stage.pass_time(9_999) == []
    assert stage.pass_time(1) == ["Played"]
    assert (stage.events[-1].why, stage.events[-1].seat) == ("flagged", 0)
    assert stage.table.state.turn == 1
    assert next_deadline(stage.table, MANNERS) == stage.now + 10_000


def test_the_end_of_the_game_stops_the_clock_and_names_the_winner() -> None:
    stage = over_tower(clock=Bank(60_000))
    assert stage.table.outcome is not None
    assert stage.table.outcome.winners == (0,)
    assert stage.running() == ()
    assert next_deadline(stage.table, MANNERS) is None
    assert stage.pass_time(10**9) == []


def test_resigning_is_for_games_that_have_it_and_while_they_are_played() -> None:
    assert playing_tower().refused(c.Resign(ANN)) == "no_resigning"
    stage = parlour(ANN, BOB)
    assert stage.refused(c.Resign(ANN)) == "not_started"
    stage.sit(CID)
    assert stage.refused(c.Resign(DOT)) == "not_seated"
    assert stage.do(c.Resign(ANN)) == ["Played"]
    assert stage.refused(c.Resign(ANN)) == "left"
    stage.do(c.Resign(BOB))
    assert stage.table.outcome is not None
    assert stage.table.outcome.winners == (2,)
    assert stage.refused(c.Resign(CID)) == "over"


# Draws


def test_a_draw_needs_everybody() -> None:
    stage = playing_parlour()
    assert stage.do(c.OfferDraw(ANN)) == ["DrawOffered"]
    assert stage.refused(c.OfferDraw(ANN)) == "offered"
    assert stage.do(c.OfferDraw(CID)) == ["DrawOffered"]
    assert stage.do(c.OfferDraw(BOB)) == ["DrawOffered", "Played"]
    assert stage.events[-1].why == "agreed"
    assert stage.table.outcome is not None
    assert stage.table.outcome.winners == ()
    assert stage.offers() == ()


def test_one_refusal_takes_all_offers_off_the_table() -> None:
    stage = playing_parlour()
    assert stage.refused(c.DeclineDraw(BOB)) == "no_offer"
    stage.do(c.OfferDraw(ANN))
    assert stage.refused(c.DeclineDraw(DOT)) == "not_seated"
    assert stage.do(c.DeclineDraw(BOB)) == ["DrawDeclined"]
    assert stage.offers() == ()


def test_an_offer_lapses_when_somebody_it_was_made_to_plays_on_but_not_by_ones_own_move() -> None:
    stage = playing_parlour()
    state: ParlourState = stage.table.state
    stage.do(c.OfferDraw(ANN))
    stage.do(c.Act(ANN, Lay(state.hands[0][0])))
    assert stage.offers() == (0,)
    stage.do(c.Act(BOB, Lay(state.hands[1][0])))
    assert stage.offers() == ()


def test_a_leaver_takes_the_offer_along() -> None:
    stage = playing_parlour()
    stage.do(c.OfferDraw(ANN))
    stage.do(c.Leave(ANN))
    assert stage.offers() == ()


class Unyielding(Parlour):
    """A game whose bots know nothing of draws."""

    traits = replace(Parlour.traits, bots_answer_draws=False)


def test_draws_are_not_for_every_game_nor_with_bots_nor_at_any_time() -> None:
    assert playing_tower().refused(c.OfferDraw(ANN)) == "no_draws"
    stage = Stage(Unyielding(), ANN, BOB)
    assert stage.refused(c.OfferDraw(ANN)) == "not_started"
    stage.do(c.SeatBot(ANN, "hasty"))
    assert stage.refused(c.OfferDraw(ANN)) == "bot"
    assert stage.refused(c.OfferDraw(DOT)) == "not_seated"


# Pauses


def test_a_pause_stops_the_clock_and_everything_else() -> None:
    stage = playing_parlour(clock=Bank(60_000))
    stage.now = Millis(stage.now + 5_000)
    assert stage.do(c.Pause(ANN)) == ["Paused"]
    assert [stage.left(seat) for seat in range(3)] == [55_000] * 3
    card = stage.table.state.hands[0][0]
    assert stage.refused(c.Act(ANN, Lay(card))) == "paused"
    assert stage.refused(c.OfferDraw(BOB)) == "paused"
    assert stage.refused(c.Resign(BOB)) == "paused"
    assert stage.refused(c.Pause(ANN)) == "paused"
    assert stage.pass_time(10**7) == []
    assert stage.do(c.Resume(ANN)) == ["Resumed"]
    assert next_deadline(stage.table, MANNERS) == stage.now + 55_000


def test_pausing_is_the_hosts() -> None:
    stage = playing_tower()
    assert stage.refused(c.Pause(BOB)) == "not_host"
    assert stage.refused(c.Resume(BOB)) == "not_host"
    assert stage.refused(c.Resume(ANN)) == "not_paused"
    assert tower(ANN).refused(c.Pause(ANN)) == "not_started"
    assert over_tower().refused(c.Pause(ANN)) == "over"


def test_a_seat_left_during_a_pause_is_still_missing_after_it() -> None:
    stage = playing_tower(clock=Bank(60_000))
    stage.do(c.Pause(ANN))
    stage.do(c.Leave(BOB))
    stage.do(c.Resume(ANN))
    assert stage.running() == ()
    assert stage.refused(c.Act(ANN, Place(0))) == "waiting"
    stage.sit(DOT)
    assert stage.running() == (0,)


def test_a_seat_taken_during_a_pause_does_not_end_it() -> None:
    stage = playing_tower(clock=Bank(60_000))
    stage.do(c.Leave(BOB))
    assert stage.refused(c.Pause(ANN)) == "waiting"
    stage.sit(BOB)
    stage.do(c.Pause(ANN))
    stage.do(c.Leave(BOB))
    stage.sit(DOT)
    assert stage.table.phase == "paused"
    assert stage.running() == ()


# Connections


def test_a_lost_connection_costs_no_seat_in_mid_game_and_the_clock_runs_on() -> None:
    stage = playing_tower(clock=Bank(1_000_000))
    assert stage.do(c.Drop(BOB)) == ["Dropped"]
    assert stage.do(c.Drop(BOB)) == []
    assert stage.pass_time(900_000) == []
    assert stage.holders() == ["ann", "bob", "cid"]
    assert stage.running() == (0,)
    assert stage.do(c.Return(BOB)) == ["Returned"]
    assert stage.do(c.Return(BOB)) == []


def test_strangers_come_and_go_without_a_trace() -> None:
    stage = tower(ANN)
    assert stage.do(c.Drop(DOT)) == stage.do(c.Return(DOT)) == []


def test_before_the_start_a_seat_is_kept_for_a_while_only() -> None:
    stage = tower(ANN, BOB)
    stage.do(c.Drop(BOB))
    assert stage.pass_time(MANNERS.setup_grace - 1) == []
    assert stage.pass_time(1) == ["Stood"]
    assert stage.events[-1].why == "gone"
    assert stage.sit(BOB) == ["Sat"], "gone is not kicked"


def test_a_table_in_setup_that_everybody_left_alone_is_closed() -> None:
    stage = tower(ANN, BOB)
    stage.do(c.Drop(BOB))
    stage.now = Millis(stage.now + 1)
    stage.do(c.Drop(ANN))
    assert stage.pass_time(MANNERS.setup_grace) == ["Stood", "Stood", "Closed"]
    assert stage.table.phase == "over"


def test_a_table_whose_opener_never_sat_down_is_closed_too() -> None:
    stage = tower(host=ANN)
    stage.do(c.Drop(ANN))
    assert stage.pass_time(MANNERS.setup_grace) == ["Closed"]
    assert stage.events[-1].why == "abandoned"


def test_a_game_that_nobody_comes_back_to_is_closed_after_a_day() -> None:
    stage = playing_tower()
    for person in (ANN, BOB, CID):
        stage.do(c.Drop(person))
        stage.pass_time(1_000)
    assert next_deadline(stage.table, MANNERS) == stage.now - 1_000 + MANNERS.abandoned_after
    assert stage.pass_time(MANNERS.abandoned_after - 1_001) == []
    assert stage.pass_time(1) == ["Closed"]
    assert stage.table.outcome is None


def test_one_who_is_there_keeps_a_game_from_being_closed() -> None:
    stage = playing_tower()
    stage.do(c.Drop(ANN))
    stage.do(c.Drop(BOB))
    assert stage.pass_time(10 * MANNERS.abandoned_after) == ["HostChanged"]
    assert stage.table.phase == "playing"


def test_after_the_end_nothing_is_due_any_more() -> None:
    stage = over_tower()
    assert stage.do(c.Drop(ANN)) == []
    assert stage.do(c.Wake()) == []
    assert stage.pass_time(10**10) == []


# After a restart of the server


def test_waking_up_charges_nobody_and_marks_everybody_away() -> None:
    stage = playing_tower(clock=Bank(60_000))
    stage.now = Millis(stage.now + 4_000)
    stage.do(c.Say(BOB, "bob", "hm", "table"))
    stage.now = Millis(stage.now + 10**7)
    assert stage.do(c.Wake()) == ["Woken"]
    assert {gone.person for gone in stage.table.away} == {ANN, BOB, CID}
    assert stage.left(0) == 56_000, "up to the last that is known, Ann was thinking"
    assert not stage.table.halted, "they keep their seats"
    assert stage.running() == ()
    stage.do(c.Return(ANN))
    assert next_deadline(stage.table, MANNERS) == stage.now + 56_000


def test_waking_a_table_where_all_are_away_and_nothing_runs_changes_nothing() -> None:
    stage = playing_tower()
    stage.do(c.Wake())
    assert stage.do(c.Wake()) == []


def test_a_seat_lost_with_the_server_is_got_back_by_name() -> None:
    stage = playing_tower(returns=False, clock=Bank(60_000))
    stage.do(c.Wake())
    assert stage.table.waiting == (0, 1, 2)
    stage.sit("new-1", name="cid", returns=False)
    assert stage.table.seat_of(PersonId("new-1")) == 2
    stage.sit("new-2", name="bob", returns=False)
    assert stage.table.seat_of(PersonId("new-2")) == 1
    assert stage.running() == ()
    stage.sit("new-3", name="ann", returns=False)
    assert not stage.table.halted
    assert stage.running() == (0,)


def test_a_stranger_takes_a_truly_empty_seat_before_a_lost_one() -> None:
    stage = playing_tower(returns=False)
    stage.do(c.Leave(CID))
    stage.do(c.Wake())
    stage.sit(DOT, name="dot", returns=False)
    assert stage.table.seat_of(DOT) == 2
    stage.sit("eve", name="eve", returns=False)
    assert stage.table.seat_of(PersonId("eve")) == 0, "then the lost ones, lowest first"


def test_a_lost_host_is_followed_by_whoever_takes_the_seat() -> None:
    stage = playing_tower(returns=False)
    stage.do(c.Wake())
    assert stage.sit("new-ann", name="ann", returns=False) == ["Sat", "HostChanged"]
    assert stage.table.host == "new-ann"


def test_a_kept_seat_is_never_given_away() -> None:
    stage = playing_tower()
    stage.do(c.Wake())
    assert stage.cannot_sit(DOT) == "full"


def test_before_the_start_lost_seats_are_free_at_once() -> None:
    stage = tower(ANN, BOB, returns=False)
    stage.do(c.Wake())
    assert not stage.table.full
    stage.sit(DOT)
    assert stage.table.seat_of(DOT) == 2
    stage.sit("eve")
    stage.sit("fay")
    assert stage.table.phase == "playing"


def test_who_comes_back_to_a_lost_seat_is_waited_for_no_longer() -> None:
    stage = playing_tower(returns=False, clock=Bank(60_000))
    stage.do(c.Wake())
    for person in (ANN, BOB, CID):
        stage.do(c.Return(person))
    assert not stage.table.halted
    assert stage.running() == (0,)


def test_a_lost_seat_that_is_sent_off_in_parlour_is_waited_for_no_longer() -> None:
    stage = parlour(ANN, clock=PerTurn(10_000))
    stage.sit(BOB, returns=False)
    stage.sit(CID)
    stage.do(c.Wake())
    assert stage.table.waiting == (1,)
    assert stage.do(c.Unseat(ANN, Seat(1))) == ["Played", "Stood"]
    assert not stage.table.halted
    assert stage.running() == (), "the others are not back, either"
    stage.do(c.Return(ANN))
    stage.do(c.Return(CID))
    assert stage.running() == (0, 2)


def test_a_room_of_lost_people_is_closed_sooner() -> None:
    stage = playing_tower(returns=False)
    stage.do(c.Wake())
    assert stage.pass_time(MANNERS.room_grace - 1) == []
    assert stage.pass_time(1) == ["Closed"]


# Talk


def test_players_talk_at_the_table_and_watchers_among_themselves() -> None:
    stage = playing_tower()
    assert stage.do(c.Say(ANN, "ann", "good luck", "table")) == ["Said"]
    assert stage.do(c.Say(DOT, "dot", "X will win", "kibitz")) == ["Said"]
    assert stage.refused(c.Say(DOT, "dot", "X will win", "table")) == "not_seated"
    assert stage.refused(c.Say(ANN, "ann", "will I?", "kibitz")) == "seated"


def test_what_is_said_is_plain_text_of_sensible_length() -> None:
    stage = tower(ANN)
    stage.do(c.Say(ANN, "ann", "  one\ntwo\x00\u2028three \ud800 ", "table"))
    assert stage.events[-1].text == "one two three"
    assert stage.refused(c.Say(ANN, "ann", " \n ", "table")) == "empty"
    assert stage.refused(c.Say(ANN, "ann", "x" * (MOST_CHARACTERS + 1), "table")) == "too_long"
    assert stage.do(c.Say(ANN, "ann", "x" * MOST_CHARACTERS, "table")) == ["Said"]


def test_talk_goes_on_after_the_end() -> None:
    assert over_tower().do(c.Say(BOB, "bob", "well played", "table")) == ["Said"]


# Playing again


def test_a_rematch_needs_everybody_who_still_sits_there() -> None:
    stage = over_tower()
    assert stage.do(c.Rematch(ANN)) == ["RematchWanted"]
    assert stage.refused(c.Rematch(ANN)) == "asked"
    assert stage.refused(c.Rematch(DOT)) == "not_seated"
    stage.do(c.Rematch(BOB))
    assert not rematch_agreed(stage.table)
    stage.do(c.Leave(CID))
    assert rematch_agreed(stage.table)
    stage.do(c.Succeed(TableId("U")))
    assert stage.refused(c.Rematch(BOB)) == "succeeded"
    assert stage.refused(c.Succeed(TableId("V"))) == "succeeded"


def test_who_leaves_does_not_count_for_a_rematch() -> None:
    stage = over_tower()
    stage.do(c.Rematch(ANN))
    stage.do(c.Leave(ANN))
    assert stage.table.rematch == ()


def test_there_is_no_rematch_of_a_game_that_is_on_or_was_never_decided() -> None:
    assert playing_tower().refused(c.Rematch(ANN)) == "not_over"
    stage = playing_tower()
    for person in (ANN, BOB, CID):
        stage.do(c.Drop(person))
    stage.pass_time(MANNERS.abandoned_after)
    assert stage.refused(c.Rematch(ANN)) == "not_over"


# Who sees what


def test_cards_are_seen_by_their_holder_only() -> None:
    stage = playing_parlour()
    dealt = stage.events[-1]
    assert isinstance(dealt, e.Started)
    hands = stage.table.state.hands
    for viewer in (None, Seat(0), Seat(1), Seat(2)):
        shown: Any = view(stage.game, dealt, viewer)
        seen = [happened.cards for happened in shown.events[1:]]
        assert seen == [hand if seat == viewer else (0,) * len(hand) for seat, hand in enumerate(hands)]


def test_the_winner_of_a_round_is_seen_by_all() -> None:
    stage = playing_parlour()
    for seat, person in enumerate((ANN, BOB, CID)):
        stage.do(c.Act(person, Lay(stage.table.state.hands[seat][0])))
    chooser = stage.table.state.chooser
    stage.do(c.Act((ANN, BOB, CID)[chooser], Take()))
    assert view(stage.game, stage.events[-1], None) == stage.events[-1]


def test_moments_never_go_back_even_if_the_servers_clock_does() -> None:
    stage = playing_tower(clock=Bank(60_000))
    stage.pass_time(5_000)
    stage.place(0)
    at = stage.table.at
    stage.now = Millis(stage.now - 86_400_000)
    stage.place(1)
    assert stage.table.at == at
    assert stage.left(1) == 60_000


def test_numbers_of_events_have_no_gaps() -> None:
    stage = over_tower()
    assert stage.table.seq == Seq(len(stage.events) + 1)
