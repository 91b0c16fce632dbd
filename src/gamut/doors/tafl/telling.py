"""What happened at a table, as the lines that each of its people gets."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from gamut.doors.endings import WHY_CLOSED
from gamut.doors.tafl import from_client as f
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.client_rules import MAY_DIFFER
from gamut.doors.tafl.dialects import Dialect
from gamut.doors.tafl.history import Histories, history_of
from gamut.doors.telling import Telling
from gamut.games.game import Outcome, Seat
from gamut.games.tafl.endings import WHY
from gamut.games.tafl.pieces import SIDES
from gamut.games.tafl.state import Moved, TaflState
from gamut.hall.ids import Millis
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.journal import Journal
from gamut.hall.table import events as e
from gamut.hall.table.deciding.bot_names import shown_name
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.doors.tafl.door import TaflDoor
    from gamut.doors.tafl.session import TaflSession

_GONE = ("left", "kicked", "gone")


def ordinary_move(news: News) -> Moved | None:
    """A move after which the game goes on, which is nearly all that is ever told; else None."""
    events = news.events
    event = events[0]
    if len(events) > 1 or type(event) is not e.Played or news.after.phase != "playing":
        return None
    moved: Moved = event.events[0]
    return moved


def tell_move(
    journal: Journal, live: LiveTable, news: News, moved: Moved, sessions: Collection["TaflSession"]
) -> None:
    """The quick way for an ordinary move: it says what the telling would say."""
    after, cause, send = news.after, news.cause, journal.send
    mover = None if cause is None else cause.listener
    turn: Seat = after.state.turn
    awaited = None if after.waiting else after.persons[turn]
    told: dict[Dialect, tuple[bytes, bytes]] = {}
    for session in sessions:
        if session.live is not live:
            continue  # on the way in: see `TaflTelling.kind`
        state = session.state
        known = told.get(state.dialect)
        if known is None:
            clock = t.clock_update(state.dialect, after.clock, after.at)
            known = told[state.dialect] = t.GOOD_MOVE + clock, t.move(state.dialect, moved.record) + clock
        lines = known[0] if session is mover else known[1]
        if state.person == awaited:
            lines += t.AWAIT_MOVE[turn]
        send(session.wire, lines)


class Kind(NamedTuple):
    """Of listeners who are told the same."""

    dialect: Dialect
    seat: Seat | None
    asked: bool
    """It was this client that asked for what happened."""


class TaflTelling(Telling["TaflDoor"]):
    __slots__ = ("_clocks", "_deserted")

    def __init__(self, door: "TaflDoor", live: LiveTable, news: News) -> None:
        super().__init__(door, live, news)
        self._clocks: dict[Dialect, bytes] = {}
        self._deserted = any(type(event) is e.Stood and event.why in _GONE for event in news.events)
        """A player has given up the seat: a game that was on is over by that."""

    def kind(self, session: "TaflSession") -> Any:
        if session.live is not self.live:
            return self.silent  # it is being let in, and gets a snapshot when that is done
        return Kind(session.dialect, self.news.after.seat_of(session.person), self.news.is_by(session))

    def frames(self, kind: Kind) -> bytes:
        lines = [self._answer(kind)] if kind.asked else []
        for event in self.news.events:
            tell = _TELL.get(type(event))
            if tell is not None:
                tell(self, lines, event, kind)
        if self.news.goes_on:
            lines += self._whose_turn(kind)
        elif self.news.sets_clocks:
            lines.append(self._clock_update(kind.dialect))
        return b"".join(lines)

    def _answer(self, kind: Kind) -> bytes:
        """To whoever asked for what happened."""
        cause, after = self.news.cause, self.news.after
        asked = None if cause is None else type(cause.asked)
        if asked is f.Move:
            return t.GOOD_MOVE if after.outcome is None else t.final_move(after.outcome.winners)
        if asked is f.Ready:
            return t.WAITING if after.phase == "setup" else t.SUCCESS
        if asked is f.Create or asked is f.Join:
            return t.seated(kind.dialect, kind.seat)
        return b""

    def _whose_turn(self, kind: Kind) -> list[bytes]:
        return [self._clock_update(kind.dialect), *awaited(self.news.after, kind.seat)]

    def _clock_update(self, dialect: Dialect) -> bytes:
        said = self._clocks.get(dialect)
        if said is None:
            after = self.news.after
            said = self._clocks[dialect] = t.clock_update(dialect, after.clock, after.at)
        return said

    # The game

    def _started(self, lines: list[bytes], event: e.Started[Any], kind: Kind) -> None:
        lines += beginning(self.door.histories, self.live, kind.dialect)
        lines += self._whose_turn(kind)
        lines += warning(self.news.after, kind.dialect)

    def _played(self, lines: list[bytes], event: e.Played[Any], kind: Kind) -> None:
        after = self.news.after
        # Whoever has moved knows the move.
        if not (kind.asked and event.why == "acted" and event.seat == kind.seat):
            moved = (happened for happened in event.events if type(happened) is Moved)
            lines += [t.move(kind.dialect, happened.record) for happened in moved]
        if after.outcome is None:
            lines += self._whose_turn(kind)
            return
        lines.append(self._clock_update(kind.dialect))
        if after.outcome.reason == "endless":
            lines.append(t.game_chat(kind.dialect, t.SERVER, f"A draw: {WHY['endless']}."))
        lines += ending(after.outcome, kind.dialect, kind.seat, canceled=self._deserted)

    def _taken_back(self, lines: list[bytes], event: e.TakenBack, kind: Kind) -> None:
        """A game that is on is shown anew: to clients of dialect O by its history, to others as to a newcomer."""
        histories, live = self.door.histories, self.live
        if kind.dialect == "O":
            lines.append(history_of(histories, live))
        else:
            lines += beginning(histories, live, kind.dialect)
        lines += self._whose_turn(kind)

    def _paused(self, lines: list[bytes], event: e.Paused, kind: Kind) -> None:
        lines.append(t.clock_update(kind.dialect, self.news.after.clock, event.at))
        lines.append(t.game_chat(kind.dialect, t.SERVER, "The game is paused."))

    def _resumed(self, lines: list[bytes], event: e.Resumed, kind: Kind) -> None:
        lines.append(t.game_chat(kind.dialect, t.SERVER, "The game goes on."))

    def _swapped(self, lines: list[bytes], event: e.Swapped, kind: Kind) -> None:
        """Only whoever sat down on the page can be moved: a client that was told its side cannot be told another."""
        if kind.seat is not None:
            lines.append(t.game_chat(kind.dialect, t.SERVER, f"You play the {SIDES[kind.seat]} now."))

    def _closed(self, lines: list[bytes], event: e.Closed, kind: Kind) -> None:
        if event.why in WHY_CLOSED:
            lines.append(t.game_chat(kind.dialect, t.SERVER, WHY_CLOSED[event.why]))
        lines.append(t.GAME_CANCELED)
        if self.news.before.phase != "setup":
            lines.append(t.GAME_ENDED if kind.dialect == "O" else t.END_GAME)

    # Draws, which only one of the dialects has words for

    def _draw_offered(self, lines: list[bytes], event: e.DrawOffered, kind: Kind) -> None:
        if kind.seat is None or kind.seat == event.seat or self.news.after.phase == "over":
            return
        name = _name(self.news.after, event.seat)
        in_words = t.game_chat(kind.dialect, t.SERVER, f"{name} offers a draw.")
        lines.append(t.DRAW_OFFER if kind.dialect == "S+" else in_words)

    def _draw_declined(self, lines: list[bytes], event: e.DrawDeclined, kind: Kind) -> None:
        if kind.seat is not None and kind.seat != event.seat and kind.dialect == "S+":
            lines.append(t.DRAW_DECLINE)

    # Talk

    def _spoke(self, lines: list[bytes], event: e.Said, kind: Kind) -> None:
        if event.channel == "table":
            lines.append(t.game_chat(kind.dialect, event.name, event.text))
        elif kind.seat is None:
            lines.append(t.spectator_chat(kind.dialect, event.name, event.text))


_TELL: dict[type, Callable[[TaflTelling, list[bytes], Any, Kind], None]] = {
    e.Started: TaflTelling._started,
    e.Played: TaflTelling._played,
    e.TakenBack: TaflTelling._taken_back,
    e.Paused: TaflTelling._paused,
    e.Resumed: TaflTelling._resumed,
    e.Swapped: TaflTelling._swapped,
    e.Closed: TaflTelling._closed,
    e.DrawOffered: TaflTelling._draw_offered,
    e.DrawDeclined: TaflTelling._draw_declined,
    e.Said: TaflTelling._spoke,
}
"""Whatever is not here changes nothing that this protocol shows."""


def _name(table: Table, seat: Seat) -> str:
    holder = table.seats[seat]
    return t.shown(shown_name(holder)) if holder is not None else t.SERVER


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
    played = histories.moves(live, dialect)
    if dialect == "O" and played:
        return [t.start_with_history(state.rules, played)]
    return [t.start_game(state.rules), played]


def warning(table: Table, dialect: Dialect) -> list[bytes]:
    """Whoever works out another board than ours is told so."""
    if dialect != "O" or table.state is None or table.state.quirks:
        return []
    return [t.game_chat("O", t.SERVER, MAY_DIFFER)]


def snapshot(
    histories: Histories, live: LiveTable, dialect: Dialect, seat: Seat | None, now: Millis
) -> list[bytes]:
    """All that somebody must know who comes into a game that has begun."""
    table = live.table
    if table.state is None:
        return []
    lines = [*beginning(histories, live, dialect), t.clock_update(dialect, table.clock, now)]
    if table.outcome is None:
        lines += awaited(table, seat)
    else:
        lines += ending(table.outcome, dialect, seat, canceled=False)
    return lines + warning(table, dialect)
