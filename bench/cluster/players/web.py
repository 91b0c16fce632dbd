"""People on the page, at tables of every game: they play, and talk a little."""

from typing import Any

from tests.simulation.surroundings import Surroundings
from tests.simulation.web_hearing import Known
from tests.simulation.web_people import WebPerson

from bench.cluster.players.party import Party

_CLOCK = {"kind": "bank", "main": 3_600_000, "increment": 10_000}
_TALKS = 0.02
_BYE = b'{"type":"bye"'
GAMES: tuple[tuple[dict[str, Any], int], ...] = (
    ({"game": "tower"}, 3),
    ({"game": "topple", "seats": 2, "options": {"x": 5, "y": 5}}, 2),
    ({"game": "tafl", "options": {"variant": "brandub"}}, 2),
    ({"game": "acquire", "options": {"mode": "singles_2"}}, 2),
    ({"game": "powerchess"}, 2),
)
"""What they open, and how many play it."""


class WebPlayer(WebPerson):
    def __init__(self, world: Surroundings, number: int, party: Party) -> None:
        super().__init__(world, number)
        self._party = party
        self._host = not party.players
        self._opening = False
        self.heard_bye = 0

    @property
    def _known(self) -> Known | None:
        return self.tables.get(self._party.where or "")

    @property
    def back(self) -> bool:
        known = self._known
        return self.connected and self._welcome and (known is None or known.seq is not None)

    @property
    def progress(self) -> int:
        return max(map(_moves, self.tables.values()), default=0)

    def act(self) -> None:
        if not self.connected:
            self._opening = False
            self._come()
        elif self._welcome:
            self._take_part()

    def _take_part(self) -> None:
        where, known = self._party.where, self._known
        for table in [table for table, each in self.tables.items() if each.over or table != where]:
            self._put_aside(table)
            self._say("unwatch", table=table)
            self._party.over(table)
        if where is None:
            if self._host and not self._opening:
                self._opening = True
                clock = {"clock": _CLOCK} if self._party.number % 2 else {}
                self._say("open", **GAMES[self._party.number % len(GAMES)][0], **clock)
        elif known is None or (known.you is None and known.phase == "setup"):
            self._take_up(where)
            self._say("sit", table=where, key=self._world.keys.get(where))
        elif self._chance.random() < _TALKS:
            self._say("say", text=f"line {self._world.new_line()} at a table", table=where)
        else:
            self._play()

    def _watch_again(self, table: str, known: Known) -> None:
        if known.last:
            known.asked.append(known.last)
            self._say("watch", table=table, since=known.last)
        else:
            self._say("watch", table=table)

    def _hear(self, kind: int, body: bytes) -> None:
        super()._hear(kind, body)
        if body.startswith(_BYE):
            self.heard_bye += 1
        if self._opening and self.tables and self._party.where is None:
            self._opening = False
            self._party.where = next(iter(self.tables))


def _moves(known: Known) -> int:
    return known.last if known.movers is None else len(known.movers)
