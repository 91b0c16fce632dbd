"""What happened at a table, as the frames that each of its players gets."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType

from gamut.doors.powerchess import from_client as f
from gamut.doors.powerchess import names
from gamut.doors.powerchess import to_client as t
from gamut.doors.powerchess.board import (
    POINTS,
    POWER_NUMBERS,
    Options,
    effects,
    entry,
    options,
    way,
    whole_board,
)
from gamut.doors.telling import Telling
from gamut.games.game import Seat
from gamut.games.powerchess.powers import RARITIES
from gamut.games.powerchess.state import Moved, Offered, Placed, PowerChessState, Used
from gamut.hall.ids import Millis
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.names.person_names import NAMELESS
from gamut.hall.store.journal import Journal
from gamut.hall.table import clock as clocks
from gamut.hall.table import events as e
from gamut.hall.table.clock import Clock, NoClock
from gamut.hall.table.deciding.bot_names import shown_name

if TYPE_CHECKING:
    from gamut.doors.powerchess.door import PowerChessDoor
    from gamut.doors.powerchess.session import PowerChessSession


def tell_action(
    journal: Journal, live: LiveTable, news: News, sessions: "Sequence[PowerChessSession]"
) -> bool:
    """The quick way for a MOVE or a power after which it is the other's turn, which is nearly all that is ever told.

    It says what the telling would say, to the one who acted first. False: it is something else, and nothing is said.
    """
    if len(news.events) > 1 or type(news.events[0]) is not e.Played or news.after.phase != "playing":
        return False
    (played,) = news.seen_by(None)
    happened: Any = played.events[0]
    if len(played.events) > 1 or type(happened) not in (Moved, Used):
        return False
    persons = news.after.persons
    actor = persons[happened.seat]
    message = _what_changed(live, news, happened)
    if type(happened) is Moved:
        own, others = t.updates_of_move(message, happened.start, happened.end)
    else:
        own = t.update(message)
        _say_what_was_done(message, happened)
        message.action = t.MOVE
        others = t.update(message)
    for session in sessions if sessions[0].state.person == actor else sessions[::-1]:
        person = session.state.person
        if person in persons:
            journal.send(session.wire, own if person == actor else others)
    return True


Kind = tuple[Seat, bool]
"""A player's seat, and whether they are told less: somebody has joined their own game, or they have given one up."""


class PowerChessTelling(Telling["PowerChessDoor"]):
    """All of it is public but what somebody is offered."""

    __slots__ = ("_actor", "_given_up", "_public", "_starts")

    def __init__(self, door: "PowerChessDoor", live: LiveTable, news: News) -> None:
        super().__init__(door, live, news)
        self._public = news.seen_by(None)
        self._starts = False
        self._given_up = news.cause is not None and type(news.cause.asked) is f.Over
        self._actor: Seat | None = None
        for event in self._public:
            if type(event) is e.Played:
                self._actor = event.seat
            elif type(event) is e.Started:
                self._starts = True

    def kind(self, session: "PowerChessSession") -> Kind | object:
        before = self.news.before
        if self._starts:
            seat = self.live.table.seat_of(session.person)
            return self.silent if seat is None else (seat, session.state.created)
        # The seat before the news: a player who leaves it by them is still told how the game ended.
        seat = None if before.phase == "setup" else before.seat_of(session.person)
        return self.silent if seat is None else (seat, self._given_up and self.news.is_by(session))

    def tell(self, sessions: "Collection[PowerChessSession]") -> None:
        """The order of telling: at the start the creator first, after an action the one who acted."""
        if self._starts:
            sessions = sorted(sessions, key=lambda session: not session.state.created)
        elif self._actor is not None and len(sessions) > 1:
            first = next(iter(sessions))
            if self.news.before.seat_of(first.person) != self._actor:
                sessions = tuple(sessions)[::-1]
        super().tell(sessions)

    def frames(self, kind: Kind) -> bytes:
        seat, less = kind
        if self._starts:
            return t.opponent(opponent(self.live, seat)) if less else self.door.joined(self.live, seat)
        return self._happened(seat, own=less)

    def _happened(self, seat: Seat, *, own: bool) -> bytes:
        """For the player in this seat; `own`: they gave the game up, and know that they have lost."""
        said = b""
        outcome = self.news.after.outcome
        for event in self._public:
            kind = type(event)
            if kind is e.Played:
                if event.why == "acted":
                    said += self._acted(event.events, seat)
            elif kind is e.DrawOffered and event.seat != seat and outcome is None:
                said += t.DRAW_OFFERED
        if outcome is None and self._goes_on_for(seat):
            said += t.update(_where_it_stands(self.live, seat, self.live.table.clock))
        if outcome is not None and self.news.before.outcome is None:
            has_lost = bool(outcome.winners) and seat not in outcome.winners
            if not (own and has_lost):
                said += t.over(outcome, seat)
        return said

    def _goes_on_for(self, seat: Seat) -> bool:
        """Whether to tell this seat that play goes on after a rest, or with other clocks.
        A player who has just come back gets a snapshot."""
        if not (self.news.goes_on or self.news.sets_clocks):
            return False
        returned = {event.person for event in self._public if type(event) is e.Returned}
        return not any(self.live.table.seat_of(person) == seat for person in returned)

    def _acted(self, events: Sequence[Any], seat: Seat) -> bytes:
        first, last = events[0], events[-1]
        message = _what_changed(self.live, self.news, first)
        if type(first) is Placed:
            if self.live.awaited == (seat,):
                message.action = t.MOVE
            return t.update(message)
        if type(last) is Offered:
            if last.seat == seat:
                _offer(message, self._offered(seat))
        elif first.seat != seat and self.news.after.outcome is None:
            message.action = t.MOVE
        if first.seat != seat:
            _say_what_was_done(message, first)
        return t.update(message)

    def _offered(self, seat: Seat) -> Options:
        """What this seat is offered, which nobody else sees."""
        for event in self.news.seen_by(seat):
            if type(event) is e.Played and type(event.events[-1]) is Offered:
                return options(event.events[-1].rarity, event.events[-1].powers)
        raise AssertionError("it was offered with this news")


