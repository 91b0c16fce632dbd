"""Tafl tables, told to clients of the Tafl protocol."""

from collections.abc import Collection, Iterator
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from gamut.doors.base_door import BaseDoor
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.bot_games import BotGames, kinds_of
from gamut.doors.tafl.client_rules import ClientRules
from gamut.doors.tafl.clock_updates import ClockUpdates
from gamut.doors.tafl.dialects import Dialect
from gamut.doors.tafl.game_list import game_list, games_of, record
from gamut.doors.tafl.history import Histories
from gamut.doors.tafl.playing import is_ready_unknown, play_held
from gamut.doors.tafl.session import TaflSession
from gamut.doors.tafl.telling import TaflTelling, ordinary_move, tell_move
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.audience import LobbyNews, News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.directory import Directory
from gamut.hall.people.person import Person
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.time import Timer

GAME = "tafl"
_MOMENT = Millis(100)
_LISTS_EVERY = Millis(5_000)
_MOST_NAMES = 500
"""In the list of people: those of this door come first."""
_REMOVED = ("kicked", "gone")
_UNSETTLING = (e.Configured, e.Sat, e.BotSat, e.Stood, e.Swapped)
"""After these some who were ready do not count as ready any more."""


def _is_departure(event: object) -> bool:
    """Whether a person has given up a seat, or lost it."""
    return type(event) is e.Stood and event.person is not None


class Lists(NamedTuple):
    """What all clients of dialect O are told of the lobby."""

    games: bytes
    """Those of people, without the end of the line: behind them each client is told of the bots that wait for it."""
    people: bytes

    @property
    def digest(self) -> int:
        """A number for these lists, the same on every node."""
        return int.from_bytes(blake2b(b"\n".join(self), digest_size=6).digest(), "big")


class TaflLimits(msgspec.Struct, frozen=True, kw_only=True):
    login_tries: int = 5
    """Log-ins that may fail on one connection."""


