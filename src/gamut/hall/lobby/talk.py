"""What is said in the lobby: the last lines of it, in memory and in the ledger. Older ones are gone from both."""

import logging
from collections import deque

import msgspec

from gamut.hall.ids import PersonId, Seq, TableId
from gamut.hall.store.checksum import START
from gamut.hall.store.journal import Journal
from gamut.hall.store.storage import Tail
from gamut.hall.table.deciding.talk import cleaned
from gamut.hall.table.events import Said
from gamut.hall.table.without import chain, without
from gamut.hall.time import Timekeeper

TALK = TableId("lobby")
"""The lobby's talk is a log like any table's, but for its beginning, which is cut off now and then."""

REMEMBERED = 50
MOST_STORED = 10 * REMEMBERED
"""When the log has so many lines, those that nobody is shown any more are cut off."""

log = logging.getLogger("gamut.hall")

_said = msgspec.json.Decoder(Said)


class LobbyTalk:
    def __init__(self, journal: Journal, time: Timekeeper) -> None:
        self._journal = journal
        self._time = time
        self.lines: deque[Said] = deque(maxlen=REMEMBERED)
        self._seq = Seq(0)
        self._checksum = START

    @property
    def seq(self) -> Seq:
        """The number of the last line. It is a lower one when old lines were cut off."""
        return self._seq

    def remember(self, tail: Tail) -> None:
        """Take up the talk where an earlier run of the server left it. Lines that are damaged are left out."""
        sound = tail.sound
        for row in tail.rows:
            try:
                self.lines.append(_said.decode(row.body))
            except msgspec.DecodeError:
                sound = False
            self._seq = row.seq
            self._checksum = row.checksum
        if not sound:
            log.error("damaged talk in the lobby is left out", extra={"lines": len(self.lines)})
        if not sound or self._seq > MOST_STORED:
            # Whatever its last line was, the log begins anew with those that are left.
            self._rewrite()

    def say(self, person: PersonId, name: str, text: str) -> Said:
        said = Said(at=self._time.now(), person=person, name=name, text=cleaned(text), channel="table")
        self.lines.append(said)
        if self._seq >= MOST_STORED:
            self._rewrite()
            return said
        (row,) = chain(TALK, [said], self._seq, self._checksum)
        self._seq, self._checksum = row.seq, row.checksum
        self._journal.append(row)
        return said

    def of(self, person: PersonId) -> list[Said]:
        return [said for said in self.lines if said.person == person]

    def take_back(self, person: PersonId) -> None:
        """Everything this person said here is as if it had not been said."""
        self.lines = deque((without(person, said) for said in self.lines), maxlen=REMEMBERED)
        # What is stored beyond the lines that are shown may hold more of their words.
        if self._seq:
            self._rewrite()

    def _rewrite(self) -> None:
        anew = chain(TALK, self.lines)
        self._seq = Seq(len(anew))
        self._checksum = anew[-1].checksum if anew else START
        self._journal.rewrite(TALK, anew)
