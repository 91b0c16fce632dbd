"""Move records: `Kf6-f1xf2/e1`, `ce6^e8`, `Ne8=e4xe3`, read and written."""

import re
from typing import Literal, get_args

import msgspec

from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.notation import BadNotation
from gamut.games.tafl.pieces import LETTERS
from gamut.games.tafl.play import captures_of, is_jump
from gamut.games.tafl.position import END, SHIFT, Position

RESIGNS = "---"
"""In place of a move: whoever is to move gives up."""

Info = Literal["", "+", "++", "-", "--"]
"""The king is attacked, is captured, can escape, has escaped."""
_INFO: dict[str, Info] = {info: info for info in get_args(Info)}

_SPACE = r"[a-s][1-9][0-9]?"
_RECORD = re.compile(
    rf"(?P<piece>[{LETTERS}](?=[a-s]))?(?P<start>{_SPACE})(?P<kind>\^=|[-^=])(?P<end>{_SPACE})"
    rf"(?:x(?P<captures>[{LETTERS}]?{_SPACE}(?:/[{LETTERS}]?{_SPACE})*))?(?P<info>\+\+?|--?)?"
)
_HIGHEST = 19
_LONGEST = 4096
"""Characters; as many captures as a board has spaces need fewer."""
_SHOWN = "cnkmCNKM"
"""The pieces whose letters are written."""
_SEEN_BY_ALL = "cnkCNK"
_MOST_CAPTURES_SEEN_BY_ALL = 4


class Taken(msgspec.Struct, frozen=True, gc=False):
    """A captured piece; without a letter it is a taflman, or nobody said."""

    piece: str
    space: str


class MoveRecord(msgspec.Struct, frozen=True, gc=False):
    """A move as it is written. Only where it starts and ends is binding."""

    start: str
    end: str
    piece: str = ""
    jump: bool = False
    berserk: bool = False
    captures: tuple[Taken, ...] = ()
    info: Info = ""

    @property
    def simple(self) -> str:
        return f"{self.start}-{self.end}"

    def __str__(self) -> str:
        kind = ("^" if self.jump else "") + ("=" if self.berserk else "") or "-"
        captures = "/".join(_shown(taken.piece) + taken.space for taken in self.captures)
        return f"{_shown(self.piece)}{self.start}{kind}{self.end}{'x' if captures else ''}{captures}"

    def for_old_clients(self) -> str:
        """The same for clients that drop what has letters or captures they do not know."""
        known = len(self.captures) <= _MOST_CAPTURES_SEEN_BY_ALL and all(
            taken.piece in _SEEN_BY_ALL or not _shown(taken.piece) for taken in self.captures
        )
        piece = self.piece if self.piece in _SEEN_BY_ALL else ""
        record = MoveRecord(
            self.start, self.end, piece, self.jump, self.berserk, self.captures if known else ()
        )
        return str(record)


def _shown(piece: str) -> str:
    return piece if piece and piece in _SHOWN else ""


def parse_record(text: str) -> MoveRecord:
    """The move behind a record. Raises BadNotation."""
    if len(text) > _LONGEST:
        raise BadNotation("This is too long for a move.")
    found = _RECORD.fullmatch(text)
    if found is None:
        part = _RECORD.match(text)
        raise BadNotation(
            f"{text[:20]!r} is no move such as e5-e8, Kf6-f1xf2 or ---.",
            1 if part is None else part.end() + 1,
        )
    for space in (found["start"], found["end"]):
        _check(space)
    taken = [_taken(word) for word in (found["captures"] or "").split("/") if word]
    return MoveRecord(
        found["start"],
        found["end"],
        found["piece"] or "",
        "^" in found["kind"],
        "=" in found["kind"],
        tuple(taken),
        _INFO[found["info"] or ""],
    )


def _taken(word: str) -> Taken:
    space = re.search(rf"{_SPACE}$", word)
    assert space is not None, "the pattern of records has looked at it"
    _check(space[0])
    return Taken(word[: space.start()], space[0])


def _check(space: str) -> None:
    if int(space[1:]) > _HIGHEST:
        raise BadNotation(f"No board has a space {space}.")


def record_of(on: Compiled, position: Position, move: int, captured: int) -> MoveRecord:
    """The record of a legal move that captures these. Shieldwalls and captures of Linnaeus's kind are not in it."""
    start, end = move >> SHIFT, move & END
    taken = captures_of(on, position, move) if captured else ()
    return MoveRecord(
        start=on.names[start],
        end=on.names[end],
        piece=on.letter_at(position, on.bits[start]),
        jump=is_jump(on, position, move),
        berserk=position.berserk >= 0,
        captures=tuple(Taken(on.letter_at(position, on.bits[space]), on.names[space]) for space in taken),
    )


def written_move(on: Compiled, position: Position, move: int, captured: int) -> str:
    """The same as it is written."""
    if position.others or position.berserk >= 0 or on.jumped:
        return str(record_of(on, position, move, captured))
    start, end, kings = move >> SHIFT, move & END, position.kings
    letter = "K" if position.turn and kings & on.bits[start] else ""
    written = f"{letter}{on.names[start]}-{on.names[end]}"
    if not captured:
        return written
    if captured & on.edge or on.rules.linnaean:
        # Who was captured between two, and who in another way, has to be worked out.
        return str(record_of(on, position, move, captured))
    taken = [(space, bit) for space, bit, _ in on.around[end] if captured & bit]
    return f"{written}x{'/'.join(('K' if kings & bit else '') + on.names[space] for space, bit in taken)}"
