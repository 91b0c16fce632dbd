"""How a game ends, asked after every move in the order of the rules."""

from typing import Literal, NamedTuple

from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.pieces import ATTACKERS, DEFENDERS, Side
from gamut.games.tafl.play import moves
from gamut.games.tafl.position import END, NOWHERE, Position, spaces_of

Reason = Literal[
    "no_attackers",
    "no_defenders",
    "repetition",
    "escape",
    "king_captured",
    "immobile",
    "fort",
    "encircled",
    "no_moves",
    "resigned",
    "time",
    "agreed",
    "recorded",
    "endless",
]
WHY: dict[Reason, str] = {
    "no_attackers": "there are no attackers left",
    "no_defenders": "there are no defenders left",
    "repetition": "the position was there for the third time",
    "escape": "the king has escaped",
    "king_captured": "the king is captured",
    "immobile": "no defender has an empty space beside it",
    "fort": "the king is safe in a fort at the edge",
    "encircled": "the defenders are encircled",
    "no_moves": "the side to move has no legal move",
    "resigned": "the other side resigned",
    "time": "the other side ran out of time",
    "agreed": "a draw was agreed",
    "recorded": "the record of the game says so",
    "endless": "there were more moves than any game needs",
}
"""For people."""


class Ending(NamedTuple):
    winner: Side | None
    """None: a draw."""
    reason: Reason


_NO_ATTACKERS = Ending(DEFENDERS, "no_attackers")
_NO_DEFENDERS = Ending(ATTACKERS, "no_defenders")
_ESCAPE = Ending(DEFENDERS, "escape")
_KING_CAPTURED = Ending(ATTACKERS, "king_captured")
_IMMOBILE = Ending(ATTACKERS, "immobile")
_FORT = Ending(DEFENDERS, "fort")
_ENCIRCLED = Ending(ATTACKERS, "encircled")
_NO_MOVES = (Ending(DEFENDERS, "no_moves"), Ending(ATTACKERS, "no_moves"))
_REPEATED: dict[str, tuple[Ending | None, Ending | None]] = {
    "draw": (Ending(None, "repetition"),) * 2,
    "loses": (Ending(ATTACKERS, "repetition"), Ending(DEFENDERS, "repetition")),
    "wins": (Ending(DEFENDERS, "repetition"), Ending(ATTACKERS, "repetition")),
    "ignored": (None, None),
}
"""By the side that is to move after the repetition."""


def ending(
    on: Compiled, position: Position, repeated: bool = False, *, arrived: int = NOWHERE
) -> Ending | None:
    """How the game has ended with this position.

    `repeated`: it has been there twice before. `arrived`: where the last move ended, if the position before it had not
    ended the game.
    """
    attackers, defenders, kings = position.attackers, position.defenders, position.kings
    if not attackers:
        return _NO_ATTACKERS
    if not defenders:
        return _NO_DEFENDERS
    if repeated and position.berserk < 0:
        by_repetition = _REPEATED[on.rules.repetition][position.turn]
        if by_repetition is not None:
            return by_repetition
    if kings & on.escape:
        return _ESCAPE
    if not kings:
        return _KING_CAPTURED
    empty = on.board ^ (attackers | defenders)
    # Nearly always somebody can step to the next rank, which is quicker to see than all steps.
    if not defenders << on.size & empty and not on.spread(defenders) & empty:
        return _IMMOBILE
    if on.rules.edge_forts and has_fort(on, position):
        return _FORT
    looks_for_ring = on.rules.surround and not (arrived >= 0 and _is_no_ring_closed(on, position, arrived))
    if looks_for_ring and is_encircled(on, position, empty):
        return _ENCIRCLED
    own, free = defenders if position.turn else attackers, empty & on.plain_ground
    if not own << on.size & free and not on.spread(own) & free and not moves(on, position):
        return _NO_MOVES[position.turn]
    return None


def has_fort(on: Compiled, position: Position) -> bool:
    """A king whom nobody can reach has an edge to himself, within walls that cannot be captured."""
    if on.quirks and _looks_like_a_fort(on, position):
        return True
    kings, edge = position.kings, on.edge
    if (
        on.king_walks_everywhere
        and ((position.defenders ^ kings) & edge).bit_count() < 2
        and position.attackers & edge
        and kings.bit_count() == 1
    ):
        # With fewer than two defenders in the way, whoever reaches the edge could walk along it to an attacker.
        return False
    return any(_is_fort(on, position, king) for king in spaces_of(kings))


def _looks_like_a_fort(on: Compiled, position: Position) -> bool:
    """Existing clients take a part of an edge for a fort in which the king has room, even if attackers are inside."""
    defenders = position.defenders
    if (position.attackers & on.edge).bit_count() < 2 or (defenders & on.edge).bit_count() < 2:
        return False
    walls = defenders & ~position.kings | (on.corner if on.rules.shieldwall == "strong" else 0)
    empty = on.board & ~(position.attackers | defenders)
    for line in on.edges:
        run = 0
        closed = False
        for bit, inward in line:
            if defenders & inward and not walls & bit:
                run |= bit
                continue
            if closed and walls & bit and run & position.kings and run & empty:
                return True
            run, closed = 0, bool(walls & bit)
    return False


def _is_fort(on: Compiled, position: Position, king: int) -> bool:
    attackers, defenders = position.attackers, position.defenders
    inside = frontier = on.bits[king]
    taken = (attackers | defenders) & ~inside
    while frontier:
        beside = on.spread(frontier)
        if beside & attackers:
            return False
        reached = beside & on.board & ~taken if on.king_walks_everywhere else _reached(on, frontier, taken)
        frontier = reached & ~inside
        inside |= frontier
    if not inside & on.edge or inside == on.bits[king]:
        return False
    exposed = on.board & ~(inside | defenders)
    walls = on.spread(inside) & defenders
    return all((on.beside[wall] & exposed).bit_count() < 3 for wall in spaces_of(walls))


def _reached(on: Compiled, kings: int, taken: int) -> int:
    """The spaces to which a king could move from any of these."""
    reached = 0
    for along_rank, by_rank, along_file, by_file in on.ways["K"][kings]:
        for move in by_rank[taken & along_rank]:
            reached |= on.bits[move & END]
        for move in by_file[taken & along_file]:
            reached |= on.bits[move & END]
    return reached


def _is_no_ring_closed(on: Compiled, position: Position, arrived: int) -> bool:
    """Whether the move that ended here cannot have encircled the defenders, as far as that is quick to see.

    Defenders who walk can be reached where they went by the way that led to where they came from. If they stand in
    another's way to the edge, it is they whom it leads to. An attacker who captures nobody closes a way only between
    two other attackers: everybody else passes through the spaces around it, or is found there.
    """
    if on.leaps:
        return False
    if position.turn == ATTACKERS and position.berserk < 0:
        return not position.others  # mercenaries may have changed sides
    return not position.captured and (position.attackers & on.near[arrived]).bit_count() < 2


def is_encircled(on: Compiled, position: Position, empty: int) -> bool:
    """From the edge no empty space beside a defender can be reached, and no defender can jump to it."""
    defenders = position.defenders
    if defenders & on.edge:
        return False
    beside_defenders = on.spread(defenders) & empty
    reached = on.edge & empty
    while True:
        if reached & beside_defenders:
            return False
        further = reached | on.spread(reached) & empty
        if further == reached:
            break
        reached = further
    if not any(letter.isupper() for letter in on.leaps):
        return True
    jumping = Position(position.attackers, defenders, position.kings, position.others, DEFENDERS)
    return not any(on.bits[move & END] & on.edge for move in moves(on, jumping))
