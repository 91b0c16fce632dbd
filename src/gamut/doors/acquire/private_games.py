"""Private games in the lobby: whoever sits at one is told of it there, as the way back, and nobody else is.

What is said about them has no number of its own. As long as a connection is told of one, all that it hears has the
number after which it does not know everything (`UNKNOWN`): whoever is cut off then asks for everything again.
"""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.checkpoint import UNKNOWN
from gamut.doors.acquire.naming import number_of
from gamut.doors.public_rooms import PublicRoom
from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.lobby.summary import summary_of

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor
    from gamut.doors.acquire.session import AcquireSession


class PrivateGames:
    def __init__(self, door: "AcquireDoor", shown: Callable[[PublicRoom], t.Summary]) -> None:
        self._door = door
        self._hall = door.hall
        self._shown = shown
        self._told: dict[TableId, dict[AcquireSession, None]] = {}
        """Which connections were told of each game (`AcquireSessionState.private_games`)."""

    async def read(self, person: PersonId) -> None:
        """Bring the private tables at which somebody sits into memory, of whatever game they are."""
        for table in self.tables_of(person):
            await self._hall.readable(table)

    def tables_of(self, person: PersonId) -> list[TableId]:
        public = self._hall.lobby.tables
        return [table for table in sorted(self._hall.register.seated.get(person, ())) if table not in public]

    # Followers who come and go

    def follow(self, session: "AcquireSession") -> bool:
        """Begin anew with what this connection is told. True if there is a game of which it must be told."""
        self.unfollow(session)
        tables = sorted(self._hall.register.seated.get(session.person, ()))
        games = {table: self._game(self._hall.in_memory(table), session.person) for table in tables}
        session.state.private_games = {table: game for table, game in games.items() if game is not None}
        self.follow_again(session)
        return bool(session.state.private_games)

    def follow_again(self, session: "AcquireSession") -> None:
        for table in session.state.private_games:
            self._told.setdefault(table, {})[session] = None

    def unfollow(self, session: "AcquireSession") -> None:
        for table in tuple(session.state.private_games):
            self._forget(session, table)

    def is_somebody_else(self, session: "AcquireSession") -> None:
        """Somebody has logged in or out, who may follow the lobby."""
        if not session.state.in_lobby:
            return
        seated = self._hall.register.seated.get(session.person, ())
        for table in sorted({*session.state.private_games, *seated}):
            self._tell(session, table, self._hall.in_memory(table))

    # What changes

    def look_at(self, table: TableId) -> None:
        """Something may have changed that those who sit at this table are shown of it, or who they are."""
        live = self._hall.in_memory(table)
        if live is not None and live.table.private:
            for session in dict.fromkeys((*self._told.get(table, ()), *self._of_sitters(live))):
                self._tell(session, table, live)

    def tell_otherwise(self, table: TableId, event: t.LobbyEvent) -> "Collection[AcquireSession]":
        """Tell those who sit at a table that it is still there: for the others a table that becomes private is removed,
        and one that is private no more is new. Returns who was told, and must not be told as the others are."""
        if type(event) is t.GameCreated:
            sessions = tuple(self._told.get(table, ()))
            for session in sessions:
                self._forget(session, table)
                self._send(session, t.GameChanged(last_event_index=event.last_event_index, game=event.game))
            return sessions
        return self._becomes_private(table) if type(event) is t.GameRemoved else ()

    def _becomes_private(self, table: TableId) -> "Collection[AcquireSession]":
        live = self._hall.in_memory(table)
        found = []
        for session in self._of_sitters(live):
            game = self._game(live, session.person)
            if game is None:
                continue
            checkpoint = session.state.checkpoint
            is_new = checkpoint is not None and table in checkpoint.left
            if checkpoint is not None:
                checkpoint.left.pop(table, None)
            self._tell_game(session, table, t.GameCreated if is_new else t.GameChanged, game)
            found.append(session)
        return found

    def _of_sitters(self, live: LiveTable | None) -> "Iterator[AcquireSession]":
        """The connections of those who sit at a private table, if they follow the lobby."""
        if live is not None and live.table.private:
            for person in live.table.persons:
                if person is not None:
                    yield from (s for s in self._door.sessions_of(person) if s.state.in_lobby)

    def _game(self, live: LiveTable | None, person: PersonId) -> t.Summary | None:
        """A private game as somebody who sits there is shown it."""
        if live is None or live.table.game != self._door.name or not live.table.private:
            return None
        table = live.table
        if table.seat_of(person) is None or (table.phase == "over" and table.outcome is None):
            return None
        if number_of(table.room) is None:
            return None
        return self._shown(PublicRoom(summary_of(live.game, table, self._hall.faults), live))

    def _tell(self, session: "AcquireSession", table: TableId, live: LiveTable | None) -> None:
        """Tell this connection what has changed about a private game since it was told of it."""
        known, game = session.state.private_games.get(table), self._game(live, session.person)
        if game == known:
            return
        if game is not None:
            self._tell_game(session, table, t.GameCreated if known is None else t.GameChanged, game)
        elif known is not None:
            self._forget(session, table)
            number = known.game_number
            self._send(session, t.GameRemoved(last_event_index=self._door.lobby.last, game_number=number))

    def _tell_game(
        self,
        session: "AcquireSession",
        table: TableId,
        kind: type[t.GameCreated | t.GameChanged],
        game: t.Summary,
    ) -> None:
        session.state.private_games[table] = game
        self._told.setdefault(table, {})[session] = None
        self._send(session, kind(last_event_index=UNKNOWN, game=game))

    def _send(self, session: "AcquireSession", event: t.LobbyEvent) -> None:
        session.send(event if session.knows_everything else replace(event, last_event_index=UNKNOWN))

    def _forget(self, session: "AcquireSession", table: TableId) -> None:
        """This connection does not know of the game any more, or knows it as everybody does."""
        session.state.private_games.pop(table, None)
        told = self._told[table]
        told.pop(session, None)
        if not told:
            del self._told[table]
