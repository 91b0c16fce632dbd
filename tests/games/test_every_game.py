"""One battery for every game: what the hall, the ledger and the doors rely on, whichever game it is."""

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.games.support.anything import anything
from tests.games.support.parlour import Dealt, Event, Laid, Parlour, Traded
from tests.games.support.random_games import (
    LONGEST,
    SWAP_SECRETS,
    Position,
    folded,
    options_of,
    position_of,
    positions,
    seeds,
    written,
)

from gamut.games.budget import Budget
from gamut.games.game import AnyGame, Refused, Seat
from gamut.games.registry import all_games

GAMES: list[AnyGame] = [*all_games().values(), Parlour()]

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.traits.name)


def examples(number: int) -> settings:
    return settings(
        max_examples=number, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
    )


def survives(value: Any, kind: Any) -> bool:
    json, msgpack = written(value)
    return bool(
        msgspec.json.decode(json, type=kind) == value and msgspec.msgpack.decode(msgpack, type=kind) == value
    )


@every_game
def test_traits_are_complete(game: AnyGame) -> None:
    traits = game.traits
    assert traits.name.isidentifier()
    assert traits.name == traits.name.lower()
    assert traits.title
    assert traits.summary
    assert traits.seats
    assert len(traits.seat_names) >= max(traits.seats)
    assert len(set(traits.seat_names)) == len(traits.seat_names)
    names = [level.name for level in traits.levels]
    assert len(set(names)) == len(names)
    assert not traits.hidden or traits.name in SWAP_SECRETS, "the secrets of a game that has some are tested"
    assert not (traits.takes_back and (traits.hidden or traits.chance)), "nobody knows more by taking back"


@every_game
def test_options_have_defaults_and_survive_the_wire(game: AnyGame) -> None:
    @examples(50)
    @given(options=options_of(game))
    def check(options: Any) -> None:
        assert survives(options, game.options_type)

    assert msgspec.json.decode(b"{}", type=game.options_type) == game.options_type()
    check()


@every_game
def test_random_games_end_and_say_how(game: AnyGame) -> None:
    @examples(60)
    @given(options=options_of(game), seed=seeds)
    def check(options: Any, seed: int) -> None:
        for position in positions(game, options, seed):
            outcome, awaited = game.outcome(position.state), game.awaited(position.state)
            assert (outcome is None) == bool(awaited)
            assert len(awaited) <= 1 or game.traits.simultaneous, "a game says that several act at once"
            for seat in position.seats:
                assert bool(game.legal(position.state, seat)) == (seat in awaited)
        assert outcome is not None
        assert set(outcome.winners) <= set(position.seats)
        assert outcome.reason
        assert outcome.scores is None or len(outcome.scores) == len(position.seats)
        if outcome.places is not None:
            assert len(outcome.places) == len(position.seats)
            for place in outcome.places:
                assert place == 1 + sum(other < place for other in outcome.places), "equals share a place"
            if outcome.winners:
                assert {outcome.places[seat] for seat in outcome.winners} == {1}

    check()


@every_game
def test_the_options_say_how_many_seats_there_are_of_those_that_the_game_has(game: AnyGame) -> None:
    @examples(50)
    @given(options=options_of(game))
    def check(options: Any) -> None:
        allowed = game.seats_for(options)
        assert allowed
        assert set(allowed) <= set(game.traits.seats)
        assert list(allowed) == sorted(set(allowed))

    check()


@every_game
def test_everybody_has_one_seat_when_play_begins(game: AnyGame) -> None:
    @examples(50)
    @given(options=options_of(game), seed=seeds)
    def check(options: Any, seed: int) -> None:
        for seats in game.seats_for(options):
            everybody = [Seat(seat) for seat in range(seats)]
            order = list(game.arrange(options, seats, everybody, Random(seed)))
            assert sorted(order) == everybody
            assert order == list(game.arrange(options, seats, everybody, Random(seed))), (
                "same chance, same order"
            )

    check()


