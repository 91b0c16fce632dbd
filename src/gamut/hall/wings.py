"""A large hall has several wings, each with an owner of its own. Every table is in one of them as long as it exists.

Which one follows from the table's id, and for a room whose name somebody chose from that name. So nobody has to be
asked where something is, and whoever wants to open a room looks for it where it would be.
"""

from binascii import crc32

import msgspec

from gamut.hall.ids import TableId, last_digits

MAIN = 0
"""The wing where people come in: it has the log-ins, the accounts, the lobby's talk, and what is answered over HTTP."""


class Elsewhere(Exception):
    """What was asked for is in another wing. Nothing has happened yet: the session is to go there, and to ask again."""

    def __init__(self, wing: int) -> None:
        super().__init__(wing)
        self.wing = wing


class Wings(msgspec.Struct, frozen=True):
    """One wing of a hall, and how many there are."""

    wing: int = MAIN
    count: int = 1

    def of_table(self, table: TableId) -> int:
        return last_digits(table) % self.count

    def of_name(self, game: str, name: str) -> int:
        return crc32(f"{game}/{name}".encode()) % self.count

    def has(self, table: TableId) -> bool:
        return self.count == 1 or self.of_table(table) == self.wing

    def has_name(self, game: str, name: str) -> bool:
        return self.count == 1 or self.of_name(game, name) == self.wing

    def check(self, table: TableId) -> None:
        """Raises Elsewhere for a table of another wing."""
        if not self.has(table):
            raise Elsewhere(self.of_table(table))


WHOLE = Wings()
"""A hall that is not divided."""
