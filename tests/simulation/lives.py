"""What becomes of the residents of a hall with several wings, and what then must hold in all of them."""

from asyncio import Task
from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from tests.simulation.forgetting import forgotten
from tests.simulation.residents import Asked, Resident
from tests.simulation.surroundings import Call
from tests.simulation.told import Broken

from gamut.hall.ids import PersonId
from gamut.hall.table.seats import Sitter
from gamut.hall.table.without import NOBODY

if TYPE_CHECKING:
    from tests.simulation.wings_world import WingsWorld

_WISHES = 0.08
"""How often somebody asks for something, at each step."""
_TRIES = 20
"""A disk may be so slow that nobody waits for it."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class Lives:
    """Implements `tests.simulation.residents.Registry`."""

    def __init__(self, world: "WingsWorld", seed: int) -> None:
        self._world = world
        # A chance of its own: people of all other doors do what they would without.
        self._chance = Random(f"lives of {seed}")
        self._names = count(1)
        self._ending: list[tuple[str, Call]] = []
        """Connections of people who were told that all of these have ended."""
        self._erased: set[PersonId] = set()
        """Who was told that nothing is left."""
        self.answers: Counter[str] = Counter()
        """What residents were told."""

    @property
    def _residents(self) -> list[Resident]:
        """Each of them once, at however many screens."""
        return [each for each in self._world._web if isinstance(each, Resident) and each._home is each]

    def go_on(self) -> None:
        if self._chance.random() < _WISHES:
            self._chance.choice(self._residents).want_something(self._chance)

    # What residents use

    def at_main(self, ask: Asked) -> "Task[None] | None":
        server, loop, begun = self._world.server, self._world.tasks.loop, list[Any]()
        if server in self._world._open_servers():
            server.node.run(lambda: begun.append(loop.create_task(ask(server._people))))
        return begun[0] if begun else None

    def new_name(self) -> str:
        return f"Resident {next(self._names)}"

    def answered(self, answer: str) -> None:
        self.answers[answer] += 1

    def will_be_erased(self, person: PersonId) -> None:
        self._world.comparing.erased.add(person)

    def is_erased(self, person: PersonId) -> None:
        self._erased.add(person)
        for what in self._left_on_disk({person}):
            raise Broken(f"{person} was deleted, and is left {what}")

    def has_ended(self, label: str, call: Call) -> None:
        self._ending.append((label, call))

    # What must hold

    async def all_are_gone_who_want_to(self) -> bool:
        """Whoever was not deleted asks again, now that nothing fails. Whether there was anybody."""
        waiting = [resident for resident in self._residents if resident.wants_to_go]
        for resident in waiting:
            for _ in range(_TRIES):
                if not resident.wants_to_go or self._world._is_stuck:
                    break
                resident.ask_to_be_deleted()
                await self._world._pass(12_000)
            else:
                raise Broken(f"{resident.label} cannot be deleted")
        return bool(waiting)

    def disagreements(self) -> Iterator[str]:
        """What is known otherwise than it is stored, or is left of those who are gone."""
        yield from self._who_is_known_otherwise()
        yield from self._void_sessions()
        yield from self._former_names()
        for what in (*self._left_on_disk(self._erased), *self._left_in_memory(self._erased)):
            yield f"somebody was deleted, and is left {what}"

    def _who_is_known_otherwise(self) -> Iterator[str]:
        for line in self._world.successions:
            people, wing = line.server._people, line.wings.wing
            if not self._world.people.agrees_with(people):
                yield f"wing {wing} knows people otherwise than they are stored"

    def _void_sessions(self) -> Iterator[str]:
        rows = self._world.people.rows
        for wire in self._world._wires():
            credentials = wire.session.credentials
            row = None if credentials is None else rows.get(credentials.person)
            if credentials is not None and (row is None or row.person.credentials != credentials):
                yield f"a session at {wire.door} is of {credentials}, and stored is {row and row.profile}"
        self._ending = [(label, call) for label, call in self._ending if call.open]
        for label, _ in self._ending:
            yield f"{label} was logged out, and is still connected"

    def _former_names(self) -> Iterator[str]:
        """Whoever looks at a table where they have a seat is called there what they are called now. Or they have no
        name there any more, if some of them was taken out before they were told that not all could be."""
        for wire in self._world._wires():
            session = wire.session
            for live in session.followed:
                if live.table.phase == "over":
                    continue  # there they stay who they were
                for _, sitter in live.table.sitters():
                    row = self._world.people.rows.get(sitter.person)
                    if row is None or sitter.person != session.person or sitter.name == row.name:
                        continue
                    if sitter.name != NOBODY or sitter.person not in self._world.comparing.erased:
                        yield f"{row.name} looks at table {live.id} and is called {sitter.name} there"

    def _left_on_disk(self, erased: set[PersonId]) -> Iterator[str]:
        storage, names = self._world.medium.storage, self._names_of(erased)
        for person in erased & storage.seats.keys():
            yield f"in the list of games of {person}"
        if not erased:
            return
        for table in self._world.medium.tables():
            for row in storage.rows[table]:
                if _is_in(row.body, erased, names):
                    yield f"in table {table}: {row.body!r}"
            entry = storage.entries.get(table)
            if entry is not None and any(name in entry.summary for name in names):
                yield f"in what is noted of table {table}: {entry.summary!r}"

    def _left_in_memory(self, erased: set[PersonId]) -> Iterator[str]:
        names = self._names_of(erased)
        for line in self._world.successions:
            hall, wing = line.server.hall, line.wings.wing
            for person in erased & {*hall.register.seated, *hall.register.seated_elsewhere}:
                yield f"in a seat of {person} that wing {wing} knows of"
            for summary in hall.lobby.tables.values():
                for holder in summary.seats:
                    if isinstance(holder, Sitter) and f'"{holder.name}"'.encode() in names:
                        yield f"in the lobby of wing {wing}, at table {summary.id}"
            for said in hall.lobby.talk.lines:
                if _is_in(_encode(said), erased, names):
                    yield f"in the talk of wing {wing}: {said.text}"
            for table, live in hall.live.items():
                if any(_is_in(_encode(event), erased, names) for event in live.whole_log):
                    yield f"in the memory of wing {wing}, at table {table}"

    def _names_of(self, erased: set[PersonId]) -> set[bytes]:
        return {f'"{name}"'.encode() for person in erased for name in self._world.people.names[person]}


def _is_in(body: bytes, erased: set[PersonId], names: set[bytes]) -> bool:
    """Whether there is a name of somebody, or something that they said."""
    if any(name in body for name in names):
        return True
    if not any(person.encode() in body for person in erased):
        return False
    event = _decode(body)
    return bool(forgotten(event, erased) != event)
