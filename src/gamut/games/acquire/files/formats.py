"""Acquire's files: review data, and its JSON for people."""

import re
from collections.abc import Sequence

from gamut.games.acquire.files.array import parsed, written
from gamut.games.acquire.files.playback import played_game, steps
from gamut.games.acquire.files.record import Record
from gamut.games.acquire.files.recording import record_of
from gamut.games.acquire.files.showing import beside, shown, told
from gamut.games.files import FileKind
from gamut.games.json_files import JsonFiles

REVIEW = "acquire"
_BEGINS = re.compile(rb'\s*\[\s*(\d|"[A-Z0-9_]+")\s*,\s*(null|\d+)\s*,\s*\d+\s*,\s*\[')
"""Mode, time control, players."""


class AcquireFiles(JsonFiles[Record]):
    game = "acquire"
    title = "Acquire"
    record = Record
    cannot_hold = "review data cannot hold"
    kinds = (FileKind(REVIEW, "review data of finished games", "game"),)
    longest = 1 << 16

    def recognises_own(self, data: bytes) -> bool:
        return _BEGINS.match(data) is not None

    def read(self, data: bytes) -> Sequence[Record]:
        return (parsed(data),)

    def write(self, record: Record, ending: str) -> bytes:
        return written(record)

    tell = staticmethod(told)
    replay = staticmethod(steps)
    shown = staticmethod(shown)
    beside = staticmethod(beside)
    recorded = staticmethod(record_of)
    played = staticmethod(played_game)
