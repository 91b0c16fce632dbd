"""Games as text like that of chess: tags, then moves, and in braces what chess has no words for."""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from gamut.games.game import BadText
from gamut.games.powerchess.files.notation import parse_move
from gamut.games.powerchess.files.record import Record, RecordedAction

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_WIDTH = 100
_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\\n]|\\["\\])*)"\]')
_NUMBER = re.compile(r"[0-9]{1,5}\.+")
_WORD = re.compile(r"[^\s{}\[\]]+")
_COMMAND = re.compile(r"\[%([a-z]+)((?: +[^\s\[\]{}]+)*) *\]")
_MILLIS = re.compile(r"[0-9]{1,15}")


def written_text(record: Record) -> str:
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in record.tags]
    result = record.tag("Result")
    words = [*_words(record.actions), result if result in RESULTS else "*"]
    return "\n".join([*lines, "", *_wrapped(words)]) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _words(actions: tuple[RecordedAction, ...]) -> Iterator[str]:
    moves = 0
    for action in actions:
        if action.move:
            number = f"{moves // 2 + 1}." if moves % 2 == 0 else f"{moves // 2 + 1}..."
            moves += 1
            yield f"{number} {action.move}"
        notes = " ".join(filter(None, (*_commands(action), action.comment)))
        if notes:
            yield f"{{{notes}}}"


def _commands(action: RecordedAction) -> Iterator[str]:
    if action.use:
        yield f"[%use {action.use} {action.target}]".replace(" ]", "]")
    others = {
        "end": action.end,
        "drawn": action.drawn,
        "piece": action.piece,
        "box": action.box,
        "offer": " ".join(action.offer),
        "ms": action.millis,
    }
    yield from (f"[%{name} {said}]" for name, said in others.items() if said)


def _wrapped(words: list[str]) -> list[str]:
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return [*lines, line]


# Reading


def parse_text(text: str) -> Record:
    """Raises BadText, with the place of the mistake."""
    return _Reader(text).record()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.actions: list[RecordedAction] = []

    def record(self) -> Record:
        tags = tuple(self._tags())
        while self._skip_blanks():
            if self.text[self.at] == "{":
                self._notes()
            elif self._word():
                break
        if self._skip_blanks():
            raise self._bad("After the result there is nothing more.")
        return Record(tags, tuple(self.actions))

    def _bad(self, reason: str, at: int | None = None) -> BadText:
        place = self.at if at is None else at
        before = self.text[:place]
        return BadText(reason, before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1)

    def _skip_blanks(self) -> bool:
        """Whether there is anything left."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at < len(self.text)

    def _tags(self) -> Iterator[tuple[str, str]]:
        known: set[str] = set()
        while self._skip_blanks() and self.text[self.at] == "[":
            found = _TAG.match(self.text, self.at)
            if found is None:
                raise self._bad('A tag is a name and a text, such as [White "Ann"].')
            name = found[1]
            if name in known:
                raise self._bad(f"The tag {name} is there already.")
            known.add(name)
            self.at = found.end()
            yield name, re.sub(r"\\(.)", r"\1", found[2])

    def _word(self) -> bool:
        """A number, a move or the result; whether it was the result."""
        found = _WORD.match(self.text, self.at)
        if found is None:
            raise self._bad("There is a bracket or a brace that nothing opens.")
        word = found[0]
        if word in RESULTS:
            self.at = found.end()
            return True
        if not _NUMBER.fullmatch(word):
            if parse_move(word) is None:
                raise self._bad(f"{word[:20]!r} is no move such as e2-e4, Qd1xf7 or e7-e8=R.")
            self.actions.append(RecordedAction(move=word))
        self.at = found.end()
        return False

    def _notes(self) -> None:
        """What is in braces: commands, and what people said."""
        end = self.text.find("}", self.at)
        if end < 0:
            raise self._bad("This brace is never closed.")
        if not self.actions:
            raise self._bad("Before the first move there is nothing to say.")
        at, said = self.at + 1, []
        while at < end:
            opened = self.text.find("[%", at, end)
            stop = end if opened < 0 else opened
            said.append(" ".join(self.text[at:stop].split()))
            if opened < 0:
                break
            found = _COMMAND.match(self.text, opened, end)
            if found is None:
                raise self._bad("A command is a word and what belongs to it, such as [%box d4 rare].", opened)
            self._command(found[1], found[2].split(), opened)
            at = found.end()
        comment = " ".join(filter(None, [self.actions[-1].comment, *said]))
        self.actions[-1] = replace(self.actions[-1], comment=comment)
        self.at = end + 1

    def _command(self, name: str, words: list[str], at: int) -> None:
        last = self.actions[-1]
        match name, words:
            case "use", [power]:
                self.actions.append(RecordedAction(use=power))
            case "use", [power, target]:
                self.actions.append(RecordedAction(use=power, target=target))
            case "end", ["agreed"]:
                self.actions.append(RecordedAction(end="agreed"))
            case "end", [("white" | "black"), ("resigned" | "time")]:
                self.actions.append(RecordedAction(end=" ".join(words)))
            case "drawn", [square] if not last.drawn:
                self.actions[-1] = replace(last, drawn=square)
            case "piece", [letter] if not last.piece:
                self.actions[-1] = replace(last, piece=letter)
            case "box", ([_] | [_, _]) if not last.box:
                self.actions[-1] = replace(last, box=" ".join(words))
            case "offer", [first, second] if not last.offer:
                self.actions[-1] = replace(last, offer=(first, second))
            case "ms", [millis] if _MILLIS.fullmatch(millis):
                self.actions[-1] = replace(last, millis=int(millis))
            case _:
                known = "use, end, drawn, piece, box, offer and ms"
                raise self._bad(f"[%{' '.join([name, *words])[:40]}] is no command: there are {known}.", at)
