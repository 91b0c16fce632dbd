"""Acquire: what each viewer gets to see is what they have a right to, which is worked out here once more."""

from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.support.acquire_tables import RECORDED, known_tiles, random_game, recorded, swap_secrets
from tests.games.support.random_games import Position, written

from gamut.games.acquire.bag import KnownBag
from gamut.games.acquire.checks import asked
from gamut.games.acquire.decide import begun, done
from gamut.games.acquire.kinds import UNSEEN
from gamut.games.acquire.lookahead import imagined
from gamut.games.acquire.options import MODE_NAMES, MODES, ModeName
from gamut.games.acquire.rules import Acquire
from gamut.games.acquire.state import AcquireState, Acted, Began, Event
from gamut.games.game import Seat

GAME = Acquire()
GAMES_EACH = [
    pytest.param(range(6), id="few"),
    pytest.param(range(6, 60), id="many", marks=pytest.mark.slow),
]
"""Of each mode, in which every viewer is followed from the first event to the last."""
TILE_MESSAGES = ("DrewPositionTile", "DrewTile", "PlayedTile", "ReplacedDeadTile")


def tiles_in(event: Event) -> set[int]:
    """Every tile that is named anywhere in an event."""
    found: set[Any] = set()
    if isinstance(event, Began | Acted):
        found |= {message[2] for message in event.history if message[0] in TILE_MESSAGES}
        found.add(event.next.tile)
    if isinstance(event, Began):
        found |= {tile for rack in event.racks for tile in rack}
    if isinstance(event, Acted):
        found |= {tile for _, rack in event.racks for tile in rack}
        found |= {tile for tile, _ in event.cells} | set(event.rest)
        found.add(getattr(event.action, "tile", None))
    return found - {None, UNSEEN}


def check_state(seen: AcquireState, whole: AcquireState, viewer: Seat | None, right: set[int]) -> None:
    for seat, rack in enumerate(whole.racks):
        held = len(rack) - rack.count(None)
        expected = rack if seat == viewer else (UNSEEN,) * held + (None,) * (6 - held)
        assert seen.racks[seat] == expected
    assert seen.unseen == tuple(sorted(set(range(108)) - right))
    public = ("board", "bag", "shares", "cash", "available", "sizes", "next", "forfeited", "actions", "teams")
    for field in public:
        assert getattr(seen, field) == getattr(whole, field), field


@pytest.mark.parametrize("seeds", GAMES_EACH)
@pytest.mark.parametrize("mode", MODES)
def test_nobody_is_told_of_a_tile_before_they_have_a_right_to_it(mode: ModeName, seeds: range) -> None:
    for seed in seeds:
        viewers = [None, *map(Seat, range(MODES[mode].seats))]
        rights: dict[Seat | None, set[int]] = {viewer: set() for viewer in viewers}
        seen: dict[Seat | None, AcquireState | None] = dict.fromkeys(viewers)
        for event, state in random_game(mode, seed):
            for viewer in viewers:
                rights[viewer] |= known_tiles([event], viewer)
                view = GAME.view(event, viewer)
                assert view is not None
                assert tiles_in(view) <= rights[viewer]
                seen[viewer] = GAME.evolve(seen[viewer], view)
                check_state(seen[viewer], state, viewer, rights[viewer])  # type: ignore[arg-type]  # a state now


def test_the_recorded_games_say_the_same_of_who_may_see_a_tile() -> None:
    """`drawn` and `revealed` of the recorded cases, and not our own history, are what a viewer may know."""
    for name in RECORDED[::4]:
        case = recorded(name)
        seats = len(case["userIds"])
        mode = MODES[MODE_NAMES[case["modeId"]]]
        bag, log = KnownBag(case["tileBag"]), list[Event]()
        rights: dict[Seat | None, set[int]] = {viewer: set() for viewer in (None, *map(Seat, range(seats)))}
        state: AcquireState | None = None
        for step in case["steps"]:
            if state is None:
                log.append(begun(mode.seats, mode.teams, Seat(step["player"]), bag))
            else:
                action = asked(state, step["action"], step["params"])
                log.append(done(state, state.next.seat, action, bag))
            state = GAME.evolve(state, log[-1])
            for viewer, right in rights.items():
                right |= {tile for tile, owner in step.get("drawn", ()) if owner in (None, viewer)}
                right |= {tile for tile, _ in step.get("revealed", ())}
                view = GAME.view(log[-1], viewer)
                assert view is not None
                assert tiles_in(view) <= right
                assert known_tiles(log[-1:], viewer) <= right


class ShowsRacks(Acquire):
    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        view = super().view(event, viewer)
        if isinstance(event, Acted) and isinstance(view, Acted):
            return msgspec.structs.replace(view, racks=event.racks)
        return view


class ShowsDraws(Acquire):
    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        view = super().view(event, viewer)
        if isinstance(event, Acted) and isinstance(view, Acted):
            return msgspec.structs.replace(view, history=event.history)
        return view


class ShowsSlots(Acquire):
    """Which slots of a rack are empty, though not what is in the others."""

    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        view = super().view(event, viewer)
        if isinstance(event, Acted) and isinstance(view, Acted):
            racks = [
                (seat, tuple(None if tile is None else UNSEEN for tile in rack)) for seat, rack in event.racks
            ]
            return msgspec.structs.replace(view, racks=tuple(racks))
        return view


class ShowsTheBag(Acquire):
    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        view = super().view(event, viewer)
        if isinstance(event, Acted) and isinstance(view, Acted):
            return msgspec.structs.replace(view, rest=event.rest)
        return view


@pytest.mark.parametrize("leaky", [ShowsRacks(), ShowsDraws(), ShowsSlots(), ShowsTheBag()])
def test_swapped_secrets_show_a_leak_and_only_a_leak(leaky: Acquire) -> None:
    def differs(game: Acquire) -> bool:
        return any(
            written(Position(game, swap_secrets(log, viewer, Random(5)), state, 6).seen_by(viewer))
            != written(Position(game, log, state, 6).seen_by(viewer))
            for log, state in games
            for viewer in (None, Seat(0), Seat(2))
        )

    games = []
    for seed in range(10):
        # With six the bag is empty before the game is over, and racks have empty slots.
        played = list(random_game("teams_3_vs_3", seed))
        games.append(([event for event, _ in played], played[-1][1]))
    assert differs(leaky)
    assert not differs(GAME)


def test_what_is_imagined_fits_what_is_seen() -> None:
    chance = Random(8)
    for seed in range(6):
        seen: AcquireState | None = None
        for event, whole in random_game("singles_4", seed):
            view = GAME.view(event, Seat(1))
            assert view is not None
            seen = GAME.evolve(seen, view)
            guess = imagined(seen, chance)
            assert guess.racks[1] == whole.racks[1]
            held = [tile for rack in guess.racks for tile in rack if tile is not None]
            assert len(guess.unseen) == whole.bag
            assert sorted([*held, *guess.unseen]) == sorted(
                tile for tile, cell in enumerate(whole.board) if cell == "."
            )
    assert imagined(whole, chance) is whole, "where everything is known there is nothing to imagine"
