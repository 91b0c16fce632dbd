"""From states, which are told and stored, to positions, which the rules work on, and back."""

from gamut.games.powerchess.effects import NO_EFFECTS, Effects
from gamut.games.powerchess.fen import RIGHTS
from gamut.games.powerchess.pieces import BLACK, COLOUR, LETTERS, NOTHING, PIECES, WHITE
from gamut.games.powerchess.position import NO_BOXES, NO_RELOCATION, Position
from gamut.games.powerchess.powers import RARITIES
from gamut.games.powerchess.squares import BIT, NOWHERE, squares_in
from gamut.games.powerchess.state import Event, Hole, Marks, PowerChessState, Relocation, Relocations, Update

_CODES = bytes(PIECES.get(chr(letter), 0) for letter in range(256))
_CASTLING = tuple(
    "".join(right for place, right in enumerate(RIGHTS) if rights >> place & 1) for rights in range(16)
)
HOLE = "hole"


def position_of(state: PowerChessState) -> Position:
    """The position for rules and search; of a game that is over, as if White were to move.

    It goes with the state and is no part of it: neither stored, sent nor compared.
    """
    position: Position | None = state.__dict__.get("position")
    if position is None:
        position = state.__dict__["position"] = translated(state)
    return position


def remember(state: PowerChessState, event: Event, following: Position) -> None:
    """The position after a decided event: where `evolve` applies that event, it is not worked out again."""
    state.__dict__["decided"] = event, following


def translated(state: PowerChessState) -> Position:
    """The position, made of what the state says."""
    position = Position.of(
        state.board.encode().translate(_CODES),
        BLACK if state.turn == BLACK else WHITE,
        _CASTLING.index(state.castling),
        NOWHERE if state.passed is None else state.passed,
        state.ply,
        _effects_of(state),
        {box.square: RARITIES.index(box.rarity) for box in state.boxes} if state.boxes else NO_BOXES,
        (_kinds(state.graves[0]), _kinds(state.graves[1])),
        (_packed(state.relocations[0]), _packed(state.relocations[1])),
    )
    if state.choice is not None:
        position.chosen_for = state.choice.square
        position.rarity = RARITIES.index(state.choice.rarity)
    return position


def _effects_of(state: PowerChessState) -> Effects:
    if not (state.marks or state.holes or any(state.energized)):
        return NO_EFFECTS
    marks = state.marks
    return Effects(
        {mark.square: mark.shield for mark in marks if mark.shield},
        {mark.square: mark.guard for mark in marks if mark.guard},
        {mark.square: (mark.awake, PIECES[mark.really]) for mark in marks if mark.awake},
        sum(BIT[mark.square] for mark in marks if mark.net),
        {hole.square: hole.end for hole in state.holes},
        state.energized,
    )


def _kinds(letters: str) -> bytes:
    return letters.upper().encode().translate(_CODES)


def _packed(relocation: Relocation | None) -> int:
    if relocation is None:
        return NO_RELOCATION
    return PIECES[relocation.piece] << 12 | relocation.start << 6 | relocation.end


# Back


def castling_of(position: Position) -> str:
    return _CASTLING[position.castling]


def marks_of(effects: Effects) -> tuple[Marks, ...]:
    return tuple(
        Marks(
            square,
            effects.shields.get(square, 0),
            effects.guards.get(square, 0),
            effects.awakened[square][0] if square in effects.awakened else 0,
            LETTERS[effects.awakened[square][1]] if square in effects.awakened else "",
            bool(effects.nets & BIT[square]),
        )
        for square in squares_in(effects.marked)
    )


def holes_of(effects: Effects) -> tuple[Hole, ...]:
    return tuple(Hole(square, effects.holes[square]) for square in squares_in(effects.hole_bits))


def graves_of(position: Position) -> tuple[str, str]:
    white, black = position.graves
    return "".join(LETTERS[kind] for kind in white), "".join(LETTERS[kind | COLOUR] for kind in black)


def relocations_of(position: Position) -> Relocations:
    white, black = position.relocations
    return _unpacked(white), _unpacked(black)


def _unpacked(relocation: int) -> Relocation | None:
    if relocation == NO_RELOCATION:
        return None
    return Relocation(LETTERS[relocation >> 12], relocation >> 6 & 63, relocation & 63)


# What is to be seen


def shown(position: Position, square: int) -> str:
    piece = position.board[square]
    if piece:
        return LETTERS[piece] + ("+" if position.effects.guarded & BIT[square] else "")
    if position.box_bits & BIT[square]:
        return RARITIES[position.boxes[square]]
    return HOLE if position.effects.hole_bits & BIT[square] else NOTHING


def updates(before: Position, after: Position, start: int, end: int) -> tuple[Update, ...]:
    """The squares that look otherwise than if what stands on `start` were carried to `end`.

    Both are NOWHERE where nothing moves.
    """
    changed = (before.white ^ after.white) | (before.black ^ after.black) | (before.box_bits ^ after.box_bits)
    if before.effects is not after.effects:
        changed |= before.effects.guarded ^ after.effects.guarded
        changed |= before.effects.hole_bits ^ after.effects.hole_bits
        # What wakes, sleeps again or is promoted keeps its square and its side.
        differing = int.from_bytes(before.board, "little") ^ int.from_bytes(after.board, "little")
        while differing:
            square = (differing & -differing).bit_length() - 1 >> 3
            changed |= BIT[square]
            differing &= -1 << 8 * square + 8
    elif start != NOWHERE and before.board[start] == after.board[end]:
        # Nearly always: the piece was carried, and that was all. A box may have come where it stood.
        changed &= ~BIT[end] & (after.box_bits | ~BIT[start])
    if not changed:
        return ()
    found = []
    for square in squares_in(changed):
        expected = NOTHING if square == start else shown(before, start if square == end else square)
        now = shown(after, square)
        if now != expected:
            found.append(Update(square, now))
    return tuple(found)