@every_game
def test_folding_the_log_gives_the_same_state_at_every_prefix(game: AnyGame) -> None:
    @examples(25)
    @given(options=options_of(game), seed=seeds)
    def check(options: Any, seed: int) -> None:
        moments = list(positions(game, options, seed))
        for moment, state in zip(moments, folded(game, moments, moments[-1].log), strict=True):
            assert written(state) == written(moment.state)
        assert written(game.replay(moment.log)) == written(moment.state)

    check()


@every_game
def test_events_actions_and_states_survive_storage(game: AnyGame) -> None:
    @examples(25)
    @given(options=options_of(game), seed=seeds)
    def check(options: Any, seed: int) -> None:
        for position in positions(game, options, seed):
            assert survives(position.state, game.state_type)
            for seat in game.awaited(position.state):
                assert all(survives(action, game.action_type) for action in game.legal(position.state, seat))
        for viewer in (None, *position.seats):
            assert all(survives(event, game.event_type) for event in position.seen_by(viewer))
        assert all(survives(event, game.event_type) for event in position.log)
        stored = msgspec.json.Decoder(game.event_type).decode_lines(
            msgspec.json.Encoder().encode_lines(position.log)
        )
        assert written(game.replay(stored)) == written(position.state)

    check()


@every_game
def test_legal_actions_are_accepted_and_leave_the_old_state_alone(game: AnyGame) -> None:
    @examples(40)
    @given(position=position_of(game), seed=seeds)
    def check(position: Position, seed: int) -> None:
        before = written(position.state)
        for seat in game.awaited(position.state):
            for action in game.legal(position.state, seat):
                events = game.decide(position.state, seat, action, Random(seed))
                assert events, "an action makes something happen"
                assert events == game.decide(position.state, seat, action, Random(seed))
                assert written(position.after(events)) != before
        assert written(position.state) == before

    check()


def refusal(game: AnyGame, state: Any, seat: Seat, action: Any, chance: Random) -> Refused | None:
    # pytest.raises takes longer than the game does, and this is asked thousands of times.
    try:
        game.decide(state, seat, action, chance)
    except Refused as refused:
        return refused
    return None


def refuses_all_but_legal(position: Position, seat: Seat, actions: Sequence[Any], chance: Random) -> None:
    game, state = position.game, position.state
    before = written(state)
    legal = set(game.legal(state, seat)) if seat in position.seats else set()
    for action in actions:
        if action in legal:
            continue
        refused = refusal(game, state, seat, action, chance)
        assert refused is not None
        assert refused.code.isidentifier()
        assert str(refused) == refused.reason
        assert refused.reason.endswith((".", "!", "?")), "a sentence for people"
    assert written(state) == before


@every_game
def test_made_up_actions_are_refused_and_change_nothing(game: AnyGame) -> None:
    @examples(150)
    @given(
        position=position_of(game),
        actions=st.lists(anything(game.action_type, wild=True), min_size=1, max_size=20),
        seed=seeds,
    )
    def check(position: Position, actions: list[Any], seed: int) -> None:
        for seat in (Seat(-1), *position.seats, Seat(len(position.seats))):
            refuses_all_but_legal(position, seat, actions, Random(seed))

    check()


@every_game
def test_actions_of_other_seats_and_other_moments_are_refused(game: AnyGame) -> None:
    @examples(20)
    @given(options=options_of(game), seed=seeds)
    def check(options: Any, seed: int) -> None:
        moments = list(positions(game, options, seed))
        chance = Random(seed)
        known = list(
            dict.fromkeys(
                action
                for moment in moments
                for seat in moment.seats
                for action in game.legal(moment.state, seat)
            )
        )
        few = chance.sample(known, min(len(known), 20))
        for moment in moments:
            awaited = game.awaited(moment.state)
            for seat in moment.seats:
                # Whose turn it is not is told so, whatever they want; whose it is may want anything.
                refuses_all_but_legal(moment, seat, known if seat in awaited else few, chance)

    check()


@every_game
def test_a_seat_that_is_not_awaited_can_do_nothing(game: AnyGame) -> None:
    @examples(60)
    @given(position=position_of(game), actions=st.lists(anything(game.action_type), min_size=1), seed=seeds)
    def check(position: Position, actions: list[Any], seed: int) -> None:
        awaited = game.awaited(position.state)
        everything = [*actions, *(a for seat in awaited for a in game.legal(position.state, seat))]
        before = written(position.state)
        for seat in set(position.seats).difference(awaited):
            for action in everything:
                assert refusal(game, position.state, seat, action, Random(seed)) is not None
        assert written(position.state) == before

    check()


