"""Acquire's bots: they end games they win, know their partners, and keep to what they see and to their budget."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace
from tests.games.acquire.test_rules import after, board, position
from tests.games.support.acquire_tables import swap_secrets

from gamut.games.acquire import search
from gamut.games.acquire.actions import (
    Action,
    DisposeOfShares,
    PlayTile,
    PurchaseShares,
    SelectMergerSurvivor,
)
from gamut.games.acquire.bots import LEVELS
from gamut.games.acquire.instinct import instinct
from gamut.games.acquire.lookahead import lead, played
from gamut.games.acquire.options import MODES, AcquireOptions, ModeName
from gamut.games.acquire.rules import Acquire
from gamut.games.acquire.state import AcquireState, Awaited, Event
from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import Seat

GAME = Acquire()
LOOKING = ("sensible", "strong")
NONE = (0,) * 7


def chosen(state: AcquireState, level: str, seed: int = 1, budget: Budget = UNLIMITED) -> Action:
    return GAME.choose(state, state.next.seat, level, Random(seed), budget)


def logs(mode: ModeName, seed: int) -> Iterator[tuple[list[Event], AcquireState]]:
    """A random game: all that happened so far, and the position, before each action."""
    chance = Random(f"{mode} {seed}")
    log = list(GAME.begin(AcquireOptions(mode=mode), MODES[mode].seats, chance))
    state = GAME.replay(log)
    while GAME.outcome(state) is None:
        yield log, state
        for event in GAME.decide(
            state, state.next.seat, chosen(state, "casual", chance.randrange(999)), chance
        ):
            log.append(event)
            state = GAME.evolve(state, event)


def seen_by(log: list[Event], seat: Seat) -> AcquireState:
    views = [GAME.view(event, seat) for event in log]
    return GAME.replay([view for view in views if view is not None])


# What a seat may not see


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("mode", ["singles_4", "teams_3_vs_3"])
def test_other_players_tiles_make_no_difference_to_a_bot(mode: ModeName, level: str) -> None:
    budget = Budget(nodes=150)
    told = peeked = 0
    for seed in range(3):
        for log, state in logs(mode, seed):
            seat = state.next.seat
            if state.actions % 5 or len(GAME.legal(state, seat)) == 1:
                continue
            other_log = swap_secrets(log, seat, Random(seed))
            other = GAME.replay(other_log)
            told += other.racks != state.racks
            choice = chosen(seen_by(log, seat), level, seed, budget)
            assert choice == chosen(seen_by(other_log, seat), level, seed, budget)
            peeked += chosen(state, level, seed, budget) != chosen(other, level, seed, budget)
    assert told > 50, "the hidden tiles were others"
    if level == "strong":
        assert peeked > 0, "with open racks it would have done otherwise"


# What a good player sees

MOST_OF_LUXOR = (5, *NONE[1:])
FEW_OF_LUXOR = (2, *NONE[1:])


def buying(state: AcquireState) -> AcquireState:
    return replace(state, next=Awaited(Seat(0), "PurchaseShares", Seat(0), can_end=True))


@pytest.mark.parametrize("level", LOOKING)
def test_whoever_is_in_front_ends_the_game_and_nobody_else_does(level: str) -> None:
    cells, racks = board("LLLLLLLLLLL"), [[50], [60], [70]]
    for seed in range(5):
        winning = buying(position(cells, racks, shares=(MOST_OF_LUXOR, FEW_OF_LUXOR, NONE)))
        choice = chosen(winning, level, seed)
        assert isinstance(choice, PurchaseShares)
        assert choice.end
        assert GAME.outcome(after(winning, choice)).winners == (0,)  # type: ignore[union-attr]  # it is over
        losing = replace(winning, cash=(0, 60, 60))
        choice = chosen(losing, level, seed)
        assert isinstance(choice, PurchaseShares)
        assert not choice.end


@pytest.mark.parametrize("level", LOOKING)
def test_partners_count_when_a_game_is_ended(level: str) -> None:
    cells, racks = board("LLLLLLLLLLL"), [[50], [60], [70], [80]]
    held = (NONE, FEW_OF_LUXOR, MOST_OF_LUXOR, NONE)
    alone = buying(position(cells, racks, shares=held, cash=(0, 20, 20, 0)))
    choice = chosen(alone, level)
    assert isinstance(choice, PurchaseShares)
    assert not choice.end
    choice = chosen(replace(alone, teams=2), level)
    assert isinstance(choice, PurchaseShares)
    assert choice.end, "the partner is worth the most"


@pytest.mark.parametrize("level", LOOKING)
def test_a_bot_that_plays_alone_plays_on(level: str) -> None:
    state = buying(position(board("LLLLLLLLLLL"), [[50, 99]], shares=(MOST_OF_LUXOR,)))
    choice = chosen(state, level)
    assert isinstance(choice, PurchaseShares)
    assert not choice.end


def test_a_bot_merges_the_chain_of_which_it_holds_most() -> None:
    """Tile 2C joins Luxor to Tower, of which the bot holds most; 2G joins Luxor to Festival, which is the others'."""
    cells = board("L", "LL", "L.TT", "LL", "L", "LL", "L.FF")
    held = ((0, 6, 0, 0, 0, 0, 0), (0, 1, 0, 6, 0, 0, 0), (0, 0, 0, 1, 0, 0, 0))
    state = position(cells, [[11, 15], [60, 61], [70, 71]], shares=held)
    for seed in range(5):
        assert chosen(state, "strong", seed) == PlayTile(11)
        assert instinct(state, Random(seed)) == PlayTile(11)


