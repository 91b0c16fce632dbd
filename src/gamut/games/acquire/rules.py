"""The rules of Acquire as a game: found hotel chains, hold their shares, and be bought out at the right time."""

from collections.abc import Sequence
from random import Random

from gamut.games.acquire import bots, checks, decide
from gamut.games.acquire.actions import Action
from gamut.games.acquire.bag import by_chance
from gamut.games.acquire.evolve import evolve
from gamut.games.acquire.files.formats import AcquireFiles
from gamut.games.acquire.options import AcquireOptions, arranged
from gamut.games.acquire.picture import MARK, picture
from gamut.games.acquire.scores import nets, places, team_of, team_scores
from gamut.games.acquire.state import AcquireState, Acted, Event
from gamut.games.acquire.view import view
from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import Game, Level, Outcome, Seat, Traits
from gamut.games.picture import Picture


class Acquire(Game[AcquireOptions, AcquireState, Action, Event]):
    """For one to six, alone or in teams."""

    traits = Traits(
        name="acquire",
        title="Acquire",
        summary="Found hotel chains, buy their shares, and be bought out at the right time.",
        seats=(1, 2, 3, 4, 5, 6),
        seat_names=tuple(f"Player {number}" for number in range(1, 7)),
        levels=tuple(Level(name, name.capitalize(), bots.NAMES[name]) for name in bots.LEVELS),
        hidden=True,
        reveals=True,
        chance=True,
        resigning=True,
        leaver="quits",
        arrangeable=True,
    )
    mark = MARK
    options_type = AcquireOptions
    state_type = AcquireState
    action_type = Action
    event_type = Event
    files = AcquireFiles()

    # Before the game

    def checked(self, options: AcquireOptions) -> AcquireOptions:
        return options.checked()

    def in_words(self, options: AcquireOptions) -> Sequence[str]:
        return tuple(options.in_words())

    def seats_for(self, options: AcquireOptions) -> Sequence[int]:
        return (options.rules.seats,)

    def arrange(
        self, options: AcquireOptions, seats: int, taken: Sequence[Seat], chance: Random
    ) -> Sequence[Seat]:
        return arranged(options, chance)

    def begin(self, options: AcquireOptions, seats: int, chance: Random) -> Sequence[Event]:
        return self.begin_hosted(options, seats, None, chance)

    def begin_hosted(
        self, options: AcquireOptions, seats: int, host: Seat | None, chance: Random
    ) -> Sequence[Event]:
        # A host who only watches is not in the history of the game: then it is the first player who started it.
        starter = Seat(0) if host is None else host
        teams = seats if options.rules.singles else options.rules.teams
        return (decide.begun(seats, teams, starter, by_chance(chance)),)

    # Play

    def decide(self, state: AcquireState, seat: Seat, action: Action, chance: Random) -> Sequence[Event]:
        return decide.decided(state, seat, action, by_chance(chance))

    evolve = staticmethod(evolve)

    def legal(self, state: AcquireState, seat: Seat) -> Sequence[Action]:
        return checks.legal(state) if seat == state.next.seat else ()

    def awaited(self, state: AcquireState) -> tuple[Seat, ...]:
        return () if state.next.action == "GameOver" else (state.next.seat,)

    def outcome(self, state: AcquireState) -> Outcome | None:
        ending = state.next.ending
        if ending is None:
            return None
        worth, teams = nets(state), state.teams
        together = team_scores(worth, teams)
        # Partners share a place, and so do teams that are worth the same.
        placed = places([together[team_of(seat, teams)] for seat in range(len(worth))])
        winners = tuple(Seat(seat) for seat, place in enumerate(placed) if place == 1)
        return Outcome(winners, _REASONS[ending], tuple(worth), tuple(placed))

    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        return view(event, viewer)

    def flag(self, state: AcquireState, seat: Seat, chance: Random) -> Sequence[Event]:
        return decide.timed_out(state, seat, by_chance(chance))

    def contested(self, state: AcquireState) -> bool:
        if state.next.ending is not None:
            return False
        seats = (seat for seat in range(len(state.racks)) if seat not in state.forfeited)
        return len({team_of(seat, state.teams) for seat in seats}) > 1

    def quit(self, state: AcquireState, seat: Seat, chance: Random) -> Sequence[Event]:
        return decide.forfeited(state, seat, by_chance(chance))

    def played_for(self, events: Sequence[Event]) -> Sequence[Seat]:
        # The first is what a player did, or gave up; then come those who have forfeited.
        return [event.seat for event in events[1:] if isinstance(event, Acted)]

    def choose(
        self, state: AcquireState, seat: Seat, level: str, chance: Random, budget: Budget = UNLIMITED
    ) -> Action:
        return bots.LEVELS[level](state, seat, chance, budget)

    def picture(self, state: AcquireState) -> Picture:
        return picture(state.board)


_REASONS = {
    "EndedGame": "ended",
    "AllTilesPlayed": "all_tiles_played",
    "NoTilesPlayedForEntireRound": "no_tiles_played",
}
