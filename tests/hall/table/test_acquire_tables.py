"""Acquire at a table: setting it up as recorded, time that runs out, and players who forfeit or leave."""

from random import Random
from typing import Any

import pytest
from tests.games.support.acquire_tables import vectors
from tests.hall.support.inmemory import House, make_hall

from gamut.games.acquire.actions import PlayTile
from gamut.games.acquire.options import MODE_NAMES, MODES, ModeName
from gamut.games.acquire.rules import Acquire
from gamut.games.acquire.state import Acted, Forfeited
from gamut.games.game import Refused, Seat
from gamut.hall.ids import PersonId, Seq
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, NoClock
from gamut.hall.table.seats import BotSitter, Sitter

ANN, BEN = PersonId("Ann"), PersonId("Ben")
ORDERS = {"RANDOM_ORDER": "random", "EXACT_ORDER": "exact", "SPECIFY_TEAMS": "teams"}
CASES = vectors("setup.json")


def phase(live: LiveTable) -> str:
    return live.table.phase


def a_hall(seed: int = 1) -> House:
    return make_hall(played={"acquire": Acquire()}, seed=seed)


class Recorded:
    """A recorded setup, done with the commands of a table."""

    def __init__(self, case: Any, seed: int) -> None:
        self.house = a_hall(seed)
        self.host = str(case["initial"]["hostUserId"])
        opening = Opening(
            game="acquire",
            options={"mode": MODE_NAMES[case["initial"]["gameMode"]], "order": "random"},
            start="approval",
        )
        self.live = self.house.open(opening, self.host, self.host)

    def do(self, op: str, args: list[Any]) -> bool:
        """Whether anything happened."""
        before = self.live.table.seq
        try:
            command = self._command(op, args)
            if command is None:
                return False
            self.house.do(self.live, command)
        except Refused:
            assert self.live.table.seq == before
        return self.live.table.seq != before

    def _command(self, op: str, args: list[Any]) -> c.Command | None:
        table, host = self.live.table, PersonId(self.host)
        person = PersonId(str(args[0]))
        match op:
            case "addUser":
                return c.Sit(Sitter(person, person), key=table.key)
            case "removeUser":
                # A table lets its host go and has another one; clients of this game call it off instead.
                return None if person == host else c.Leave(person)
            case "approve":
                return c.Ready(person, ready=True)
            case "changeGameMode":
                mode = MODE_NAMES.get(args[0])
                return c.Configure(host, {"mode": "none"} if mode is None else table.options.with_mode(mode))
            case "changePlayerArrangementMode":
                order = ORDERS.get(args[0], "none")
                return c.Configure(host, {"mode": table.options.mode, "order": order})
            case "swapPositions":
                return c.Swap(host, *args)
            case _:
                seat = table.seat_of(person)
                return None if seat is None else c.Unseat(host, seat, bar=False)

    def setup(self) -> dict[str, Any]:
        table = self.live.table
        return {
            "gameMode": MODES[table.options.mode].number,
            "playerArrangementMode": next(n for n, order in ORDERS.items() if order == table.options.order),
            "userIds": self.people(),
            "approvals": [seat in table.ready for seat in range(len(table.seats))],
        }

    def people(self) -> list[int | None]:
        return [None if person is None else int(person) for person in self.live.table.persons]


def teams_of(people: list[Any], teams: int) -> list[set[Any]]:
    return sorted((set(people[team::teams]) for team in range(teams)), key=sorted)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_recorded_setup_goes_the_same_way_at_a_table(case: Any) -> None:
    recorded = Recorded(case, seed=7)
    assert recorded.setup() == case["after"]
    for op in case["ops"]:
        happened = recorded.do(op["op"], op["args"])
        assert happened == (op["change"] is not None), op
        if "finalUserIds" not in op:
            assert recorded.setup() == op["after"], op
            continue
        assert phase(recorded.live) == "playing"
        check_final(op, recorded.people())


def check_final(op: Any, people: list[Any]) -> None:
    sat = op["after"]["userIds"]
    assert sorted(people) == sorted(sat)
    if not op["finalOrderIsRandom"]:
        assert people == op["finalUserIds"]
    if op["after"]["playerArrangementMode"] == "SPECIFY_TEAMS":
        teams = MODES[MODE_NAMES[op["after"]["gameMode"]]].teams
        assert teams_of(people, teams) == teams_of(sat, teams)


