"""What happened at a table, as the frames that each of its players gets."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from gamut.doors.powerchess import to_client as t
from gamut.doors.powerchess.pictures import (
    Options,
    effects,
    entries,
    entry,
    options,
    options_of,
    power_number,
    rarity_number,
    way,
    whole_board,
)
from gamut.doors.powerchess.time_controls import seconds
from gamut.games.game import Seat
from gamut.games.powerchess.state import Moved, Offered, Placed, PowerChessState, Used
from gamut.hall import clock as clocks
from gamut.hall.audience import News
from gamut.hall.clock import Clock, NoClock
from gamut.hall.ids import Millis
from gamut.hall.live import LiveTable
from gamut.hall.table import events as e


class Teller:
    """Says the same news to one player after the other."""

    def __init__(self, live: LiveTable, news: News) -> None:
        self._live = live
        self._news = news

    @property
    def actor(self) -> Seat | None:
        """Whoever did it is told first."""
        return next((event.seat for event in self._news.events if type(event) is e.Played), None)

    def frames(self, seat: Seat, *, own: bool) -> bytes:
        """For the player in this seat; `own`: it gave the game up by itself, and knows that it has lost."""
        said = b""
        outcome = self._news.after.outcome
        for event in self._news.seen_by(seat):
            kind = type(event)
            if kind is e.Played:
                if event.why == "acted":
                    said += self._acted(event.events, seat)
            elif kind is e.DrawOffered and event.seat != seat and outcome is None:
                said += t.DRAW_OFFERED
        if outcome is not None and self._news.before.outcome is None:
            has_lost = bool(outcome.winners) and seat not in outcome.winners
            if not (own and has_lost):
                said += t.over(outcome, seat)
        return said

    def _acted(self, events: Sequence[Any], seat: Seat) -> bytes:
        first, message = events[0], self._update()
        offer = next((event for event in events if type(event) is Offered), None)
        if type(first) is Placed:
            message.updates = [entry(first.box.square, first.box.rarity)]
            if self._live.awaited == (seat,):
                message.action = t.MOVE
            return t.update(message)
        if type(first) is Moved:
            message.updates = entries(first.updates)
            if first.seat != seat:
                message.move = way(first.start, first.end)
        elif type(first) is Used:
            message.updates = entries(first.updates)
            if first.seat != seat:
                message.rarity, message.power = rarity_number(first.rarity), power_number(first.power)
                if first.power in ("adjust", "second_effort") and first.target is not None:
                    message.move = way(first.square, first.target)
        if offer is not None:
            if offer.seat == seat:
                _offer(message, options(offer.rarity, offer.powers))
        elif first.seat != seat and self._news.after.outcome is None:
            message.action = t.MOVE
        return t.update(message)

    def _update(self) -> t.Update:
        after = self._news.after
        return _update(self._live.state_for(None), after.clock)


def _update(state: PowerChessState, clock: Clock) -> t.Update:
    times = UNSET if type(clock.setting) is NoClock else t.Clocks(*seconds(clock))
    return t.Update(updates=[], action=t.NONE, clocks=times, effects=effects(state) or UNSET)


def _offer(message: t.Update, offered: Options) -> None:
    message.action = t.SELECT_POWER
    message.rarity, message.id1, message.id2 = offered.rarity, offered.id1, offered.id2
    message.options = offered


def picture(live: LiveTable, seat: Seat, now: Millis) -> bytes:
    """All that a player must know who comes back."""
    table, state = live.table, live.state_for(seat)
    message = _update(state, clocks.charge(table.clock, now))
    message.updates = whole_board(state)
    if table.outcome is not None:
        return t.update(message) + t.over(table.outcome, seat)
    if state.turn == seat:
        message.action = t.MOVE
        if state.choice is not None:
            _offer(message, options_of(state.choice))
    offered = any(other != seat for other in table.draw_offers)
    return t.update(message) + (t.DRAW_OFFERED if offered else b"")