@every_game
def test_a_seat_knows_from_its_own_view_what_it_may_do_and_how_the_game_ended(game: AnyGame) -> None:
    @examples(40)
    @given(options=options_of(game), seed=seeds)
    def check(options: Any, seed: int) -> None:
        moments = list(positions(game, options, seed))
        for viewer in (None, *moments[0].seats):
            views = [game.view(event, viewer) for event in moments[-1].log]
            for position, seen in zip(moments, folded(game, moments, views), strict=True):
                assert game.awaited(seen) == game.awaited(position.state)
                assert game.outcome(seen) == game.outcome(position.state)
                if viewer is not None:
                    assert game.legal(seen, viewer) == game.legal(position.state, viewer)

    check()


def keeps_secrets(position: Position, chance: Random) -> bool:
    """Two games that differ only in what the viewer may not know look the same, byte for byte."""
    game = position.game
    swap = SWAP_SECRETS[game.traits.name]
    for viewer in (None, *position.seats):
        log = list(swap(position.log, viewer, chance))
        other = Position(game, log, game.replay(log), len(position.seats))
        if written(other.seen_by(viewer)) != written(position.seen_by(viewer)):
            return False
    return True


@every_game
def test_what_a_viewer_sees_does_not_depend_on_secrets(game: AnyGame) -> None:
    @examples(100)
    @given(position=position_of(game), seed=seeds)
    def check(position: Position, seed: int) -> None:
        if game.traits.hidden:
            assert keeps_secrets(position, Random(seed))
        else:
            for viewer in (None, *position.seats):
                assert position.seen_by(viewer) == position.log

    check()


class ShowsTheDeal(Parlour):
    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        return event if isinstance(event, Dealt) else super().view(event, viewer)


class ShowsCardsLaidFaceDown(Parlour):
    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        return event if isinstance(event, Laid) else super().view(event, viewer)


class ShowsWatchersTheTrade(Parlour):
    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        return event if isinstance(event, Traded) and viewer is None else super().view(event, viewer)


@pytest.mark.parametrize("leaky", [ShowsTheDeal(), ShowsCardsLaidFaceDown(), ShowsWatchersTheTrade()])
def test_the_battery_notices_a_leak(leaky: AnyGame) -> None:
    moments = [moment for seed in range(20) for moment in positions(leaky, leaky.options_type(), seed)]
    assert not all(keeps_secrets(moment, Random(1)) for moment in moments)
    for moment in moments:
        moment.game = Parlour()
    assert all(keeps_secrets(moment, Random(1)) for moment in moments), "what was found was the leak"


@every_game
def test_a_fallen_flag_moves_the_game_on(game: AnyGame) -> None:
    @examples(60)
    @given(position=position_of(game), seed=seeds)
    def check(position: Position, seed: int) -> None:
        before = written(position.state)
        for seat in game.awaited(position.state):
            events = game.flag(position.state, seat, Random(seed))
            after = position.after(events)
            assert events
            assert written(after) != before
            assert written(position.state) == before

    check()


@every_game
def test_a_game_where_every_flag_falls_ends(game: AnyGame) -> None:
    @examples(20)
    @given(options=options_of(game), seed=seeds)
    def check(options: Any, seed: int) -> None:
        chance = Random(seed)
        state = game.replay(game.begin(options, chance.choice(game.seats_for(options)), chance))
        for _ in range(LONGEST):
            awaited = game.awaited(state)
            if not awaited:
                break
            for event in game.flag(state, chance.choice(awaited), chance):
                state = game.evolve(state, event)
        assert game.outcome(state) is not None

    check()