class TaflDoor(BaseDoor[TaflSession]):
    name = GAME
    telling = TaflTelling

    def __init__(
        self, hall: Hall, people: Directory, limits: TaflLimits | None = None, *, bots: bool = False
    ) -> None:
        super().__init__(hall)
        self.people = people
        self.limits = limits if limits is not None else TaflLimits()
        self.games = games_of(hall, GAME)
        self.client_rules = ClientRules(self)
        self.histories = Histories()
        self.clock_updates = ClockUpdates(hall.time, hall.here, self._tell_clocks)
        self.reserved: set[str] = set()
        """Names of games that are being created, and of those in which bots wait."""
        self.bot_games = BotGames(kinds_of(hall.games[GAME]) if bots else (), self.reserved)
        self._goodbyes: dict[tuple[TableId, PersonId], Timer] = {}
        """When the seats are given up of those whose connection was lost and who may come back."""
        self._notices: list[bytes] = []
        """Who came and went in the last moment."""
        self._arrivals: dict[PersonId, int] = {}
        """Where among the notices somebody's own coming is: whoever has just come knows that."""
        self._pushing = False

    # Who is there

    @property
    def sessions(self) -> Iterator[TaflSession]:
        """Of everybody who is logged in; at this door each has one."""
        return (session for sessions in self._sessions.values() for session in sessions)

    def connected(self, session: TaflSession) -> None:
        self.hall.lobby.attend(session)
        self._arrivals[session.person] = len(self._notices)
        self._notice(session, "connected")
        if session.dialect == "O":
            self._push_later()

    def disconnected(self, session: TaflSession) -> None:
        self.let_go(session)
        self._notice(session, "disconnected")

    def renamed(self, person: Person) -> None:
        """Whoever plays here takes another name on the page: what their client says from now on is said under that."""
        for session in self.sessions_of(person.id):
            if session.name != person.name:
                self._notice(session, f"become {t.shown(person.name)}")
                session.state.name = person.name

    def let_go(self, session: TaflSession) -> None:
        """A client that was logged in is here no more, or goes on at another node."""
        self.bot_games.forget(session)
        self.hall.lobby.depart(session)

    def take_up(self, session: TaflSession) -> None:
        """A client that was logged in at another node goes on here."""
        self.hall.lobby.attend_again(session)
        self.bot_games.recall(session)
        if session.dialect == "O":
            self._push_later()
        # A table that was only read has clocks that are not set yet. They are told when it is woken.
        if session.live is not None and not session.live.asleep:
            self.clock_updates.begin(session.live)

    def _notice(self, session: TaflSession, what: str) -> None:
        if not self._notices:
            self.hall.time.later(_MOMENT, self._tell_notices)
        self._notices.append(t.lobby_chat(t.SERVER, f"{t.shown(session.name)} has {what}."))

    def _tell_notices(self) -> None:
        notices, self._notices = self._notices, []
        arrivals, self._arrivals = self._arrivals, {}
        lines = b"".join(notices)
        for session in self.sessions:
            if session.plays:
                continue
            own = arrivals.get(session.person)
            session.send(lines if own is None else b"".join(notices[:own] + notices[own + 1 :]))

    def names(self) -> list[str]:
        """Who is here, at whatever door, as far as the list has room."""
        ours = sorted(session.name for session in self.sessions)
        others = (
            self.people.person(person) for person in self.hall.connected if person not in self._sessions
        )
        return [*ours, *sorted(person.name for person in others if person is not None)][:_MOST_NAMES]

    # What happens at tables

    def tell(self, live: LiveTable, news: News, listeners: Collection[TaflSession]) -> None:
        moved = ordinary_move(news)
        if moved is None:
            super().tell(live, news, listeners)
            return
        tell_move(self.hall.journal, live, news, moved, listeners)
        self.clock_updates.told(live, news.after.at)

    def see_to(self, live: LiveTable, news: News, listeners: Collection[TaflSession]) -> None:
        before, after = news.before, news.after
        if after.phase == "playing":
            self.clock_updates.told(live, after.at)
        if after.phase != "setup" and before.phase == "setup":
            self.client_rules.follow(live)
        if after.phase == "setup" and any(type(event) in _UNSETTLING for event in news.events):
            configured = type(news.events[0]) is e.Configured
            live.when_told(lambda: self._unsettled(live, configured=configured))
        if before.halted and not after.halted:
            for session in listeners:
                live.when_told(partial(play_held, session))
        if after.phase == "setup" and any(map(_is_departure, news.events)):
            live.when_told(lambda: self._cancel(live))
        removed = {event.person for event in news.events if type(event) is e.Stood and event.why in _REMOVED}
        # A table that is closed before the game began is closed with all who sit there.
        called_off = before.phase == "setup" and any(type(event) is e.Closed for event in news.events)
        empty = called_off or (after.phase == "over" and next(after.sitters(), None) is None)
        for session in tuple(listeners):
            if session.person in removed and after.phase == "setup":
                session.send(t.GAME_CANCELED)
            if empty or session.person in removed:
                session.released()

    def _cancel(self, live: LiveTable) -> None:
        """A player has gone before the start: this door's other player is told that the game is canceled.

        A client of dialect O goes on waiting: it was told of no opponent, as games between two of them start
        at once.
        """
        for session in tuple(self.sessions_at(live)):
            if session.dialect != "O" and session.seat is not None and live.table.phase == "setup":
                session.send(t.GAME_CANCELED)
                session.leave()

    def _unsettled(self, live: LiveTable, *, configured: bool) -> None:
        """A change may have made players count as not ready. This protocol cannot say so:
        they are made ready again."""
        if configured:
            self.client_rules.follow(live)
        for session in tuple(self.sessions_at(live)):
            if is_ready_unknown(session, live):
                self.hall.do(live, c.Ready(session.person, True), granted=True)

    def _tell_clocks(self, live: LiveTable) -> bool:
        now, clock = self.hall.time.now(), live.table.clock
        sessions = self.sessions_at(live)
        lines = {dialect: t.clock_update(dialect, clock, now) for dialect in {s.dialect for s in sessions}}
        for session in sessions:
            session.send(lines[session.dialect])
        return bool(sessions)

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[TaflSession]) -> None:
        """A rematch goes on without the clients of this door: their protocol has one game at a table."""
        for session in tuple(listeners):
            session.be_at(new)
            session.released()

    # Lost connections

    def give_up_later(self, live: LiveTable, person: PersonId, span: Millis) -> None:
        """A connection was lost, and for this long its player may come back."""
        lost = live.id, person

        def give_up() -> None:
            del self._goodbyes[lost]
            now = self.hall.here(lost[0])
            if now is not None and person not in now.here and now.table.seat_of(person) is not None:
                self.hall.do(now, c.Leave(person))

        self.is_back(live, person)
        self._goodbyes[lost] = self.hall.time.later(span, give_up)

    def is_back(self, live: LiveTable, person: PersonId) -> None:
        timer = self._goodbyes.pop((live.id, person), None)
        if timer is not None:
            timer.cancel()

    # The lobby

    def tell_lobby(self, news: LobbyNews, listeners: Collection[TaflSession]) -> None:
        lines = b"".join(t.lobby_chat(said.name, said.text) for said in news.said)
        for session in listeners:
            session.send(lines)

    def game_list(self, session: TaflSession) -> bytes:
        """What this client is told: the games of people, and those in which bots wait for it."""
        dialect = session.dialect
        return t.line(game_list(dialect, [*self._records(dialect), *self.bot_games.records(session)]))

    def client_list(self) -> bytes:
        names = "".join(f"{t.shown(name)}||" for name in self.names())
        return t.line(f"client-list {names}")

    def lists(self) -> Lists:
        return Lists(t.encoded(game_list("O", self._records("O"))), self.client_list())

    def _records(self, dialect: Dialect) -> list[str]:
        return [record(dialect, game) for game in self.games.listed()]

    def _push_later(self) -> None:
        if not self._pushing:
            self._pushing = True
            self.hall.time.later(_LISTS_EVERY, self._push)

    def _push(self) -> None:
        """Clients of dialect O expect the lists without asking, as long as they do not play."""
        self._pushing = False
        waiting = [session for session in self.sessions if session.dialect == "O"]
        if not waiting:
            return
        self._push_later()
        lists = self.lists()
        digest = lists.digest
        for session in waiting:
            # What has not changed since need not be said again.
            if not session.plays and session.state.lists != digest:
                session.state.lists = digest
                bots = t.line("".join(self.bot_games.records(session)))
                session.send(lists.games, bots, lists.people)
