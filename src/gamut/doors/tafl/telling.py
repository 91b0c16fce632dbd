"""What happened at a table, as the lines that each of its people gets."""

from collections.abc import Callable
from typing import Any

from gamut.doors.endings import WHY_CLOSED
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.dialects import Dialect
from gamut.doors.tafl.history import Histories
from gamut.games.game import Outcome, Seat
from gamut.games.tafl.endings import WHY
from gamut.games.tafl.state import Moved, TaflState
from gamut.hall.ids import Millis
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e
from gamut.hall.table.deciding.bot_names import told_name
from gamut.hall.table.state import Table

_GONE = ("left", "kicked", "gone")


class Teller:
    """Says the same news to one kind of listener after the other: whoever sees the same gets the same bytes."""

    def __init__(self, live: LiveTable, news: News, histories: Histories) -> None:
        self._live = live
        self._news = news
        self._histories = histories
        self._said: dict[tuple[Dialect, Seat | None, bool], bytes] = {}
        self._clocks: dict[Dialect, bytes] = {}
        self._deserted = any(type(event) is e.Stood and event.why in _GONE for event in news.events)
        """Somebody has gone, and with them the game if it was on."""

    def lines(self, dialect: Dialect, seat: Seat | None, *, own: bool) -> bytes:
        """For a listener with this seat; `own`: what happened is what they asked for, and they know the move."""
        kind = dialect, seat, own
        said = self._said.get(kind)
        if said is None:
            said = self._said[kind] = b"".join(self._told(dialect, seat, own))
        return said

    def _told(self, dialect: Dialect, seat: Seat | None, own: bool) -> list[bytes]:
        lines: list[bytes] = []
        for event in self._news.events:
            tell = _TELL.get(type(event))
            if tell is not None:
                tell(self, lines, event, dialect, seat, own)
        if self._news.goes_on:
            lines += self._whose_turn(dialect, seat)
        return lines

    def _whose_turn(self, dialect: Dialect, seat: Seat | None) -> list[bytes]:
        return [self._clock_update(dialect), *awaited(self._news.after, seat)]

    def _clock_update(self, dialect: Dialect) -> bytes:
        said = self._clocks.get(dialect)
        if said is None:
            after = self._news.after
            said = self._clocks[dialect] = t.clock_update(dialect, after.clock, after.at)
        return said

    # The game

    def _started(
        self, lines: list[bytes], event: e.Started[Any], dialect: Dialect, seat: Seat | None, own: bool
    ) -> None:
        lines += beginning(self._histories, self._live, dialect)
        lines += self._whose_turn(dialect, seat)

    def _played(
        self, lines: list[bytes], event: e.Played[Any], dialect: Dialect, seat: Seat | None, own: bool
    ) -> None:
        after = self._news.after
        if not (own and event.why == "acted" and event.seat == seat):
            moved = (happened for happened in event.events if type(happened) is Moved)
            lines += [t.move(dialect, happened.record) for happened in moved]
        if after.outcome is None:
            lines += self._whose_turn(dialect, seat)
            return
        lines.append(self._clock_update(dialect))
        if after.outcome.reason == "endless":
            lines.append(t.game_chat(dialect, t.SERVER, f"A draw: {WHY['endless']}."))
        lines += ending(after.outcome, dialect, seat, canceled=self._deserted)

    def _paused(
        self, lines: list[bytes], event: e.Paused, dialect: Dialect, seat: Seat | None, own: bool
    ) -> None:
        lines.append(t.clock_update(dialect, self._news.after.clock, event.at))
        lines.append(t.game_chat(dialect, t.SERVER, "The game is paused."))

    def _resumed(
        self, lines: list[bytes], event: e.Resumed, dialect: Dialect, seat: Seat | None, own: bool
    ) -> None:
        lines.append(t.game_chat(dialect, t.SERVER, "The game goes on."))

    def _closed(
        self, lines: list[bytes], event: e.Closed, dialect: Dialect, seat: Seat | None, own: bool
    ) -> None:
        if event.why in WHY_CLOSED:
            lines.append(t.game_chat(dialect, t.SERVER, WHY_CLOSED[event.why]))
        lines.append(t.GAME_CANCELED)
        if self._news.before.phase != "setup":
            lines.append(t.GAME_ENDED if dialect == "O" else t.END_GAME)

    # Draws, which only one of the dialects has words for

    def _draw_offered(
        self, lines: list[bytes], event: e.DrawOffered, dialect: Dialect, seat: Seat | None, own: bool
    ) -> None:
        if seat is None or seat == event.seat or self._news.after.phase == "over":
            return
        name = _name(self._news.after, event.seat)
        note = t.game_chat(dialect, t.SERVER, f"{name} offers a draw.")
        lines.append(t.DRAW_OFFER if dialect == "S+" else note)

    def _draw_declined(
        self, lines: list[bytes], event: e.DrawDeclined, dialect: Dialect, seat: Seat | None, own: bool
    ) -> None:
        if seat is not None and seat != event.seat and dialect == "S+":
            lines.append(t.DRAW_DECLINE)

    # Talk

    def _spoke(
        self, lines: list[bytes], event: e.Said, dialect: Dialect, seat: Seat | None, own: bool
    ) -> None:
        if event.channel == "table":
            lines.append(t.game_chat(dialect, event.name, event.text))
        elif seat is None:
            lines.append(t.spectator_chat(dialect, event.name, event.text))


