"""The strong bot's search: a tree of moves, grown where it looks good for the mover, its leaves played out.

Every player, in the tree and in the playouts, wins when possible and, oversights apart, blocks when necessary.
That leaves few moves to consider and makes playouts short and telling. The search is bounded by its number of
playouts, so that the same chance gives the same move on every machine, unless the bot's clock ends it before.
"""

from collections.abc import Sequence
from math import log, sqrt
from random import Random

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.tower.board import EMPTY
from gamut.games.tower.threats import added, owned, threats, tiles, urgent

PLAYOUTS = 3000
_AT_ONCE = 32
"""Playouts before a look at the time: some milliseconds."""
_CURIOSITY = 0.6
"""How much a move is tried for being little known; higher explores wider, lower digs deeper."""
_OVERSIGHT = 0.1
"""How often the others are thought to overlook a block. Against players who never do, threats gain nothing."""
_DRAW = 0.15
"""What a draw is worth when a win is 1; below a third, so that an even game is not good enough."""


class _Node:
    """A position in the tree. Its score is kept for the seat that moved into it."""

    __slots__ = ("bit", "children", "score", "untried", "visits", "winner")

    def __init__(self, bit: int) -> None:
        self.bit = bit
        self.children: list[_Node] = []
        self.untried: list[int] | None = None
        self.winner: int | None = None
        self.score = 0.0
        self.visits = 0

    def best(self) -> "_Node":
        weight = _CURIOSITY * sqrt(log(self.visits))
        top, found = -1.0, self
        for child in self.children:
            value = child.score / child.visits + weight / sqrt(child.visits)
            if value > top:
                top, found = value, child
        return found


class _Board:
    """The tower during the search: each seat's tiles and the threats they make, the empty ones, who moves."""

    __slots__ = ("empty", "own", "seat", "threats")

    def __init__(self, own: list[int], threats: list[int], empty: int, seat: int) -> None:
        self.own = own
        self.threats = threats
        self.empty = empty
        self.seat = seat

    def copy(self) -> "_Board":
        return _Board(self.own.copy(), self.threats.copy(), self.empty, self.seat)

    def place(self, bit: int) -> None:
        seat = self.seat
        self.threats[seat] |= added(self.own[seat], bit)
        self.own[seat] |= bit
        self.empty ^= bit
        self.seat = seat + 1 if seat < 2 else 0

    def verdict(self) -> int | None:
        """Who wins, if that is plain: the mover in one, or the next with two threats; EMPTY for a draw."""
        seat, empty = self.seat, self.empty
        if self.threats[seat] & empty:
            return seat
        following = seat + 1 if seat < 2 else 0
        wins = self.threats[following] & empty
        if wins & (wins - 1):
            return following
        return None if empty else EMPTY

    def candidates(self) -> int:
        """Where to block the next player, else the one after; every empty tile if there is no need."""
        seat, empty = self.seat, self.empty
        # Indices below zero count from the end: seat - 2 is the next seat, seat - 1 the one after.
        return self.threats[seat - 2] & empty or self.threats[seat - 1] & empty or empty

    def overlooks(self, me: int, chance: Random) -> bool:
        """Whether the mover, if it is another than me, fails to see that there is something to block."""
        return self.seat != me and self.candidates() != self.empty and chance.random() < _OVERSIGHT

    def play_out(self, me: int, chance: Random) -> int:
        """Play on at random between forced moves, and say who wins; EMPTY for a draw. Uses the board up."""
        order = list(tiles(self.empty))
        chance.shuffle(order)
        # Nearly all time goes here, so this is `verdict`, `candidates` and `place` in one.
        own, threatened, empty, seat = self.own, self.threats, self.empty, self.seat
        while empty:
            if threatened[seat] & empty:
                return seat
            bit = threatened[seat - 2] & empty
            if bit & (bit - 1):
                return (seat + 1) % 3
            bit = bit or threatened[seat - 1] & empty
            if not bit or (seat != me and chance.random() < _OVERSIGHT):
                bit = order.pop()
                while not bit & empty:
                    bit = order.pop()
            else:
                bit &= -bit
            threatened[seat] |= added(own[seat], bit)
            own[seat] |= bit
            empty ^= bit
            seat = seat + 1 if seat < 2 else 0
        return EMPTY


def search(marks: Sequence[int], seat: int, chance: Random, budget: Budget = UNLIMITED) -> int:
    """The tile to play."""
    candidates = urgent(marks, seat)
    if not candidates & (candidates - 1):
        return candidates.bit_length() - 1
    own = [owned(marks, player) for player in range(3)]
    start = _Board(own, [threats(tiles) for tiles in own], owned(marks, EMPTY), seat)
    if start.threats[seat] & start.empty:
        return (candidates & -candidates).bit_length() - 1
    root = _Node(0)
    root.untried = list(tiles(candidates))
    chance.shuffle(root.untried)
    work = budget.work(PLAYOUTS, _AT_ONCE)
    while steps := work.next():
        for _ in range(steps):
            _grow(root, start.copy(), seat, chance)
    if not root.children:
        _grow(root, start.copy(), seat, chance)
    return max(root.children, key=lambda child: child.visits).bit.bit_length() - 1


def _grow(root: _Node, board: _Board, me: int, chance: Random) -> None:
    """Walk to a leaf, add a move to it, play out, and tell the nodes on the way who won."""
    node = root
    path = [(root, EMPTY)]
    while node.winner is None:
        mover = board.seat
        if board.overlooks(me, chance):
            board.place(chance.choice(list(tiles(board.empty))))
            break
        if node.untried:
            node.children.append(_Node(node.untried.pop()))
            node = node.children[-1]
        else:
            node = node.best()
        board.place(node.bit)
        path.append((node, mover))
        if node.untried is None:
            node.winner = board.verdict()
            node.untried = list(tiles(board.candidates()))
            chance.shuffle(node.untried)
            break
    winner = board.play_out(me, chance) if node.winner is None else node.winner
    for node, mover in path:
        node.visits += 1
        if winner == mover:
            node.score += 1.0
        elif winner == EMPTY:
            node.score += _DRAW
