"""`.otg` files, read and written. What another program wrote is written as it was, byte by byte."""

import re

from gamut.games.tafl.files.record import ADDRESS, RULES, SKIPPED, TAG_NAME, Record, WrittenTurn
from gamut.games.tafl.notation import BadNotation, at
from gamut.games.tafl.records import RESIGNS, parse_record

_BLANKS = re.compile(r"\s*")
_MOST_TURNS = 4_000
_MOST_MOVES = 64
"""Of a turn: two, and as many as a berserk piece goes on for."""


class _Scanner:
    """A place in a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def skip_blanks(self) -> None:
        found = _BLANKS.match(self.text, self.place)
        if found is not None:
            self.place = found.end()

    @property
    def done(self) -> bool:
        return self.place >= len(self.text)

    def sees(self, mark: str) -> bool:
        return self.text.startswith(mark, self.place)

    def bad(self, reason: str, place: int | None = None) -> BadNotation:
        return at(self.text, self.place if place is None else place, reason)

    def bracketed(self) -> str:
        """What is between brackets here."""
        end = self.text.find("]", self.place)
        if end < 0:
            raise self.bad("This bracket is not closed.")
        inside = self.text[self.place + 1 : end]
        self.place = end + 1
        return inside


def parse_otg(text: str) -> Record:
    """The game in a file. Raises BadNotation; whether its moves are legal is another question."""
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").replace("\r\n", "\n").replace("\r", "\n")
    scanner = _Scanner(text)
    tags = _tags(scanner)
    if not any(name == RULES for name, _ in tags):
        raise scanner.bad("There is no tag with the rules of the game.")
    turns: list[WrittenTurn] = []
    while True:
        scanner.skip_blanks()
        if scanner.done:
            break
        if len(turns) >= _MOST_TURNS:
            raise scanner.bad(f"The game is too long: at most {_MOST_TURNS} turns are read.")
        turns.append(_turn(scanner))
    return Record(tuple(tags), tuple(turns))


def _tags(scanner: _Scanner) -> list[tuple[str, str]]:
    tags: list[tuple[str, str]] = []
    while True:
        scanner.skip_blanks()
        if not scanner.sees("["):
            return tags
        begin = scanner.place
        name, colon, value = scanner.bracketed().partition(":")
        if not colon or not TAG_NAME.fullmatch(name):
            raise scanner.bad("A tag is a word, a colon and a value in brackets.", begin)
        if any(name == known for known, _ in tags):
            raise scanner.bad(f"There are two tags {name}.", begin)
        tags.append((name, " ".join(value.split("\n"))))


def _turn(scanner: _Scanner) -> WrittenTurn:
    found = ADDRESS.match(scanner.text, scanner.place)
    if found is None:
        raise scanner.bad("Here must be the number of a turn, such as 7. or 7a.1.1a.")
    scanner.place = found.end()
    end = scanner.text.find("\n", scanner.place)
    end = len(scanner.text) if end < 0 else end
    moves: list[str] = []
    for word in re.finditer(r"\S+", scanner.text[scanner.place : end]):
        place = scanner.place + word.start()
        _check_move(scanner, word[0], place, moves)
        moves.append(word[0])
    if all(move == SKIPPED for move in moves):
        raise scanner.bad("This turn has no moves.")
    scanner.place = end
    scanner.skip_blanks()
    if not scanner.sees("["):
        return WrittenTurn(found[0], tuple(moves))
    begin = scanner.place
    comments = scanner.bracketed().split("|")
    made = sum(move != SKIPPED for move in moves)
    if any(comments[made:]):
        raise scanner.bad(f"There are {len(comments)} comments about {made} moves.", begin)
    # Some programs count a move that was not made any more.
    comments = comments[:made] + [""] * (made - len(comments))
    return WrittenTurn(found[0], tuple(moves), tuple(comments))


def _check_move(scanner: _Scanner, word: str, place: int, before: list[str]) -> None:
    if len(before) >= _MOST_MOVES:
        raise scanner.bad(f"A turn has at most {_MOST_MOVES} moves.", place)
    if before and before[-1] == RESIGNS:
        raise scanner.bad("Nobody moves after giving up.", place)
    if word == SKIPPED:
        if any(move != SKIPPED for move in before):
            raise scanner.bad("Only the first moves of a turn can be left out.", place)
        return
    if word != RESIGNS:
        try:
            parse_record(word)
        except BadNotation as bad:
            raise scanner.bad(bad.reason, place + bad.column - 1) from None


def written_otg(record: Record) -> str:
    lines = [f"[{name}:{value}]\n" for name, value in record.tags]
    lines.append("\n")
    for turn in record.turns:
        lines.append(f"{turn.address} {''.join(f'{move} ' for move in turn.moves)}\n")
        if turn.comments is not None:
            lines.append(f"[{'|'.join(turn.comments)}]\n\n")
    return "".join(lines)
