"""What the main wing of a hall knows of the others, the *annexes*: their tables, and who is connected there.

Each annex says so itself, by a session at a door of the main wing (`gamut.doors.annex`). What it has said is so until
it says otherwise: also while its owner is gone, as its tables still exist, and the next owner of that wing corrects it.
Only whoever was connected there is gone if that takes too long.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Collection, Container, Iterator, KeysView
from functools import partial
from itertools import count
from secrets import randbits
from typing import Protocol

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.register import Register
from gamut.hall.lobby.lobby import Lobby
from gamut.hall.lobby.summary import Summary
from gamut.hall.people.person import NotStored
from gamut.hall.table.seats import Sitter
from gamut.hall.time import Timekeeper
from gamut.hall.wings import MAIN, Wings

log = logging.getLogger("gamut.hall")

COMES_BACK_WITHIN = Millis(10_000)
"""Of an annex that is not heard: after that nobody counts as connected there."""
ERASES_WITHIN = Millis(10_000)


class Line(Protocol):
    """The way to the owner of an annex."""

    @property
    def node(self) -> int:
        """The number of that owner: whoever has a higher one has ended all those before it in the same wing."""
        ...

    def ask_for_all(self) -> None:
        """The annex is to say everything anew."""
        ...

    def ask_to_erase(self, number: int, person: PersonId) -> None:
        """The annex is to answer with this number."""
        ...

    def replaced(self) -> None:
        """Another one has come in its place."""
        ...


class _Annex:
    def __init__(self) -> None:
        self.line: Line | None = None
        self.node = 0
        """The highest number of an owner that has been heard."""
        self.lost = 0
        """How often there was no line any more."""
        self.tables: dict[TableId, Summary] = {}
        """Those that are shown, as they were told."""
        self.seats: dict[PersonId, tuple[TableId, ...]] = {}
        self.here: set[PersonId] = set()
        self.named: set[str] | None = None
        """Tables and people that were told since the annex began to say everything; None: it does not just now."""
        self.erasing: dict[int, tuple[PersonId, asyncio.Future[bool]]] = {}
        """Who is to be erased there, by the number of the question, and whether that was done."""


class Annexes:
    def __init__(
        self,
        wings: Wings,
        lobby: Lobby,
        register: Register,
        here: Container[PersonId],
        time: Timekeeper,
    ) -> None:
        """`here`: who is connected to the main wing."""
        self._wings = wings
        self._lobby = lobby
        self._register = register
        self._here = here
        self._time = time
        others = range(MAIN + 1, wings.count) if wings.is_main else ()
        self._annexes = {wing: _Annex() for wing in others}
        self._connected: Counter[PersonId] = Counter()
        """In how many annexes each person is connected."""
        self.only_there: set[PersonId] = set()
        """Who is connected to an annex and not to the main wing."""
        # An answer to an owner of the main wing that is gone is none to the next one.
        self._numbers = count(randbits(48))

    @property
    def connected(self) -> KeysView[PersonId]:
        """Everybody who is connected to an annex."""
        return self._connected.keys()

    @property
    def lines(self) -> Iterator[Line]:
        return (annex.line for annex in self._annexes.values() if annex.line is not None)

    # Lines

    def takes(self, line: Line, wing: int) -> bool:
        """Hear this line from now on; not if there is no such annex, or a later owner of it was heard before."""
        annex = self._annexes.get(wing)
        if annex is None or line.node < annex.node:
            return False
        before, annex.line, annex.node = annex.line, line, line.node
        if before is not None and before is not line:
            before.replaced()
        return True

    def lets_go(self, line: Line, wing: int) -> None:
        """It is not heard any more."""
        annex = self._annexes.get(wing)
        if annex is None or annex.line is not line:
            return
        annex.line = None
        annex.lost += 1
        self._time.later(COMES_BACK_WITHIN, partial(self._missed, annex, annex.lost))

    def ask_anew(self, wing: int) -> None:
        """Its owner may be another one, or we are: nobody knows what was lost on the way."""
        annex = self._annexes[wing]
        assert annex.line is not None
        annex.line.ask_for_all()
        for number, (person, _) in annex.erasing.items():
            annex.line.ask_to_erase(number, person)

    def _missed(self, annex: _Annex, lost: int) -> None:
        if annex.line is None and annex.lost == lost:
            for person in tuple(annex.here):
                self._went(annex, person)

    # What an annex says

    def recall(self, summary: Summary) -> None:
        """Show a table of an annex of which only the note was read: as it stands the annex will say itself."""
        annex = self._annexes.get(self._wings.of_table(summary.id))
        if annex is None:
            return
        self._show(annex, summary)
        for holder in summary.seats:
            if isinstance(holder, Sitter):
                self._seat(annex, holder.person, {*annex.seats.get(holder.person, ()), summary.id})

    def show(self, wing: int, summary: Summary) -> bool:
        """This is how a table stands; False if it is not of that wing, which then has no say about it."""
        if not self._is_of(wing, summary.id):
            return False
        annex = self._annexes[wing]
        if annex.named is not None:
            annex.named.add(summary.id)
        self._show(annex, summary)
        return True

    def hide(self, wing: int, table: TableId) -> bool:
        """A table is not shown any more; False as of `show`."""
        if not self._is_of(wing, table):
            return False
        self._hide(self._annexes[wing], table)
        return True

    def knows(self, wing: int, person: PersonId, *, here: bool, tables: Collection[TableId]) -> int:
        """Somebody is connected there or not, and sits at these tables; how many of them are not of that wing."""
        annex = self._annexes[wing]
        if annex.named is not None:
            annex.named.add(person)
        own = [table for table in tables if self._is_of(wing, table)]
        self._seat(annex, person, own)
        if here:
            self._came(annex, person)
        else:
            self._went(annex, person)
        return len(tables) - len(own)

    def all_follows(self, wing: int) -> None:
        self._annexes[wing].named = set()

    def that_was_all(self, wing: int) -> None:
        """What was not told since `all_follows` is no more."""
        annex = self._annexes[wing]
        named, annex.named = annex.named, None
        if named is None:
            return  # it has begun at another owner of the main wing: it will say everything once more
        # In the order in which they are known, as whoever follows the lobby hears of it.
        for table in [table for table in annex.tables if table not in named]:
            self._hide(annex, table)
        for person in annex.seats.keys() - named:
            self._seat(annex, person, ())
        for person in annex.here - named:
            self._went(annex, person)

    def _is_of(self, wing: int, table: TableId) -> bool:
        return self._wings.of_table(table) == wing

    # Tables

    def _show(self, annex: _Annex, summary: Summary) -> None:
        if summary.private:
            self._hide(annex, summary.id)
        elif annex.tables.get(summary.id) != summary:
            # Whoever follows the lobby is told only what is new.
            annex.tables[summary.id] = summary
            self._lobby.show(summary)

    def _hide(self, annex: _Annex, table: TableId) -> None:
        if annex.tables.pop(table, None) is not None:
            self._lobby.hide(table)

    # People

    def _seat(self, annex: _Annex, person: PersonId, tables: Collection[TableId]) -> None:
        self._register.seat_elsewhere(person, annex.seats.pop(person, ()), tables)
        if tables:
            annex.seats[person] = tuple(tables)

    def _came(self, annex: _Annex, person: PersonId) -> None:
        if person not in annex.here:
            annex.here.add(person)
            self._connected[person] += 1
            self._changed(person)

    def _went(self, annex: _Annex, person: PersonId) -> None:
        if person in annex.here:
            annex.here.discard(person)
            self._connected[person] -= 1
            if not self._connected[person]:
                del self._connected[person]
            self._changed(person)

    def _changed(self, person: PersonId) -> None:
        self.look_at(person)
        self._lobby.people_changed()

    def look_at(self, person: PersonId) -> None:
        """See whether somebody is connected to an annex only, whenever they have come to a wing or gone from one."""
        if person in self._connected and person not in self._here:
            self.only_there.add(person)
        else:
            self.only_there.discard(person)

    # Taking a person out of what is kept

    async def erase(self, person: PersonId) -> None:
        """Wait until every annex has taken this person out of its tables. Raises NotStored if one does not say that it
        has: whoever asks again finds less to be done."""
        asked = {wing: self._ask_to_erase(annex, person) for wing, annex in self._annexes.items()}
        try:
            done = await asyncio.gather(*(answer for _, answer in asked.values()))
        finally:
            for wing, (number, _) in asked.items():
                self._annexes[wing].erasing.pop(number, None)
        if not all(done):
            wings = [wing for wing, fine in zip(asked, done, strict=True) if not fine]
            log.error("people could not be erased from all wings", extra={"wings": wings})
            raise NotStored

    def _ask_to_erase(self, annex: _Annex, person: PersonId) -> tuple[int, "asyncio.Future[bool]"]:
        number = next(self._numbers)
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        annex.erasing[number] = person, answer
        self._time.later(ERASES_WITHIN, partial(_answer, answer, fine=False))
        if annex.line is not None:
            annex.line.ask_to_erase(number, person)
        return number, answer

    def erased(self, wing: int, number: int, *, fine: bool) -> None:
        """The answer of an annex."""
        asked = self._annexes[wing].erasing.get(number)
        if asked is not None:
            _answer(asked[1], fine=fine)


def _answer(answer: "asyncio.Future[bool]", *, fine: bool) -> None:
    if not answer.done():
        answer.set_result(fine)
