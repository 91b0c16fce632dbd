"""Acquire's files: review data, and its JSON for people."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gamut.games.acquire.files.array import damaged, parsed, written
from gamut.games.acquire.files.playback import played_game, steps
from gamut.games.acquire.files.record import Record
from gamut.games.acquire.files.recording import record_of
from gamut.games.acquire.files.telling import beside, shown, told
from gamut.games.files import BadFile, FileKind, GameFiles, PlayedGame, Step, says_format

REVIEW = "acquire"
_FORMAT = "acquire 1"
_BEGINS = re.compile(rb'\s*\[\s*(\d|"[A-Z0-9_]+")\s*,\s*(null|\d+)\s*,\s*\d+\s*,\s*\[')
"""Mode, time control, players."""


class _Json(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: str


class AcquireFiles(GameFiles[Record]):
    game = "acquire"
    kinds = (FileKind(REVIEW, "review data of finished games", "game"),)
    longest = 1 << 16

    def recognises(self, data: bytes) -> bool:
        if self.is_json(data):
            return says_format(data, self.game)
        return _BEGINS.match(data) is not None

    def read(self, data: bytes) -> Sequence[Record]:
        return (parsed(data),)

    def write(self, record: Record, ending: str) -> bytes:
        return written(record)

    def as_json(self, record: Record) -> bytes:
        fields = {"format": _FORMAT, **msgspec.to_builtins(record)}
        return msgspec.json.format(msgspec.json.encode(fields), indent=1) + b"\n"

    def from_json(self, data: bytes) -> Record:
        try:
            found = msgspec.json.decode(data, type=_Json)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise damaged(f"This JSON is not that of a game of Acquire: {error}.") from None
        if found.format != _FORMAT:
            raise BadFile("version", f"Games are read in the format {_FORMAT!r}.")
        record = Record(**{name: getattr(found, name) for name in Record.__struct_fields__})
        # Whatever can be written can be read; if it is not the same then, somebody has put in what no file can hold.
        if parsed(written(record)) != record:
            raise damaged("There is something in it that review data cannot hold.")
        return record

    def tell(self, record: Record) -> Iterator[str]:
        return told(record)

    def replay(self, record: Record) -> Iterator[Step]:
        return steps(record)

    def shown(self, state: Any) -> Any:
        return shown(state)

    def beside(self, step: Step) -> dict[str, Any]:
        return beside(step)

    def recorded(self, played: PlayedGame) -> Record:
        return record_of(played)

    def played(self, record: Record) -> PlayedGame:
        return played_game(record)