def test_the_recorded_setups_begin_games_in_every_way() -> None:
    begun = {
        (op["after"]["playerArrangementMode"], op["finalOrderIsRandom"])
        for case in CASES
        for op in case["ops"]
        if "finalUserIds" in op
    }
    assert {order for order, _ in begun} == set(ORDERS)


def test_a_drawn_order_comes_out_in_every_way_and_chosen_teams_are_kept() -> None:
    game, seen = Acquire(), set()
    everybody = [Seat(seat) for seat in range(4)]
    options = game.options_type(mode="teams_2_vs_2", order="teams")
    for seed in range(300):
        order = tuple(game.arrange(options, 4, everybody, Random(seed)))
        assert teams_of(list(order), 2) == [{0, 2}, {1, 3}]
        seen.add(order)
    assert len(seen) == 8
    options = game.options_type(mode="singles_3", order="random")
    drawn = {tuple(game.arrange(options, 3, everybody[:3], Random(seed))) for seed in range(100)}
    assert len(drawn) == 6


def test_teams_can_be_chosen_only_where_there_are_some() -> None:
    house = a_hall()
    with pytest.raises(Refused, match="team games only"):
        house.open(Opening(game="acquire", options={"mode": "singles_3", "order": "teams"}), "Ann", "Ann")


def test_another_time_control_asks_for_everybody_s_approval_anew() -> None:
    house, live = waiting_for_approval("singles_2", "Ann", "Ben")
    house.do(live, c.Ready(ANN, ready=True))
    house.do(live, c.Configure(ANN, clock=Bank(60_000)))
    assert live.table.ready == ()
    house.do(live, c.Ready(BEN, ready=True))
    assert phase(live) == "setup"
    house.do(live, c.Ready(ANN, ready=True))
    assert phase(live) == "playing"


def waiting_for_approval(mode: str, *people: str) -> tuple[House, LiveTable]:
    house = a_hall()
    opening = Opening(game="acquire", options={"mode": mode, "order": "exact"}, start="approval")
    return house, house.open(opening, "Ann", *people)


