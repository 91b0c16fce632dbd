"""The rules of Tafl as a game: attackers besiege a king, defenders bring him out."""

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import Game, Level, Outcome, Seat, Traits
from gamut.games.picture import Picture
from gamut.games.tafl import bots, decide, english
from gamut.games.tafl.files.formats import TaflFiles
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.picture import MARK, picture
from gamut.games.tafl.play import moves
from gamut.games.tafl.position import END, SHIFT
from gamut.games.tafl.rules_text import parse_rules, title_of
from gamut.games.tafl.state import Event, Move, TaflState


class Tafl(Game[TaflOptions, TaflState, Move, Event]):
    """The Hnefatafl family, for two."""

    traits = Traits(
        name="tafl",
        title="Tafl",
        summary="A king and his few against many: bring him to safety, or catch him.",
        seats=(2,),
        seat_names=("Attackers", "Defenders"),
        levels=tuple(Level(name, name.capitalize(), bots.NAMES[name]) for name in bots.LEVELS),
        draw_offers=True,
        resigning=True,
        leaver="quits",
        arrangeable=True,
        takes_back=True,
    )
    mark = MARK
    options_type = TaflOptions
    state_type = TaflState
    action_type = Move
    event_type = Event
    files = TaflFiles()

    # Options

    def takes_long(self, options: TaflOptions) -> bool:
        # Rules are worked out, and a whole game may be played through.
        return options.own_rules or bool(options.moves)

    def checked(self, options: TaflOptions) -> TaflOptions:
        return options.checked()

    def prepare(self, options: TaflOptions) -> None:
        with suppress(ValueError):  # where it cannot begin, that is said when it is to begin
            options.beginning  # noqa: B018 - it is worked out here

    def in_words(self, options: TaflOptions) -> Sequence[str]:
        return tuple(english.in_words(parse_rules(options.rules_string)))

    def brief(self, options: TaflOptions) -> dict[str, Any]:
        return {
            "variant": "" if options.rules else options.variant,
            "title": title_of(options.rules_string),
            "quirks": options.quirks,
            "moves": len(options.moves),
        }

    def again(self, options: TaflOptions, decor: dict[str, Any]) -> tuple[TaflOptions, dict[str, Any]]:
        return options.from_the_start(), decor

    # Play

    def begin(self, options: TaflOptions, seats: int, chance: Random) -> Sequence[Event]:
        return options.beginning

    def decide(self, state: TaflState, seat: Seat, action: Move, chance: Random) -> Sequence[Event]:
        return decide.decided(state, seat, action)

    def evolve(self, state: TaflState | None, event: Event) -> TaflState:
        return decide.evolve(state, event)

    def legal(self, state: TaflState, seat: Seat) -> Sequence[Move]:
        if seat != state.turn:
            return ()
        return [Move(move >> SHIFT, move & END) for move in moves(state.on, state.position)]

    def awaited(self, state: TaflState) -> tuple[Seat, ...]:
        return () if state.turn is None else (state.turn,)

    def outcome(self, state: TaflState) -> Outcome | None:
        end = state.ending
        if end is None:
            return None
        return Outcome(() if end.winner is None else (end.winner,), end.reason)

    def flag(self, state: TaflState, seat: Seat, chance: Random) -> Sequence[Event]:
        return decide.lost(state, seat, "time")

    def quit(self, state: TaflState, seat: Seat, chance: Random) -> Sequence[Event]:
        return decide.lost(state, seat, "resigned")

    def draw(self, state: TaflState) -> Sequence[Event]:
        return decide.drawn(state)

    def choose(
        self, state: TaflState, seat: Seat, level: str, chance: Random, budget: Budget = UNLIMITED
    ) -> Move:
        move = bots.LEVELS[level](state, chance, budget)
        return Move(move >> SHIFT, move & END)

    def picture(self, state: TaflState) -> Picture:
        return picture(state.board)
