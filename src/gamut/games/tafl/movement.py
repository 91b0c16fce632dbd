"""Which way pieces can go: for each kind of piece and each space, worked out once for a set of rules.

Along a rank or a file it matters only which of the spaces are taken that the piece could walk over. So those are
a key, and the moves that it leaves are remembered: finding the moves of a piece is two look-ups.
"""

from collections.abc import Iterator, Sequence
from weakref import ref

from gamut.games.tafl.pieces import LETTERS, side_of
from gamut.games.tafl.position import END, SHIFT, move_of, spaces_of
from gamut.games.tafl.ruleset import Jump, Rules

LINES_OF_A_SEARCH = 1 << 16
"""Keys that are remembered with one set of rules: some 12 MB. Then all of them are learnt anew."""
LINES_OF_A_TABLE = 1 << 12
"""The same for rules that one table has for itself, and for as long as it is there."""
_MOST_SETS = 1 << 12
"""The same for sets of pieces of one kind."""

Walk = tuple[tuple[int, int | None], ...]
"""Spaces one after the other: the bit of each, and the move that ends there if the piece may stop."""
Way = tuple[int, "Line", int, "Line"]
"""How a piece goes from a space: the spaces that matter along the rank, the moves, and the same for the file."""
Leap = tuple[int, int, int]
"""The space of the piece that is jumped over, the one behind it, and the move."""