def test_bots_approve_by_themselves() -> None:
    house, live = waiting_for_approval("singles_3", "Ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "casual"))
    assert phase(live) == "setup"
    house.do(live, c.Ready(ANN, ready=True))
    assert phase(live) == "playing"


def test_alone_one_begins_by_approving() -> None:
    house, live = waiting_for_approval("singles_1", "Ann")
    house.do(live, c.Ready(ANN, ready=True))
    assert phase(live) == "playing"


def test_a_kicked_player_may_come_back_where_the_host_allows_it() -> None:
    house, live = waiting_for_approval("singles_3", "Ann", "Ben")
    house.do(live, c.Unseat(ANN, Seat(1), bar=False))
    house.sit(live, "Ben")
    assert live.table.seat_of(BEN) == 1


def test_the_game_is_said_to_be_started_by_its_host_wherever_the_draw_put_them() -> None:
    starters = set()
    for seed in range(12):
        house = a_hall(seed)
        live = house.open(Opening(game="acquire", options={"mode": "singles_3"}), "Ann", "Ann", "Ben", "Cid")
        began = next(event for event in live.whole_log if isinstance(event, e.Started)).events[0]
        assert began.host == live.table.seat_of(ANN)
        assert ("StartedGame", began.host) in began.history
        starters.add(began.host)
    assert starters == {0, 1, 2}


# Time


def playing(house: House, clock: Any, *people: str) -> LiveTable:
    mode = f"singles_{len(people)}"
    return house.open(
        Opening(game="acquire", options={"mode": mode, "order": "exact"}, clock=clock), people[0], *people
    )


def actions_of(live: LiveTable) -> list[Acted | Forfeited]:
    plays = [event for event in live.whole_log if isinstance(event, e.Played)]
    return [event for play in plays for event in play.events]


def test_when_time_is_over_the_server_plays_the_first_tile_and_says_so() -> None:
    house = a_hall()
    live = playing(house, Bank(10_000, 2_000), "Ann", "Ben")
    first = live.whole.state.racks[0][0]
    house.advance(10_000)
    (event,) = actions_of(live)
    assert isinstance(event, Acted)
    assert (event.seat, event.action, event.auto) == (0, PlayTile(first), True)
    assert phase(live) == "playing"
    assert live.table.clock.times[0].main == 2_000, "the increment is there for the next action"


def test_without_an_increment_every_later_action_is_played_at_once() -> None:
    house = a_hall()
    live = playing(house, Bank(10_000), "Ann", "Ben")
    house.advance(10_000)
    chance = Random(4)
    for _ in range(60):
        if phase(live) == "over":
            break
        before, state = len(actions_of(live)), live.whole.state
        house.act(live, 1, chance.choice(live.game.legal(state, Seat(1))))
        house.advance(0)
        assert phase(live) == "over" or live.whole.state.next.seat == 1, "nobody waits for Ann"
        assert all(event.auto for event in actions_of(live)[before + 1 :] if isinstance(event, Acted))
    assert {event.seat for event in actions_of(live) if isinstance(event, Acted) and event.auto} == {0}


# Forfeits


def test_a_forfeit_keeps_the_seat_and_the_score_and_the_server_plays_on() -> None:
    house = a_hall()
    live = playing(house, NoClock(), "Ann", "Ben")
    house.do(live, c.Resign(ANN))
    assert phase(live) == "playing"
    assert live.table.seat_of(ANN) == 0
    with pytest.raises(Refused) as refused:
        house.do(live, c.Resign(ANN))
    assert refused.value.code == "already_forfeited"
    chance = Random(2)
    while phase(live) != "over":
        assert live.whole.state.next.seat == 1
        house.act(live, 1, chance.choice(live.game.legal(live.whole.state, Seat(1))))
    acted = [event for event in actions_of(live) if isinstance(event, Acted)]
    assert all(event.auto == (event.seat == 0) for event in acted)
    outcome = live.table.outcome
    assert outcome is not None
    assert outcome.scores is not None
    assert outcome.scores[0] >= 60, "what somebody who forfeited holds still counts"


def test_leaving_a_running_game_is_a_forfeit() -> None:
    house = a_hall()
    live = playing(house, NoClock(), "Ann", "Ben")
    house.do(live, c.Leave(BEN))
    assert live.whole.state.forfeited == (1,)
    assert phase(live) == "playing"
    assert live.table.players[1] == Sitter(BEN, "Ben")


def test_when_all_have_forfeited_the_server_ends_the_game_as_soon_as_it_may() -> None:
    house = a_hall()
    live = playing(house, NoClock(), "Ann", "Ben")
    house.do(live, c.Resign(ANN))
    house.do(live, c.Resign(BEN))
    assert phase(live) == "over"
    last = actions_of(live)[-1]
    assert isinstance(last, Acted)
    assert last.auto
    assert last.next.ending is not None


# Bots


@pytest.mark.parametrize("mode", MODES)
def test_a_person_and_bots_play_every_mode_to_its_end(mode: ModeName) -> None:
    house = a_hall(3)
    live = house.open(Opening(game="acquire", options={"mode": mode}, start="host"), "Ann", "Ann")
    for _ in range(MODES[mode].seats - 1):
        house.do(live, c.SeatBot(ANN, "sensible"))
    house.do(live, c.Start(ANN))
    chance = Random(5)
    for _ in range(2_000):
        if phase(live) == "over":
            break
        seat = live.whole.state.next.seat
        if isinstance(live.table.seats[seat], BotSitter):
            house.advance(1)
        else:
            house.act(live, seat, chance.choice(live.game.legal(live.state_for(seat), seat)))
    assert live.table.outcome is not None


def test_a_finished_game_is_revealed_to_everybody() -> None:
    house = a_hall()
    live = playing(house, NoClock(), "Ann", "Ben")
    house.do(live, c.Resign(ANN))
    assert live.visible(None, Seq(0)) != live.whole_log
    house.do(live, c.Resign(BEN))
    played = [event for event in live.visible(None, Seq(0)) if isinstance(event, e.Started | e.Played)]
    assert played == [event for event in live.whole_log if isinstance(event, e.Started | e.Played)]
