"""Acquire's tables, told to clients of the Acquire protocol."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.lobby import GameLobby
from gamut.doors.acquire.positions import game_number, holders, setup_of, state_of
from gamut.doors.acquire.running_game import RunningGame
from gamut.doors.acquire.telling import Teller
from gamut.doors.acquire.users import user_id
from gamut.doors.base_door import BaseDoor
from gamut.games.acquire.state import AcquireState
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.audience import LobbyNews, News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.people import People
from gamut.hall.people.person import Person
from gamut.hall.table import events as e
from gamut.hall.table.seats import Holder, Sitter
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.doors.acquire.session import AcquireSession

GAME = "acquire"
_QUIET = (e.Played, e.Said, e.Dropped, e.Returned, e.Readied)
"""What says nothing new to the lobby."""


class AcquireDoor(BaseDoor["AcquireSession"]):
    name = GAME

    def __init__(self, hall: Hall, people: People) -> None:
        super().__init__(hall)
        self.people = people
        self.running: dict[TableId, RunningGame] = {}
        """The games at which somebody of this door is."""
        self.lobby = GameLobby(self)

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
        return self.host_among(table.host, holders(table))

    def host_among(self, host: PersonId | None, holders: Iterable[Holder | None]) -> int | None:
        """The host's number, which is that of the seat if they have one."""
        if host is None:
            return None
        for holder in holders:
            if isinstance(holder, Sitter) and holder.person == host:
                return user_id(host, guest=holder.guest)
        return self.number_of_person(host)

    # Coming and going

    def entered(self, live: LiveTable, session: "AcquireSession") -> None:
        """A connection follows this table from now on: the game is followed, too, if it is on."""
        if live.table.phase not in ("playing", "paused"):
            return
        running = self.running.get(live.id)
        # The first to come back after others were let go, since they could not be told something, begins anew.
        if running is None or len(self.sessions_at(live)) == 1:
            state: AcquireState = live.state_for(None)
            running = self.running[live.id] = RunningGame(game_number(live.table), state, {})
        seat = live.viewer(session.person)
        if seat is not None:
            running.knows(seat, live.state_for(seat).racks[seat])

    def departed(self, live: LiveTable) -> None:
        """A connection does not follow this table any more."""
        if not self.sessions_at(live):
            self.running.pop(live.id, None)

    def picture(self, live: LiveTable, session: "AcquireSession", known: int = 0) -> t.ToClient:
        """How a game is set up, or how it stands, for one viewer who knows so many of its actions."""
        if live.table.phase == "setup":
            return setup_of(self, live)
        return state_of(self, live, session.person, known)

    # What happens at tables

    def tell(self, live: LiveTable, news: News, listeners: "Collection[AcquireSession]") -> None:
        Teller(self, live, news, listeners).tell()
        events = news.events
        if len(events) == 1 and isinstance(events[0], _QUIET) and news.before.phase == news.after.phase:
            return
        self._see_to(live, news, listeners)

    def _see_to(self, live: LiveTable, news: News, listeners: "Collection[AcquireSession]") -> None:
        """What follows from it for those who are here, and for the lobby."""
        before, after = news.before, news.after
        if after.phase == "over":
            self.running.pop(live.id, None)
        if after.phase == "over" and after.outcome is None:
            self._removed(live, listeners)
            return
        if before.phase not in ("setup", "over") and (
            before.phase != after.phase or before.seats is not after.seats
        ):
            self._tell_anew(live, news, listeners)
        self.lobby.note(live)

    def _tell_anew(self, live: LiveTable, news: News, listeners: "Collection[AcquireSession]") -> None:
        """This protocol has no word for a game that rests or goes on, nor for a player who only watches now, or who has
        another name."""
        paused = "paused" in (news.before.phase, news.after.phase) and news.after.phase != "over"
        to_all = paused or any(type(event) is e.Renamed for event in news.events)
        reseated = news.reseated()
        for session in listeners:
            if to_all or session.person in reseated:
                known = live.state_for(live.viewer(session.person)).actions
                session.send(self.picture(live, session, known))

    def _removed(self, live: LiveTable, listeners: "Collection[AcquireSession]") -> None:
        """There is no such game any more: those who follow the lobby hear it there, and the others here."""
        self.lobby.note(live)
        frame = t.framed(self.lobby.removed(game_number(live.table)))
        for session in tuple(listeners):
            if session not in self.lobby.followers:
                self.hall.journal.send(session.wire, frame)
            session.let_go(live)

    def move(self, old: LiveTable, new: LiveTable, listeners: "Collection[AcquireSession]") -> None:
        """A rematch is another game: those who play in it are at it from now on, and whoever else likes enters it."""
        for session in tuple(listeners):
            session.let_go(old)
            if new.table.seat_of(session.person) is None:
                self.hall.depart(new, session)
            else:
                session.goes_on_at(new)
        self.lobby.note(new)

    def tell_lobby(self, news: LobbyNews, listeners: "Collection[AcquireSession]") -> None:
        self.lobby.news(news)
        for said in news.said:
            frame = t.framed(
                t.ChatMessage(
                    game_number=None,
                    user_id=self.number_of_person(said.person),
                    username=said.name,
                    message=said.text,
                    timestamp=said.at,
                )
            )
            for session in listeners:
                self.hall.journal.send(session.wire, frame)