class Room:
    """How much is remembered altogether with one set of rules."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.lines: list[ref[Line]] = []
        """Weak, as each line knows its room: without a cycle, rules are gone as soon as nobody plays by them."""
        self.taken = 0

    def take(self) -> None:
        self.taken += 1
        if self.taken > self.most:
            self.taken = 1
            for known in self.lines:
                line = known()
                if line is not None:
                    line.clear()


class Line(dict[int, tuple[int, ...]]):
    """The moves of a piece along one line, by the spaces of it that are taken."""

    def __init__(self, walks: Sequence[Walk], room: Room) -> None:
        super().__init__()
        self.walks = walks
        self.room = room
        room.lines.append(ref(self))

    def __missing__(self, taken: int) -> tuple[int, ...]:
        found: list[int] = []
        for walk in self.walks:
            for bit, move in walk:
                if taken & bit:
                    break
                if move is not None:
                    found.append(move)
        self.room.take()
        moves = self[taken] = tuple(found)
        return moves


class Ways(dict[int, tuple[Way, ...]]):
    """How the pieces of one kind go, by the spaces where they stand."""

    def __init__(self, rules: Rules, letter: str, kinds: Sequence[int], room: Room) -> None:
        super().__init__()
        self._on = _Terrain(rules, letter, kinds)
        self._room = room
        self._from: dict[int, Way] = {}

    def __missing__(self, pieces: int) -> tuple[Way, ...]:
        for space in spaces_of(pieces):
            if space not in self._from:
                self._from[space] = self._on.way(space, self._room)
        if len(self) >= _MOST_SETS:
            self.clear()
        ways = self[pieces] = tuple(map(self._from.__getitem__, spaces_of(pieces)))
        return ways


class Leaps(dict[int, tuple[Leap, ...]]):
    """The jumps of the pieces of one kind, by the space where one stands."""

    def __init__(self, rules: Rules, letter: str, kinds: Sequence[int], mode: Jump) -> None:
        super().__init__()
        self._on = _Terrain(rules, letter, kinds)
        self._mode = mode

    def __missing__(self, space: int) -> tuple[Leap, ...]:
        found = self[space] = tuple(self._on.leaps(space, self._mode))
        return found


class Paths(dict[int, int]):
    """For each move that the pieces of one kind could make on an empty board the spaces that it leads over, its end
    included; for others 0. It is enough to look at one move, and not at all of them."""

    def __init__(self, rules: Rules, letter: str, kinds: Sequence[int]) -> None:
        super().__init__()
        self._on = _Terrain(rules, letter, kinds)

    def __missing__(self, move: int) -> int:
        path = self._on.path(move)
        if path:
            self[move] = path
        return path


NO_AREA = -1


def kinds_of_space(rules: Rules) -> list[int]:
    """For each space the number of the area that it is in, or NO_AREA."""
    kinds = [NO_AREA] * (rules.size * rules.size)
    for number, area in enumerate(rules.areas):
        for space in area.spaces:
            kinds[space] = number
    return kinds


class _Terrain:
    """What a kind of piece may do where."""

    def __init__(self, rules: Rules, letter: str, kinds: Sequence[int]) -> None:
        self.size = rules.size
        self.kinds = kinds
        self.passing = [letter in area.passing for area in rules.areas]
        self.stopping = [letter in area.stopping for area in rules.areas]
        self.entering = [letter in area.entering for area in rules.areas]
        self.reach = _steps(rules, letter)

    def _may(self, what: Sequence[bool], start: int, space: int) -> bool:
        kind = self.kinds[space]
        if kind == NO_AREA:
            return True
        return what[kind] and (self.entering[kind] or self.kinds[start] == kind)

    def way(self, start: int, room: Room) -> Way:
        west, east, south, north = (tuple(self._walk(start, ray)) for ray in rays(start, self.size))
        return _mask(west + east), Line((west, east), room), _mask(south + north), Line((south, north), room)

    def _walk(self, start: int, ray: range) -> Iterator[tuple[int, int | None]]:
        for space in ray[: self.reach]:
            if not self._may(self.passing, start, space):
                return
            stops = self._may(self.stopping, start, space)
            yield 1 << space, move_of(start, space) if stops else None

    def path(self, move: int) -> int:
        """The spaces that a move leads over, its end included; 0 if a piece cannot walk like that."""
        start, end = move >> SHIFT, move & END
        for ray in rays(start, self.size):
            if end in ray:
                path = 0
                for bit, stop in self._walk(start, ray):
                    path |= bit
                    if stop == move:
                        return path
        return 0

    def leaps(self, start: int, mode: Jump) -> Iterator[Leap]:
        for ray in rays(start, self.size):
            if len(ray) < 2 or not self._may(self.stopping, start, ray[1]):
                continue
            special = self.kinds[start] != NO_AREA or self.kinds[ray[1]] != NO_AREA
            if mode != "restricted" or special:
                yield 1 << ray[0], 1 << ray[1], move_of(start, ray[1])


def _steps(rules: Rules, letter: str) -> int:
    """How many spaces a kind of piece may go in one move."""
    speed = rules.speeds[LETTERS.index(letter)]
    return speed if speed > 0 else rules.size


def rays(space: int, size: int) -> tuple[range, range, range, range]:
    """The spaces in each direction, nearest first: falling files, rising files, falling ranks, rising ranks."""
    x = space % size
    return (
        range(space - 1, space - x - 1, -1),
        range(space + 1, space - x + size),
        range(space - size, -1, -size),
        range(space + size, size * size, size),
    )


def _mask(walk: Walk) -> int:
    return sum(bit for bit, _ in walk)


def jump_of(rules: Rules, letter: str) -> Jump:
    """How a kind of piece jumps. Taflmen do not."""
    jumps: dict[str, Jump] = {
        "t": "never",
        "c": rules.commander_jump,
        "n": rules.knight_jump,
        "k": rules.king_jump,
        "m": rules.mercenary_jump,
        "g": rules.guard_jump,
    }
    return jumps[letter.lower()]


def letters_in_play(rules: Rules) -> str:
    """The kinds of pieces that there may be, mercenaries of either side among them, in the order of LETTERS."""
    there = set(rules.start)
    there |= {letter.swapcase() for letter in there & {"m", "M"}}
    return "".join(letter for letter in LETTERS if letter in there)


def elite_sides(rules: Rules) -> set[int]:
    """The sides that begin with a commander or a knight."""
    return {side_of(letter) for letter in rules.start if letter in "cnCN"}
