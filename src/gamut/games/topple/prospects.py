"""How a position looks at a glance: whose tiles stand, and which the next topple would take."""

from gamut.games.topple.topology import Field

_TILE = 2
_LOADED = 2
"""A full tile that nobody is about to take: the threat in it is worth as much as another tile."""
_EXPOSED = 3
"""A tile next to a full one of others, on top of what it holds: it is as good as lost, with all its pieces."""


def prospects(field: Field, board: bytearray, owners: bytearray, owned: list[int], team: int) -> int:
    """What the position is worth to a team when it is the others' turn; more is better."""
    neighbours, limits = field.neighbours, field.limits
    worth = _TILE * owned[team] - sum(owned[1:])
    for tile, owner in enumerate(owners):
        if owner != team:
            continue
        for other in neighbours[tile]:
            if board[other] == limits[other] and owners[other] not in (0, team):
                worth -= _EXPOSED + board[tile]
                break
        else:
            if board[tile] == limits[tile]:
                worth += _LOADED
    return worth
