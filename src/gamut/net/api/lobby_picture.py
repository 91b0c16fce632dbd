"""The picture of the lobby: the sign of every game above a board on which it is being played."""

from collections.abc import Collection
from random import Random

from gamut.games.game import AnyGame
from gamut.games.picture import Picture, rectangle, shaped
from gamut.net.api.canvas import Canvas

_RAISED = 0xFFFFFF
_MARGIN = 40
_GAP = 20
_EDGE = 8
"""The stripe in the game's colour at the top of its card."""
_SIGN = 84
_HEAD = 124
"""How much of a card is above its board."""
_TALL = 460
_MOVES = 24
"""So many actions into a game that something is to be seen."""


def draw_all(canvas: Canvas, games: Collection[AnyGame]) -> None:
    """A card for each of them, side by side."""
    width = (canvas.width - 2 * _MARGIN - (len(games) - 1) * _GAP) / len(games)
    for number, game in enumerate(games):
        _draw_card(canvas, game, _MARGIN + number * (width + _GAP), width)


def _draw_card(canvas: Canvas, game: AnyGame, left: float, width: float) -> None:
    mark, top = game.mark, (canvas.height - _TALL) / 2
    canvas.draw(
        [
            rectangle(left, top, width, _TALL, _RAISED),
            rectangle(left, top, width, _EDGE, mark.colour),
            shaped(mark.points, left + (width - _SIGN) / 2, top + _EDGE + _GAP, _SIGN, mark.colour),
        ]
    )
    picture = _example(game)
    if picture is None:
        return
    room = width - _GAP, _TALL - _HEAD - _GAP
    scale = min(room[0] / picture.width, room[1] / picture.height)
    across, down = picture.width * scale, picture.height * scale
    beside, above = (width - across) / 2, _HEAD + (_TALL - _HEAD - down) / 2
    canvas.draw(picture.shapes, scale, left + beside, top + above)


def _example(game: AnyGame) -> Picture | None:
    """A position that anybody may see: it was played by chance, the same one each time."""
    chance, options = Random(1), game.options_type()
    state = game.replay(game.begin(options, game.seats_for(options)[0], chance))
    for _ in range(_MOVES):
        waiting = game.awaited(state)
        if not waiting or game.outcome(state) is not None:
            break
        action = chance.choice(game.legal(state, waiting[0]))
        for event in game.decide(state, waiting[0], action, chance):
            state = game.evolve(state, event)
    picture: Picture | None = game.picture(state)
    return picture
