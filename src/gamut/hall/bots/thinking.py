"""Letting bots think when they are awaited, and playing what they found."""

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

from gamut.games.game import Refused, Seat
from gamut.hall.bots.bot_time import budget_for
from gamut.hall.bots.processes import BotRunner, Question
from gamut.hall.faults import Fault
from gamut.hall.ids import Millis, Seq
from gamut.hall.limits.congestion import Congestion
from gamut.hall.live.live_table import LiveTable
from gamut.hall.patience import Patience
from gamut.hall.time import Timekeeper

log = logging.getLogger("gamut.hall")


class Thinking:
    """All bots that are awaited think at the same time.
    An answer is played only if it is still the same turn."""

    def __init__(
        self,
        bots: BotRunner,
        time: Timekeeper,
        at_least: Millis,
        chance: Random,
        act: Callable[[LiveTable, Seat, Any], None],
        congestion: Congestion,
        patience: Patience,
    ) -> None:
        self._bots = bots
        self._time = time
        self._at_least = at_least
        self._chance = chance
        self._act = act
        self._congestion = congestion
        self._patience = patience
        self.failures = 0
        self._silent = False

    def silence(self) -> None:
        """Nobody is asked any more, and what is answered is not heard: another node asks them now."""
        self._silent = True

    def ask_bots(self, live: LiveTable) -> None:
        """Ask every bot that is awaited and not thinking yet."""
        if self._silent:
            return
        for seat in live.awaited_bots():
            # Asked anew for each: a bot before it may have answered at once, and changed who is awaited.
            level = live.awaited_bot(seat)
            if level is not None and live.thinking.get(seat) != live.whole.last_turn(seat):
                try:
                    self._ask(live, seat, level)
                except Fault as fault:
                    self._ask_later(live, seat, fault)

    def _ask(self, live: LiveTable, seat: Seat, level: str) -> None:
        table, began = live.whole, self._time.now()
        turn, position = table.last_turn(seat), table.state
        live.thinking[seat] = turn
        budget = budget_for(table.clock, seat, began)
        at_least = self._at_least if budget.millis is None else min(self._at_least, budget.millis // 4)

        def answered(action: Any) -> None:
            left = at_least - (self._time.now() - began)
            # The answer waits while nothing can be stored, or bots that play each
            # other would fill the memory.
            play = partial(
                self._congestion.when_over, partial(self._play, live, seat, turn, position, action)
            )
            if left > 0:
                self._time.later(Millis(left), play)
            else:
                play()

        question = Question(
            game=live.game,
            # A bot sees what its seat may see, no more.
            state=live.state_for(seat),
            seat=seat,
            level=level,
            seed=self._chance.getrandbits(63),
            budget=budget,
            owner=table.host or live.id,
        )
        self._bots.think(question, answered)

    def _play(self, live: LiveTable, seat: Seat, turn: Seq, position: Any, action: Any) -> None:
        if self._silent:
            return
        try:
            self._play_or_fail(live, seat, turn, position, action)
        except Fault as fault:
            self._ask_later(live, seat, fault)
        else:
            self._patience.went_well(live, "bot")

    def _play_or_fail(self, live: LiveTable, seat: Seat, turn: Seq, position: Any, action: Any) -> None:
        if live.thinking.get(seat) == turn:
            del live.thinking[seat]
        if live.out_of_order or live.whole.last_turn(seat) != turn or live.awaited_bot(seat) is None:
            return  # the game went on without it
        if isinstance(action, BaseException):
            self._failed(live, seat, action)
            return
        try:
            self._act(live, seat, action)
        except Refused as refused:
            if live.whole.last_turn(seat) != turn:
                return  # its flag has fallen in the same moment
            if live.whole.state is not position:
                # What somebody else did in the meantime has made it impossible: think again.
                self.ask_bots(live)
            else:
                self._failed(live, seat, refused)

    def _ask_later(self, live: LiveTable, seat: Seat, fault: Exception) -> None:
        """The server failed to ask the bot, or to play its answer: it is asked again later."""
        turn = live.whole.last_turn(seat)
        delay = self._patience.delay(live, "bot", fault)
        if delay is None:
            return
        live.thinking[seat] = turn  # it counts as thinking, or the next event here would ask it at once

        def again() -> None:
            if live.thinking.get(seat) != turn:
                return
            del live.thinking[seat]
            try:
                self.ask_bots(live)
            except Fault as fault:
                self._ask_later(live, seat, fault)

        self._time.later(delay, again)

    def _failed(self, live: LiveTable, seat: Seat, error: BaseException) -> None:
        self.failures += 1
        log.error("a bot failed", extra={"table": live.id, "seq": live.table.seq, "error": repr(error)})
        # Anything legal is better than a game that stands still for ever.
        with suppress(Refused):
            self._act(live, seat, self._chance.choice(live.game.legal(live.whole.state, seat)))
