"""What the settings of a PostgreSQL server promise of a commit."""

from typing import Any

import msgspec
import psycopg

_SETTINGS = ("fsync", "full_page_writes", "synchronous_commit", "synchronous_standby_names")


class Durability(msgspec.Struct, frozen=True):
    fsync: bool
    full_page_writes: bool
    synchronous_commit: str
    standby: bool
    """Commits wait for a synchronous standby."""

    @property
    def doubts(self) -> list[str]:
        """What an operator should know, one line each; empty if nothing that was told can be lost with one machine."""
        found = []
        if not self.fsync:
            found.append("fsync is off: a power cut can take back what people were told, or all of it")
        if not self.full_page_writes:
            found.append("full_page_writes is off: a power cut can damage the database")
        if self.synchronous_commit == "off":
            found.append("synchronous_commit is off: Gamut turns it on for its own commits")
        elif self.synchronous_commit == "local" and self.standby:
            found.append("synchronous_commit is local: commits do not wait for the synchronous standby")
        if not self.standby or self.synchronous_commit == "local":
            found.append(
                "there is no synchronous standby: what people were told is as safe as the disk of one machine"
            )
        return found


def durability(connection: psycopg.Connection[Any]) -> Durability:
    fsync, pages, commit, standbys = (
        str(connection.execute("SELECT current_setting(%s)", (name,)).fetchone()[0])  # type: ignore[index]
        for name in _SETTINGS
    )
    return Durability(fsync == "on", pages == "on", commit, bool(standbys.strip()))
