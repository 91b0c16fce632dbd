"""The lobby: a live view of the hall's open tables, and the talk there."""

import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec

from gamut.games.game import AnyGame
from gamut.hall.audience import Door, Listener, LobbyNews
from gamut.hall.checksum import START, chained
from gamut.hall.erasure import chain, without
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.journal import Journal
from gamut.hall.storage import Row
from gamut.hall.summary import Summary, summary_of
from gamut.hall.table import codec
from gamut.hall.table.events import Said
from gamut.hall.table.state import Table
from gamut.hall.table.talk import cleaned
from gamut.hall.time import Timekeeper

if TYPE_CHECKING:
    from gamut.hall.hall import Hall

TALK = TableId("lobby")
"""The lobby's talk is a log like any table's."""

REMEMBERED = 50
_RECENT = 30
_MOMENT = Millis(100)

log = logging.getLogger("gamut.hall")

_said = msgspec.json.Decoder(Said)


class Lobby:
    """Changes are gathered for a moment and told together: one message however many tables changed."""

    def __init__(self, journal: Journal, time: Timekeeper, here: Callable[[], int]) -> None:
        self._journal = journal
        self._time = time
        self._here = here
        self._tables: dict[TableId, Summary] = {}
        self._stale: dict[TableId, tuple[AnyGame, Table]] = {}
        self._recent: deque[TableId] = deque()
        self.listeners: dict[Door, dict[Listener, None]] = {}
        self.talk: deque[Said] = deque(maxlen=REMEMBERED)
        self._talk_seq = Seq(0)
        self._talk_checksum = START
        self._changed: dict[TableId, Summary] = {}
        self._gone: dict[TableId, None] = {}
        self._said: list[Said] = []
        self._armed = False
        self._last_here = 0

    def remember(self, rows: Iterable[Row]) -> None:
        """Take up the talk where an earlier run of the server left it."""
        for row in rows:
            try:
                self.talk.append(_said.decode(row.body))
            except msgspec.DecodeError as error:
                log.error("damaged talk", extra={"seq": row.seq, "error": str(error)})
            self._talk_seq = row.seq
            self._talk_checksum = row.checksum

    @property
    def tables(self) -> dict[TableId, Summary]:
        """What is shown: open and running tables, and the latest that have ended."""
        self._look()
        return self._tables

    def changed(self, game: AnyGame, table: Table) -> None:
        """A table is not what it was. It is looked at when somebody wants to see it."""
        self._stale[table.id] = game, table
        self._arm()

    def _look(self) -> None:
        stale, self._stale = self._stale, {}
        for game, table in stale.values():
            self.show(summary_of(game, table))

    def show(self, summary: Summary) -> None:
        over = summary.phase == "over"
        if summary.private or (over and summary.outcome is None):
            self.hide(summary.id)
            return
        if over and summary.id not in self._recent:
            self._recent.append(summary.id)
            if len(self._recent) > _RECENT:
                self.hide(self._recent.popleft())
        self._tables[summary.id] = summary
        self._changed[summary.id] = summary
        self._gone.pop(summary.id, None)
        self._arm()

    def hide(self, table: TableId) -> None:
        if self._tables.pop(table, None) is not None:
            self._changed.pop(table, None)
            self._gone[table] = None
            self._arm()

    def say(self, person: PersonId, name: str, text: str) -> None:
        said = Said(at=self._time.now(), person=person, name=name, text=cleaned(text), room="table")
        body = codec.encode(said)
        self._talk_seq = Seq(self._talk_seq + 1)
        self._talk_checksum = chained(self._talk_checksum, body)
        self._journal.append(Row(TALK, self._talk_seq, body, self._talk_checksum))
        self.talk.append(said)
        self._said.append(said)
        self._arm()

    async def take_back(self, hall: "Hall", person: PersonId) -> None:
        """Everything this person ever said here is as if it had not been said."""
        while True:
            known = self._talk_seq
            await hall.durable()
            rows = await hall.run_blocking(hall.storage.log, TALK)
            if known == self._talk_seq:
                break  # nobody said anything meanwhile: this is all of it
        self.talk = deque((without(person, said) for said in self.talk), maxlen=REMEMBERED)
        events = [_said.decode(row.body) for row in rows]
        if any(said.person == person for said in events):
            anew = chain(TALK, [without(person, said) for said in events])
            self._talk_checksum = anew[-1].checksum
            self._journal.rewrite(TALK, anew)

    def attend(self, listener: Listener) -> None:
        # What the others are about to hear is in the newcomer's first picture already.
        self._tell()
        self.listeners.setdefault(listener.door, {})[listener] = None

    def depart(self, listener: Listener) -> None:
        listeners = self.listeners.get(listener.door)
        if listeners is not None:
            listeners.pop(listener, None)
            if not listeners:
                del self.listeners[listener.door]

    def people_changed(self) -> None:
        self._arm()

    def _arm(self) -> None:
        if not self._armed:
            self._armed = True
            self._time.later(_MOMENT, self._due)

    def _due(self) -> None:
        self._armed = False
        self._tell()

    def _tell(self) -> None:
        self._look()
        here = self._here()
        if not (self._changed or self._gone or self._said or here != self._last_here):
            return
        self._last_here = here
        news = LobbyNews(list(self._changed.values()), list(self._gone), here, self._said)
        self._changed, self._gone, self._said = {}, {}, []
        for door, listeners in self.listeners.items():
            door.tell_lobby(news, listeners)
