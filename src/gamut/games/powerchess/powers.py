"""The fourteen powers: whom they can be used on, and what they do to a position."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from gamut.games.powerchess.moves import targets_of
from gamut.games.powerchess.pieces import COLOUR, EMPTY, KIND, KING, PAWN, QUEEN, QUEEN_OF, side_of, value
from gamut.games.powerchess.play import census, land, promote, refuges, rook_squares
from gamut.games.powerchess.position import NO_RELOCATION, Position
from gamut.games.powerchess.reach import tables
from gamut.games.powerchess.squares import BIT, NOWHERE, squares_in

Rarity = Literal["common", "rare", "legendary"]
RARITIES: tuple[Rarity, ...] = ("common", "rare", "legendary")

PowerName = Literal[
    "adjust",
    "rewind",
    "second_effort",
    "shield",
    "swap",
    "black_hole",
    "energize",
    "eye_for_an_eye",
    "safety_net",
    "send_away",
    "armageddon",
    "awaken",
    "clone",
    "reanimate",
]
POWERS: tuple[tuple[PowerName, ...], ...] = (
    ("adjust", "rewind", "second_effort", "shield", "swap"),
    ("black_hole", "energize", "eye_for_an_eye", "safety_net", "send_away"),
    ("armageddon", "awaken", "clone", "reanimate"),
)
"""By rarity, in the order of their numbers."""

# How many MOVEs of either side they last.
SHIELD_PLIES = 6
HOLE_PLIES = 12
ENERGIZE_PLIES = 10
KINGS_GUARD_PLIES = 4
AWAKE_PLIES = 8
AWAKE_GUARD_PLIES = 2


class Drawn(NamedTuple):
    """What chance brought to a power."""

    square: int = NOWHERE
    """Of a back rank."""
    kind: int = EMPTY
    """Of the piece that comes back; of several, the one that was captured first."""


Targets = Callable[[Position], int]
Apply = Callable[[Position, int, int, Drawn], None]


def playable(position: Position, power: PowerName) -> bool:
    """Whether whoever took a box could use this power on the piece that took it."""
    if power in TARGETS:
        return targets(position, power) != 0
    return power != "awaken" or position.board[position.chosen_for] & KIND != KING


def targets(position: Position, power: PowerName) -> int:
    """The squares, as bits, of which one is to be named; 0 where none is."""
    found = TARGETS.get(power)
    return 0 if found is None else found(position)


def choices(position: Position, power: PowerName, target: int) -> list[int]:
    """The squares of a back rank of which chance draws one; empty if it draws none."""
    side = position.turn
    match power:
        case "second_effort":
            return refuges(position, position.chosen_for << 6 | target)
        case "send_away":
            return squares_in(position.vacant_at_home(side_of(position.board[target])))
        case "clone":
            return squares_in(position.vacant_at_home(side))
        case "reanimate" if position.graves[side]:
            return squares_in(position.vacant_at_home(side))
        case _:
            return []


def after_power(position: Position, power: PowerName, target: int, drawn: Drawn) -> Position:
    """The position after a power, which must be playable with this target, and a square out of `choices`."""
    next_one = position.copy()
    # Only a Second Effort takes another box, and says so.
    next_one.chosen_for = NOWHERE
    if power == "second_effort":
        land(next_one, position.chosen_for << 6 | target, QUEEN, drawn.square, in_passing=NOWHERE)
    else:
        _APPLY[power](next_one, position.chosen_for, target, drawn)
    promote(next_one)
    census(next_one)
    if next_one.winner is None and next_one.chosen_for == NOWHERE:
        next_one.turn = 0 if position.turn else 1
    return next_one


# Whom they can be used on


def _vacant_around(position: Position) -> int:
    return tables().king[position.chosen_for] & position.vacant()


def _second_moves(position: Position) -> int:
    return targets_of(position, position.chosen_for, second_effort=True)


def _other_own(position: Position) -> int:
    return position.own(position.turn) & ~BIT[position.chosen_for]


def _no_dearer_enemies(position: Position) -> int:
    guarded = position.effects.guarded
    if guarded & BIT[position.chosen_for]:
        return 0
    most = value(position.board[position.chosen_for])
    enemies = squares_in(position.own(1 - position.turn) & ~guarded)
    return sum(BIT[square] for square in enemies if value(position.board[square]) <= most)


def _with_a_way_home(position: Position) -> int:
    return sum(position.own(side) for side in (0, 1) if position.vacant_at_home(side))


TARGETS: Mapping[PowerName, Targets] = MappingProxyType(
    {
        "adjust": _vacant_around,
        "second_effort": _second_moves,
        "swap": _other_own,
        "black_hole": Position.vacant,
        "eye_for_an_eye": _no_dearer_enemies,
        "send_away": _with_a_way_home,
    }
)
"""The powers for which a square must be named."""


# What they do


def _adjust(position: Position, this: int, target: int, drawn: Drawn) -> None:
    really = position.really(this)
    _carry(position, this, target)
    relocation = really << 12 | this << 6 | target
    white, black = position.relocations
    position.relocations = (white, relocation) if position.turn else (relocation, black)


def _rewind(position: Position, this: int, target: int, drawn: Drawn) -> None:
    side = 1 - position.turn
    relocation = position.relocations[side]
    if relocation == NO_RELOCATION:
        return
    piece, start, end = relocation >> 12, relocation >> 6 & 63, relocation & 63
    steps = [(end, start)]
    if piece & KIND == KING and end - start in (2, -2):
        corner, beside = rook_squares(start, end)
        steps.append((beside, corner))
    own, vacant = position.own(side), position.vacant()
    if not all(own & BIT[now] and vacant & BIT[before] for now, before in steps):
        return
    for now, before in steps:
        _carry(position, now, before)
    if start in position.effects.awakened:
        position.effects = position.effects.being(start, piece)
    else:
        position.board[start] = piece
    _forget(position, side)


def _shield(position: Position, this: int, target: int, drawn: Drawn) -> None:
    position.effects = position.effects.shielded(this, position.ply + SHIELD_PLIES)


def _swap(position: Position, this: int, target: int, drawn: Drawn) -> None:
    effects = position.effects
    one, other = position.lift(this), position.lift(target)
    position.put(target, one)
    position.put(this, other)
    position.effects = effects.relocated({this: target, target: this})
    _forget_if_relocated(position, this, target)


def _black_hole(position: Position, this: int, target: int, drawn: Drawn) -> None:
    position.effects = position.effects.with_hole(target, position.ply + HOLE_PLIES)


def _energize(position: Position, this: int, target: int, drawn: Drawn) -> None:
    position.effects = position.effects.energizing(position.turn, position.ply + ENERGIZE_PLIES)


def _eye_for_an_eye(position: Position, this: int, target: int, drawn: Drawn) -> None:
    _destroy(position, this)
    _destroy(position, target)


def _safety_net(position: Position, this: int, target: int, drawn: Drawn) -> None:
    position.effects = position.effects.netted(this)


def _send_away(position: Position, this: int, target: int, drawn: Drawn) -> None:
    _carry(position, target, drawn.square)


def _armageddon(position: Position, this: int, target: int, drawn: Drawn) -> None:
    for square in squares_in((position.white | position.black) & ~position.effects.guarded):
        if position.board[square] & KIND == PAWN:
            _destroy(position, square)
    for square in squares_in(position.white | position.black):
        if position.board[square] & KIND == KING:
            position.effects = position.effects.guarding(square, position.ply + KINGS_GUARD_PLIES)


def _awaken(position: Position, this: int, target: int, drawn: Drawn) -> None:
    ply = position.ply
    effects = position.effects.awakening(this, ply + AWAKE_PLIES, position.board[this])
    position.effects = effects.guarding(this, ply + AWAKE_GUARD_PLIES)
    position.board[this] = QUEEN_OF[position.turn]


def _clone(position: Position, this: int, target: int, drawn: Drawn) -> None:
    if drawn.square != NOWHERE:
        position.put(drawn.square, position.really(this))


def _reanimate(position: Position, this: int, target: int, drawn: Drawn) -> None:
    if drawn.square == NOWHERE:
        return
    side = position.turn
    white, black = position.graves
    left = (black if side else white).replace(bytes((drawn.kind,)), b"", 1)
    position.graves = (white, left) if side else (left, black)
    position.put(drawn.square, drawn.kind | (COLOUR if side else 0))


_APPLY: Mapping[PowerName, Apply] = MappingProxyType(
    {
        "adjust": _adjust,
        "rewind": _rewind,
        "shield": _shield,
        "swap": _swap,
        "black_hole": _black_hole,
        "energize": _energize,
        "eye_for_an_eye": _eye_for_an_eye,
        "safety_net": _safety_net,
        "send_away": _send_away,
        "armageddon": _armageddon,
        "awaken": _awaken,
        "clone": _clone,
        "reanimate": _reanimate,
    }
)


def _carry(position: Position, start: int, end: int) -> None:
    """A piece goes to a vacant square by a power, with all that lies on it."""
    position.put(end, position.lift(start))
    position.effects = position.effects.moved(start, end)
    _forget_if_relocated(position, start)


def _destroy(position: Position, square: int) -> None:
    position.lift(square)
    position.effects = position.effects.without(square)
    _forget_if_relocated(position, square)


def _forget_if_relocated(position: Position, *squares: int) -> None:
    """What a Rewind would have taken back is not where it arrived any more."""
    for side, relocation in enumerate(position.relocations):
        if relocation == NO_RELOCATION:
            continue
        piece, start, end = relocation >> 12, relocation >> 6 & 63, relocation & 63
        castled = piece & KIND == KING and end - start in (2, -2)
        if end in squares or (castled and rook_squares(start, end)[1] in squares):
            _forget(position, side)


def _forget(position: Position, side: int) -> None:
    white, black = position.relocations
    position.relocations = (white, NO_RELOCATION) if side else (NO_RELOCATION, black)
