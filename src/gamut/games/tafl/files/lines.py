"""The main line of a file and its variations, put together from turns with addresses."""

import re

import msgspec

from gamut.games.tafl.files.record import SKIPPED, Record, WrittenTurn
from gamut.games.tafl.notation import BadNotation

_STEP = re.compile(r"([0-9]+)([a-z]?)\.")


class Ply(msgspec.Struct):
    """One move of a line."""

    address: str
    """As people say it: 7a, or 7a.1.2b."""
    text: str
    comment: str = ""
    variations: list["Variation"] = []
    """What could have been played instead."""


class Variation(msgspec.Struct):
    """Moves that follow one another; the main line is one, too."""

    path: str
    """What the addresses of its turns begin with: nothing for the main line, else such as 7a.1."""
    plies: list[Ply] = []
    turns: dict[int, int] = {}
    """For each number of a turn, where its first move is among the plies; below 0 if that was left out."""
    last: int = 0

    def add(self, turn: WrittenTurn, number: int) -> None:
        if number != self.last + 1:
            after = f"after turn {self.last}" if self.last else "at first"
            raise BadNotation(f"Turn {turn.address} is not the one that comes {after}.")
        self.last = number
        skipped = sum(move == SKIPPED for move in turn.moves)
        if skipped and (self.plies or not self.path):
            raise BadNotation(f"In turn {turn.address} a move is left out that nobody else has.")
        self.turns[number] = len(self.plies) - skipped
        comments = turn.comments or ("",) * (len(turn.moves) - skipped)
        for place, (move, comment) in enumerate(zip(turn.moves[skipped:], comments, strict=True), skipped):
            self.plies.append(Ply(f"{self.path}{number}{letter_of(place)}", move, comment))

    def at(self, number: int, letter: str) -> int | None:
        """Where a move of this line is among its plies; None if there is none."""
        begin = self.turns.get(number)
        if begin is None:
            return None
        place = begin + ord(letter) - ord("a")
        end = self.turns.get(number + 1, len(self.plies))
        return place if 0 <= place < end else None


def letter_of(place: int) -> str:
    """Of a move of a turn; whoever goes on for longer than the alphabet stays at its end."""
    return chr(ord("a") + min(place, 25))


def main_line(record: Record) -> Variation:
    """The main line with all that hangs on it. Raises BadNotation where the addresses make no sense."""
    main = Variation("")
    lines = {"": main}
    for turn in record.turns:
        steps = list(_STEP.finditer(turn.address))
        path = turn.address[: steps[-1].start()]
        if path not in lines:
            lines[path] = _branch(lines, turn, path, steps)
        lines[path].add(turn, int(steps[-1][1]))
    return main


def _branch(
    lines: dict[str, Variation], turn: WrittenTurn, path: str, steps: list[re.Match[str]]
) -> Variation:
    """A new line. The last three parts of an address are the move that it replaces, its number, and the turn."""
    parent = lines.get(turn.address[: steps[-3].start()])
    place = None
    if parent is not None:
        # Some files name the first move of the turn and leave it out: they mean the one after it.
        skipped = letter_of(sum(move == SKIPPED for move in turn.moves))
        place = parent.at(int(steps[-3][1]), max(steps[-3][2], skipped))
    if parent is None or place is None:
        raise BadNotation(f"Turn {turn.address} replaces a move that is not there.")
    line = Variation(path)
    parent.plies[place].variations.append(line)
    return line
