"""What a game of Tafl is made of: its states, actions and events."""

from functools import cached_property
from hashlib import blake2b
from math import isqrt
from typing import Annotated, TypeVar

import msgspec

from gamut.games.game import Seat
from gamut.games.tafl.compiled import Compiled, compiled
from gamut.games.tafl.endings import Reason
from gamut.games.tafl.pieces import ATTACKERS, DEFENDERS, Side
from gamut.games.tafl.position import NOWHERE, Position

Space = Annotated[int, msgspec.Meta(ge=0, lt=19 * 19)]
"""Rank by rank from a1: `rank * size + file`, both counted from 0."""


class Move(msgspec.Struct, frozen=True, gc=False, tag="move"):
    """Move a piece from one space to another."""

    start: Space
    end: Space


class Began(msgspec.Struct, frozen=True, dict=True, tag="began"):
    """The pieces stand as the rules say."""

    rules: str
    """A rules string in its canonical form."""
    board: str
    """One letter for each space, `.` for an empty one."""
    turn: Seat
    quirks: bool = False
    """It is played as existing clients play it, mistakes included."""

    @cached_property
    def on(self) -> Compiled:
        """The tables of the rules. They go with the value, and are no part of it: neither stored, sent nor compared."""
        return compiled(self.rules, self.quirks)


class Moved(msgspec.Struct, frozen=True, gc=False, tag="moved"):
    """A piece was moved, and perhaps captured others."""

    seat: Seat
    start: int
    end: int
    record: str
    """The move as players write it."""
    captured: tuple[int, ...] = ()
    """All that were captured; mercenaries change sides, the others are gone."""
    again: bool = False
    """The same piece goes on: its side moves once more."""


class Ended(msgspec.Struct, frozen=True, gc=False, tag="ended"):
    winner: Seat | None
    """None: a draw."""
    reason: Reason


Event = Began | Moved | Ended


class TaflState(msgspec.Struct, frozen=True, dict=True):
    rules: str
    quirks: bool
    board: str
    turn: Seat | None
    """Who moves next; None when the game is over."""
    berserk: int | None = None
    """The space of the piece that goes on, if one does: only it may move."""
    seen: tuple[int, ...] = ()
    """What position_key gives for the positions so far that may come again, this one among them."""
    fresh: tuple[int, ...] = ()
    """The spaces of pieces that have not moved; only where existing clients' mistakes are played."""
    ending: Ended | None = None
    moves: int = 0
    """How many there were so far."""

    @cached_property
    def on(self) -> Compiled:
        """The tables of the rules, as an event has them: each state hands them on to the next."""
        return compiled(self.rules, self.quirks)

    @cached_property
    def position(self) -> Position:
        """The position for rules and search; of a game that is over, as if the attackers were to move."""
        fresh = sum(1 << space for space in self.fresh) if self.fresh else 0
        turn: Side = DEFENDERS if self.turn == DEFENDERS else ATTACKERS
        berserk = NOWHERE if self.berserk is None else self.berserk
        return self.on.position(self.board, turn, berserk, fresh)

    @property
    def size(self) -> int:
        """Of the board."""
        return isqrt(len(self.board))


Holder = TypeVar("Holder", Began, TaflState)


def holding(on: Compiled, value: Holder) -> Holder:
    """The value, with the tables of its rules attached: they are not worked out again."""
    value.__dict__["on"] = on
    return value


_BY_TURN = tuple(blake2b(digest_size=8, salt=bytes([turn])) for turn in (ATTACKERS, DEFENDERS))


def position_key(board: str, turn: Seat) -> int:
    """A number for a position and who is to move. It fits into a number of JavaScript's."""
    digest = _BY_TURN[turn].copy()
    digest.update(board.encode())
    return int.from_bytes(digest.digest(), "big") >> 11
