"""Two at the door of Power Chess: each comes back with the key to its seat."""

from typing import Any

from tests.simulation.power_board import CARRIES
from tests.simulation.powerchess_people import SELECT, PowerPerson
from tests.simulation.surroundings import Surroundings

from bench.cluster.players.party import Party

_SLOWEST = 2
_REFUSED = b'{"type":6,'
_TOO_FAST = b'{"type":7,'


class PowerPlayer(PowerPerson):
    def __init__(self, world: Surroundings, number: int, party: Party) -> None:
        super().__init__(world, number)
        self._party = party
        self._host = not party.players
        self._went_to: list[int] = []
        """Where the own piece that moved last may stand, by what this player has said: one who comes back is told which
        powers are offered, but not to which piece."""

    @property
    def back(self) -> bool:
        return self.connected and not self._asked and (bool(self._game) or self._party.where is None)

    @property
    def progress(self) -> int:
        return len(self._told.moves) if self._told is not None else 0

    def act(self) -> None:
        if not self.connected:
            self._come()
        elif self._asked:
            return
        elif not self._game:
            self._look_for_a_game(0.0)
        elif self._game != self._party.where:
            self._forget()
        elif self._action:
            self._play()

    def _look_for_a_game(self, luck: float) -> None:
        if self._host:
            # The game was refused, so it is not there any more.
            self._party.over(self._party.where)
            self._asked, self._seat = "create", 0
            self._send(
                {"type": 0, "name": self._name, "color": True, "timeControl": _SLOWEST, "public": True}
            )
        elif self._party.where is not None:
            self._asked, self._game = "join", self._party.where
            self._send({"type": 1, "gameId": str(self._game), "name": self._name})

    def _play(self) -> None:
        super()._play()
        if self._moving is not None:
            self._went_to = [self._moving[1]]
        elif self._using is not None and self._using.power in CARRIES and self._using.target is not None:
            # Unless that was not heard any more: then it still stands where it was.
            self._went_to.append(self._using.target)

    def _update(self, message: dict[str, Any]) -> None:
        returning = self._returning
        super()._update(message)
        if returning:
            self._board.took(self._went_to, self._seat)

    def _come(self) -> None:
        self._asked, self._action, self._moving, self._using = "", 0, None, None
        self._connection = self._world.call("play", self.label, self._hear)
        if self._key:
            self._asked, self._returning = "resume", True
            self._send({"type": 1, "gameId": self._game, "playerId": self._player, "key": self._key})
        else:
            self._forget()

    def _hear(self, kind: int, body: bytes) -> None:
        asked = self._asked
        super()._hear(kind, body)
        if self._action == SELECT and body.startswith(_REFUSED):
            # It is another piece, then. Whoever has to guess does not think for long.
            self._board.took((), self._seat)
            self._play()
        elif self._action == SELECT and body.startswith(_TOO_FAST):
            # And whoever has to guess often does, the next time that it is their turn to think.
            self._using = None
        if asked == "resume" and not self._game:
            self._party.refused("resume")

    def _sits(self, message: dict[str, object]) -> None:
        super()._sits(message)
        if self._host and self._party.where is None:
            self._party.where = self._game

    def _end(self, result: int) -> None:
        game = self._game
        super()._end(result)
        self._party.over(game)
