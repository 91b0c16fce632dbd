"""What a move captures."""

from collections.abc import Iterator

import msgspec

from gamut.games.tafl.compiled import COMMANDERS, GUARDS, KNIGHTS, Compiled
from gamut.games.tafl.pieces import ATTACKERS, DEFENDERS, Side
from gamut.games.tafl.position import spaces_of

_PLAIN = ("t", "T")
_ELITE = "cnCN"


class Board(msgspec.Struct, frozen=True, gc=False):
    """The pieces while a move is being made, seen by the side that makes it."""

    own: int
    enemy: int
    kings: int
    others: tuple[int, ...]
    side: Side


def hostile_to(on: Compiled, board: Board, letter: str) -> int:
    """The spaces that are hostile to a piece of the enemy."""
    natural = on.natural[letter]
    armed = board.own
    if board.side == DEFENDERS and not on.king_is_anvil:
        armed ^= board.kings
    taken = board.own | board.enemy
    hostile = armed | natural.always | natural.empty_centre & ~taken | natural.taken_centre & taken
    return hostile & ~(board.own & board.others[GUARDS]) if board.others else hostile


def custodial(on: Compiled, board: Board, end: int, mover: str, already: bool) -> int:
    """The enemies beside a piece that has moved here which it captures between itself and something hostile.

    `already`: its jump has captured somebody.
    """
    if (mover == "K" and not on.king_is_hammer) or mover in "gG":
        return 0
    if board.others:
        taken = _among_others(on, board, end)
    else:
        # A king is in the same set as his men, but is captured in another way.
        enemy = board.enemy if board.side == DEFENDERS else board.enemy ^ board.kings
        letter = _PLAIN[1 - board.side]
        perhaps = board.own | on.natural[letter].perhaps
        taken = 0
        for _, victim, behind in on.around[end]:
            if enemy & victim and perhaps & behind and hostile_to(on, board, letter) & behind:
                taken |= victim
    if board.side == ATTACKERS and board.kings & on.beside[end]:
        for space, victim, behind in on.around[end]:
            if board.kings & victim and _king_is_captured(
                on, board, end, mover, space, behind, already or taken != 0
            ):
                taken |= victim
    return taken


def _among_others(on: Compiled, board: Board, end: int) -> int:
    """Who is captured, kings aside, where there are more kinds of pieces than taflmen and kings."""
    taken = 0
    victims = board.enemy & ~(board.kings | board.others[GUARDS])
    for _, victim, behind in on.around[end]:
        if victims & victim and hostile_to(on, board, _letter(board, victim)) & behind:
            taken |= victim
    return taken


def _letter(board: Board, victim: int) -> str:
    """The letter of an enemy that is not a king."""
    kind = "t"
    for letter, bits in zip("cnmg", board.others, strict=True):
        if bits & victim:
            kind = letter
    return kind if board.side == DEFENDERS else kind.upper()


def _king_is_captured(
    on: Compiled, board: Board, end: int, mover: str, space: int, behind: int, already: bool
) -> bool:
    hostile = hostile_to(on, board, "K")
    if on.king_is_weak & on.bits[space]:
        return bool(hostile & behind)
    around = on.beside[space]
    surrounded = hostile & around == around
    if on.rules.king_strength == "middle":
        return surrounded
    if board.side not in on.elites:
        return surrounded and around.bit_count() == 4
    if surrounded and around.bit_count() == 4 and not on.quirks:
        return True
    return bool(hostile & behind) and _elite_sandwich(on, board, end, mover, space, behind, already)


def _elite_sandwich(
    on: Compiled, board: Board, end: int, mover: str, space: int, behind: int, already: bool
) -> bool:
    """A strong king falls between two of: an elite mover, an elite beyond, corners on either side."""
    here = on.bits[end]
    if on.centre & (here | behind | on.bits[space]):
        return False
    elites = board.own & (board.others[COMMANDERS] | board.others[KNIGHTS])
    elite_mover = mover in _ELITE
    count = elite_mover + bool(elites & behind) + bool(on.corner & behind) + bool(on.corner & here)
    if on.quirks and elite_mover and already:
        count += 1  # existing clients count an elite twice that has captured somebody else
    return count >= 2


# Shieldwalls


def may_wall(on: Compiled, own: int, enemy: int) -> bool:
    """Whether there are enough pieces for a shieldwall: two enemies on the edge, each with one in front of it."""
    return (enemy & on.edge).bit_count() >= 2 and (own & on.inward).bit_count() >= 2


def shieldwall(on: Compiled, board: Board, end: int, fresh: bool) -> int:
    """The enemies along the edges that a wall of the mover's pieces captures; `fresh`: it had not moved before."""
    here = on.bits[end]
    # Where the mover has to stand at one end of the run, the first of it is beside the mover.
    beside = board.enemy & on.edge & on.beside[end]
    if on.rules.flanking and (not beside or (on.quirks and fresh)):
        return 0
    if on.quirks:
        taken = 0
        for run, closed_by in runs_as_clients_see_them(on, board):
            if not on.rules.flanking or closed_by & here:
                taken |= run
    elif on.rules.flanking:
        taken = _walled_from(on, board, end)
    else:
        closing = on.corner if on.rules.shieldwall == "strong" else 0
        taken = 0
        for space in spaces_of((board.own | closing) & on.edge):
            taken |= _walled_from(on, board, space)
    kept = board.kings | (board.others[GUARDS] if board.others else 0)
    return taken & ~kept


def _walled_from(on: Compiled, board: Board, end: int) -> int:
    """The runs along an edge that are captured and have this space, which closes them, at one end."""
    own, enemy = board.own, board.enemy
    closing = on.corner if on.rules.shieldwall == "strong" else 0
    taken = 0
    for line in on.along_edges[end]:
        run = length = 0
        for bit, inward in line:
            if enemy & bit and own & inward and not closing & bit:
                run |= bit
                length += 1
                continue
            if length >= 2 and (own | closing) & bit:
                taken |= run
            break
    return taken


def runs_as_clients_see_them(on: Compiled, board: Board) -> Iterator[tuple[int, int]]:
    """The same as existing clients find them, who look along all four edges as if they were one.

    A piece at the end of a run that is backed by another is taken for a part of it, and spoils it. A run that a corner
    closes is noticed too late on any edge but the last.
    """
    own, enemy = board.own, board.enemy
    closing = on.corner if on.rules.shieldwall == "strong" else 0
    began = False
    for number, line in enumerate(on.edges):
        run = before = 0
        for bit, inward in line:
            if began and (own | enemy) & bit and own & inward and not closing & bit:
                run |= bit
                continue
            if not (own | closing) & bit:
                run = before = 0
                continue
            in_time = own & bit or number == len(on.edges) - 1
            if run.bit_count() >= 2 and before and not run & own and in_time:
                yield run, before | bit
            run, before, began = 0, bit, True


# The rest


def linnaean(on: Compiled, board: Board, end: int, start: int) -> int:
    """The defender between an attacker and the king in the middle, when attackers are on the other three sides."""
    if not on.middle & board.kings:
        return 0
    middle = on.middle.bit_length() - 1
    for _, victim, behind in on.around[middle]:
        if behind == on.bits[end] and board.enemy & victim:
            guards = board.others[GUARDS] if board.others else 0
            # Existing clients count those who were beside the king before the move.
            beside = on.beside[middle] & (board.own | start if on.quirks else board.own)
            enough = beside.bit_count() >= 3
            return victim if enough and not guards & victim else 0
    return 0
