"""What happened at a table, as the frames that everybody there gets."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from gamut.doors.telling import Telling
from gamut.doors.topple import from_client as f
from gamut.doors.topple import to_client as t
from gamut.doors.topple import views
from gamut.doors.topple.codes import is_machine
from gamut.doors.topple.rules import rules_of, scored
from gamut.games.game import Seat
from gamut.games.topple.events import Moved, Removed
from gamut.games.topple.files import bots
from gamut.games.topple.state import ToppleState, number
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e
from gamut.hall.table.evolve import evolve
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.doors.topple.door import ToppleDoor
    from gamut.doors.topple.session import ToppleSession

_TIMED_TURN = tuple(timed for _, timed in t.TURN[1:])
"""By seat."""


def ordinary_move(live: LiveTable, news: News) -> bytes | None:
    """A move that nobody fell by and that did not end the game, which is nearly all that is ever told; else None."""
    event = news.events[0]
    if len(news.events) > 1 or type(event) is not e.Played or event.why != "acted":
        return None
    state: ToppleState = news.after.state
    turn, happened = state.turn, event.events[0]
    if turn is None or state.fell or type(happened) is not Moved:
        return None
    return t.MOVED[state.setup.teams[happened.seat]][happened.tile] + _TIMED_TURN[turn]


class WatchesAs(msgspec.Struct, frozen=True):
    """As a cause: a player gives up the seat to watch, under this spectator id."""

    spectator: str


class ToppleTelling(Telling["ToppleDoor"]):
    """Everybody is told the same, but for a player who becomes a spectator, and a creator who has yet to set
    the rules.

    Events are told one by one, each with the table as it is before and after that event.
    """

    __slots__ = ("_said", "_turned")

    becomes_spectator: ClassVar[Hashable] = object()
    """The kind of the player who asked for that."""

    def __init__(self, door: "ToppleDoor", live: LiveTable, news: News) -> None:
        super().__init__(door, live, news)
        self._said: list[bytes] = []
        self._turned = False

    def kind(self, session: "ToppleSession") -> Hashable:
        if self.news.is_by(session) and type(self._asked) is WatchesAs:
            return self.becomes_spectator
        first = type(self.news.events[0])
        if session.state.entering is not None and first is e.Configured:
            return self.silent  # a creator is told of the rules when they are settled
        if first is e.Returned and self.news.is_by(session):
            return self.silent  # it is told how all stands in a moment
        return None

    def frames(self, kind: Hashable) -> bytes:
        if kind is self.becomes_spectator:
            return self._to_new_spectator()
        table, events = self.news.before, self.news.events
        for event in events:
            after = self.news.after if event is events[-1] else evolve(self.live.game, table, event)
            handle = _TELL.get(type(event))
            if handle is not None:
                handle(self, event, table, after)
            table = after
        return b"".join(self._said)

    def _to_new_spectator(self) -> bytes:
        assert isinstance(self._asked, WatchesAs)
        frames = t.own_spectator_id(self._asked.spectator)
        if self.news.before.host == self.news.after.host:
            return frames
        return frames + t.promoted(int(self.door.host_of(self.live)))

    @property
    def _asked(self) -> Any:
        cause = self.news.cause
        return None if cause is None else cause.asked

    def _say(self, frame: bytes) -> None:
        self._said.append(frame)

    def _next(self, state: ToppleState) -> None:
        """After the end of a turn: whose turn is next, or who has won."""
        if state.turn is not None:
            self._say(t.TURN[number(state.turn)][not state.first])
        elif state.winner is not None:
            self._say(views.won(self.news.after, state.winner))

    # The game

    def _started(self, event: e.Started[Any], before: Table, after: Table) -> None:
        self._say(t.STARTED)
        self._next(after.state)

    def _played(self, event: e.Played[Any], before: Table, after: Table) -> None:
        state: ToppleState = after.state
        if event.why == "quit" and event.events[0].why == "left":
            # The word about the seat itself, which follows, decides what comes first.
            self._turned = before.state.turn != state.turn
            return
        assert event.seat is not None
        if event.why == "flagged":
            self._say(t.time_up(number(event.seat)))
        for happened in event.events:
            if type(happened) is Moved:
                self._say(t.MOVED[state.setup.teams[happened.seat]][happened.tile])
                if state.turn is not None:
                    for seat in sorted(state.fell):
                        self._say(t.player_lost(number(seat)))
            elif type(happened) is Removed:
                self._lost(happened.seat, state)
        self._next(state)

    def _lost(self, seat: Seat, state: ToppleState) -> None:
        self._say(t.player_lost(number(seat)))
        team = state.setup.teams[seat]
        if not any(state.setup.teams[other] == team for other in state.living()):
            # The existing client shows a lost team's tiles as nobody's; they are still there, and it must see that.
            self._say(views.board(state))

    def _taken_back(self, event: e.TakenBack, before: Table, after: Table) -> None:
        self._say(views.board(after.state))
        if scored(after):
            self._say(views.team_scores(after))
        self._next(after.state)
        if after.clock.running:
            # With a turn the client begins to count anew, and no time has come back.
            self._say(views.times_left(after, event.at))

    def _paused(self, event: e.Paused, before: Table, after: Table) -> None:
        self._say(views.paused(after, event.at))
        self._say(views.times_left(after, event.at))

    def _clocks_go_on(self, event: Any, before: Table, after: Table) -> None:
        """Clients count down a clock also while it stands."""
        if self.news.goes_on or self.news.sets_clocks:
            self._say(views.times_left(after, event.at))

    def _resumed(self, event: e.Resumed, before: Table, after: Table) -> None:
        self._say(t.RESUMED)

    # Seats

    def _sat(self, event: e.Sat, before: Table, after: Table) -> None:
        self._say(t.player_joined(number(event.seat), views.teams_of(after)[event.seat]))
        if is_machine(event.sitter.person):
            self._say(t.account_is_bot(number(event.seat), event.sitter.name))
        elif not event.sitter.guest:
            self._say(t.account_found(number(event.seat), event.sitter.name))

    def _renamed(self, event: e.Renamed, before: Table, after: Table) -> None:
        seat = after.seat_of(event.person)
        if seat is not None and not event.guest:
            self._say(t.account_found(number(seat), event.name))

    def _bot_sat(self, event: e.BotSat, before: Table, after: Table) -> None:
        self._say(t.player_joined(number(event.seat), views.teams_of(after)[event.seat]))
        self._say(t.account_is_bot(number(event.seat), bots.name_of(event.level)))

    def _stood(self, event: e.Stood, before: Table, after: Table) -> None:
        turned, self._turned = self._turned, False
        word, first = self._word_about(event)
        ended = turned and after.state.turn is None
        if first or ended:
            self._say(word)
        if turned:
            self._next(after.state)
        if not (first or ended):
            self._say(word)

    def _word_about(self, event: e.Stood) -> tuple[bytes, bool]:
        """What is said about an emptied seat, and whether it comes before the turn that follows from it."""
        asked = self._asked
        if event.why in ("kicked", "removed") or isinstance(asked, f.Kick | f.WaitingKick):
            return t.kicked(number(event.seat)), True
        if isinstance(asked, WatchesAs):
            return t.player_spectates(number(event.seat), asked.spectator), True
        return t.player_left(number(event.seat)), False

    def _host_changed(self, event: e.HostChanged, before: Table, after: Table) -> None:
        seat = None if event.host is None else after.seat_of(event.host)
        if seat is not None:
            self._say(t.promoted(number(seat)))

    # Setting up

    def _readied(self, event: e.Readied, before: Table, after: Table) -> None:
        self._say(t.ready(number(event.seat), event.ready))

    def _decorated(self, event: e.Decorated, before: Table, after: Table) -> None:
        colours = after.decor.get("colours")
        if colours is not None and colours != before.decor.get("colours"):
            self._say(t.team_colors(colours, compat=self.door.settings.compat))

    def _configured(self, event: e.Configured, before: Table, after: Table) -> None:
        if _board_of(after) != _board_of(before):
            self._say(views.config(after, self.door.host_of(self.live)))
            self._say(views.empty_board(after))
        if rules_of(after) != rules_of(before):
            self._say(views.rules(after))
        teams, known = views.teams_of(after), views.teams_of(before)
        for seat, _ in after.present():
            if teams[seat] != known[seat]:
                self._say(t.player_switched(number(seat), teams[seat]))
        for seat in before.ready:
            if seat not in after.ready:
                self._say(t.ready(number(seat), False))


def _board_of(table: Table) -> tuple[Any, ...]:
    """What is in the config message."""
    options = table.options
    return options.topology, options.x, options.y, len(table.seats)


_TELL: dict[type, Callable[[ToppleTelling, Any, Table, Table], None]] = {
    e.Started: ToppleTelling._started,
    e.Played: ToppleTelling._played,
    e.TakenBack: ToppleTelling._taken_back,
    e.Paused: ToppleTelling._paused,
    e.Resumed: ToppleTelling._resumed,
    e.Returned: ToppleTelling._clocks_go_on,
    e.WaitedOut: ToppleTelling._clocks_go_on,
    e.Handed: ToppleTelling._clocks_go_on,
    e.Sat: ToppleTelling._sat,
    e.Renamed: ToppleTelling._renamed,
    e.BotSat: ToppleTelling._bot_sat,
    e.Stood: ToppleTelling._stood,
    e.HostChanged: ToppleTelling._host_changed,
    e.Readied: ToppleTelling._readied,
    e.Decorated: ToppleTelling._decorated,
    e.Configured: ToppleTelling._configured,
}
"""Whatever is not here changes nothing that this protocol shows."""
