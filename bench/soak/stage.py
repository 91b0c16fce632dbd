"""The people of the simulation on real sockets: at all doors, and at each other's tables.

They are the same people, who believe what they are told and nothing else, and what they were told is compared in the
same way: after the server's end, with what it has stored.
"""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager
from random import Random
from typing import Any

import msgspec
from tests.simulation.acquire_people import AcquirePerson
from tests.simulation.powerchess_people import HomePerson, PowerPerson
from tests.simulation.surroundings import Hear, Surroundings
from tests.simulation.tafl_people import TaflPerson
from tests.simulation.told import Broken, Told
from tests.simulation.topple_people import TopplePerson
from tests.simulation.tower_people import TowerPerson
from tests.simulation.web_people import WebPerson

from bench.attacks.target import Target
from bench.soak.calls import SocketCall
from bench.soak.model import Model
from bench.soak.person import Evening, Person
from bench.stores.comparison import Comparison
from bench.stores.stored import Stored
from gamut.hall.ids import PersonId, TableId

PATHS = {
    "web": ("/hall",),
    "tower": ("/tower",),
    "topple": ("/ws/", "/topple"),
    "acquire": ("/acquire",),
    "play": ("/play", "/powerchess/play"),
    "home": ("/home", "/powerchess/home"),
}
DOOR_OF = {"play": "powerchess", "home": "powerchess", "power": "powerchess"}
_KINDS: tuple[tuple[type[Any], int], ...] = (
    (WebPerson, 4),
    (TowerPerson, 3),
    (TopplePerson, 3),
    (TaflPerson, 4),
    (AcquirePerson, 4),
    (PowerPerson, 3),
    (HomePerson, 1),
)
_PAUSE_SECONDS = 0.25
"""Between two things that somebody does, at most."""


class _Summary(msgspec.Struct):
    id: str
    seats: list[dict[str, Any] | None] = []


_summary = msgspec.json.Decoder(_Summary).decode


class _Remembered(Told):
    """Of tables at which nobody of ours has sat, people may want to be forgotten: they are nobody's business here."""

    def __init__(self) -> None:
        # The clock goes on while the server is down, which a table's clocks do not: so much more they may have left.
        super().__init__(lambda now, table: now, at_once=False)
        self.names: set[str] = set()

    def summary(self, table: str, summary: bytes) -> None:
        if TableId(table) in self.tables or self._is_ours(summary):
            super().summary(table, summary)

    def _is_ours(self, summary: bytes) -> bool:
        return any(seat is not None and seat.get("name") in self.names for seat in _summary(summary).seats)

    def line(self, said: bytes) -> None:
        """Attackers talk in the lobby as well, and old lines are forgotten there."""
        self.count += 1


class Stage(Surroundings):
    def __init__(self, evening: Evening, chance: Random) -> None:
        self._remembered = _Remembered()
        super().__init__(chance, self._remembered)
        self._evening = evening
        self._model: Model = evening.model
        self._comparison = Comparison(
            self.told, self._model.compared_at, lambda door, what: self._model.lose(what, door=door)
        )
        self._callers: dict[str, int] = {}
        self.mixed: dict[str, set[TableId]] = {}
        """Of each game the tables of which people at two doors were told."""
        self.calls: dict[str, SocketCall] = {}

    def people(self, crowd: int) -> Iterator[Person]:
        for kind, count in _KINDS:
            for number in range(count * crowd):
                person = kind(self, number)
                self._remembered.names.add(getattr(person, "_name", ""))
                yield StagePerson(self._evening, self, person)

    # As the people have it

    def call(
        self, door: str, label: str, hear: Hear, *, query: str = "", cookie: str | None = None
    ) -> SocketCall:
        target = self._evening.target
        assert target is not None
        paths = PATHS.get(door)
        path = None if paths is None else self.chance.choice(paths) + (f"?{query}" if query else "")
        headers = None if cookie is None else {"Cookie": f"gamut_session={cookie}"}
        number = self._callers.setdefault(label, len(self._callers))
        name = DOOR_OF.get(door, door)

        def counted(kind: int, body: bytes) -> None:
            self._evening.heard[name] += 1
            hear(kind, body)

        def failed(error: BaseException) -> None:
            self._model.lose(f"{label}: {error if isinstance(error, Broken) else repr(error)}", door=name)

        self._evening.counts["connections"] += 1
        call = SocketCall(
            target, path, counted, failed, address=f"198.51.100.{number % 250 + 1}", headers=headers
        )
        self.calls[label] = call
        return call

    def sitter(self, game: str, room: str, seat: int) -> PersonId | None:
        return None

    def heard_of(self, table: str, key: str | None) -> None:
        if TableId(table) in self.told.tables:
            super().heard_of(table, key)

    # Comparing

    def compare(self, stored: AbstractContextManager[Stored], *, all: bool) -> None:
        """What is stored, with all that was told since it was last compared; or with all that was ever told."""
        with stored as found:
            for _, room, table in found.rooms():
                # A game that everybody has left is in no list, and is still to be found.
                self._model.rooms.setdefault(room, set()).add(table)
            comparing = self._comparison.look(found, all=all)
        for name, mixed in comparing.mixed.items():
            self.mixed.setdefault(name, set()).update(mixed)


class StagePerson(Person):
    """One of them, for as long as the doors are open."""

    def __init__(self, evening: Evening, stage: Stage, person: Any) -> None:
        super().__init__(evening, person.label)
        kind = person.label.partition(" ")[0]
        self.door = DOOR_OF.get(kind, kind)
        self._stage = stage
        self._person = person

    async def visit(self, target: Target) -> None:
        while self.evening.doors.is_set():
            try:
                self._person.act()
            except Broken as broken:
                self.model.lose(f"{self.name}: {broken}", door=self.door)
            await asyncio.sleep(self.chance.uniform(0.0, _PAUSE_SECONDS))
        if isinstance(self._person, WebPerson):
            self._person.read_on()
        call = self._stage.calls.get(self.name)
        if call is not None:
            await call.ended.wait()
        self._person.crashed()
