"""What the hall needs of a ledger. The hall talks to this; `gamut.ledger` implements it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from gamut.hall.ids import Millis, PersonId, Seq, TableId


class LedgerError(Exception):
    """The ledger cannot be read or written. The message is one clear line."""


class Fenced(LedgerError):
    """This node was ended by another one: nothing that it does is stored any more."""

    def __init__(self, node: int) -> None:
        super().__init__(f"This node (number {node}) was ended by another one, which has taken over.")


class StoreWentBack(LedgerError):
    """The store has less than it had: what people were told is not there."""


class DamagedLog(LedgerError):
    """A table's log does not pass its checksums."""


class Row(msgspec.Struct, frozen=True, gc=False):
    """One event of one table, ready to be stored.

    A row with the number 0 means that what is stored of this log so far goes: the rows after it are the log anew.
    Only taking a person's traces out of a log does that.
    """

    table: TableId
    seq: Seq
    body: bytes
    checksum: bytes


def clearing(table: TableId) -> Row:
    return Row(table, Seq(0), b"", b"")


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A table as the lobby knows it, without its log."""

    table: TableId
    game: str
    phase: str
    load_at_start: bool
    """Must be woken at start: a clock runs or a bot is to move."""
    updated: Millis
    summary: bytes
    people: tuple[PersonId, ...]
    """Who has sat down or talked here since the last entry; it is kept in their list of games for good."""
    room: str | None = None
    """The name under which a game's own door knows the table from now on; None: nothing new."""
    listed: bool = False
    """A game that was played to its end and is no secret."""


class Damage(msgspec.Struct):
    """What is known to be lost or unreadable, for whoever looks after the server."""

    tables: dict[TableId, None] = msgspec.field(default_factory=dict)
    """Refused, each by itself."""
    notes: dict[TableId, None] = msgspec.field(default_factory=dict)
    """Left out of lists."""
    people: int = 0
    """Who cannot be known any more."""
    events: int = 0
    """How many are gone that the ledger had at its last stop."""
    reads: int = 0
    """How often a bad page was met since the start."""

    def __bool__(self) -> bool:
        return bool(self.tables or self.notes or self.people or self.events or self.reads)


class Tail(msgspec.Struct, frozen=True):
    """The end of a log."""

    rows: list[Row]
    """Those that pass their checksums."""
    sound: bool = True
    """None was left out."""


class LogReader(Protocol):
    """Reads what is stored, also of a server that goes on. Blocking."""

    def log(self, table: TableId) -> list[Row]:
        """Every event of a table in order, its checksums verified; raises DamagedLog."""
        ...

    def logs(self, tables: Sequence[TableId]) -> dict[TableId, list[Row]]:
        """The same for several, in one question; those whose log is damaged, or that there are not, are left out."""
        ...

    def since(self, known: Mapping[TableId, Seq]) -> dict[TableId, list[Row]]:
        """Of each of these tables the event of this number and those after it, in order; what is damaged, too."""
        ...

    def unfinished(self) -> list[Entry]:
        """Tables that are not over. One whose note is damaged is in `unnoted` instead."""
        ...

    def going_on(self) -> list[TableId]:
        """The same tables, whatever has become of their notes, in the order of their ids."""
        ...


class Storage(LogReader, Protocol):
    """A durable, append-only store. Blocking: called from a thread that may wait."""

    damage: Damage

    def append(self, rows: Sequence[Row], entries: Iterable[Entry]) -> None:
        """Store everything or nothing; on return it survives a power cut."""
        ...

    def tail(self, table: TableId, limit: int) -> Tail:
        """The last events of a log in order, without those that are damaged."""
        ...

    def unnoted(self) -> list[TableId]:
        """Tables that may not be over, of which only the log can tell: their note is damaged."""
        ...

    def finished(self, game: str | None, before: TableId | None, limit: int) -> list[Entry]:
        """Games that are listed, the last opened first; the next page comes before the last one of this."""
        ...

    def entry(self, table: TableId) -> Entry | None: ...

    def named(self, game: str, room: str) -> TableId | None:
        """The last table that had this name at the game's own door."""
        ...

    def last_name(self, game: str) -> str | None:
        """The name of the table of this game that was opened last, of those that have one.

        LedgerError if that cannot be read: a name that was given once must not be given again.
        """
        ...

    def played_by(self, person: PersonId, limit: int, before: TableId | None = None) -> list[Entry]:
        """Tables at which this person sat, latest first; the next page comes before the last one of this."""
        ...

    def tables_of(self, person: PersonId, limit: int, before: TableId | None = None) -> list[TableId]:
        """The same, whatever has become of the notes."""
        ...

    def forget(self, person: PersonId) -> None:
        """Whose games they were is not known any more."""
        ...

    def scrub(self) -> bool:
        """Leave nothing in the files of what was taken out before; False if somebody else reads them just now.

        It holds up commits for a moment only, whoever reads meanwhile.
        """
        ...

    def latest(self) -> Millis:
        """The latest time that the ledger knows of: it was that late already when something was stored."""
        ...

    def close(self) -> None: ...
