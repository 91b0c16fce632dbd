"""Reading a table's log and folding it: how a table comes back into memory."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from gamut.games.game import AnyGame, Refused
from gamut.hall.faults import Fault
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import Copy, LiveTable
from gamut.hall.store.checksum import follows
from gamut.hall.store.storage import LogReader, Row
from gamut.hall.table import codec
from gamut.hall.table import events as e
from gamut.hall.table.evolve import evolve, replayed
from gamut.hall.table.state import Table

_first = msgspec.json.Decoder(e.Opened)


class Folded(NamedTuple):
    """A table as of the last event of its log that was read."""

    table: Table
    events: list[Any]
    checksum: bytes


class Rebuilding:
    def __init__(
        self, storage: LogReader, games: Mapping[str, AnyGame], known: dict[TableId, Folded] | None = None
    ) -> None:
        """`known`: tables that were folded ahead of time, of which only what happened since is read."""
        self._storage = storage
        self._games = games
        self._decoders = {name: codec.Decoder(game) for name, game in games.items()}
        for game in games.values():
            # msgspec looks a type over when it first meets it. Another thread that meets it in that moment crashes: so
            # it is done here, before tables are read in several threads.
            msgspec.json.Decoder(game.options_type)
        self.known: dict[TableId, Folded] = {} if known is None else known

    def table(self, table_id: TableId) -> LiveTable | None:
        """The table; None if there is none. Its log may be long: this is done in a thread, and changes nothing."""
        rows = self._storage.log(table_id)
        return self._live(self._folded(rows)) if rows else None

    def copy(self, table_id: TableId) -> Copy | None:
        """The same of a table of another wing, for whoever looks at it."""
        rows = self._storage.log(table_id)
        if not rows:
            return None
        table, events, checksum = self._folded(rows)
        return Copy(self._games[table.game], table, events, checksum)

    def tables(self, table_ids: Sequence[TableId]) -> dict[TableId, LiveTable]:
        """Several at once. Those with which something is wrong are left out: `table` says what it is."""
        found = self._fold(table_ids)
        for table_id in found:
            self.known.pop(table_id, None)  # its log is the live table's own from now on
        return {table_id: self._live(folded) for table_id, folded in found.items()}

    def read_ahead(self, table_ids: Sequence[TableId]) -> None:
        """Know these as they are now."""
        self.known.update(self._fold(table_ids))

    def know_only(self, table_ids: Collection[TableId]) -> None:
        for table_id in [table_id for table_id in self.known if table_id not in table_ids]:
            del self.known[table_id]

    def _fold(self, table_ids: Iterable[TableId]) -> dict[TableId, Folded]:
        found: dict[TableId, Folded] = {}
        known = {table_id: self.known[table_id] for table_id in table_ids if table_id in self.known}
        if known:
            since = self._storage.since({table_id: folded.table.seq for table_id, folded in known.items()})
            for table_id, folded in known.items():
                with suppress(Fault):
                    further = self._followed(folded, since.get(table_id, ()))
                    if further is not None:
                        found[table_id] = further
        unknown = [table_id for table_id in table_ids if table_id not in found]
        for table_id, rows in self._storage.logs(unknown).items() if unknown else ():
            with suppress(Fault):
                found[table_id] = self._folded(rows)
        return found

    def _followed(self, folded: Folded, rows: Sequence[Row]) -> Folded | None:
        """With what happened since; None if that does not follow, as where the log was written anew.

        The first of these rows is the last that is known.
        """
        table, events, checksum = folded
        if not rows or rows[0].seq != table.seq or rows[0].checksum != checksum:
            return None
        game, decoder = self._games[table.game], self._decoders[table.game]
        further = []
        for number, row in enumerate(rows[1:], table.seq + 1):
            if row.seq != number or not follows(checksum, row.body, row.checksum):
                return None
            event = decoder.decode(row.body)
            if type(event) is e.TakenBack:
                return None  # it goes back to a position that is not kept here
            table, checksum = evolve(game, table, event), row.checksum
            further.append(event)
        return Folded(table, [*events, *further], checksum) if further else folded

    def _folded(self, rows: Sequence[Row]) -> Folded:
        name = _first.decode(rows[0].body).game
        game = self._games.get(name)
        if game is None:
            raise Refused("no_such_game", f"This server does not know the game {name}.")
        decoder = self._decoders[name]
        events = [decoder.decode(row.body) for row in rows]
        return Folded(replayed(game, events), events, rows[-1].checksum)

    def _live(self, folded: Folded) -> LiveTable:
        table, events, checksum = folded
        game = self._games[table.game]
        if table.phase == "setup":
            game.prepare(table.options)
        return LiveTable(game, table, events, checksum)