def opponent(live: LiveTable, seat: Seat) -> str:
    holder = live.table.seats[1 - seat]
    # After the game the other one may have left.
    holder = live.table.players[1 - seat] if holder is None and live.table.players else holder
    return NAMELESS if holder is None else names.shown(shown_name(holder))


def _what_changed(live: LiveTable, news: News, happened: Any) -> t.Update:
    """What both are told alike."""
    updates = []
    if type(happened) is Placed:
        updates = [entry(happened.box.square, happened.box.rarity)]
    elif type(happened) is not Offered and happened.updates:
        updates = [entry(update.square, update.shown) for update in happened.updates]
    return t.Update(
        updates=updates,
        action=t.NONE,
        clocks=_clocks(news.after.clock),
        effects=effects(live.state_for(None)) or UNSET,
    )


def _say_what_was_done(message: t.Update, happened: Any) -> None:
    """To whoever did not do it."""
    if type(happened) is Moved:
        message.move = way(happened.start, happened.end)
    elif type(happened) is Used:
        message.rarity, message.power = RARITIES.index(happened.rarity), POWER_NUMBERS[happened.power]
        if happened.power in ("adjust", "second_effort") and happened.target is not None:
            message.move = way(happened.square, happened.target)


def _clocks(clock: Clock) -> t.Clocks | UnsetType:
    if type(clock.setting) is NoClock:
        return UNSET
    white, black = clock.times
    return t.Clocks(white.main / 1000, black.main / 1000)


def _offer(message: t.Update, offered: Options) -> None:
    message.action = t.SELECT_POWER
    message.rarity, message.id1, message.id2 = offered.rarity, offered.id1, offered.id2
    message.options = offered


def snapshot(live: LiveTable, seat: Seat, now: Millis) -> bytes:
    """All that a player must know who comes back."""
    table = live.table
    message = _where_it_stands(live, seat, clocks.charge(table.clock, now))
    message.updates = whole_board(live.state_for(seat))
    if table.outcome is not None:
        return t.update(message) + t.over(table.outcome, seat)
    offered = any(other != seat for other in table.draw_offers)
    return t.update(message) + (t.DRAW_OFFERED if offered else b"")


def standing(live: LiveTable, seat: Seat, now: Millis) -> bytes:
    """Turn, open choice and clocks, for a player whose board is right."""
    return t.update(_where_it_stands(live, seat, clocks.charge(live.table.clock, now)))


def _where_it_stands(live: LiveTable, seat: Seat, clock: Clock) -> t.Update:
    """What this player has to do now, and the clocks, without any square of the board."""
    state: PowerChessState = live.state_for(seat)
    message = t.Update(
        updates=[],
        action=t.NONE,
        clocks=_clocks(clock),
        effects=effects(state) or UNSET,
    )
    if live.table.outcome is None and state.turn == seat:
        message.action = t.MOVE
        if state.choice is not None:
            _offer(message, options(state.choice.rarity, state.choice.powers))
            # Some powers move the piece that has taken the box, and this player may not have seen which one it was.
            message.where_captured = POINTS[state.choice.square]
    return message
