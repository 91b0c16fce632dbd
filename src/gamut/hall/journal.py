"""Group commit: nothing is sent before it is durable.

Events are collected into a batch; while one batch is being committed, the next one fills. Whatever is to be sent
meanwhile waits for the batch that was open when it was said, so nobody ever hears of something that a crash could
still undo, and each connection gets its messages in the order in which they were said.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from gamut.hall.congestion import MOST_BYTES, MOST_ROWS, Congestion
from gamut.hall.ids import TableId
from gamut.hall.storage import Entry, Row, clearing

_ENOUGH = 32
"""Events that make a commit worth its while: it costs about as much as storing so many."""

MOST_PENDING = 1_048_576
"""Bytes that may wait for a commit on the way to one connection."""


class Wire(Protocol):
    """The sending end of one connection."""

    pending: int
    """Bytes that were said to this connection alone and wait for a commit; the journal keeps count."""

    @property
    def queued(self) -> int:
        """Bytes that were sent and that the other side has not taken yet."""
        ...

    def write(self, data: bytes) -> None: ...

    def close(self, code: int, reason: str) -> None: ...

    def drop(self) -> None:
        """More waits for this reader than may wait for anyone: let them go, unheard."""
        ...


class Committer(Protocol):
    """Stores batches, one at a time, somewhere that may block."""

    def commit(self, rows: Sequence[Row], entries: Sequence[Entry], done: Callable[[], None]) -> None:
        """Store all of it, then call `done` on the event loop. If it cannot, the server stops: `done` never comes."""
        ...

    def soon(self, call: Callable[[], None], *, enough: bool) -> None:
        """Call when everything that has already arrived is dealt with; the last call asked for is the one that counts.

        Unless there is enough to store, a busy store may have a breather first, so that more comes together.
        """
        ...


class Batch:
    __slots__ = ("afterwards", "closings", "notes", "rows", "said")

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.notes: dict[TableId, Callable[[], Entry]] = {}
        self.said: list[tuple[Wire | tuple[Wire, ...], list[bytes]]] = []
        """What waits to be sent, and to whom, in the order in which it was said."""
        self.closings: list[tuple[Wire, int, str]] = []
        self.afterwards: list[Callable[[], None]] = []

    @property
    def waiting(self) -> bool:
        return bool(self.said or self.closings or self.afterwards)


class Journal:
    def __init__(self, committer: Committer, most_pending: int = MOST_PENDING) -> None:
        self._committer = committer
        self._most_pending = most_pending
        self._open = Batch()
        self._flying: Batch | None = None
        self.batch = 1
        """The number of the batch that is open: what is appended now is stored with it."""
        self.stored = 0
        """Everything in the batches up to this number is durable."""
        self.events = 0
        self.commits = 0
        self.bytes = 0
        """How much has been appended in all."""
        self.congestion: Congestion | None = None
        """Is told when commits begin and end, and when too much waits for one."""
        self._full_at = 0

    @property
    def busy(self) -> bool:
        return self._flying is not None or bool(self._open.rows)

    @property
    def depth(self) -> int:
        """Events that are not yet durable."""
        flying = len(self._flying.rows) if self._flying is not None else 0
        return flying + len(self._open.rows)

    def append(self, row: Row) -> None:
        rows = self._open.rows
        rows.append(row)
        self.bytes += len(row.body)
        if self._flying is None:
            if len(rows) in (1, _ENOUGH):
                self._committer.soon(self._flush, enough=len(rows) == _ENOUGH)
        elif (len(rows) >= MOST_ROWS or self.bytes >= self._full_at) and self.congestion is not None:
            self.congestion.begin()

    def note(self, table: TableId, describe: Callable[[], Entry]) -> None:
        """The table's entry changes together with the events appended before; it is written once in each batch."""
        self._open.notes[table] = describe

    def rewrite(self, table: TableId, rows: Sequence[Row]) -> None:
        """Store this as the table's log, in place of all that was appended to it before."""
        batch = self._open
        batch.rows = [row for row in batch.rows if row.table != table]
        for row in (clearing(table), *rows):
            self.append(row)

    def send(self, wire: Wire, data: bytes) -> None:
        if self._flying is not None or self._open.rows:
            self._later(wire, data)
            wire.pending += len(data)
            if wire.pending > self._most_pending:
                wire.drop()
        else:
            wire.write(data)

    def broadcast(self, wires: tuple[Wire, ...], data: bytes) -> None:
        if self._flying is not None or self._open.rows:
            self._later(wires, data)
            return
        for wire in wires:
            wire.write(data)

    def _later(self, to: Wire | tuple[Wire, ...], data: bytes) -> None:
        said = self._open.said
        if said and said[-1][0] is to:
            # Whoever is told one thing after the other gets it in one piece.
            said[-1][1].append(data)
        else:
            said.append((to, [data]))

    def close(self, wire: Wire, code: int, reason: str) -> None:
        """Close a connection after everything said to it so far."""
        if self.busy:
            self._open.closings.append((wire, code, reason))
        else:
            wire.close(code, reason)

    def after(self, call: Callable[[], None]) -> None:
        """Call once everything appended so far is durable and sent."""
        if self.busy:
            self._open.afterwards.append(call)
        else:
            call()

    def _flush(self) -> None:
        if self._flying is not None or not self._open.rows:
            return
        batch, self._open = self._open, Batch()
        self._flying = batch
        self.batch += 1
        self._full_at = self.bytes + MOST_BYTES
        if self.congestion is not None:
            self.congestion.storing()
        entries = tuple(describe() for describe in batch.notes.values())
        self._committer.commit(batch.rows, entries, self._committed)

    def _committed(self) -> None:
        batch = self._flying
        assert batch is not None
        self.commits += 1
        self.stored += 1
        self.events += len(batch.rows)
        # Still flying while it is released: what is said in answer must not overtake what is being sent.
        _release(batch)
        while not self._open.rows and self._open.waiting:
            batch, self._open = self._open, Batch()
            _release(batch)
        self._flying = None
        if self._open.rows:
            self._committer.soon(self._flush, enough=len(self._open.rows) >= _ENOUGH)
        if self.congestion is not None:
            self.congestion.stored()


def _release(batch: Batch) -> None:
    for to, pieces in batch.said:
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        if isinstance(to, tuple):
            for wire in to:
                write = (
                    wire.write
                )  # not called as a method: the interpreter is quicker with what is in a slot
                write(data)
        else:
            to.pending -= len(data)
            write = to.write
            write(data)
    for wire, code, reason in batch.closings:
        wire.close(code, reason)
    for call in batch.afterwards:
        call()
