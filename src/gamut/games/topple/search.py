"""The strong bot's search where two teams are left: deeper and deeper, one's best against the other's.

A position is worth the tiles in it. What makes that good enough is that the last move looked at is always the
best topple there is: a quiet move gains at most one tile, so it need not even be made. The search is bounded by
the work it does, so that the same chance gives the same move on every machine, unless the bot's clock ends it before.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.topple.cascade import cascade
from gamut.games.topple.topology import Field

WORK = 240_000
"""How much to think; a unit takes between half and one microsecond."""
_AT_ONCE = 4_000
"""Work between two looks at the time: some milliseconds."""
_DEEPEST = 24
_WON = 10_000
"""More than any number of tiles; a win is worth more the sooner it comes."""
_INFINITE = 10 * _WON


class Enough(Exception):
    """The work is used up."""


class Position:
    """Pieces, owners, how many tiles each has, and who moves: an index into the search's players."""

    __slots__ = ("board", "mover", "owned", "owners")

    def __init__(self, board: bytearray, owners: bytearray, owned: list[int], mover: int = 0) -> None:
        self.board = board
        self.owners = owners
        self.owned = owned
        self.mover = mover


Moves = list[tuple[int, Position]]
"""Tiles to play, and what comes of each."""


class Bounded(ABC):
    """One bot's thoughts about one move, which end with its budget."""

    def __init__(self, field: Field, players: Sequence[int], budget: Budget = UNLIMITED) -> None:
        """`players` are the teams of those still in the game in turn order, the bot's own first."""
        self._work = budget.work(WORK, _AT_ONCE)
        self._left = self._work.next()
        self._field = field
        self._players = players
        self._me = players[0]

    def best(self, start: Position, chance: Random) -> int:
        """The tile to play."""
        tiles = [tile for tile, owner in enumerate(start.owners) if owner in (0, self._me)]
        if len(tiles) == 1:
            return tiles[0]
        chance.shuffle(tiles)
        moves: Moves = []
        for tile in tiles:
            after = self._played(start, tile, self._me)
            if after is None:
                return tile
            moves.append((tile, after))
        return self._best_of(moves)

    @abstractmethod
    def _best_of(self, moves: Moves) -> int:
        """The tile to play, where none wins at once."""

    @abstractmethod
    def _played(self, position: Position, tile: int, team: int) -> Position | None:
        """The position after a move of the team that is to move; None if it wins."""

    def _go_on(self) -> None:
        """What was granted is used up: Enough, if there is no more."""
        while self._left < 0:
            granted = self._work.next()
            if not granted:
                raise Enough
            self._left += granted


class Search(Bounded):
    def __init__(self, field: Field, players: Sequence[int], budget: Budget = UNLIMITED) -> None:
        super().__init__(field, players, budget)
        self._history = [0] * field.tiles
        """How often, and how deep down, a tile was the best: where to look first."""

    def _best_of(self, moves: Moves) -> int:
        moves.sort(key=lambda move: -self._worth(move[1].owned))
        for depth in range(1, _DEEPEST):
            best, value = self._best_reply(moves, depth)
            if best is not None:
                moves.remove(best)
                moves.insert(0, best)
            if self._left < 0 or abs(value) >= _WON:
                break
        return moves[0][0]

    def _best_reply(self, replies: Moves, depth: int) -> tuple[tuple[int, Position] | None, int]:
        """The best of these at this depth. What comes first was best before, so half a look is better than none."""
        alpha, best = -_INFINITE, None
        try:
            for reply in replies:
                value = self._value(reply[1], depth, alpha, _INFINITE)
                if value > alpha:
                    alpha, best = value, reply
        except Enough:
            pass
        return best, alpha

    def _played(self, position: Position, tile: int, team: int) -> Position | None:
        board, owners, owned = position.board[:], position.owners[:], position.owned[:]
        topples, _ = cascade(self._field, board, owners, owned, tile, team)
        self._left -= 2 + topples
        if owned[team] == self._field.tiles:
            return None
        mover = self._next(position.mover, owned)
        return None if mover == position.mover else Position(board, owners, owned, mover)

    def _next(self, mover: int, owned: list[int]) -> int:
        players = self._players
        for step in range(1, len(players)):
            following = (mover + step) % len(players)
            if owned[0] or owned[players[following]]:
                return following
        return mover

    def _worth(self, owned: list[int]) -> int:
        """The own tiles less everybody else's, up to a constant."""
        return 2 * owned[self._me] + owned[0]

    def _value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        team = self._players[position.mover]
        mine = team == self._me
        full, quiet = self._moves(position, team)
        self._left -= 4 + self._field.tiles // 8
        if self._left < 0:
            self._go_on()
        best, found = -_INFINITE if mine else _INFINITE, -1
        tiles = full
        if depth > 1:
            tiles = full + quiet
            tiles.sort(key=self._history.__getitem__, reverse=True)
        elif quiet or not full:
            best = self._worth(position.owned)
            if position.owned[0]:
                best += 1 if mine else -1
            alpha, beta = (max(alpha, best), beta) if mine else (alpha, min(beta, best))
        for tile in tiles:
            if alpha >= beta:
                break
            after = self._played(position, tile, team)
            if after is None:
                value = _WON + depth if mine else -_WON - depth
            elif depth > 1:
                value = self._value(after, depth - 1, alpha, beta)
            else:
                value = self._worth(after.owned)
            if mine and value > best:
                best, found, alpha = value, tile, max(alpha, value)
            elif not mine and value < best:
                best, found, beta = value, tile, min(beta, value)
        if found >= 0:
            self._history[found] += depth * depth
        return best

    def _moves(self, position: Position, team: int) -> tuple[list[int], list[int]]:
        """The allowed tiles: those that would topple, and those that would not."""
        board, limits = position.board, self._field.limits
        full: list[int] = []
        quiet: list[int] = []
        for tile, owner in enumerate(position.owners):
            if owner == team or not owner:
                (full if board[tile] == limits[tile] else quiet).append(tile)
        return full, quiet
