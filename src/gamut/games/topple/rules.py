"""The rules of Topple: put a piece on a neutral or own tile; what is too full topples onto its neighbours."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.files import BadFile
from gamut.games.game import Game, Level, Outcome, Refused, Seat, Traits, team_letter
from gamut.games.picture import Picture
from gamut.games.topple import bots
from gamut.games.topple.decor import ToppleDecor
from gamut.games.topple.events import Began, Event, Moved, Place, Removed, Resumed, Skipped
from gamut.games.topple.evolve import evolve
from gamut.games.topple.files.bots import name_of
from gamut.games.topple.files.formats import ToppleFiles
from gamut.games.topple.files.reader import read
from gamut.games.topple.files.suspended import nameless
from gamut.games.topple.files.writer import write
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.picture import MARK, picture
from gamut.games.topple.state import MOST_PLAYERS, ToppleState, following, number
from gamut.games.topple.topology import LONGEST_SIDE, tile_name

_PLACES = tuple(map(Place, range(LONGEST_SIDE * LONGEST_SIDE)))


def _check_opponents(teams: Iterable[int]) -> None:
    if len(set(teams) - {0}) < 2:
        raise Refused(
            "one_team", "There must be players of at least two teams: somebody should change sides."
        )


class Topple(Game[ToppleOptions, ToppleState, Place, Event]):
    """Territory by toppling, for 2 to 10 players in up to 6 teams."""

    traits = Traits(
        name="topple",
        title="Topple",
        summary="Pile up pieces: a tile that is too full topples and takes its neighbours. Own every tile.",
        seats=tuple(range(2, MOST_PLAYERS + 1)),
        seat_names=tuple(map(str, range(1, MOST_PLAYERS + 1))),
        levels=tuple(
            Level(name, name.capitalize(), bots.NAMES[name], elsewhere=(name_of(name),))
            for name in bots.LEVELS
        ),
        fewest=2,
        resigning=True,
        first_turn_free=True,
        leaver="quits",
        suspends=True,
        takes_back=True,
    )
    mark = MARK
    options_type = ToppleOptions
    decor_type = ToppleDecor
    state_type = ToppleState
    action_type = Place
    event_type = Event
    files = ToppleFiles()
    evolve = staticmethod(evolve)

    def begin(self, options: ToppleOptions, seats: int, chance: Random) -> Sequence[Event]:
        return self.begin_with_empty_seats(options, seats, (), chance)

    def begin_with_empty_seats(
        self, options: ToppleOptions, seats: int, empty: Sequence[Seat], chance: Random
    ) -> Sequence[Event]:
        standing = options.standing()
        if standing is not None:
            return (self._resumed(options, standing, seats, empty),)
        teams = [0 if seat in empty else team for seat, team in enumerate(options.teams_of(seats))]
        _check_opponents(teams)
        return (Began(options.setup(tuple(teams))),)

    def _resumed(
        self, options: ToppleOptions, standing: Resumed, seats: int, empty: Sequence[Seat]
    ) -> Resumed:
        teams = standing.setup.teams
        if seats != len(teams):
            raise Refused("seats", f"This game was suspended with {len(teams)} seats, and needs as many.")
        alive = tuple(living and seat not in empty for seat, living in enumerate(standing.alive))
        _check_opponents(team for team, living in zip(teams, alive, strict=True) if living)
        assert standing.turn is not None
        turn = standing.turn if alive[standing.turn] else following(alive, standing.turn)
        return replace(standing, setup=options.setup(teams), alive=alive, turn=turn)

    def open_seats(self, options: ToppleOptions, seats: int) -> Sequence[Seat]:
        standing = options.standing()
        if standing is None:
            return super().open_seats(options, seats)
        # Whoever is out of a suspended game does not come back, and nobody comes in their place.
        return [Seat(seat) for seat, living in enumerate(standing.alive) if living]

    def seats_for(self, options: ToppleOptions) -> Sequence[int]:
        if not options.resume or options.position is None:
            return super().seats_for(options)
        return (len(options.position.alive),)

    def takes_long(self, options: ToppleOptions) -> bool:
        # A whole game is played through.
        return bool(options.resume)

    def checked(self, options: ToppleOptions) -> ToppleOptions:
        return options.checked()

    def brief(self, options: ToppleOptions) -> dict[str, Any]:
        shown: dict[str, Any] = to_builtins(replace(options, resume=b"", position=None))
        del shown["position"]
        return {**shown, "resume": bool(options.resume)}

    def anonymous(self, options: ToppleOptions) -> ToppleOptions:
        if not options.resume or options.position is not None:
            return options  # a file that was checked has been kept without names
        try:
            return replace(options, resume=write(nameless(read(options.resume))))
        except BadFile:
            # It was readable when it came. Better without it than with a name that somebody wanted gone.
            return replace(options, resume=b"")

    def again(self, options: ToppleOptions, decor: dict[str, Any]) -> tuple[ToppleOptions, dict[str, Any]]:
        standing = options.standing()
        if standing is None:
            return options, decor
        # The game that was suspended has been played: the next one is a new one, in the same teams.
        teams = standing.setup.teams
        fresh = replace(options, resume=b"", position=None, teams=teams if all(teams) else ())
        return fresh, {name: value for name, value in decor.items() if name != "position"}

    def decide(self, state: ToppleState, seat: Seat, action: Place, chance: Random) -> Sequence[Event]:
        turn = state.turn
        if turn is None:
            raise Refused("over", "The game is over.")
        if seat != turn:
            raise Refused("not_your_turn", f"It is the turn of player {number(turn)}.")
        tile, setup = action.tile, state.setup
        if not 0 <= tile < len(state.owners):
            raise Refused("no_such_tile", f"There is no tile {tile}: they are 0 to {setup.tiles - 1}.")
        owner = state.owners[tile]
        if owner and owner != setup.teams[seat]:
            raise Refused(
                "not_yours", f"Tile {tile_name(tile, setup.x)} belongs to team {team_letter(owner - 1)}."
            )
        return (Moved(seat, tile),)

    def legal(self, state: ToppleState, seat: Seat) -> Sequence[Place]:
        if seat != state.turn:
            return ()
        team = state.setup.teams[seat]
        return [_PLACES[tile] for tile, owner in enumerate(state.owners) if owner in (0, team)]

    def awaited(self, state: ToppleState) -> tuple[Seat, ...]:
        return () if state.turn is None else (state.turn,)

    def outcome(self, state: ToppleState) -> Outcome | None:
        if state.winner is None or state.ending is None:
            return None
        teams = state.setup.teams
        scores = None
        if state.setup.scoring != "elim":
            scores = tuple(state.scores[team] or 0 for team in teams)
        return Outcome(
            winners=tuple(Seat(seat) for seat, team in enumerate(teams) if team == state.winner),
            reason=state.ending,
            scores=scores,
        )

    def flag(self, state: ToppleState, seat: Seat, chance: Random) -> Sequence[Event]:
        match state.setup.penalty:
            case "skip":
                return (Skipped(seat),)
            case "lose":
                return (Removed(seat, "lost"),)
        return super().flag(state, seat, chance)

    def quit(self, state: ToppleState, seat: Seat, chance: Random) -> Sequence[Event]:
        if state.turn is None:
            raise Refused("over", "The game is over.")
        if not (0 <= seat < len(state.alive) and state.alive[seat]):
            raise Refused("out", "You are not in this game any more.")
        return (Removed(seat, "left"),)

    def resign(self, state: ToppleState, seat: Seat, chance: Random) -> Sequence[Event]:
        self.quit(state, seat, chance)  # refused to whoever is not in the game
        if sum(state.alive) > 2:
            raise Refused("no_resigning", "Among more than two nobody resigns; you can leave your seat.")
        return (Removed(seat, "resigned"),)

    def choose(
        self, state: ToppleState, seat: Seat, level: str, chance: Random, budget: Budget = UNLIMITED
    ) -> Place:
        return _PLACES[bots.LEVELS[level](state, seat, chance, budget)]

    def picture(self, state: ToppleState) -> Picture:
        return picture(state.setup.x, state.setup.y, state.board, state.owners)
