"""Reading a table's log and folding it: how a table comes back into memory."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec

from gamut.games.game import AnyGame, Refused
from gamut.hall.faults import Fault
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.storage import Row, Storage
from gamut.hall.table import codec
from gamut.hall.table import events as e
from gamut.hall.table.evolve import replayed

_first = msgspec.json.Decoder(e.Opened)


class Rebuilding:
    def __init__(self, storage: Storage, games: Mapping[str, AnyGame]) -> None:
        self._storage = storage
        self._games = games
        self._decoders = {name: codec.Decoder(game) for name, game in games.items()}

    def table(self, table_id: TableId) -> LiveTable | None:
        """The table; None if there is none. Its log may be long: this is done in a thread, and changes nothing."""
        rows = self._storage.log(table_id)
        return self._folded(rows) if rows else None

    def tables(self, table_ids: Sequence[TableId]) -> dict[TableId, LiveTable]:
        """Several at once. Those with which something is wrong are left out: `table` says what it is."""
        found: dict[TableId, LiveTable] = {}
        for table_id, rows in self._storage.logs(table_ids).items():
            with suppress(Fault):
                found[table_id] = self._folded(rows)
        return found

    def _folded(self, rows: Sequence[Row]) -> LiveTable:
        name = _first.decode(rows[0].body).game
        game = self._games.get(name)
        if game is None:
            raise Refused("no_such_game", f"This server does not know the game {name}.")
        decoder = self._decoders[name]
        events = [decoder.decode(row.body) for row in rows]
        table = replayed(game, events)
        if table.phase == "setup":
            game.prepare(table.options)
        return LiveTable(game, table, events, rows[-1].checksum)
