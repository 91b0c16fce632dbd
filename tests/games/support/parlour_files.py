"""A format for Parlour: lines of JSON, a first one for each game and then one for each turn, comment or variation."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from tests.games.support.parlour import Event, Left, Parlour, ParlourOptions

from gamut.games.files import (
    BadFile,
    FileKind,
    GameFiles,
    Line,
    PlayedGame,
    Player,
    Step,
    Turn,
)
from gamut.games.game import AnyGame, Seat
from gamut.games.registry import all_games


class First(msgspec.Struct, tag="game", tag_field="line"):
    hand: int
    players: tuple[Player | None, ...]
    suspended: int | None = None


class Happened(msgspec.Struct, tag="turn", tag_field="line"):
    at: int
    seat: Seat | None
    why: Literal["acted", "flagged", "quit", "agreed"]
    events: tuple[Event, ...]
    instead: bool = False
    """It could have been played instead of the turn before it."""


class Remark(msgspec.Struct, tag="comment", tag_field="line"):
    text: str


class ParlourRecord(msgspec.Struct):
    first: First
    lines: tuple[Happened | Remark, ...] = ()
    format: str = "parlour 1"


_lines = msgspec.json.Decoder(First | Happened | Remark)


class ParlourFiles(GameFiles[ParlourRecord]):
    game = "parlour"
    kinds = (
        FileKind("plog", "recorded games", "replay"),
        FileKind("plog", "games that are going on", "so_far", "any"),
        FileKind("psus", "suspended games", "suspended", "suspended"),
    )
    longest = 1 << 16

    def recognises_own(self, data: bytes) -> bool:
        return data.startswith(b'{"line":"game"')

    def is_json(self, data: bytes) -> bool:
        return not data.startswith(b'{"line"')

    def read(self, data: bytes) -> Sequence[ParlourRecord]:
        games: list[tuple[First, list[Any]]] = []
        try:
            for line in map(_lines.decode, data.splitlines()):
                if isinstance(line, First):
                    games.append((line, []))
                else:
                    games[-1][1].append(line)
        except (msgspec.DecodeError, UnicodeDecodeError, IndexError) as error:
            raise BadFile("damaged", f"The file is damaged: {error}.") from None
        if not games:
            raise BadFile("damaged", "The file is damaged: there is nothing in it.")
        return [ParlourRecord(first, tuple(lines)) for first, lines in games]

    def write(self, record: ParlourRecord, ending: str) -> bytes:
        return b"".join(msgspec.json.encode(line) + b"\n" for line in (record.first, *record.lines))

    def as_json(self, record: ParlourRecord) -> bytes:
        return msgspec.json.encode(record)

    def from_json(self, data: bytes) -> ParlourRecord:
        try:
            return msgspec.json.decode(data, type=ParlourRecord)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadFile("damaged", f"This is not a Parlour game in JSON: {error}.") from None

    def tell(self, record: ParlourRecord) -> Iterator[str]:
        yield f"Parlour game of {len(record.first.players)}"
        for line in record.lines:
            yield line.text if isinstance(line, Remark) else ", ".join(type(e).__name__ for e in line.events)

    def replay(self, record: ParlourRecord) -> Iterator[Step]:
        game, state = Parlour(), None
        for turn in _main_line(record):
            for event in turn.events:
                if isinstance(event, Left) and state is not None and state.left[event.seat]:
                    raise BadFile("damaged", "The file is damaged: somebody leaves twice.")
                state = game.evolve(state, event)
                yield Step(event, state, turn.seat, turn.at)

    def recorded(self, played: PlayedGame) -> ParlourRecord:
        first = First(played.options.hand, played.players, played.suspended)
        return ParlourRecord(
            first, tuple(Happened(turn.at, turn.seat, turn.why, turn.events) for turn in played.turns)
        )

    def played(self, record: ParlourRecord) -> PlayedGame:
        turns: list[Turn] = []
        comment = ""
        for line in record.lines:
            if isinstance(line, Happened) and not line.instead:
                turns.append(_turn(line))
            elif isinstance(line, Happened):
                other = Line((_turn(line),))
                turns[-1] = replace(turns[-1], variations=(*turns[-1].variations, other))
            elif len(turns) == 1:
                comment = line.text
            else:
                turns[-1] = replace(turns[-1], comment=line.text)
        state = None
        for step in self.replay(record):
            state = step.state
        return PlayedGame(
            options=ParlourOptions(record.first.hand),
            seats=len(record.first.players),
            players=record.first.players,
            turns=turns,
            state=state,
            opened=turns[0].at,
            suspended=record.first.suspended,
            comment=comment,
        )


def _main_line(record: ParlourRecord) -> Iterator[Happened]:
    return (line for line in record.lines if isinstance(line, Happened) and not line.instead)


def _turn(line: Happened) -> Turn:
    return Turn(line.at, line.events, line.seat, line.why)


class RecordedParlour(Parlour):
    files = ParlourFiles()


def games_with_parlour() -> Mapping[str, AnyGame]:
    return {**all_games(), "parlour": RecordedParlour()}
