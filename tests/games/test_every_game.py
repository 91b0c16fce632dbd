"""One battery for every game: what the hall, the ledger and the doors rely on, whichever game it is."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.games.support import acquire_tables, parlour, powerchess_tables
from tests.games.support.anything import anything
from tests.games.support.parlour import Dealt, Event, Laid, Parlour, Traded

from gamut.games.game import AnyGame, Refused, Seat
from gamut.games.registry import all_games

ELSEWHERE = {"topple", "tafl"}
"""Games whose options cannot be made up from their types alone run this battery in a file of their own."""
GAMES: list[AnyGame] = [
    *(game for name, game in all_games().items() if name not in ELSEWHERE),
    Parlour(),
]

SwapSecrets = Callable[[Sequence[Any], Seat | None, Random], Sequence[Any]]
SWAP_SECRETS: dict[str, SwapSecrets] = {
    "parlour": parlour.swap_secrets,
    "acquire": acquire_tables.swap_secrets,
    "powerchess": powerchess_tables.swap_secrets,
}
"""For each game that hides things: another log, which differs only in what this viewer may not know."""

LONGEST = 5000
"""Actions after which a random game counts as endless."""

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.traits.name)
seeds = st.integers(0, 2**32)


def examples(number: int) -> settings:
    # The same examples in every run, so that a red build is about the change and not about luck.
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def written(value: Any) -> tuple[bytes, bytes]:
    return msgspec.json.encode(value), msgspec.msgpack.encode(value)


def survives(value: Any, kind: Any) -> bool:
    json, msgpack = written(value)
    return bool(
        msgspec.json.decode(json, type=kind) == value and msgspec.msgpack.decode(msgpack, type=kind) == value
    )


class Position:
    """A moment of a game: the log that led there, and what it made."""

    def __init__(self, game: AnyGame, log: list[Any], state: Any, seats: int) -> None:
        self.game = game
        self.log = log
        self.state = state
        self.seats = [Seat(seat) for seat in range(seats)]

    def seen_by(self, viewer: Seat | None) -> list[Any]:
        views = (self.game.view(event, viewer) for event in self.log)
        return [event for event in views if event is not None]


def interrupted(game: AnyGame, state: Any, chance: Random, seats: int) -> Sequence[Any] | None:
    """Now and then something happens that is no action: a flag falls, someone quits, a draw is agreed."""
    kind = chance.random()
    if kind < 0.05:
        return game.flag(state, chance.choice(game.awaited(state)), chance)
    if kind < 0.08 and game.traits.resigning:
        try:
            return game.quit(state, Seat(chance.randrange(seats)), chance)
        except Refused:  # that seat has left before
            return None
    if kind < 0.09 and game.traits.draw_offers:
        return game.draw(state)
    return None


def positions(game: AnyGame, options: Any, seed: int) -> Iterator[Position]:
    """Every position of a random game, from the first to the one that is over."""
    chance = Random(seed)
    seats = chance.choice(game.seats_for(options))
    log = list(game.begin(options, seats, chance))
    state = game.replay(log)
    for _ in range(LONGEST):
        yield Position(game, list(log), state, seats)
        awaited = game.awaited(state)
        if not awaited:
            return
        events = interrupted(game, state, chance, seats)
        if events is None:
            seat = chance.choice(awaited)
            events = game.decide(state, seat, chance.choice(game.legal(state, seat)), chance)
        for event in events:
            state = game.evolve(state, event)
        log += events
    pytest.fail(f"{game.traits.name} goes on and on")


def options_of(game: AnyGame) -> st.SearchStrategy[Any]:
    return st.just(game.options_type()) | anything(game.options_type)


def position_of(game: AnyGame) -> st.SearchStrategy[Position]:
    """Any position of a random game."""

    def pick(options: Any, seed: int, where: float) -> Position:
        all_of_them = list(positions(game, options, seed))
        return all_of_them[round(where * (len(all_of_them) - 1))]

    return st.builds(pick, options_of(game), seeds, st.floats(0, 1))


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
        for position in positions(game, options, seed):
            assert written(game.replay(position.log)) == written(position.state)

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
                assert written(game.replay([*position.log, *events])) != before
        assert written(position.state) == before

    check()


def refuses_all_but_legal(position: Position, seat: Seat, actions: Sequence[Any], chance: Random) -> None:
    game, state = position.game, position.state
    before = written(state)
    legal = game.legal(state, seat) if seat in position.seats else ()
    for action in actions:
        if action in legal:
            continue
        with pytest.raises(Refused) as refusal:
            game.decide(state, seat, action, chance)
        assert refusal.value.code.isidentifier()
        assert str(refusal.value) == refusal.value.reason
        assert refusal.value.reason.endswith((".", "!", "?")), "a sentence for people"
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
        known: list[Any] = []
        for moment in moments:
            for seat in moment.seats:
                known += [action for action in game.legal(moment.state, seat) if action not in known]
        for moment in moments:
            for seat in moment.seats:
                refuses_all_but_legal(moment, seat, known, Random(seed))

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
                with pytest.raises(Refused):
                    game.decide(position.state, seat, action, Random(seed))
        assert written(position.state) == before

    check()


@every_game
def test_a_seat_knows_from_its_own_view_what_it_may_do_and_how_the_game_ended(game: AnyGame) -> None:
    @examples(40)
    @given(options=options_of(game), seed=seeds)
    def check(options: Any, seed: int) -> None:
        for position in positions(game, options, seed):
            for viewer in (None, *position.seats):
                seen = game.replay(position.seen_by(viewer))
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
            after = game.replay([*position.log, *events])
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
def test_quitting_takes_the_seat_out_or_is_refused(game: AnyGame) -> None:
    may_quit = game.traits.resigning or game.traits.leaver == "quits"

    @examples(60)
    @given(position=position_of(game), seed=seeds)
    def check(position: Position, seed: int) -> None:
        before = written(position.state)
        for seat in position.seats:
            try:
                events = game.quit(position.state, seat, Random(seed))
            except Refused:
                continue
            assert may_quit
            assert game.outcome(position.state) is None, "there is nothing to quit when all is over"
            after = game.replay([*position.log, *events])
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
                alone = game.replay([*position.log, *game.quit(state, seat, Random(0))])
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
            drawn = game.outcome(game.replay([*position.log, *game.draw(position.state)]))
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
    @examples(25)
    @given(position=position_of(game), seed=seeds)
    def check(position: Position, seed: int) -> None:
        for seat in game.awaited(position.state):
            seen = game.replay(position.seen_by(seat))
            before = written(seen)
            action = game.choose(seen, seat, level, Random(seed))
            assert action in game.legal(position.state, seat)
            assert action == game.choose(seen, seat, level, Random(seed)), "the same chance, the same choice"
            assert written(seen) == before

    check()
