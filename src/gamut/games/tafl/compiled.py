"""A set of rules made ready to be played: all that can be worked out before the first move."""

from collections.abc import Iterator
from functools import lru_cache

from gamut.games.tafl.movement import (
    LINES_OF_A_SEARCH,
    LINES_OF_A_TABLE,
    NO_AREA,
    Leaps,
    Paths,
    Room,
    Ways,
    elite_sides,
    jump_of,
    kinds_of_space,
    letters_in_play,
    rays,
)
from gamut.games.tafl.notation import space_name, space_numbers
from gamut.games.tafl.pieces import ATTACKERS, DEFENDERS, EMPTY, LETTERS, Side
from gamut.games.tafl.position import NOWHERE, Position, move_of
from gamut.games.tafl.quirks import as_read_elsewhere
from gamut.games.tafl.rules_text import parse_rules
from gamut.games.tafl.ruleset import SIZES, Rules
from gamut.games.tafl.variants import VARIANTS, names_by_rules, rules_by_name

OTHERS = "cnmg"
COMMANDERS, KNIGHTS, MERCENARIES, GUARDS = range(4)

Victim = tuple[int, int, int]
"""A space beside another: its number, its bit, and the bit of the space behind it (0: the edge)."""
EdgeLine = tuple[tuple[int, int], ...]
"""Spaces along an edge: the bit of each, and that of the space inward from it."""


def _digits(letters: str) -> bytes:
    """What makes these letters of a board ones, and all others zeros."""
    return bytes(ord("1" if chr(code) in letters else "0") for code in range(256))


_ATTACKERS_AS_DIGITS = _digits("".join(filter(str.islower, LETTERS)))
_DEFENDERS_AS_DIGITS = _digits("".join(filter(str.isupper, LETTERS)))
_KINGS_AS_DIGITS = _digits("K")
_OTHERS_AS_DIGITS = tuple(_digits(kind + kind.upper()) for kind in OTHERS)


class Grid:
    """What follows from the size of a board alone, and is the same for all rules."""

    def __init__(self, size: int) -> None:
        spaces = range(size * size)
        self.names = tuple(space_name(space, size) for space in spaces)
        self.numbers = space_numbers(size)
        self.bits = tuple(1 << space for space in spaces)
        self.board = (1 << size * size) - 1
        self.first_file = sum(1 << space for space in spaces if space % size == 0)
        self.last_file = self.first_file << size - 1
        rank = (1 << size) - 1
        self.edge = self.first_file | self.last_file | rank | rank << size * (size - 1)
        self.beside = tuple(sum(1 << ray[0] for ray in rays(space, size) if ray) for space in spaces)
        self.near = tuple(self._near(bit, size) for bit in self.bits)
        """The spaces around each, those at its corners included."""
        self.around = tuple(tuple(_victims(space, size)) for space in spaces)
        self.between = {
            move_of(space, ray[1]): 1 << ray[0]
            for space in spaces
            for ray in rays(space, size)
            if len(ray) > 1
        }
        """For moves of two spaces, the one between."""
        self.edges = tuple(tuple(line) for line in _edges(size))
        self.inward = 0
        """The spaces in front of those of an edge."""
        for line in self.edges:
            for _, inward in line:
                self.inward |= inward
        self.along_edges = {
            space: tuple(_along_edges(self.edges, 1 << space)) for space in spaces if self.edge >> space & 1
        }
        """For each space of an edge, the spaces from there along the edge in each direction, as in `edges`."""

    def _near(self, bit: int, size: int) -> int:
        of_rank = bit | (bit & ~self.last_file) << 1 | (bit & ~self.first_file) >> 1
        return (of_rank | of_rank << size | of_rank >> size) & self.board ^ bit


@lru_cache(maxsize=len(SIZES))
def _grid(size: int) -> Grid:
    return Grid(size)


class Natural:
    """To whom special spaces are hostile: the sets of them for one kind of piece."""

    __slots__ = ("always", "empty_centre", "perhaps", "taken_centre")

    def __init__(self, rules: Rules, letter: str, areas: list[int]) -> None:
        corner, centre, attacker_fort, defender_fort = areas
        self.always = (
            (corner if letter in rules.corner.hostile else 0)
            | (attacker_fort if letter in rules.attacker_fort.hostile else 0)
            | (defender_fort if letter in rules.defender_fort.hostile else 0)
        )
        self.empty_centre = centre if letter in rules.empty_centre_hostile else 0
        self.taken_centre = centre if letter in rules.centre.hostile else 0
        self.perhaps = self.always | self.empty_centre | self.taken_centre
        """Those that are hostile at times."""


