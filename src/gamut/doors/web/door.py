"""What happens at tables and in the lobby, told to the page and to bots."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any, Protocol

import msgspec

from gamut.doors.base_door import BaseDoor
from gamut.doors.pieces import Pieces
from gamut.doors.telling import EncodedOnce
from gamut.doors.web import to_client as t
from gamut.doors.web.session import WebSession
from gamut.doors.web.watching import Watching
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId
from gamut.hall.live.audience import LobbyNews, News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.person import Person


class Register(Protocol):
    """Who people are; `gamut.hall.people.people.People` is one."""

    def by_token(self, token: str) -> Person | None: ...

    async def guest(self, name: str, address: str = ...) -> Person: ...

    def issue(self, person: Person) -> str: ...


class WebDoor(BaseDoor[WebSession]):
    name = "web"

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

    def tell(self, live: LiveTable, news: News, listeners: Collection[WebSession]) -> None:
        now = self.hall.time.now()
        after = news.first - 1
        reseated, reveals = news.reseated(), news.reveals
        if reseated:
            self.watching.changed(live)
        # What is told through the old eyes has a stamp of its own: whoever hears no more than that knows no more.
        stamp = news.after.at if reveals else None
        told = EncodedOnce(news, lambda seen: t.framed(t.told(live, seen, after, news.after.seq, now, stamp)))
        send = self.hall.journal.send
        for session in listeners:
            # Whoever is still being told what was before hears of this in its turn.
            if live.id not in session.following or live.id in session.tellings:
                continue
            person = session.person
            anew = reveals or (person in reseated and news.changes_eyes)
            # What happened so far was seen through these eyes; what is seen through others follows as a picture.
            viewer = news.before.seat_of(person) if anew else live.viewer(person)
            frame = told.frame(viewer)
            if anew or person in reseated:
                frame += t.framed(t.picture(live, person, now, anew=anew))
            send(session.wire, frame)
        if reseated and not live.table.watchable:
            self._show_out(live, reseated, listeners)
        if live.table.private and not news.before.private:
            self._draw_the_curtain(live, listeners)

    def _show_out(
        self, live: LiveTable, reseated: Collection[PersonId], listeners: Collection[WebSession]
    ) -> None:
        """Whoever has given up a seat where nobody may watch does not see the game any more."""
        for session in listeners:
            person = session.person
            if person in reseated and live.viewer(person) is None and live.table.host != person:
                session.unfollow(live)

    def _draw_the_curtain(self, live: LiveTable, listeners: Collection[WebSession]) -> None:
        """Those who only saw a small picture of the table in the lobby hear of it no more."""
        for session in listeners:
            person = session.person
            if session.state.following.get(live.id) and not live.table.inside(person):
                session.unfollow(live)

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[WebSession]) -> None:
        now = self.hall.time.now()
        for session in listeners:
            if old.id not in session.following:
                continue
            session.tellings.stop(old.id)
            session.goes_on(old, new)
            self.hall.journal.send(session.wire, t.framed(t.Continued(table=old.id, to=new.id)))
            self.hall.journal.send(session.wire, t.framed(t.picture(new, session.person, now)))
        self.watching.changed(old)

    def tell_lobby(self, news: LobbyNews, listeners: Collection[WebSession]) -> None:
        changed = [summary for summary in news.changed if not summary.deserted]
        gone = news.gone + [summary.id for summary in news.changed if summary.deserted]
        frame = t.framed(t.LobbyChanged(changed=changed, gone=gone, here=news.here, said=news.said))
        for session in listeners:
            self.hall.journal.send(session.wire, frame)
