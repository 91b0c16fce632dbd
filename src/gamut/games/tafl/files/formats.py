"""Tafl's files: `.otg`, and its JSON."""

from collections.abc import Sequence

from gamut.games.files import FileKind, Resumption, damaged
from gamut.games.json_files import JsonFiles
from gamut.games.tafl.files import tables
from gamut.games.tafl.files.otg import parse_otg, written_otg
from gamut.games.tafl.files.record import Record
from gamut.games.tafl.files.recording import record_of
from gamut.games.tafl.files.showing import told
from gamut.games.tafl.notation import BadNotation

OTG = "otg"
_LONGEST = 1 << 17


class TaflFiles(JsonFiles[Record]):
    game = "tafl"
    title = "Tafl"
    record = Record
    cannot_hold = "a file cannot hold, such as a bracket in a comment"
    kinds = (FileKind(OTG, "recorded games, with comments and variations", "game"),)
    longest = _LONGEST
    longest_suspended = _LONGEST

    def recognises_own(self, data: bytes) -> bool:
        return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[" and b"[rules:" in data

    def read(self, data: bytes) -> Sequence[Record]:
        try:
            return (parse_otg(_text(data)),)
        except BadNotation as bad:
            raise damaged(str(bad)) from None

    def write(self, record: Record, ending: str) -> bytes:
        return written_otg(record).encode()

    tell = staticmethod(told)
    replay = staticmethod(tables.steps)
    shown = staticmethod(tables.shown)
    recorded = staticmethod(record_of)
    played = staticmethod(tables.played_game)

    def resumption(self, data: bytes) -> Resumption:
        (record,) = self.read(data)
        return tables.resumption_of(record)


def _text(data: bytes) -> str:
    """Files should be UTF-8; older programs wrote whatever their machine had."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