@every_game
def test_quitting_and_resigning_take_the_seat_out_or_are_refused(game: AnyGame) -> None:
    may_quit = game.traits.resigning or game.traits.leaver == "quits"

    @examples(60)
    @given(position=position_of(game), seed=seeds)
    def check(position: Position, seed: int) -> None:
        before = written(position.state)
        for seat, give_up in product(position.seats, (game.quit, game.resign)):
            try:
                events = give_up(position.state, seat, Random(seed))
            except Refused:
                continue
            assert may_quit
            assert game.outcome(position.state) is None, "there is nothing to quit when all is over"
            after = position.after(events)
            assert seat not in game.awaited(after)
            with pytest.raises(Refused):
                game.quit(after, seat, Random(seed))
        assert written(position.state) == before

    check()


@every_game
def test_a_game_of_two_is_contested_until_it_is_over_or_one_of_them_quits(game: AnyGame) -> None:
    @examples(60)
    @given(position=position_of(game))
    def check(position: Position) -> None:
        state, before = position.state, written(position.state)
        if game.outcome(state) is not None:
            assert not game.contested(state)
        elif len(position.seats) == 2 and game.traits.leaver == "quits" and game.contested(state):
            for seat in (Seat(0), Seat(1)):
                alone = position.after(game.quit(state, seat, Random(0)))
                assert not game.contested(alone), "nobody is left to beat"
        assert written(position.state) == before

    check()


@every_game
def test_when_everybody_may_quit_the_game_ends_that_way(game: AnyGame) -> None:
    @examples(30)
    @given(position=position_of(game), seed=seeds)
    def check(position: Position, seed: int) -> None:
        chance = Random(seed)
        state = position.state
        for seat in chance.sample(position.seats, len(position.seats)):
            try:
                events = game.quit(state, seat, chance)
            except Refused:
                continue
            for event in events:
                state = game.evolve(state, event)
        assert game.outcome(state) is not None

    if game.traits.resigning or game.traits.leaver == "quits":
        check()
    else:
        options = game.options_type()
        state = game.replay(game.begin(options, game.seats_for(options)[0], Random(0)))
        with pytest.raises(Refused):
            game.quit(state, Seat(0), Random(0))


@every_game
def test_an_agreed_draw_ends_the_game_without_winners_or_is_refused(game: AnyGame) -> None:
    @examples(60)
    @given(position=position_of(game))
    def check(position: Position) -> None:
        before = written(position.state)
        over = game.outcome(position.state)
        if over is not None or not game.traits.draw_offers:
            with pytest.raises(Refused):
                game.draw(position.state)
        else:
            drawn = game.outcome(position.after(game.draw(position.state)))
            assert drawn is not None
            assert drawn.winners == ()
        assert written(position.state) == before

    check()


@every_game
def test_a_bot_that_answers_draws_judges_what_its_seat_sees(game: AnyGame) -> None:
    @examples(40)
    @given(position=position_of(game))
    def check(position: Position) -> None:
        for seat in position.seats:
            for level in game.traits.levels:
                seen = game.replay(position.seen_by(seat))
                answer = game.accepts_draw(seen, seat, level.name)
                assert isinstance(answer, bool)
                assert answer == game.accepts_draw(seen, seat, level.name), "a judgement, no chance"

    if game.traits.bots_answer_draws:
        assert game.traits.draw_offers
        check()


@pytest.mark.parametrize(
    ("game", "level"),
    [
        pytest.param(game, level.name, id=f"{game.traits.name}-{level.name}")
        for game in GAMES
        for level in game.traits.levels
    ],
)
def test_bots_choose_a_legal_action_from_what_their_seat_sees(game: AnyGame, level: str) -> None:
    # How far they look is nothing that a battery asks for: most of them look a few steps, and some as far as they like.
    budgets = st.builds(Budget, nodes=st.sampled_from([100, 50, 10, 1, 20, 70, 5, None]))

    @examples(25)
    @given(position=position_of(game), seed=seeds, budget=budgets)
    def check(position: Position, seed: int, budget: Budget) -> None:
        for seat in game.awaited(position.state):
            seen = game.replay(position.seen_by(seat))
            before = written(seen)
            action = game.choose(seen, seat, level, Random(seed), budget)
            assert action in game.legal(position.state, seat)
            assert action == game.choose(seen, seat, level, Random(seed), budget), (
                "the same chance, the same choice"
            )
            assert written(seen) == before

    check()
