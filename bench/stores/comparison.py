"""What is stored, compared with all that anybody was told, again and again."""

from collections import Counter
from collections.abc import Callable

from tests.simulation.comparing import Comparing
from tests.simulation.told import Broken, Told

from bench.stores.stored import Stored
from gamut.games.registry import all_games
from gamut.hall.ids import TableId


class Comparison:
    """What was compared is compared anew when something more was told of it, and when everything is."""

    def __init__(self, told: Told, compared: Counter[str], lose: Callable[[str, str], None]) -> None:
        """`compared` counts by door. `lose` is told what is not as it was told, and at which door that was."""
        self._told = told
        self._compared = compared
        self._lose = lose

    def look(self, stored: Stored, *, all: bool) -> Comparing:
        """The logs that were read are in what it returns."""
        told = self._told
        comparing = Comparing(stored, all_games(), told)
        tables = [table for table, each in told.tables.items() if all or each.fresh]
        self._read(comparing, [*tables, *self._in_rooms(stored)])
        for table in tables:
            self._compare("web", comparing.table_with_told, table)
        self._compare("web", comparing.notes)
        for seat in told.seats:
            self._compare(seat[0], comparing.seat_with_told, *seat)
        for game in told.games:
            self._compare(game.game, comparing.game_with_told, game)
        told.seats.clear()
        told.games = [game for game in told.games if game.going_on]
        return comparing

    def _in_rooms(self, stored: Stored) -> list[TableId]:
        """The tables of rooms in which somebody was told of a seat or a game."""
        told = self._told
        rooms = {(game.game, game.room) for game in told.games} | {seat[:2] for seat in told.seats}
        return [
            table for game, room, table in stored.rooms() if (game, room) in rooms or (game, table) in rooms
        ]

    def _read(self, comparing: Comparing, wanted: list[TableId]) -> None:
        """These tables, and those that went on from them."""
        while wanted:
            table = wanted.pop()
            if table in comparing.logs:
                continue
            try:
                log = comparing.log(table)
            except Broken as broken:
                self._lose("store", str(broken))
                continue
            if log is not None and log.now.successor is not None:
                wanted.append(log.now.successor)

    def _compare(self, door: str, compare: Callable[..., None], *what: object) -> None:
        self._compared[door] += 1
        try:
            compare(*what)
        except Broken as broken:
            self._lose(door, str(broken))
