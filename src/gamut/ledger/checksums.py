"""Checksums of what is not an event: notes of tables, and people. A log's are in `gamut.hall.store.checksum`."""

from typing import Any
from zlib import crc32


def of_note(id: Any, game: Any, phase: Any, wakes: int, updated: Any, summary: bytes, listed: int) -> int:
    return crc32(summary, crc32(f"{id}\n{game}\n{phase}\n{wakes:d}\n{updated}\n{listed:d}\n".encode()))


def note_is_sound(note: tuple[Any, ...]) -> bool:
    """Whether a row of `tables`, its columns in order, is what was stored."""
    id, game, phase, wakes, updated, summary, listed, checksum = note
    return (
        type(summary) is bytes
        and type(game) is type(phase) is str
        and type(updated) is int
        and isinstance(wakes, int)
        and isinstance(listed, int)
        and checksum == of_note(id, game, phase, wakes, updated, summary, listed)
    )


def of_person(*columns: str | int | None) -> int:
    """All columns of `people` in order, but for the checksum itself."""
    return crc32("\n".join(map(str, columns)).encode())
