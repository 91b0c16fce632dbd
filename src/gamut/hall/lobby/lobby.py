"""The lobby: a live view of the hall's open tables, and the talk there."""

from collections import deque
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from gamut.games.game import AnyGame
from gamut.hall.faults import Fault
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.audience import Door, Listener, LobbyNews
from gamut.hall.lobby.summary import Summary, summary_of
from gamut.hall.lobby.talk import LobbyTalk
from gamut.hall.store.journal import Journal
from gamut.hall.table.events import Said
from gamut.hall.table.state import Table
from gamut.hall.table.without import without
from gamut.hall.time import Timekeeper

_RECENT = 30
_MOMENT = Millis(100)


class Lobby:
    """Changes are gathered for a moment and told together: one message however many tables changed."""

    def __init__(self, journal: Journal, time: Timekeeper, here: Callable[[], int]) -> None:
        self._journal = journal
        self._time = time
        self._here = here
        self._tables: dict[TableId, Summary] = {}
        self._by_game: dict[str, dict[TableId, Summary]] = {}
        self._stale: dict[TableId, tuple[AnyGame, Table]] = {}
        self._recent: deque[TableId] = deque()
        self.deserted: set[TableId] = set()
        """Tables at which nobody has been for a while although the game is on."""
        self.listeners: dict[Door, dict[Listener, None]] = {}
        self.on_news: list[Callable[[LobbyNews], None]] = []
        """Called with all news before anybody is told, also where nobody listens."""
        self.talk = LobbyTalk(journal, time)
        self._changed: dict[TableId, Summary] = {}
        self._gone: dict[TableId, None] = {}
        self._said: list[Said] = []
        self._armed = False
        self._last_here = 0

    @property
    def tables(self) -> dict[TableId, Summary]:
        """What is shown: open and running tables, and the latest that have ended."""
        self._look()
        return self._tables

    def tables_of(self, game: str) -> Mapping[TableId, Summary]:
        """Those of one game: nobody who wants these walks over all the others."""
        self._look()
        return self._by_game.get(game, {})

    def changed(self, game: AnyGame, table: Table) -> None:
        """A table is not what it was. It is looked at when somebody wants to see it."""
        self._stale[table.id] = game, table
        self._arm()

    def _look(self) -> None:
        stale, self._stale = self._stale, {}
        for game, table in stale.values():
            self.show(summary_of(game, table, self._journal.faults))

    def show(self, summary: Summary) -> None:
        over = summary.phase == "over"
        if summary.id in self.deserted:
            summary = replace(summary, deserted=True)
        if summary.private or (over and summary.outcome is None):
            self.hide(summary.id)
            return
        if over and summary.id not in self._recent:
            self._recent.append(summary.id)
            if len(self._recent) > _RECENT:
                self.hide(self._recent.popleft())
        self._tables[summary.id] = summary
        self._by_game.setdefault(summary.game, {})[summary.id] = summary
        self._changed[summary.id] = summary
        self._gone.pop(summary.id, None)
        self._arm()

    def hide(self, table: TableId) -> None:
        summary = self._tables.pop(table, None)
        if summary is not None:
            del self._by_game[summary.game][table]
            self._changed.pop(table, None)
            self._gone[table] = None
            self._arm()

    def desert(self, table: TableId) -> None:
        """Nobody has been at the table for a while: it leaves all lists, except those by
        which players come back."""
        self._look()
        self.deserted.add(table)
        if table in self._tables:
            self.show(self._tables[table])

    def revive(self, table: TableId) -> None:
        if table in self.deserted:
            self._look()
            self.deserted.discard(table)
            if table in self._tables:
                self.show(replace(self._tables[table], deserted=False))

    def say(self, person: PersonId, name: str, text: str) -> None:
        self._said.append(self.talk.say(person, name, text))
        self._arm()

    def take_back(self, person: PersonId) -> None:
        """Everything this person ever said here is as if it had not been said."""
        self.talk.take_back(person)
        self._said = [without(person, said) for said in self._said]

    def attend(self, listener: Listener) -> None:
        # The newcomer's snapshot has all changes so far: the others are told first,
        # so that nobody hears them twice.
        self.tell_now()
        self.attend_again(listener)

    def attend_again(self, listener: Listener) -> None:
        """Follow the lobby without a snapshot, for a session that is taken up again:
        changes not told yet are news."""
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
        self.tell_now()

    def tell_now(self) -> None:
        """Whoever follows the lobby hears at once what has changed."""
        self._look()
        here = self._here()
        if not (self._changed or self._gone or self._said or here != self._last_here):
            return
        self._last_here = here
        news = LobbyNews(list(self._changed.values()), list(self._gone), here, self._said)
        self._changed, self._gone, self._said = {}, {}, []
        for call in self.on_news:
            self._journal.faults.guard("tell_lobby", call, news)
        for door, listeners in tuple(self.listeners.items()):
            try:
                door.tell_lobby(news, listeners)
            except Fault as fault:
                self._journal.faults.contained("tell_lobby", fault, door=door.name)
                self._let_go(door)

    def _let_go(self, door: Door) -> None:
        """It is not known which of this door's listeners were told: they are hung up on,
        and get a snapshot later."""
        for listener in self.listeners.pop(door, {}):
            self._journal.fail(listener.wire)