_TELL: dict[type, Callable[[Teller, list[bytes], Any, Dialect, Seat | None, bool], None]] = {
    e.Started: Teller._started,
    e.Played: Teller._played,
    e.Paused: Teller._paused,
    e.Resumed: Teller._resumed,
    e.Closed: Teller._closed,
    e.DrawOffered: Teller._draw_offered,
    e.DrawDeclined: Teller._draw_declined,
    e.Said: Teller._spoke,
}
"""Whatever is not here changes nothing that this protocol shows."""


def _name(table: Table, seat: Seat) -> str:
    holder = table.seats[seat]
    return t.shown(told_name(holder)) if holder is not None else t.SERVER


def awaited(table: Table, seat: Seat | None) -> list[bytes]:
    """What somebody in this seat hears if it is their turn."""
    if seat is None or table.phase != "playing" or table.waiting or table.state.turn != seat:
        return []
    return [t.AWAIT_MOVE[seat]]


def ending(outcome: Outcome, dialect: Dialect, seat: Seat | None, *, canceled: bool) -> list[bytes]:
    result = t.victory(outcome.winners)
    if dialect == "O":
        # Whoever sits there is also told why it ended, whoever watches is not.
        left = [t.OPPONENT_LEFT] if canceled and seat is not None else []
        return [result, t.GAME_ENDED, *left]
    lines = [t.GAME_CANCELED] if canceled else []
    if dialect == "S+":
        lines.append(result)
    return [*lines, t.END_GAME]


def beginning(histories: Histories, live: LiveTable, dialect: Dialect) -> list[bytes]:
    """The start of the game and the moves so far: there are some if a saved game goes on, or somebody comes late."""
    state: TaflState = live.table.state
    if dialect != "O":
        return [t.start_game(state.rules), histories.lines(live)]
    played = histories.entries(live)
    if not played:
        return [t.start_game(state.rules)]
    return [t.start_with_history(state.rules, played)]


def picture(
    histories: Histories, live: LiveTable, dialect: Dialect, seat: Seat | None, now: Millis
) -> list[bytes]:
    """All that somebody must know who comes into a game that has begun."""
    table = live.table
    if table.state is None:
        return []
    lines = [*beginning(histories, live, dialect), t.clock_update(dialect, table.clock, now)]
    if table.outcome is not None:
        return lines + ending(table.outcome, dialect, seat, canceled=False)
    return lines + awaited(table, seat)