class Compiled:
    """Rules as tables. Nothing here changes but what is remembered of the ways of pieces."""

    def __init__(self, rules: Rules, quirks: bool = False, lines: int = LINES_OF_A_SEARCH) -> None:
        self.written = rules
        """The rules as they were given; `rules` are those that are played."""
        self.rules = rules = as_read_elsewhere(rules) if quirks else rules
        self.quirks = quirks
        self.lines = lines
        """How much of the ways of pieces is remembered."""
        size = self.size = rules.size
        grid = _grid(size)
        self.names, self.numbers = grid.names, grid.numbers
        self.bits, self.board = grid.bits, grid.board
        self.not_first_file = grid.board ^ grid.first_file
        self.not_last_file = grid.board ^ grid.last_file
        self.edge, self.edges, self.along_edges = grid.edge, grid.edges, grid.along_edges
        self.inward = grid.inward
        self.beside, self.near, self.around = grid.beside, grid.near, grid.around

        kinds = kinds_of_space(rules)
        areas = [0, 0, 0, 0]
        for bit, kind in zip(grid.bits, kinds, strict=True):
            if kind != NO_AREA:
                areas[kind] |= bit
        self.corner, self.centre = areas[0], areas[1]
        self.plain_ground = grid.board & ~(areas[0] | areas[1] | areas[2] | areas[3])
        """Where every piece may pass and stop."""
        self.escape = self.edge if rules.escape == "edge" else self.corner
        self.natural = {letter: Natural(rules, letter, areas) for letter in LETTERS}

        self.letters = letters_in_play(rules)
        self.has_others = any(letter.lower() in OTHERS for letter in self.letters)
        room = Room(lines)
        self.paths = {letter: Paths(rules, letter, kinds) for letter in "tTK"}
        self.ways = {letter: Ways(rules, letter, kinds, room) for letter in LETTERS}
        self.leaps = {
            letter: Leaps(rules, letter, kinds, mode)
            for letter in self.letters
            if (mode := jump_of(rules, letter)) != "never"
        }
        self.capturing_jumpers = {letter for letter in self.leaps if jump_of(rules, letter) == "capturing"}
        self.jumped = grid.between if self.leaps else {}
        """For moves of two spaces, the one between; where nobody jumps, there is none."""

        self.king_is_hammer = rules.king_captures in ("both", "hammer")
        self.king_walks_everywhere = all(
            "K" in area.entering and "K" in area.passing and "K" in area.stopping
            for area, spaces in zip(rules.areas, areas, strict=True)
            if spaces
        )
        """No space is closed to him: he reaches whatever he could reach in single steps."""
        self.king_is_anvil = rules.king_captures in ("both", "anvil")
        self.elites = elite_sides(rules)
        near = self.centre | self.spread(self.centre)
        self.king_is_weak = {"weak": self.board, "centre": self.board & ~near}.get(rules.king_strength, 0)
        """Where the king is captured like anybody else."""
        self.walls_from = 0
        """Where a piece has to arrive to close a shieldwall."""
        if rules.shieldwall != "none":
            self.walls_from = self.edge if rules.flanking else self.board
        self.middle = 1 << size * size // 2

    def for_search(self) -> "Compiled":
        """The same, with as much memory as a search wants."""
        return self if self.lines >= LINES_OF_A_SEARCH else Compiled(self.written, self.quirks)

    def spread(self, bits: int) -> int:
        """The spaces beside these, and perhaps some beyond the board."""
        return (
            (bits & self.not_last_file) << 1
            | (bits & self.not_first_file) >> 1
            | bits << self.size
            | bits >> self.size
        )

    def position(self, board: str, turn: Side, berserk: int = NOWHERE, fresh: int | None = None) -> Position:
        """The position on a board; without being told, nobody has moved yet."""
        # Reading a number in base 2 is much quicker than adding up bits. Its first digit is the last space.
        letters = board[::-1].encode()
        attackers = int(letters.translate(_ATTACKERS_AS_DIGITS), 2)
        defenders = int(letters.translate(_DEFENDERS_AS_DIGITS), 2)
        kings = int(letters.translate(_KINGS_AS_DIGITS), 2)
        others: tuple[int, ...] = ()
        if self.has_others:
            others = tuple(int(letters.translate(digits), 2) for digits in _OTHERS_AS_DIGITS)
        if fresh is None:
            fresh = attackers | defenders if self.quirks else 0
        return Position(attackers, defenders, kings, others, turn, berserk, 0, fresh)

    def start(self) -> Position:
        return self.position(self.rules.start, ATTACKERS if self.rules.attackers_first else DEFENDERS)

    def board_of(self, position: Position) -> str:
        """The board, one letter for each space."""
        letters = [EMPTY] * len(self.bits)
        for space, bit in enumerate(self.bits):
            if (position.attackers | position.defenders) & bit:
                letters[space] = self.letter_at(position, bit)
        return "".join(letters)

    def letter_at(self, position: Position, bit: int) -> str:
        """The piece on a space that is taken."""
        kind = "t"
        if position.kings & bit:
            kind = "k"
        else:
            for other, bits in zip(OTHERS, position.others, strict=False):
                if bits & bit:
                    kind = other
        return kind if position.attackers & bit else kind.upper()


def _victims(space: int, size: int) -> list[Victim]:
    return [(ray[0], 1 << ray[0], 1 << ray[1] if len(ray) > 1 else 0) for ray in rays(space, size) if ray]


def _edges(size: int) -> list[list[tuple[int, int]]]:
    """The four edges: the bit of each space along one, and that of the space inward from it."""
    last = size * (size - 1)
    return [
        [(1 << x, 1 << x + size) for x in range(size)],
        [(1 << last + x, 1 << last + x - size) for x in range(size)],
        [(1 << y * size, 1 << y * size + 1) for y in range(size)],
        [(1 << y * size + size - 1, 1 << y * size + size - 2) for y in range(size)],
    ]


def _along_edges(edges: tuple[EdgeLine, ...], space: int) -> Iterator[EdgeLine]:
    for edge in edges:
        for number, (bit, _) in enumerate(edge):
            if bit == space:
                yield edge[number + 1 :]
                yield edge[:number][::-1]


def compiled(rules: str, quirks: bool = False) -> Compiled:
    """The tables of a rules string. It takes some milliseconds: whoever has them keeps them, as states do.

    Only those of the variants that have a name are remembered here. All others are somebody's own.
    """
    name = names_by_rules().get(rules)
    if name is not None:
        return _of_variant(name, quirks)
    return Compiled(parse_rules(rules), quirks, LINES_OF_A_TABLE)


@lru_cache(maxsize=2 * len(VARIANTS))
def _of_variant(name: str, quirks: bool) -> Compiled:
    return Compiled(parse_rules(rules_by_name()[name]), quirks)
