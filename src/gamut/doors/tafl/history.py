"""The moves of a game so far, written once for everybody who comes later or asks for them."""

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.dialects import Dialect
from gamut.games.tafl.state import Moved, TaflState
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e

AT_ONCE = 500
"""Events of a log that are looked through before others get their turn: about a millisecond."""


class _Written:
    """The moves of a table as one dialect has them, as far as its log has been looked through."""

    def __init__(self, live: LiveTable, dialect: Dialect) -> None:
        self.log = live.log
        """The very list: a log that was written anew, without somebody's name, is another."""
        self._dialect = dialect
        self._time = t.time_of_moves(live.table.clock_setting)
        self._upto = 0
        self._ends: list[int] = []
        """How much was written after the beginning of the game, and after each move that stands."""
        self.moves = bytearray()

    @property
    def behind(self) -> int:
        return len(self.log) - self._upto

    def write(self, most: int) -> None:
        upto = min(self._upto + most, len(self.log))
        for happening in self.log[self._upto : upto]:
            if type(happening) is e.TakenBack:
                del self._ends[happening.moves + 1 :]
                del self.moves[self._ends[-1] :]
            elif type(happening) in (e.Started, e.Played):
                self._write_play(happening)
        self._upto = upto

    def _write_play(self, play: Any) -> None:
        for event in play.events:
            if type(event) is not Moved:
                continue
            if self._dialect == "O":
                self.moves += t.history_entry(event.record, self._time)
            else:
                self.moves += t.move(self._dialect, event.record)
        self._ends.append(len(self.moves))


class Histories:
    """What has been written stays with the table, as long as that is in memory."""

    def __init__(self) -> None:
        self._written: WeakKeyDictionary[LiveTable, dict[Dialect, _Written]] = WeakKeyDictionary()

    async def prepare(self, live: LiveTable, dialect: Dialect) -> None:
        """Write nearly all of a game that has begun, in pieces. Whoever asks meanwhile goes on where it stands."""
        if live.table.state is None:
            return
        while self._of(live, dialect).behind > AT_ONCE:
            self._of(live, dialect).write(AT_ONCE)
            await asyncio.sleep(0)

    def moves(self, live: LiveTable, dialect: Dialect) -> bytes:
        """Each move from the start, those of a saved game that goes on included: in dialects S and S+ as a line, in
        dialect O as it is in a history."""
        written = self._of(live, dialect)
        written.write(written.behind)
        return bytes(written.moves)

    def _of(self, live: LiveTable, dialect: Dialect) -> _Written:
        of_table = self._written.setdefault(live, {})
        form: Dialect = "O" if dialect == "O" else "S"
        known = of_table.get(form)
        if known is None or known.log is not live.log:
            known = of_table[form] = _Written(live, form)
        return known


def history_of(histories: Histories, live: LiveTable) -> bytes:
    """The answer to whoever asks for it. Before the start, the moves of a saved game that is to go on."""
    table = live.table
    state: TaflState | None = table.state
    if state is not None:
        return t.history(state.rules, histories.moves(live, "O"))
    time = t.time_of_moves(table.clock_setting)
    moves = b"".join(t.history_entry(move, time) for move in table.options.moves)
    return t.history(table.options.rules_string, moves)
