"""Topple's files: `.topl` and `.stpl`, and their JSON."""

from typing import Any

from msgspec import to_builtins

from gamut.games.files import BadFile, FileKind, GameFiles, Resumption
from gamut.games.topple.files import tables
from gamut.games.topple.files.layout import BEGIN, LONGEST_FILE, VERSION
from gamut.games.topple.files.reader import read_all
from gamut.games.topple.files.record import Record
from gamut.games.topple.files.showing import told
from gamut.games.topple.files.suspended import LONGEST_SUSPENDED, suspended
from gamut.games.topple.files.text import as_json, from_json
from gamut.games.topple.files.writer import write
from gamut.games.topple.state import ToppleState

REPLAY, SUSPENSION = "topl", "stpl"


class ToppleFiles(GameFiles[Record]):
    game = "topple"
    kinds = (
        FileKind(REPLAY, f"recorded games, versions 1 to {VERSION}", "replay"),
        FileKind(SUSPENSION, "suspended games", "suspended", "suspended"),
    )
    longest = LONGEST_FILE
    longest_suspended = LONGEST_SUSPENDED

    def recognises_own(self, data: bytes) -> bool:
        return bool(data) and data[0] <= VERSION and BEGIN in data

    def write(self, record: Record, ending: str) -> bytes:
        if ending == REPLAY and record.suspended:
            raise BadFile("unsupported", "This game is suspended; its file is an .stpl one.")
        if ending == SUSPENSION and not record.suspended:
            raise BadFile("not_suspended", "This game is not suspended; its file is a .topl one.")
        return write(record)

    def shown(self, state: ToppleState) -> Any:
        # Numbers, tile by tile, rather than bytes that JSON can only have in base64.
        return {**to_builtins(state), "board": list(state.board), "owners": list(state.owners)}

    def resumption(self, data: bytes) -> Resumption:
        saved = suspended(data)
        if len(saved.record.teams) < 2:
            raise BadFile("unsupported", "There are too few players in it.")
        return tables.resumption_of(saved)

    read = staticmethod(read_all)
    as_json = staticmethod(as_json)
    from_json = staticmethod(from_json)
    tell = staticmethod(told)
    replay = staticmethod(tables.steps)
    recorded = staticmethod(tables.record_of)
    played = staticmethod(tables.played_game)
