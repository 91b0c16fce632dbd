"""A table's log as the disk has it."""

from collections.abc import Collection
from typing import Any

import msgspec
from tests.simulation.acquire_people import digest
from tests.simulation.forgetting import forgotten
from tests.simulation.told import Broken

from gamut.games.acquire.state import Acted, Began
from gamut.games.game import AnyGame
from gamut.games.powerchess.state import Moved as PowerMoved
from gamut.games.tafl.state import Moved as TaflMoved
from gamut.games.topple.events import Moved
from gamut.games.tower.rules import Placed
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.storage import Row
from gamut.hall.table import codec
from gamut.hall.table import events as e
from gamut.hall.table.evolve import evolve, opened, taken_back
from gamut.hall.table.state import Table

_decode = msgspec.json.Decoder().decode


class Log:
    """Its events, and the table after each of them."""

    def __init__(self, game: AnyGame, rows: list[Row]) -> None:
        self.game = game
        self._decoder = codec.Decoder(game)
        self._before: set[tuple[int, bytes]] = set()
        """The numbers and checksums that rows had before somebody was taken out of them."""
        self._begin()
        self.extend(rows)

    def _begin(self) -> None:
        self.rows: list[Row] = []
        self.events: list[Any] = []
        self.states: list[Table] = []
        self.placed: list[tuple[int, int]] = []
        """Tiles and whose they became, in the games that have doors of their own; in Tafl from where to where,
        in Acquire the number of each action and what everybody may know of it."""
        self.moves_before: list[int] = []
        """How many of them there were before each event."""
        self.lines: list[list[tuple[int, int]]] = [[]]
        """The same without what was taken back: another line each time that something was, the last one stands."""
        self._plays: list[tuple[int, int]] = []
        """Of the beginning and each move that stands: its place in the log, and how long the line was then."""

    def extend(self, rows: list[Row], erased: Collection[PersonId] = ()) -> None:
        """`erased`: who may have been taken out of it."""
        if self._is_rewritten(rows, erased):
            self._before.update((row.seq, row.checksum) for row in self.rows)
            self._begin()
        known = len(self.rows)
        if len(rows) < known or (known and rows[known - 1].checksum != self.rows[-1].checksum):
            raise Broken(f"the log of table {self.rows[0].table} is not what it was after the last crash")
        for row in rows[known:]:
            event = self._decoder.decode(row.body)
            if type(event) is e.TakenBack:
                state = self._went_back(event)
            elif self.states:
                state = evolve(self.game, self.states[-1], event)
                _check_step(row, self.states[-1], event)
            else:
                state = opened(self.game, event)
            before = len(self.placed)
            self.moves_before.append(before)
            for happened in getattr(event, "events", ()):
                if type(happened) is Placed:
                    self.placed.append((happened.tile, happened.seat))
                elif type(happened) is Moved:
                    self.placed.append((happened.tile, state.state.setup.teams[happened.seat]))
                elif type(happened) is TaflMoved or type(happened) is PowerMoved:
                    self.placed.append((happened.start, happened.end))
                elif type(happened) in (Began, Acted):
                    self.placed.append((len(self.placed) + 1, digest(happened.history)))
            self.lines[-1] += self.placed[before:]
            if type(event) in (e.Started, e.Played):
                self._plays.append((len(self.events), len(self.lines[-1])))
            self.events.append(event)
            self.states.append(state)
        self.rows = rows

    def _is_rewritten(self, rows: list[Row], erased: Collection[PersonId]) -> bool:
        """Whether nothing but these people is gone from what is known of it."""
        known = len(self.rows)
        if not erased or not 0 < known <= len(rows) or rows[known - 1].checksum == self.rows[-1].checksum:
            return False
        return all(
            new.body == old.body
            or forgotten(_decode(new.body), erased) == forgotten(_decode(old.body), erased)
            for new, old in zip(rows, self.rows, strict=False)
        )

    def began_with(self, checksum: bytes, seq: int) -> bool:
        """Whether it had this checksum up to that event, now or before somebody was taken out of it."""
        return self.rows[seq - 1].checksum == checksum or (seq, checksum) in self._before

    def _went_back(self, event: e.TakenBack) -> Table:
        del self._plays[event.moves + 1 :]
        place, length = self._plays[-1]
        self.lines.append(self.lines[-1][:length])
        return taken_back(self.game, self.states[-1], event, self.states[place].state)

    @property
    def now(self) -> Table:
        return self.states[-1]

    def live(self, seq: int) -> LiveTable:
        return LiveTable(self.game, self.states[seq - 1], self.events[:seq], self.rows[seq - 1].checksum)

    def seats_of(self, person: PersonId | None, since: int) -> list[int | None]:
        """Where this person sat after that event and later."""
        if person is None:
            return [None]
        return list(dict.fromkeys(state.seat_of(person) for state in self.states[since - 1 :]))


def _check_step(row: Row, before: Table, event: Any) -> None:
    if event.at < before.at:
        raise Broken(f"event {row.seq} of table {row.table} happened before the one before it")
    if type(event) is e.Sat and not event.sitter.returns:
        for seat, sitter in before.sitters():
            if before.is_lost(seat) and sitter.name == event.sitter.name and seat != event.seat:
                raise Broken(
                    f"{sitter.name} had seat {seat} of table {row.table} and came back to {event.seat}"
                )