def test_by_instinct_the_chain_survives_of_which_one_holds_less() -> None:
    cells = board("LL.TT")
    held = ((0, 6, 0, 0, 0, 0, 0), (6, 0, 0, 0, 0, 0, 0))
    asked = after(position(cells, [[18, 50], [60, 61]], shares=held), PlayTile(18))
    for seed in range(5):
        assert instinct(asked, Random(seed)) == SelectMergerSurvivor(0)


def test_by_instinct_shares_are_traded_for_dearer_ones_and_else_sold() -> None:
    held = ((5, 0, 0, 0, 0, 0, 0), NONE)
    cells = board("IIIIIIIIIIII", "", "LL")
    asked = after(position(cells, [[1, 50], [60, 61]], shares=held), PlayTile(1))
    assert instinct(asked, Random(1)) == DisposeOfShares(4, 1)
    none_left = replace(asked, available=(*asked.available[:6], 0))
    assert instinct(none_left, Random(1)) == DisposeOfShares(0, 5)


def test_by_instinct_one_buys_where_the_majority_is_within_reach() -> None:
    cells = board("LLLLLL", "", "TTTTTT")
    held = ((3, 0, 0, 0, 0, 0, 0), (4, 13, 0, 0, 0, 0, 0))
    state = replace(
        position(cells, [[50], [60]], shares=held), next=Awaited(Seat(0), "PurchaseShares", Seat(0))
    )
    for seed in range(5):
        choice = instinct(state, Random(seed))
        assert isinstance(choice, PurchaseShares)
        assert choice.chains.count(0) >= 2, "as many as it takes to have the most"


# Whole games


@pytest.mark.parametrize("mode", MODES)
def test_whole_games_are_played_by_instinct_and_by_searching_in_every_mode(mode: ModeName) -> None:
    """Somebody forfeits on the way: the server plays for them from then on, and the others go on."""
    chance = Random(mode)
    options, seats = AcquireOptions(mode=mode), MODES[mode].seats
    log = list(GAME.begin(options, seats, chance))
    state = GAME.replay(log)
    while GAME.outcome(state) is None:
        seat = state.next.seat
        seen = seen_by(log, seat)
        if state.actions == 20 and not state.forfeited and seats > 1:
            events = GAME.quit(state, Seat((seat + 1) % seats), chance)
        else:
            action = chosen(seen, "strong", 1, Budget(nodes=60)) if seat == 0 else instinct(seen, chance)
            assert action in tuple(GAME.legal(state, seat)), "shares are named in the order of their chains"
            events = GAME.decide(state, seat, action, chance)
        for event in events:
            log.append(event)
            state = GAME.evolve(state, event)
    assert state.actions > 20


@pytest.mark.parametrize(
    ("better", "worse", "wins"),
    [pytest.param("strong", "sensible", 5, marks=pytest.mark.slow), ("sensible", "casual", 5)],
)
def test_strong_beats_three_sensible_ones_and_sensible_three_casual_ones(
    better: str, worse: str, wins: int
) -> None:
    """By chance it would be two of eight; the arena plays more of them."""
    won = 0
    for number in range(8):
        chance = Random(number)
        log = list(GAME.begin(AcquireOptions(), 4, chance))
        state = GAME.replay(log)
        seen = [seen_by(log, Seat(seat)) for seat in range(4)]
        while GAME.outcome(state) is None:
            seat = state.next.seat
            level = better if seat == number % 4 else worse
            budget = Budget(nodes=600) if level == "strong" else UNLIMITED
            for event in GAME.decide(
                state, seat, GAME.choose(seen[seat], seat, level, chance, budget), chance
            ):
                state = GAME.evolve(state, event)
                seen = [GAME.evolve(seen[viewer], GAME.view(event, Seat(viewer))) for viewer in range(4)]  # type: ignore[arg-type]  # nothing is hidden altogether
        won += number % 4 in GAME.outcome(state).winners  # type: ignore[union-attr]  # it is over
    assert won >= wins


# Budget


@pytest.mark.parametrize("nodes", [0, 1, 30, 100, 1000])
def test_the_strong_bot_takes_no_more_steps_than_it_may(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0

    def counted(state: AcquireState, action: Action, chance: Random) -> AcquireState:
        nonlocal steps
        steps += 1
        return played(state, action, chance)

    monkeypatch.setattr(search, "played", counted)
    searched = 0
    for log, state in logs("singles_4", 3):
        if state.actions % 9 == 0 and not state.next.can_end and len(GAME.legal(state, state.next.seat)) > 2:
            steps = 0
            chosen(seen_by(log, state.next.seat), "strong", 1, Budget(nodes=nodes))
            assert steps == nodes
            searched += 1
    assert searched > 5


def test_a_lead_is_that_of_the_team() -> None:
    state = position(board(), [[], [], [], []], cash=(10, 30, 50, 25))
    assert [lead(state, Seat(seat)) for seat in range(4)] == [-40, -20, 20, -25]
    assert [lead(replace(state, teams=2), Seat(seat)) for seat in range(4)] == [5, -5, 5, -5]


def test_shares_of_a_swallowed_chain_count_until_their_holder_keeps_them() -> None:
    held = ((4, 0, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0, 0))
    state = position(board("IIIIIIIIIIII", "", "LL"), [[1, 50], [60, 61]], shares=held)
    merged = after(state, PlayTile(1))
    assert lead(merged, Seat(0)) == 0
    assert lead(after(merged, DisposeOfShares(0, 4)), Seat(0)) == 0
    assert lead(after(merged, DisposeOfShares(0, 0)), Seat(0)) == -4 * 2
