"""Group commit: nothing is sent before it is durable.

Events are collected into a batch; while one batch is being committed, the next one fills. Whatever is to be sent
meanwhile waits for the batch that was open when it was said, so nobody ever hears of something that a crash could
still undo, and each connection gets its messages in the order in which they were said.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Protocol

from gamut.hall.faults import Fault, Faults
from gamut.hall.ids import TableId
from gamut.hall.limits.congestion import MOST_BYTES, MOST_ROWS, Congestion
from gamut.hall.store.storage import Entry, Row, clearing

_ENOUGH = 32
"""Events that make a commit worth its while: it costs about as much as storing so many."""

MOST_PENDING = 1_048_576
"""Bytes that may wait for a commit on the way to one connection."""

_DESCRIBED_AGAIN = 5
"""In so many commits one after the other it is tried to describe a table that could not be described."""


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
        """Cut the connection off without a word: too much waits for this reader,
        or nothing can be written to it."""
        ...

    def fail(self) -> None:
        """A fault of ours: the client may know something that is not so. End the connection;
        what waits is not sent."""
        ...


class Committer(Protocol):
    """Stores batches, one at a time, somewhere that may block."""

    def commit(self, rows: Sequence[Row], entries: Sequence[Entry], done: Callable[[], None]) -> None:
        """Store all of it, then call `done` on the event loop. If it cannot, the server stops: `done` never comes."""
        ...

    def soon(self, call: Callable[[], None], *, enough: bool) -> None:
        """Call when everything that has arrived is dealt with. Of several such calls only the last is made.

        Unless there is `enough` to store, a busy store may wait a little, so that more shares the commit.
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


def _ignored(batch: Batch) -> None:
    """Nobody wants to know of it."""


class Journal:
    def __init__(
        self,
        committer: Committer,
        most_pending: int = MOST_PENDING,
        faults: Faults | None = None,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._committer = committer
        self._most_pending = most_pending
        self.faults = Faults() if faults is None else faults
        self._now = now
        self._moved = now()
        """When it became busy, or was done with a batch, in seconds."""
        self._undescribed: Counter[TableId] = Counter()
        """Tables of which a commit had to do without their entry, and how many did."""
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
        self.on_closed: Callable[[Batch], None] = _ignored
        """Called with a batch as soon as nothing more can come into it, before it is stored or let out."""

    @property
    def busy(self) -> bool:
        return self._flying is not None or bool(self._open.rows)

    @property
    def depth(self) -> int:
        """Events that are not yet durable."""
        flying = len(self._flying.rows) if self._flying is not None else 0
        return flying + len(self._open.rows)

    @property
    def under_way_for(self) -> float:
        """For how many seconds something has waited while no batch was completed; 0 if nothing waits."""
        return self._now() - self._moved if self.busy else 0.0

    def append(self, row: Row) -> None:
        rows = self._open.rows
        rows.append(row)
        self.bytes += len(row.body)
        if self._flying is None:
            if len(rows) in (1, _ENOUGH):
                if len(rows) == 1:
                    self._moved = self._now()
                self._committer.soon(self._flush, enough=len(rows) == _ENOUGH)
        elif (len(rows) >= MOST_ROWS or self.bytes >= self._full_at) and self.congestion is not None:
            self.congestion.begin()

    def note(self, table: TableId, describe: Callable[[], Entry]) -> None:
        """The table's note changes with the events appended so far.
        It is made and stored once for each batch."""
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
                self.faults.guard("drop", wire.drop, connection=str(wire))
        else:
            self._write(wire, data)

    def broadcast(self, wires: tuple[Wire, ...], data: bytes) -> None:
        if self._flying is not None or self._open.rows:
            self._later(wires, data)
            return
        for wire in wires:
            self._write(wire, data)

    def _write(self, wire: Wire, data: bytes) -> None:
        try:
            wire.write(data)
        except Fault as fault:
            self._lost(wire, "write", fault)

    def _later(self, to: Wire | tuple[Wire, ...], data: bytes) -> None:
        said = self._open.said
        if said and said[-1][0] is to:
            # Messages in a row to the same connection are written as one.
            said[-1][1].append(data)
        else:
            said.append((to, [data]))

    def close(self, wire: Wire, code: int, reason: str) -> None:
        """Close a connection after everything said to it so far."""
        if self.busy:
            self._open.closings.append((wire, code, reason))
        else:
            self._close(wire, code, reason)

    def _close(self, wire: Wire, code: int, reason: str) -> None:
        try:
            wire.close(code, reason)
        except Fault as fault:
            self._lost(wire, "close", fault)

    def fail(self, wire: Wire) -> None:
        """End a connection at once whose client may have been told something that is not so."""
        try:
            wire.fail()
        except Fault as fault:
            self._lost(wire, "close", fault)

    def _lost(self, wire: Wire, kind: str, fault: Exception) -> None:
        """Drop a connection to which nothing can be written. The others get their messages all the same."""
        self.faults.contained(kind, fault, connection=str(wire))
        self.faults.guard("drop", wire.drop, connection=str(wire))

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
        try:
            self._full_at = self.bytes + MOST_BYTES
            self.on_closed(batch)
            if self.congestion is not None:
                self.congestion.storing()
            self._committer.commit(batch.rows, self._entries(batch), self._committed)
        except Fault as fault:
            # It is not known whether any of this batch will be stored.
            self.faults.stop(fault)

    def _entries(self, batch: Batch) -> tuple[Entry, ...]:
        """The notes of the tables in a batch. A note that fails is tried again later:
        the events do not wait for it."""
        entries: list[Entry] = []
        for table, describe in batch.notes.items():
            try:
                entries.append(describe())
            except Fault as fault:
                self.faults.contained("describe", fault, table=table)
                self._undescribed[table] += 1
                if self._undescribed[table] < _DESCRIBED_AGAIN:
                    self._open.notes.setdefault(table, describe)
                    continue
            # Here the note is made, or given up until the table is noted again.
            if self._undescribed:
                self._undescribed.pop(table, None)
        return tuple(entries)

    def _committed(self) -> None:
        try:
            self._let_out()
        except Fault as fault:
            # The batch stays in flight: it is not known who was told what, so nobody is told anything more.
            self.faults.stop(fault)

    def _let_out(self) -> None:
        batch = self._flying
        assert batch is not None
        self.commits += 1
        self.stored += 1
        self.events += len(batch.rows)
        # It counts as in flight while it is released, so that answers do not overtake what is being sent.
        self._release(batch)
        while not self._open.rows and self._open.waiting:
            batch, self._open = self._open, Batch()
            self.on_closed(batch)
            self._release(batch)
        self._flying = None
        self._moved = self._now()
        if self._open.rows:
            self._committer.soon(self._flush, enough=len(self._open.rows) >= _ENOUGH)
        if self.congestion is not None:
            self.congestion.stored()

    def _release(self, batch: Batch) -> None:
        for to, pieces in batch.said:
            data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
            if isinstance(to, tuple):
                for wire in to:
                    try:
                        write = (
                            wire.write
                        )  # not called as a method: the interpreter is quicker with what is in a slot
                        write(data)
                    except Fault as fault:
                        self._lost(wire, "write", fault)
            else:
                to.pending -= len(data)
                try:
                    write = to.write
                    write(data)
                except Fault as fault:
                    self._lost(to, "write", fault)
        for wire, code, reason in batch.closings:
            self._close(wire, code, reason)
        for call in batch.afterwards:
            self.faults.guard("afterwards", call)
