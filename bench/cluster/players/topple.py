"""Two at the Topple door: who opened the room, and who joins by its code."""

from typing import Any

from tests.simulation.surroundings import Surroundings
from tests.simulation.topple_people import TopplePerson

from bench.cluster.players.party import Party

_BOARD = "0,5,5"


class TopplePlayer(TopplePerson):
    def __init__(self, world: Surroundings, number: int, party: Party) -> None:
        super().__init__(world, number)
        self._party = party
        self._host = not party.players
        self._refused: set[int] = set()
        """Tiles that cannot be played on in this turn."""

    @property
    def back(self) -> bool:
        return self.connected and self._number is not None

    @property
    def progress(self) -> int:
        return len(self._game.moves) if self._game is not None else 0

    def act(self) -> None:
        if not self.connected:
            self._come()
            return
        assert self._connection is not None
        if self._over or (self._room is not None and self._room != self._party.where):
            self._party.over(self._room)
            self._say("player:leave")
            self._connection.cut()
            self._seat = None
        elif self._mine:
            self._try_a_tile()
        elif self._host and not self._playing:
            self._say("waiting:start")

    def _come(self) -> None:
        self._leave_game()
        self._room = self._number = self._coming_back = None
        self._mine = self._playing = self._over = self._leaving = False
        seat, where = self._seat, self._party.where
        if seat is not None and seat.room == where:
            self._coming_back = seat
            query = f"t=3&g={seat.room}&i={seat.number}&k={seat.key}"
        elif self._host:
            self._party.over(where)
            query = f"t=1&s=1&d={_BOARD}&p=2"
        elif where is not None:
            query = f"t=0&g={where}"
        else:
            return
        self._connection = self._world.call("topple", self.label, self._hear, query=query)
        if self._host and self._coming_back is None:
            self._say("game:rules")

    def _hear(self, kind: int, body: bytes) -> None:
        super()._hear(kind, body)
        if not self._mine:
            self._refused.clear()
        if self._host and self._seat is not None and self._party.where is None and not self._over:
            self._party.where = self._seat.room

    def _error(self, payload: dict[str, Any]) -> None:
        if self._coming_back is not None:
            self._party.refused(str(payload["code"]))
        super()._error(payload)
        if self._mine and self.connected:
            self._try_a_tile()

    def _try_a_tile(self) -> None:
        tile = self._chance.choice([tile for tile in range(self._tiles) if tile not in self._refused] or [0])
        self._refused.add(tile)
        self._say("game:move", n=tile)
