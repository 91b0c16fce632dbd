"""What happens at tables and in the lobby, told to the page and to bots."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any, Protocol

import msgspec

from gamut.doors.base_door import BaseDoor
from gamut.doors.pieces import Pieces
from gamut.doors.web import to_client as t
from gamut.doors.web.session import WebSession
from gamut.doors.web.telling import WebTelling, is_public_move
from gamut.doors.web.watching import Watching
from gamut.hall.hall import Hall
from gamut.hall.live.audience import LobbyNews, News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.person import Person


class Register(Protocol):
    """Who people are; `gamut.hall.people.people.People` is one."""

    def by_token(self, token: str) -> Person | None: ...

    def as_of_now(self, person: Person) -> Person | None: ...

    async def guest(self, name: str, address: str = ...) -> Person: ...

    def issue(self, person: Person) -> str: ...


class WebDoor(BaseDoor[WebSession]):
    name = "web"
    telling = WebTelling

    def __init__(self, hall: Hall, people: Register) -> None:
        super().__init__(hall)
        self.people = people
        self.watching = Watching(hall, self)
        self.pieces = Pieces(hall)
        self.actions: Mapping[str, msgspec.json.Decoder[Any]] = {
            name: msgspec.json.Decoder(game.action_type) for name, game in hall.games.items()
        }

    def renamed(self, person: Person) -> None:
        for session in self.sessions_of(person.id):
            session.do_or_end("rename", partial(session.renamed, person))
        self.hall.renamed(person)

    # What happens at tables

    def same_for_all(self, live: LiveTable, news: News) -> bytes | None:
        # Sessions that are being told something in pieces get this move in one of the next pieces.
        if self.pieces or not is_public_move(live, news):
            return None
        now = self.hall.time.now()
        return t.framed(t.happened(live, news.events, news.first - 1, news.after.seq, now))

    def see_to(self, live: LiveTable, news: News, listeners: Collection[WebSession]) -> None:
        reseated = news.reseated()
        if reseated:
            self.watching.changed(live)
        for session in listeners:
            person = session.person
            # At a table without watchers, somebody who gives up the seat does not see the game any more.
            shown_out = person in reseated and not live.table.watchable and live.table.host != person
            if shown_out and live.viewer(person) is None:
                session.unfollow(live)
        if live.table.private and not news.before.private:
            self._hide_from_glances(live, listeners)

    def _hide_from_glances(self, live: LiveTable, listeners: Collection[WebSession]) -> None:
        """The table has become private: sessions that only showed a small board of it in
        the lobby stop following."""
        for session in listeners:
            if session.state.following.get(live.id) and not live.table.inside(session.person):
                session.unfollow(live)

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[WebSession]) -> None:
        now = self.hall.time.now()
        for session in listeners:
            if old.id not in session.following:
                continue
            session.reader.stop(old.id)
            session.goes_on(old, new)
            self.hall.journal.send(session.wire, t.framed(t.Continued(table=old.id, to=new.id)))
            self.hall.journal.send(session.wire, t.framed(t.snapshot(new, session.person, now)))
        self.watching.changed(old)

    def tell_lobby(self, news: LobbyNews, listeners: Collection[WebSession]) -> None:
        changed = [summary for summary in news.changed if not summary.deserted]
        gone = news.gone + [summary.id for summary in news.changed if summary.deserted]
        frame = t.framed(t.LobbyChanged(changed=changed, gone=gone, here=news.here, said=news.said))
        for session in listeners:
            self.hall.journal.send(session.wire, frame)
