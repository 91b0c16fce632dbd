"""Toppling: what one more piece on a tile sets off. This is where the time of a game goes."""

from gamut.games.topple.topology import Field


def cascade(
    field: Field, board: bytearray, owners: bytearray, owned: list[int], tile: int, team: int
) -> tuple[int, list[int]]:
    """Place a piece of a team, which must not own everything yet, and let the board settle, all in place.

    A tile with more pieces than neighbours gives one to each of them, and they become the team's. The order is
    that of a stack, neighbours last to first: it shows, because everything stops, half settled, as soon as the
    team owns every tile. (If a board never settles, that comes to pass.) Returns how often a tile toppled, and
    the owners that lost their last tile, neutral (0) among them, in the order in which they did.
    """
    neighbours, limits = field.neighbours, field.limits
    emptied: list[int] = []
    topples = 0
    stack = [tile]
    pop, push = stack.pop, stack.extend
    while stack:
        tile = pop()
        owner = owners[tile]
        if owner != team:
            owners[tile] = team
            owned[team] += 1
            left = owned[owner] - 1
            owned[owner] = left
            if not left:
                emptied.append(owner)
                if owned[team] == field.tiles:
                    # The piece that won is not placed any more.
                    return topples, emptied
        pieces = board[tile] + 1
        if pieces > limits[tile]:
            # What is taken off is subtracted, and not all but one, though in play that is the same.
            board[tile] = pieces - limits[tile]
            push(neighbours[tile])
            topples += 1
        else:
            board[tile] = pieces
    return topples, emptied
