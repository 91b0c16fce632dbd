"""The JSON form of recorded games, for games whose JSON has field by field what their records have."""

from typing import Any, ClassVar, TypeVar

import msgspec

from gamut.games.files import BadFile, GameFiles, damaged

Record = TypeVar("Record", bound=msgspec.Struct)
T = TypeVar("T")


class JsonFiles(GameFiles[Record]):
    """What is in a game's JSON must also go into a file of its first kind: JSON holds no more than that does."""

    title: ClassVar[str]
    """Of the game, for people."""
    record: ClassVar[type[Any]]
    cannot_hold: ClassVar[str]
    """Said of a record that a file of the first kind cannot hold: which files, and perhaps what they cannot."""

    def __init__(self) -> None:
        self._format = f"{self.game} 1"
        self._written = msgspec.defstruct(
            "Written", [("format", str)], bases=(self.record,), kw_only=True, forbid_unknown_fields=True
        )

    def as_json(self, record: Record) -> bytes:
        fields = {"format": self._format, **msgspec.to_builtins(record)}
        return msgspec.json.format(msgspec.json.encode(fields), indent=1) + b"\n"

    def from_json(self, data: bytes) -> Record:
        found: Any = decoded(data, self._written, f"This JSON is not that of a game of {self.title}")
        if found.format != self._format:
            raise BadFile("version", f"Games are read in the format {self._format!r}.")
        record: Record = self.record(**{name: getattr(found, name) for name in self.record.__struct_fields__})
        # Whatever can be written can be read; if it is not the same then, somebody has put in what no file can hold.
        (again,) = self.read(self.in_its_own_format(record))
        if again != record:
            raise damaged(f"There is something in it that {self.cannot_hold}.")
        return record

    def in_its_own_format(self, record: Record) -> bytes:
        """A file of the first kind. Raises BadFile where there is none."""
        return self.write(record, self.kinds[0].ending)


def decoded(data: bytes, kind: type[T], wrong: str) -> T:
    """What JSON says of this type. BadFile says what is wrong with it."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(f"{wrong}: {error}.") from None
