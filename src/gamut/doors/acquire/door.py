"""Acquire's tables, told to clients of the Acquire protocol."""

from collections.abc import Collection, Iterable
from weakref import WeakKeyDictionary

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.action_done import LastTold
from gamut.doors.acquire.lobby import GameLobby
from gamut.doors.acquire.naming import game_number
from gamut.doors.acquire.session import AcquireSession
from gamut.doors.acquire.snapshots import snapshot
from gamut.doors.acquire.telling import AcquireTelling
from gamut.doors.acquire.users import user_id
from gamut.doors.base_door import BaseDoor
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId
from gamut.hall.live.audience import LobbyNews, News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.directory import Directory
from gamut.hall.people.person import Person
from gamut.hall.table import events as e
from gamut.hall.table.seats import Holder, Sitter
from gamut.hall.table.state import Table

_QUIET = (e.Played, e.Said, e.Dropped, e.Returned, e.Readied)
"""What says nothing new to the lobby."""


class AcquireDoor(BaseDoor[AcquireSession]):
    name = "acquire"
    telling = AcquireTelling

    def __init__(self, hall: Hall, people: Directory) -> None:
        super().__init__(hall)
        self.people = people
        self.lobby = GameLobby(self)
        self.last_told: WeakKeyDictionary[LiveTable, LastTold] = WeakKeyDictionary()

    # Who is there

    def renamed(self, person: Person) -> None:
        """Guests who logged in with their token take another name on the page."""
        self.lobby.forget_users()
        for session in self.sessions_of(person.id):
            session.state.known = person

    def logged_out(self, person: PersonId) -> None:
        super().logged_out(person)
        self.lobby.forget_users()

    def number_of_person(self, person: PersonId) -> int:
        known = self.people.person(person)
        return user_id(person, guest=known is None or known.guest)

    def host_of(self, table: Table) -> int | None:
        """Once the game has begun, it counts who plays it, whether they are still there or not."""
        return self.host_among(table.host, table.players or table.seats)

    def host_among(self, host: PersonId | None, holders: Iterable[Holder | None]) -> int | None:
        """The host's number, which is that of the seat if they have one."""
        if host is None:
            return None
        for holder in holders:
            if isinstance(holder, Sitter) and holder.person == host:
                return user_id(host, guest=holder.guest)
        return self.number_of_person(host)

    def chat_message(self, said: e.Said, number: int | None) -> bytes:
        """What somebody said at a game, or in the lobby."""
        message = t.ChatMessage(
            game_number=number,
            user_id=self.number_of_person(said.person),
            username=said.name,
            message=said.text,
            timestamp=said.at,
        )
        return t.framed(message)

    # What happens at tables

    def see_to(self, live: LiveTable, news: News, listeners: Collection[AcquireSession]) -> None:
        before, after, events = news.before, news.after, news.events
        if len(events) == 1 and isinstance(events[0], _QUIET) and before.phase == after.phase:
            if type(events[0]) is e.Returned and news.goes_on:
                self._tell_anew(live, news, listeners)
            return
        if after.phase == "over" and after.outcome is None:
            self._removed(live, listeners)
            return
        for event in events:
            if type(event) is e.Woken:
                self._tell_who_was_cut_off(live, event, listeners)
        if before.phase not in ("setup", "over"):
            shown_wrong = before.phase != after.phase or before.seats is not after.seats
            if shown_wrong or news.goes_on or news.sets_clocks:
                self._tell_anew(live, news, listeners)
        self.lobby.look_at(live.id)

    def _tell_anew(self, live: LiveTable, news: News, listeners: Collection[AcquireSession]) -> None:
        """Send a snapshot where the protocol has no message: the game is paused or goes on, clocks are not what they
        seemed, a player gave up the seat, or somebody has another name."""
        paused = "paused" in (news.before.phase, news.after.phase) and news.after.phase != "over"
        to_all = paused or news.goes_on or news.sets_clocks
        to_all = to_all or any(type(event) is e.Renamed for event in news.events)
        reseated = news.reseated()
        for session in listeners:
            # Whoever has just come gets one anyway.
            if session.person in reseated or (to_all and not news.is_by(session)):
                known = live.state_for(live.viewer(session.person)).actions
                session.send(snapshot(self, live, session.person, known))

    def _tell_who_was_cut_off(
        self, live: LiveTable, woken: e.Woken, listeners: Collection[AcquireSession]
    ) -> None:
        """They have gone out of the game, as if they had lost their connections by themselves."""
        number, frames = game_number(live.table), b""
        for person in woken.cut_off or ():
            known = self.people.person(person)
            if known is not None:
                left = t.UserExitedGame(
                    game_number=number, user_id=self.number_of_person(person), username=known.name
                )
                frames += t.framed(left)
        for session in listeners if frames else ():
            self.hall.journal.send(session.wire, frames)

    def _removed(self, live: LiveTable, listeners: Collection[AcquireSession]) -> None:
        """The game is gone. Sessions that follow the lobby are told there, the others at the game here."""
        self.lobby.look_at(live.id)
        frame = t.framed(self.lobby.removed(game_number(live.table)))
        for session in tuple(listeners):
            if not session.state.in_lobby:
                self.hall.journal.send(session.wire, frame)
            session.let_go(live)

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[AcquireSession]) -> None:
        """A rematch is another game: those who play in it are at it from now on, and whoever else likes enters it."""
        for session in tuple(listeners):
            session.let_go(old)
            if new.table.seat_of(session.person) is None:
                self.hall.attendance.depart(new, session)
            else:
                session.goes_on_at(new)
        self.lobby.look_at(new.id)

    def tell_lobby(self, news: LobbyNews, listeners: Collection[AcquireSession]) -> None:
        self.lobby.news(news)
        for said in news.said:
            frame = self.chat_message(said, None)
            for session in listeners:
                self.hall.journal.send(session.wire, frame)
