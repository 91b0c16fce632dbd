"""Tafl's files: `.otg`, and its JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gamut.games.files import BadFile, FileKind, GameFiles, PlayedGame, Resumption, Step, says_format
from gamut.games.tafl.files import tables
from gamut.games.tafl.files.otg import parse_otg, written_otg
from gamut.games.tafl.files.playback import damaged
from gamut.games.tafl.files.record import Record, WrittenTurn
from gamut.games.tafl.files.recording import record_of
from gamut.games.tafl.files.telling import told
from gamut.games.tafl.notation import BadNotation

OTG = "otg"
_FORMAT = "tafl 1"
_LONGEST = 1 << 17


class _Json(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    tags: tuple[tuple[str, str], ...]
    turns: tuple[WrittenTurn, ...]


class TaflFiles(GameFiles[Record]):
    game = "tafl"
    kinds = (FileKind(OTG, "recorded games, with comments and variations", "game"),)
    longest = _LONGEST
    longest_suspended = _LONGEST

    def recognises(self, data: bytes) -> bool:
        if self.is_json(data):
            return says_format(data, self.game)
        return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[" and b"[rules:" in data

    def read(self, data: bytes) -> Sequence[Record]:
        try:
            return (parse_otg(_text(data)),)
        except BadNotation as bad:
            raise damaged(str(bad)) from None

    def write(self, record: Record, ending: str) -> bytes:
        return written_otg(record).encode()

    def as_json(self, record: Record) -> bytes:
        return (
            msgspec.json.format(msgspec.json.encode(_Json(_FORMAT, record.tags, record.turns)), indent=1)
            + b"\n"
        )

    def from_json(self, data: bytes) -> Record:
        try:
            found = msgspec.json.decode(data, type=_Json)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise damaged(f"This JSON is not that of a game of Tafl: {error}.") from None
        if found.format != _FORMAT:
            raise BadFile("version", f"Games are read in the format {_FORMAT!r}.")
        record = Record(found.tags, found.turns)
        # Whatever can be written can be read; if it is not the same then, somebody has put in what no file can hold.
        (again,) = self.read(self.write(record, OTG))
        if again != record:
            raise damaged("There is something in it that a file cannot hold, such as a bracket in a comment.")
        return record

    def tell(self, record: Record) -> Iterator[str]:
        return told(record)

    def replay(self, record: Record) -> Iterator[Step]:
        return tables.steps(record)

    def shown(self, state: Any) -> Any:
        return tables.shown(state)

    def recorded(self, played: PlayedGame) -> Record:
        return record_of(played)

    def played(self, record: Record) -> PlayedGame:
        return tables.played_game(record)

    def resumption(self, data: bytes) -> Resumption:
        (record,) = self.read(data)
        return tables.resumption_of(record)


def _text(data: bytes) -> str:
    """Files should be UTF-8; older programs wrote whatever their machine had."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
