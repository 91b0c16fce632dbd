"""Acquire: every recorded game, refusal, bonus and history message."""

import json
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec import json as as_json
from tests.games.support.acquire_tables import RECORDED, light, options_of, plain, recorded, vectors

from gamut.games.acquire.bag import KnownBag
from gamut.games.acquire.checks import asked
from gamut.games.acquire.decide import begun, done
from gamut.games.acquire.evolve import evolve
from gamut.games.acquire.files.showing import beside, shown
from gamut.games.acquire.rules import Acquire
from gamut.games.acquire.scores import bonuses, nets, places, team_scores
from gamut.games.acquire.state import AcquireState, Began, Event
from gamut.games.files import Step
from gamut.games.game import Refused, Seat

ABOUT_POSITIONS = (
    "next",
    "turnPlayer",
    "board",
    "scores",
    "available",
    "chainSize",
    "price",
    "racks",
    "rackTypes",
)
ABOUT_ACTIONS = ("player", "action", "params", "history", "drawn", "revealed", "playableTilePlayer")
IN_DIGESTS = ("board", "scores", "available", "chainSize", "price", "racks", "rackTypes")


def started(case: Any, bag: KnownBag) -> Began:
    mode = options_of(case).rules
    return begun(mode.seats, mode.teams, Seat(case["userIds"].index(case["hostUserId"])), bag)


def done_with(state: AcquireState, name: str, params: Any, bag: KnownBag) -> Event:
    return done(state, state.next.seat, asked(state, name, params), bag)


def check_refusals(state: AcquireState | None, refusals: list[Any]) -> None:
    for refusal in refusals:
        assert state is not None
        before = as_json.encode(state)
        with pytest.raises(Refused) as refused:
            done_with(state, refusal["action"], refusal["params"], KnownBag(()))
        assert refused.value.code == refusal["error"]
        assert as_json.encode(state) == before


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_game_is_the_same_here_after_every_action(name: str) -> None:
    case = recorded(name)
    bag, state = KnownBag(case["tileBag"]), None
    for number, step in enumerate(case["steps"]):
        check_refusals(state, step.get("rejectedBefore", []))
        if state is None:
            event: Event = started(case, bag)
        else:
            event = done_with(state, step["action"], step["params"], bag)
        state = evolve(state, event)
        position, action = plain(shown(state)), plain(beside(Step(event, state)))
        for field in ABOUT_POSITIONS:
            assert position[field] == step[field], (number, field)
        for field in ABOUT_ACTIONS:
            assert action.get(field) == step.get(field), (number, field)
        check_refusals(state, step.get("rejectedAfter", []))
    assert state is not None
    check_result(case, state)


def check_result(case: Any, state: AcquireState) -> None:
    worth = nets(state)
    together = team_scores(worth, state.teams)
    assert state.next.ending == case["result"]["ending"]
    assert worth == case["result"]["finalNet"]
    assert together == case["result"]["teamScores"]
    assert places(together) == case["result"]["teamPlacings"]
    outcome = Acquire().outcome(state)
    assert outcome is not None
    assert outcome.scores == tuple(worth)
    for seat in range(len(worth)):
        first = case["result"]["teamPlacings"][seat % state.teams] == 1
        assert (seat in outcome.winners) == first


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_more_recorded_games_have_the_same_digests(every: int) -> None:
    for case in islice(light(), 0, None, every):
        bag, state, digests = KnownBag(case["tileBag"]), None, ""
        for params in case["actions"]:
            if state is None:
                event: Event = started(case, bag)
            else:
                event = done_with(state, state.next.action, params, bag)
            state = evolve(state, event)
            position, action = shown(state), beside(Step(event, state))
            told = [
                action["history"],
                *(position[field] for field in IN_DIGESTS),
                [state.next.seat, state.next.action],
            ]
            digests += sha256(json.dumps(told, separators=(",", ":")).encode()).hexdigest()[:8]
        assert digests == case["stepDigests"], case["id"]
        assert state is not None
        check_result(case, state)


def test_bonuses_are_paid_as_recorded() -> None:
    for case in vectors("bonuses.json"):
        assert plain(bonuses(case["shares"], case["price"])) == case["bonuses"], case


def test_a_log_that_was_stored_makes_the_same_positions() -> None:
    game = Acquire()
    for name in RECORDED[::7]:
        case = recorded(name)
        bag = KnownBag(case["tileBag"])
        log: list[Event] = [started(case, bag)]
        state = evolve(None, log[0])
        for step in case["steps"][1:]:
            log.append(done_with(state, step["action"], step["params"], bag))
            state = evolve(state, log[-1])
        stored = [as_json.decode(as_json.encode(event), type=game.event_type) for event in log]
        assert stored == log
        assert game.replay(stored) == state


def test_the_log_of_a_running_game_holds_no_tile_that_was_not_drawn() -> None:
    game, chance = Acquire(), Random(3)
    log = list(game.begin(game.options_type(), 4, chance))
    state = game.replay(log)
    while game.outcome(state) is None:
        text = as_json.decode(as_json.encode(log))
        drawn = {m[2] for event in text for m in event["history"] if m[0] in ("DrewTile", "DrewPositionTile")}
        held = {tile for event in text for rack in _racks(event) for tile in rack if tile is not None}
        assert len(drawn) == 108 - state.bag
        assert held <= drawn
        assert not any(event.get("rest") for event in text)
        seat = state.next.seat
        for event in game.decide(state, seat, chance.choice(game.legal(state, seat)), chance):
            log.append(event)
            state = game.evolve(state, event)
    last = log[-1]
    assert sorted(getattr(last, "rest", ())) == list(state.unseen), "in the end the whole bag is known"
    assert len(state.unseen) == state.bag


def _racks(event: Any) -> list[list[int | None]]:
    racks = event.get("racks", [])
    return racks if event["type"] == "began" else [rack for _, rack in racks]
