"""Three at the Tower door. A room has its name from the party, and the next game another one."""

from tests.simulation.surroundings import Surroundings
from tests.simulation.tower_people import POSITIONS, TowerPerson

from bench.cluster.players.party import Party

_TURN = b'"player_turn"'


class TowerPlayer(TowerPerson):
    def __init__(self, world: Surroundings, number: int, party: Party) -> None:
        self._party = party
        super().__init__(world, number)

    def _some_room(self) -> str:
        if self._party.where is None:
            self._party.where = f"{self._party.name} {self._party.games}"
        return str(self._party.where)

    @property
    def back(self) -> bool:
        return self.connected and self._inside

    @property
    def progress(self) -> int:
        return len(self._taken) if self._game is not None else 0

    def act(self) -> None:
        if self._over:
            self._party.over(self._room)
        if not self.connected:
            self._room = self._some_room()
            self._come()
            return
        assert self._connection is not None
        if self._room != self._some_room():
            self._connection.cut()
        elif self._mine:
            x, y, z = POSITIONS[self._chance.choice([tile for tile in range(24) if tile not in self._taken])]
            self._say("place_mark", position={"x": x, "y": y, "z": z})
            self._mine = False
        elif not self._inside and not self._joining:
            self._join()

    def _hear(self, kind: int, body: bytes) -> None:
        joining = self._joining
        super()._hear(kind, body)
        if _TURN in body:
            # The next game goes on in the same room, without a word that it begins.
            self._over = False
        if joining and not self._joining and not self._inside:
            self._party.refused("join")
