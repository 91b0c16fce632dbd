"""The rules of Tower: three players, one mark a turn, three in a line win."""

from collections.abc import Sequence
from random import Random
from typing import Annotated

import msgspec

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import Game, Level, Outcome, Refused, Seat, Traits
from gamut.games.picture import Picture
from gamut.games.tower import bots
from gamut.games.tower.board import EMPTY, PARTNERS, TILES, Line
from gamut.games.tower.picture import MARK, picture

_MARKS = ("X", "O", "J")
_MARK = ((0,), (1,), (2,))
_NEXT = (Seat(1), Seat(2), Seat(0))


class TowerOptions(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """There is nothing to choose."""


class TowerState(msgspec.Struct, frozen=True, gc=False):
    """The marks on the tower, and how things stand."""

    marks: tuple[int, ...]
    """For each tile the seat whose mark it bears, or EMPTY."""
    turn: Seat | None
    """Who places next; None when the game is over."""
    winner: Seat | None
    line: Line | None
    """The three tiles that won."""


class Place(msgspec.Struct, frozen=True, gc=False, tag="place"):
    """Put the own mark on a tile."""

    tile: Annotated[int, msgspec.Meta(ge=0, lt=TILES)]


class Began(msgspec.Struct, frozen=True, gc=False, tag="began"):
    """The empty tower stands there."""


class Placed(msgspec.Struct, frozen=True, gc=False, tag="placed"):
    """A mark was put on a tile. Whether it won follows from where it stands."""

    seat: Seat
    tile: int


_START = TowerState(marks=(EMPTY,) * TILES, turn=Seat(0), winner=None, line=None)
_PLACES = tuple(Place(tile) for tile in range(TILES))


class Tower(Game[TowerOptions, TowerState, Place, Began | Placed]):
    """Three-player tic-tac-toe on a tower of three square rings."""

    traits = Traits(
        name="tower",
        title="Tower",
        summary="Three players, three rings of eight tiles: three marks in a line win.",
        seats=(3,),
        seat_names=_MARKS,
        levels=tuple(Level(name, name.capitalize(), bots.NAMES[name]) for name in bots.LEVELS),
        takes_back=True,
    )
    mark = MARK
    options_type = TowerOptions
    state_type = TowerState
    action_type = Place
    event_type = Began | Placed

    def begin(self, options: TowerOptions, seats: int, chance: Random) -> Sequence[Began | Placed]:
        return (Began(),)

    def decide(
        self, state: TowerState, seat: Seat, action: Place, chance: Random
    ) -> Sequence[Began | Placed]:
        turn = state.turn
        if turn is None:
            raise Refused("over", "The game is over.")
        if seat != turn:
            raise Refused("not_your_turn", f"It is the turn of {_MARKS[turn]}.")
        tile = action.tile
        if not 0 <= tile < TILES:
            raise Refused("no_such_tile", f"There is no tile {tile}: they are 0 to {TILES - 1}.")
        owner = state.marks[tile]
        if owner != EMPTY:
            raise Refused("taken", f"Tile {tile} already bears a mark of {_MARKS[owner]}.")
        return (Placed(seat, tile),)

    def evolve(self, state: TowerState | None, event: Began | Placed) -> TowerState:
        if state is None or isinstance(event, Began):
            return _START
        seat, tile, before = event.seat, event.tile, state.marks
        marks = before[:tile] + _MARK[seat] + before[tile + 1 :]
        for one, other, line in PARTNERS[tile]:
            if before[one] == seat and before[other] == seat:
                # A mark may complete two lines; the smaller, which comes first here, is the one shown.
                return TowerState(marks, None, seat, line)
        return TowerState(marks, _NEXT[seat] if EMPTY in marks else None, None, None)

    def legal(self, state: TowerState, seat: Seat) -> Sequence[Place]:
        if seat != state.turn:
            return ()
        return [place for place, mark in zip(_PLACES, state.marks, strict=True) if mark == EMPTY]

    def awaited(self, state: TowerState) -> tuple[Seat, ...]:
        return () if state.turn is None else (state.turn,)

    def outcome(self, state: TowerState) -> Outcome | None:
        if state.winner is not None:
            return Outcome(winners=(state.winner,), reason="line")
        return Outcome(winners=(), reason="full") if state.turn is None else None

    def choose(
        self, state: TowerState, seat: Seat, level: str, chance: Random, budget: Budget = UNLIMITED
    ) -> Place:
        return _PLACES[bots.LEVELS[level](state.marks, seat, chance, budget)]

    def picture(self, state: TowerState) -> Picture:
        return picture(state.marks, state.line)
