"""What an annex tells the main wing of its hall, and hears from it: a session at the main wing's door for annexes, by a
gateway, as any client has one.

What has changed since it was told is a set of names, and how things stand is looked up when there is room to say it. So
nothing waits but names, however slow the way is. What is said is stored by then.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Literal

from gamut.cluster.distant_session import DistantSession
from gamut.cluster.gateway import Gateway
from gamut.cluster.messages import NONSENSE
from gamut.cluster.pulse import Pulse
from gamut.doors.annex import from_annex as f
from gamut.doors.annex import to_annex as t
from gamut.doors.annex.door import ANNEX
from gamut.doors.offer import Newcomer
from gamut.games.game import Refused
from gamut.hall.faults import Fault
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.audience import LobbyNews
from gamut.hall.live.erasure import erase
from gamut.hall.people.known import KnownPeople
from gamut.hall.store.storage import LedgerError

log = logging.getLogger("gamut.cluster")

COMES_BACK_AFTER = 0.5
"""Seconds after the way to the main wing has ended."""
GATHERED_FOR = 0.1
"""Seconds, of people who come and go. News of the lobby are gathered already."""
PEOPLE_EVERY = 60.0
"""Seconds between two looks at all people who are stored."""
_PEOPLE_AGAIN = 5.0
"""The same when the store has not answered."""
PIECE = 32_768
"""Bytes that are said at once, or a few more."""
_SOMEBODY = 64
"""Bytes of a person, or a few more or less."""
MOST_ERASED = 100
"""People, at once."""


class _MainWire:
    """Implements `gamut.hall.store.journal.Wire`: where the gateway writes what the main wing says."""

    def __init__(
        self, heard: Callable[["_MainWire", bytes], None], ended: Callable[["_MainWire"], None]
    ) -> None:
        self.pending = 0
        self.queued = 0
        self._heard = heard
        self._ended = ended

    def write(self, data: bytes) -> None:
        self._heard(self, data)

    def close(self, code: int, reason: str) -> None:
        log.info("the main wing has hung up", extra={"code": code, "reason": reason})
        self._ended(self)

    def drop(self) -> None:
        self._ended(self)

    def fail(self) -> None:
        self._ended(self)


class AnnexFeed:
    def __init__(self, gateway: Gateway, pulse: Pulse, hall: Hall, people: KnownPeople, node: int) -> None:
        """`gateway`: in this process, to the main wing. `node`: the number of this owner of the annex."""
        self._gateway = gateway
        self._pulse = pulse
        self._hall = hall
        self._people = people
        self._node = node
        self._wire: _MainWire | None = None
        self._session: DistantSession
        self._is_followed = False
        """The main wing wants to be told; else it will ask for everything."""
        self._all_follows = False
        """It is to be told everything, and does not know that this begins."""
        self._left: int | None = None
        """How many of the first that are untold belong to everything; None: it has been told that."""
        self._untold: dict[tuple[Literal["table", "person"], str], None] = {}
        """What may have changed, and is yet to be told."""
        self._is_telling = False
        self._is_gathering = False
        self._erasing: dict[PersonId, asyncio.Task[bool]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = False

    def begin(self) -> None:
        """The hall knows its tables, and people can come."""
        self._hall.lobby.on_news.append(self._lobby_changed)
        self._hall.register.on_seated.append(self._person_changed)
        self._hall.on_presence.append(self._person_changed)
        self._connect()
        self._refresh_later()

    def end(self) -> None:
        """The hall is another owner's, or closed. To be called before the gateway ends."""
        self._ended = True
        self._next_refresh.cancel()
        if self._wire is not None:
            self._wire = None
            self._session.closed()
        for task in (*self._tasks, *self._erasing.values()):
            task.cancel()

    # The way to the main wing

    def _connect(self) -> None:
        if self._ended:
            return
        self._wire = _MainWire(self._heard, self._lost)
        self._session = self._gateway.session(ANNEX, self._wire, Newcomer(ANNEX))
        self._is_followed = self._is_telling = False
        self._untold.clear()
        self._session.opened()
        wings = self._hall.wings
        self._session.text(f.encode(f.Hello(wings.wing, wings.count, self._node)))

    def _lost(self, wire: _MainWire) -> None:
        if wire is self._wire:
            self._wire, self._is_followed = None, False
            self._untold.clear()
            # The gateway may be in the middle of something that it does with this session.
            self._pulse.soon(self._session.closed)
            self._pulse.later(COMES_BACK_AFTER, self._connect)

    # What has changed

    def _lobby_changed(self, news: LobbyNews) -> None:
        if not self._is_followed:
            return
        for summary in news.changed:
            self._untold["table", summary.id] = None
        for table in news.gone:
            self._untold["table", table] = None
        self._tell_soon()

    def _person_changed(self, person: PersonId) -> None:
        if person in self._hall.connected:
            # They are back, since they were not deleted in time: what they do is not taken out by what is under way.
            self._erasing.pop(person, None)
        if not self._is_followed:
            return
        self._untold["person", person] = None
        if not self._is_gathering:
            self._is_gathering = True
            self._pulse.later(GATHERED_FOR, self._gathered)

    def _gathered(self) -> None:
        self._is_gathering = False
        self._tell_soon()

    def _tell_everything(self, asked: t.TellAll) -> None:
        hall = self._hall
        tables = dict.fromkeys(("table", str(table)) for table in hall.lobby.tables)
        people = dict.fromkeys(("person", str(person)) for person in (*hall.register.seated, *hall.connected))
        self._untold = {**tables, **people}  # type: ignore[dict-item]
        self._left = len(self._untold)
        self._is_followed = self._all_follows = True
        self._tell_soon()
        self._people.nobody_leaves()
        self._refresh_soon()

    # Telling it

    def _tell_soon(self) -> None:
        if self._is_followed and not self._is_telling:
            self._is_telling = True
            self._pulse.soon(partial(self._tell, self._wire))

    def _tell(self, wire: _MainWire | None) -> None:
        """Say the next piece as soon as it is stored, and there is room for it: one at a time."""
        if self._wire is None or wire is not self._wire:
            return
        message = self._next()
        if message is None:
            self._is_telling = False
            return
        self._hall.journal.after(partial(self._say, wire, f.encode(message)))

    def _say(self, wire: _MainWire, data: bytes) -> None:
        if wire is not self._wire:
            return
        waiting = self._session.text(data)
        if waiting is None:
            self._pulse.soon(partial(self._tell, wire))
        else:
            self._do(self._tell_when_there_is_room(wire, waiting))

    async def _tell_when_there_is_room(self, wire: _MainWire, waiting: Awaitable[None]) -> None:
        await waiting
        self._tell(wire)

    def _next(self) -> f.FromAnnex | None:
        if self._all_follows:
            self._all_follows = False
            return f.AllFollows()
        if self._left == 0:
            self._left = None
            return f.ThatWasAll()
        return self._changes() if self._untold else None

    def _changes(self) -> f.Told:
        tables, gone, people = [], list[TableId](), list[f.Somebody]()
        shown, seated, connected = self._hall.lobby.tables, self._hall.register.seated, self._hall.connected
        size = 0
        while self._untold and self._left != 0 and size < PIECE:
            kind, id = next(iter(self._untold))
            del self._untold[kind, id]
            if self._left is not None:
                self._left -= 1
            if kind == "person":
                person = PersonId(id)
                somebody = f.Somebody(person, person in connected, sorted(seated.get(person, ())))
                people.append(somebody)
                size += _SOMEBODY + sum(map(len, somebody.tables))
            elif (summary := shown.get(TableId(id))) is not None:
                tables.append(summary)
                size += len(f.encode(summary))
            else:
                gone.append(TableId(id))
                size += len(id)
        return f.Told(tables, gone, people)

    # What the main wing says

    def _heard(self, wire: _MainWire, data: bytes) -> None:
        if wire is not self._wire:
            return
        try:
            messages = t.read(data)
        except NONSENSE as error:
            log.error("the main wing speaks otherwise", extra={"error": str(error)})
            self._lost(wire)
            return
        for message in messages:
            _HEARD[type(message)](self, message)

    def _changed(self, changed: t.Changed) -> None:
        self._people.changed(changed.person)

    def _gone(self, gone: t.Gone) -> None:
        self._people.gone(gone.person)

    # Who everybody is

    def _refresh_later(self) -> None:
        self._next_refresh = self._pulse.later(PEOPLE_EVERY, self._refresh_again)

    def _refresh_again(self) -> None:
        self._refresh_later()
        self._refresh_soon()

    def _refresh_soon(self) -> None:
        if not self._ended:
            self._do(self._refresh())

    async def _refresh(self) -> None:
        try:
            await self._people.refresh()
        except LedgerError as error:
            log.error("people cannot be read", extra={"error": str(error)})
            self._pulse.later(_PEOPLE_AGAIN, self._refresh_soon)
        except Fault as fault:
            self._hall.faults.contained("people", fault)
            self._pulse.later(_PEOPLE_AGAIN, self._refresh_soon)

    # Taking somebody out of what is kept

    def _asked_to_erase(self, asked: t.Erase) -> None:
        self._people.leaves(asked.person)
        self._do(self._erase_and_answer(asked))

    async def _erase_and_answer(self, asked: t.Erase) -> None:
        fine = await self._erase(asked.person)
        if self._wire is not None:
            # The main wing asks again whoever comes back before it has an answer.
            self._session.text(f.encode(f.Erased(asked.number, fine)))

    async def _erase(self, person: PersonId) -> bool:
        """Whether it is done. Who is being erased already is not begun anew: it may take longer than anybody waits."""
        doing = self._erasing.get(person)
        if doing is None:
            if len(self._erasing) >= MOST_ERASED:
                return False
            doing = self._erasing[person] = asyncio.ensure_future(self._erased(person))
            doing.add_done_callback(partial(self._erasing_ended, person))
        return await asyncio.shield(doing)

    def _erasing_ended(self, person: PersonId, done: "asyncio.Task[bool]") -> None:
        if self._erasing.get(person) is done:
            del self._erasing[person]

    async def _erased(self, person: PersonId) -> bool:
        try:
            await erase(self._hall, person)
        except (LedgerError, Refused) as error:
            log.error("somebody could not be erased", extra={"error": str(error)})
            return False
        except Fault as fault:
            self._hall.faults.contained("erase", fault)
            return False
        return True

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_HEARD: dict[type, Callable[[AnnexFeed, Any], None]] = {
    t.TellAll: AnnexFeed._tell_everything,
    t.Changed: AnnexFeed._changed,
    t.Gone: AnnexFeed._gone,
    t.Erase: AnnexFeed._asked_to_erase,
}
