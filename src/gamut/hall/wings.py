"""A large hall has several wings, each with an owner of its own. Every table is in one of them as long as it exists.

Which one follows from its *slot*, which is in the table's id, and for a room whose name somebody chose from that name.
So nobody has to be asked where something is. There are more slots than anybody wants wings, and what is in which slot
never changes: so a hall can have another number of wings after a stop.
"""

from binascii import crc32

import msgspec

from gamut.hall.ids import SLOTS, Slot, TableId, slot_in

MAIN = 0
"""The wing where people come in: it has the log-ins, the accounts, the lobby and its talk, and what is answered over
HTTP."""


class Elsewhere(Exception):
    """What was asked for is in another wing, and nothing has happened yet: it is to be asked there."""

    def __init__(self, wing: int) -> None:
        super().__init__(wing)
        self.wing = wing


class Wings(msgspec.Struct, frozen=True):
    """One wing of a hall, and how many there are."""

    wing: int = MAIN
    count: int = 1
    at_main: frozenset[str] = frozenset()
    """Games all of whose tables are in the main wing: their clients are told of every table there is."""

    @property
    def is_main(self) -> bool:
        return self.wing == MAIN

    def of_slot(self, slot: Slot) -> int:
        return slot % self.count

    def of_table(self, table: TableId) -> int:
        """What is no id of a table is in this wing as well as in any other."""
        slot = slot_in(table)
        return self.wing if slot is None else self.of_slot(slot)

    def slot_of_name(self, game: str, name: str) -> Slot:
        """Where a room of this name is. A table that has no other name goes by its id."""
        if game in self.at_main:
            return Slot(MAIN)
        slot = slot_in(TableId(name))
        # Clients of some protocols may say a name in capitals or not.
        return Slot(crc32(f"{game}/{name.casefold()}".encode()) % SLOTS) if slot is None else slot

    def has(self, table: TableId) -> bool:
        return self.count == 1 or self.of_table(table) == self.wing

    def has_name(self, game: str, name: str) -> bool:
        return self.count == 1 or self.of_slot(self.slot_of_name(game, name)) == self.wing

    def check(self, table: TableId) -> None:
        """Raises Elsewhere for a table of another wing."""
        if not self.has(table):
            raise Elsewhere(self.of_table(table))

    def check_name(self, game: str, name: str) -> None:
        """Raises Elsewhere for a room of another wing."""
        if not self.has_name(game, name):
            raise Elsewhere(self.of_slot(self.slot_of_name(game, name)))

    def is_in_place(self, table: TableId, game: str, room: str | None) -> bool:
        """Whether a table is where it is looked for by its name."""
        if room is not None:
            return self.of_table(table) == self.of_slot(self.slot_of_name(game, room))
        return game not in self.at_main or self.of_table(table) == MAIN


WHOLE = Wings()
"""A hall that is not divided."""
