"""Letting bots think when it is their turn, and playing what they found."""

import logging
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from gamut.games.game import Refused, Seat
from gamut.hall.bots import BotRunner
from gamut.hall.ids import Millis
from gamut.hall.live import LiveTable
from gamut.hall.time import Timekeeper

log = logging.getLogger("gamut.hall")


class Thinking:
    def __init__(
        self,
        bots: BotRunner,
        time: Timekeeper,
        at_least: Millis,
        chance: Random,
        act: Callable[[LiveTable, Seat, Any], None],
    ) -> None:
        self._bots = bots
        self._time = time
        self._at_least = at_least
        self._chance = chance
        self._act = act
        self.failures = 0

    def ask_bots(self, live: LiveTable) -> None:
        """If it is a bot's turn and nobody has told it yet, tell it."""
        bot = live.awaited_bot()
        if bot is None or live.thinking is live.table.state:
            return
        seat, level = bot
        position = live.table.state
        live.thinking = position
        began = self._time.now()

        def answered(action: Any) -> None:
            left = self._at_least - (self._time.now() - began)
            if left > 0:
                self._time.later(Millis(left), lambda: self._play(live, seat, position, action))
            else:
                self._play(live, seat, position, action)

        # A bot sees what its seat may see, no more.
        seed = self._chance.getrandbits(63)
        owner = live.table.host or live.id
        self._bots.think(live.game, live.state_for(seat), seat, level, seed, answered, owner=owner)

    def _play(self, live: LiveTable, seat: Seat, position: Any, action: Any) -> None:
        if live.thinking is position:
            live.thinking = None
        bot = live.awaited_bot()
        if live.table.state is not position or bot is None or bot[0] != seat:
            return  # the game went on without it
        if isinstance(action, BaseException):
            self._failed(live, seat, action)
            return
        try:
            self._act(live, seat, action)
        except Refused as refused:
            if live.table.state is position:  # else its flag has fallen in the same moment
                self._failed(live, seat, refused)

    def _failed(self, live: LiveTable, seat: Seat, error: BaseException) -> None:
        self.failures += 1
        log.error("a bot failed", extra={"table": live.id, "seq": live.table.seq, "error": repr(error)})
        # Anything legal is better than a game that stands still for ever.
        with suppress(Refused):
            self._act(live, seat, self._chance.choice(live.game.legal(live.table.state, seat)))
