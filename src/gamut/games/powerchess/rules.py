"""The rules of Power Chess as a game: chess without check, and boxes with powers in them."""

from collections.abc import Sequence
from random import Random

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import Game, Level, Outcome, Seat, Traits
from gamut.games.picture import Picture
from gamut.games.powerchess import bots, decide
from gamut.games.powerchess.debugging import Arrangement, arranged
from gamut.games.powerchess.draws import ChanceDraws
from gamut.games.powerchess.evolve import evolve
from gamut.games.powerchess.fen import START_BOARD
from gamut.games.powerchess.files.formats import PowerChessFiles
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.powerchess.picture import MARK, picture
from gamut.games.powerchess.pieces import SIDES
from gamut.games.powerchess.retracing import retraced
from gamut.games.powerchess.state import UNSEEN, Action, Began, Event, Moved, Offered, PowerChessState


class PowerChess(Game[PowerChessOptions, PowerChessState, Action, Event]):
    traits = Traits(
        name="powerchess",
        title="Power Chess",
        summary="Chess with boxes on the board: take one, choose a power, and catch the king.",
        seats=(2,),
        seat_names=SIDES,
        levels=tuple(Level(name, name.capitalize(), bots.NAMES[name]) for name in bots.LEVELS),
        hidden=True,
        reveals=True,
        chance=True,
        draw_offers=True,
        resigning=True,
        leaver="quits",
        arrangeable=True,
        bots_answer_draws=True,
    )
    mark = MARK
    options_type = PowerChessOptions
    state_type = PowerChessState
    action_type = Action
    event_type = Event
    files = PowerChessFiles()
    retraceable = True

    def in_words(self, options: PowerChessOptions) -> Sequence[str]:
        return () if options.boxes else ("No boxes come: it is chess in which the king is captured.",)

    def begin(self, options: PowerChessOptions, seats: int, chance: Random) -> Sequence[Event]:
        return [Began(START_BOARD, options.boxes)]

    def decide(
        self, state: PowerChessState, seat: Seat, action: Action | Arrangement, chance: Random
    ) -> Sequence[Event]:
        if isinstance(action, Arrangement):
            return arranged(state, action)
        return decide.decided(state, seat, action, ChanceDraws(chance))

    def retraced(
        self, state: PowerChessState, seat: Seat, action: Action, events: Sequence[Event]
    ) -> Sequence[Event]:
        return retraced(state, seat, action, events)

    evolve = staticmethod(evolve)

    def legal(self, state: PowerChessState, seat: Seat) -> Sequence[Action]:
        return decide.legal(state, seat)

    def awaited(self, state: PowerChessState) -> tuple[Seat, ...]:
        return () if state.turn is None else (state.turn,)

    def outcome(self, state: PowerChessState) -> Outcome | None:
        end = state.ending
        if end is None:
            return None
        return Outcome(() if end.winner is None else (end.winner,), end.reason)

    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        # What was offered is the chooser's own business. What is chosen of it shows when it is used.
        if isinstance(event, Offered) and event.seat != viewer:
            return Offered(event.seat, event.square, event.rarity, (UNSEEN, UNSEEN))
        return event

    def flag(self, state: PowerChessState, seat: Seat, chance: Random) -> Sequence[Event]:
        return decide.lost(state, seat, "time")

    def quit(self, state: PowerChessState, seat: Seat, chance: Random) -> Sequence[Event]:
        return decide.lost(state, seat, "resigned")

    def draw(self, state: PowerChessState) -> Sequence[Event]:
        return decide.drawn(state)

    def keeps_offers(self, state: PowerChessState, seat: Seat, events: Sequence[Event]) -> bool:
        # Who makes a MOVE has declined; a power says nothing about it.
        return not isinstance(events[0], Moved)

    def accepts_draw(self, state: PowerChessState, seat: Seat, level: str) -> bool:
        return bots.accepts_draw(state, seat)

    def choose(
        self,
        state: PowerChessState,
        seat: Seat,
        level: str,
        chance: Random,
        budget: Budget = UNLIMITED,
    ) -> Action:
        return bots.LEVELS[level](state, chance, budget)

    def picture(self, state: PowerChessState) -> Picture:
        return picture(state.board, state.boxes, state.holes)
