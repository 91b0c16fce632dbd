"""Power Chess's files: text like that of chess, and JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gamut.games.files import JSON, BadFile, FileKind, GameFiles, PlayedGame, Player, Step, says_format
from gamut.games.game import BadText
from gamut.games.powerchess.evolve import evolve
from gamut.games.powerchess.fen import written_placement
from gamut.games.powerchess.files.clocks import control_in
from gamut.games.powerchess.files.playback import began, damaged, play_back, played_through
from gamut.games.powerchess.files.record import VARIANT, Record, RecordedAction
from gamut.games.powerchess.files.recording import record_of
from gamut.games.powerchess.files.telling import told
from gamut.games.powerchess.files.text import parse_text, written_text
from gamut.games.powerchess.pieces import SIDES
from gamut.games.powerchess.state import PowerChessState

PGN = "pgn"
_FORMAT = "powerchess 1"
_LONGEST = 1 << 18


class _Json(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    tags: tuple[tuple[str, str], ...]
    actions: tuple[RecordedAction, ...]


class PowerChessFiles(GameFiles[Record]):
    game = "powerchess"
    kinds = (
        FileKind(PGN, "recorded games, with every box and power", "game"),
        FileKind(JSON, "the same for programs", "game"),
    )
    longest = _LONGEST

    def recognises(self, data: bytes) -> bool:
        if self.is_json(data):
            return says_format(data, self.game)
        return f'[Variant "{VARIANT}"]'.encode() in data

    def read(self, data: bytes) -> Sequence[Record]:
        if self.is_json(data):
            return (self.from_json(data),)
        try:
            return (parse_text(data.decode("utf-8-sig")),)
        except UnicodeDecodeError:
            raise damaged("The file is not UTF-8.") from None
        except BadText as bad:
            raise damaged(str(bad)) from None

    def write(self, record: Record, ending: str) -> bytes:
        return self.as_json(record) if ending == JSON else written_text(record).encode()

    def as_json(self, record: Record) -> bytes:
        found = _Json(_FORMAT, record.tags, record.actions)
        return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"

    def from_json(self, data: bytes) -> Record:
        try:
            found = msgspec.json.decode(data, type=_Json)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise damaged(f"This JSON is not that of a game of Power Chess: {error}.") from None
        if found.format != _FORMAT:
            raise BadFile("version", f"Games are read in the format {_FORMAT!r}.")
        record = Record(found.tags, found.actions)
        # Whatever can be written can be read; if it is not the same then, somebody has put in what no file can hold.
        (again,) = self.read(self._text(record))
        if again != record:
            raise damaged("There is something in it that a file cannot hold, such as a brace in a comment.")
        return record

    def _text(self, record: Record) -> bytes:
        try:
            text = self.write(record, PGN)
        except UnicodeEncodeError:
            raise damaged("There is something in it that is no text.") from None
        if self.is_json(text):
            raise damaged("A game has tags.")
        return text

    def tell(self, record: Record) -> Iterator[str]:
        return told(record)

    def replay(self, record: Record) -> Iterator[Step]:
        timed = record.tag("Began") is not None
        state: PowerChessState | None = None
        for turn, _ in played_through(record):
            for event in turn.events:
                state = evolve(state, event)
                yield Step(event, state, turn.seat, turn.at if timed else None)

    def shown(self, state: PowerChessState) -> Any:
        return {**msgspec.to_builtins(state), "placement": written_placement(state.board)}

    def recorded(self, played: PlayedGame) -> Record:
        return record_of(played)

    def played(self, record: Record) -> PlayedGame:
        playback = play_back(record)
        return PlayedGame(
            options=playback.options,
            seats=2,
            players=tuple(Player(name=record.tag(side) or "") for side in SIDES),
            turns=playback.turns,
            state=playback.state,
            opened=began(record),
            clock=control_in(record),
        )
