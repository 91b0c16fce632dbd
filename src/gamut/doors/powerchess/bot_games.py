"""The games in the list in which a bot waits.

Each is listed for good under a number that stays the same, and whoever joins it gets a table of their own.
"""

from typing import NamedTuple

from gamut.doors.powerchess import time_controls
from gamut.doors.powerchess.naming import MOST
from gamut.doors.waiting_bots import WaitingBot, bots_of
from gamut.games.game import AnyGame, Seat
from gamut.hall.live.opening import Opening

BOT_SEAT = Seat(1)
"""Whoever joins has White, and need not wait."""
CONTROL = time_controls.SLOWEST


class BotGame(NamedTuple):
    number: int
    bot: WaitingBot

    def opening(self, game: str) -> Opening:
        return Opening(game=game, clock=time_controls.setting(CONTROL))


def bot_games(game: AnyGame) -> dict[int, BotGame]:
    """By number."""
    return {number: BotGame(number, bot) for number, bot in enumerate(bots_of(game), MOST)}
