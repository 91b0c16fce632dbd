"""What a position is worth before anybody looks further: for the defenders, so the attackers want it low."""

from collections import deque
from functools import lru_cache

from gamut.games.search import WON
from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.movement import Line
from gamut.games.tafl.pieces import ATTACKERS
from gamut.games.tafl.position import END, Position, spaces_of

_MAN = 100
_MOST_FOR_A_DEFENDER = 220
_REACH = 4
"""For each space to which the king can go."""
_GATE = 24
"""For each of them from which he would escape with another move."""
_DISTANCE = 30
"""For each move that even on an empty board keeps him from safety."""
_BESIEGER = 16
"""For each attacker beside him."""
_SENTRY = 14
"""For each attacker who closes a corner for good, where the king wants to go to one."""
_OPEN = 160
"""For all the places of safety together, as far as no wall of attackers is between them and the king."""
_MOST_REMEMBERED = 1 << 10
_FAR = 8


class Reach(dict[int, int]):
    """Where a king gets along one line, as a set, by the spaces of it that are taken."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def __missing__(self, taken: int) -> int:
        reached = 0
        for move in self._line[taken]:
            reached |= 1 << (move & END)
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[taken] = reached
        return reached


KingWay = tuple[int, Reach, int, Reach]


class Judgement:
    """How positions are judged by one set of rules. Nothing here changes but what is remembered of the king's ways."""

    def __init__(self, on: Compiled) -> None:
        self._on = on
        self._king: tuple[KingWay, ...] = tuple(_king_way(on, space) for space in range(len(on.bits)))
        start = on.start()
        attackers, men = start.attackers.bit_count(), (start.defenders & ~start.kings).bit_count()
        # The few are worth as much as the many, within reason.
        self._defender = min(max(_MAN, _MAN * attackers // max(1, men)), _MOST_FOR_A_DEFENDER)
        self._balance = self._defender * men - _MAN * attackers
        self._distance = self._distances()
        self._sentries = _sentries(on) if on.rules.escape == "corner" else 0
        self._across = _across(on)
        self._open_worth = _OPEN // max(1, on.escape.bit_count())
        self._on_guard = on.natural["K"].always

    def _distances(self) -> tuple[int, ...]:
        """How much it counts against the king, by his space, that he needs moves even if nobody is in his way."""
        found = dict.fromkeys(spaces_of(self._on.escape), 0)
        queue = deque(found)
        while queue:
            space = queue.popleft()
            # Ways lead back as they lead there, but for a few rules that this need not be right for.
            for before in spaces_of(self.reach(space, 0)):
                if before not in found:
                    found[before] = found[space] + 1
                    queue.append(before)
        return tuple(_DISTANCE * found.get(space, _FAR) for space in range(len(self._on.bits)))

    def reach(self, king: int, taken: int) -> int:
        """Where a king on this space can go without jumping."""
        along_rank, by_rank, along_file, by_file = self._king[king]
        return by_rank[taken & along_rank] | by_file[taken & along_file]

    def worth(self, position: Position, ply: int) -> int | None:
        """What it is worth, so many moves from where a search began.

        None: the attackers are to move, and have to prevent an escape or can perhaps take the king. That
        cannot be judged without looking.
        """
        attackers, defenders, kings = position.attackers, position.defenders, position.kings
        taken = attackers | defenders
        beside = self._on.beside
        value = (
            self._defender * (defenders ^ kings).bit_count() - _MAN * attackers.bit_count() - self._balance
        )
        value -= _SENTRY * (attackers & self._sentries).bit_count()
        value += self._open_worth * (self._country(kings, attackers) & self._on.escape).bit_count()
        for king in spaces_of(kings):
            along_rank, by_rank, along_file, by_file = self._king[king]
            reach = by_rank[taken & along_rank] | by_file[taken & along_file]
            besiegers = beside[king] & attackers
            if reach & self._on.escape:
                # Whoever continues a capture may have to do so with another piece.
                if position.turn == ATTACKERS:
                    return None
                if position.berserk < 0 or position.berserk == king:
                    return WON - ply - 1
            elif position.turn == ATTACKERS and besiegers and self._in_danger(king, besiegers, taken):
                return None
            value += (
                _REACH * reach.bit_count()
                + _GATE * self._gates(reach, taken)
                - _BESIEGER * besiegers.bit_count()
                - self._distance[king]
            )
        return value

    def _country(self, kings: int, attackers: int) -> int:
        """The spaces around the king, his men's among them, up to where attackers stand."""
        free = self._on.board & ~attackers
        not_first, not_last, size = self._on.not_first_file, self._on.not_last_file, self._on.size
        reached = kings
        while True:
            further = (
                reached
                | (reached & not_last) << 1
                | (reached & not_first) >> 1
                | reached << size
                | reached >> size
            ) & free
            if further == reached:
                return reached
            reached = further

    def _gates(self, reach: int, taken: int) -> int:
        """From how many of these spaces a king would escape with his next move."""
        escape, gates = self._on.escape, 0
        while reach:
            low = reach & -reach
            reach ^= low
            along_rank, by_rank, along_file, by_file = self._king[low.bit_length() - 1]
            if (by_rank[taken & along_rank] | by_file[taken & along_file]) & escape:
                gates += 1
        return gates

    def _in_danger(self, king: int, besiegers: int, taken: int) -> bool:
        """Whether one more attacker beside the king may be his end."""
        if self._on.king_is_weak >> king & 1:
            return any(
                one & (besiegers | self._on_guard) and not other & taken for one, other in self._across[king]
            )
        around = self._on.beside[king]
        hostile = besiegers | around & (self._on_guard | self._on.centre) & ~taken
        return (around & ~hostile).bit_count() <= 1


@lru_cache(maxsize=32)
def judgement(on: Compiled) -> Judgement:
    return Judgement(on)


def _king_way(on: Compiled, space: int) -> KingWay:
    ((along_rank, by_rank, along_file, by_file),) = on.ways["K"][1 << space]
    return along_rank, Reach(by_rank), along_file, Reach(by_file)


def _across(on: Compiled) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each space the pairs of spaces on either side of it, in either order."""
    pairs: list[list[tuple[int, int]]] = [[] for _ in on.bits]
    for space, bit in enumerate(on.bits):
        for middle, _, behind in on.around[space]:
            if behind:
                pairs[middle].append((bit, behind))
    return tuple(map(tuple, pairs))


def _sentries(on: Compiled) -> int:
    """The spaces from which a piece keeps a king from a corner, whichever way he comes: diagonal to it."""
    size, found = on.size, 0
    for corner in spaces_of(on.corner):
        x, y = corner % size, corner // size
        for other_x, other_y in ((x - 1, y - 1), (x - 1, y + 1), (x + 1, y - 1), (x + 1, y + 1)):
            if 0 <= other_x < size and 0 <= other_y < size:
                found |= 1 << other_y * size + other_x
    return found & ~on.corner
