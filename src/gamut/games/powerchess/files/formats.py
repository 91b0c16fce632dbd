"""Power Chess's files: text like that of chess, and JSON."""

from collections.abc import Sequence
from typing import Any

import msgspec

from gamut.games.files import JSON, FileKind, damaged
from gamut.games.game import BadText
from gamut.games.json_files import JsonFiles
from gamut.games.powerchess.fen import written_placement
from gamut.games.powerchess.files.other_chess import looks_like_chess, other_chess
from gamut.games.powerchess.files.playback import played_game, steps
from gamut.games.powerchess.files.record import VARIANT, Record
from gamut.games.powerchess.files.recording import record_of
from gamut.games.powerchess.files.showing import told
from gamut.games.powerchess.files.text import parse_text, written_text
from gamut.games.powerchess.state import PowerChessState

PGN = "pgn"
_LONGEST = 1 << 18


class PowerChessFiles(JsonFiles[Record]):
    game = "powerchess"
    title = VARIANT
    record = Record
    cannot_hold = "a file cannot hold, such as a brace in a comment"
    kinds = (
        FileKind(PGN, "recorded games, with every box and power", "game"),
        FileKind(JSON, "the same for programs", "game"),
    )
    longest = _LONGEST

    def recognises_own(self, data: bytes) -> bool:
        # It knows best why it does not read other chess.
        return looks_like_chess(data.decode("utf-8-sig", "replace"))

    def read(self, data: bytes) -> Sequence[Record]:
        if self.is_json(data):
            return (self.from_json(data),)
        text = data.decode("utf-8-sig", "replace")
        if not text.strip():
            raise damaged("There is no game in this file.")
        other = other_chess(text)
        if other is not None:
            raise other
        try:
            return (parse_text(data.decode("utf-8-sig")),)
        except UnicodeDecodeError:
            raise damaged("The file is not UTF-8.") from None
        except BadText as bad:
            raise damaged(str(bad)) from None

    def write(self, record: Record, ending: str) -> bytes:
        return self.as_json(record) if ending == JSON else written_text(record).encode()

    def in_its_own_format(self, record: Record) -> bytes:
        try:
            text = self.write(record, PGN)
        except UnicodeEncodeError:
            raise damaged("There is something in it that is no text.") from None
        if self.is_json(text):
            raise damaged("A game has tags.")
        return text

    def shown(self, state: PowerChessState) -> Any:
        return {**msgspec.to_builtins(state), "placement": written_placement(state.board)}

    tell = staticmethod(told)
    replay = staticmethod(steps)
    recorded = staticmethod(record_of)
    played = staticmethod(played_game)
