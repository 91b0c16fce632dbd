"""Rules strings: `dim:7 name:Brandub surf:n ... start:/3t3/.../`, read and written."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import fields, replace

from gamut.games.tafl.layout import parse_layout, written_layout
from gamut.games.tafl.notation import BadNotation, at, space_name, space_number
from gamut.games.tafl.pieces import LETTERS, UNLISTED
from gamut.games.tafl.ruleset import AREAS, SIZES, UNLIMITED, UNNAMED, Area, Rules, default_areas, titled

LONGEST = 4096
"""Characters."""

_YES = {"y": True, "n": False}
_JUMP = {"n": "never", "r": "restricted", "j": "over", "c": "capturing"}
_CHOICES: dict[str, tuple[str, dict[str, Any]]] = {
    "esc": ("escape", {"c": "corner", "e": "edge"}),
    "surf": ("surround", _YES),
    "atkf": ("attackers_first", _YES),
    "tfr": ("repetition", {"d": "draw", "w": "loses", "l": "wins", "i": "ignored"}),
    "ka": ("king_captures", {"y": "both", "h": "hammer", "a": "anvil", "n": "neither"}),
    "ks": ("king_strength", {"s": "strong", "c": "centre", "m": "middle", "w": "weak"}),
    "kj": ("king_jump", _JUMP),
    "nj": ("knight_jump", _JUMP),
    "cj": ("commander_jump", _JUMP),
    "mj": ("mercenary_jump", _JUMP),
    "gj": ("guard_jump", _JUMP),
    "sw": ("shieldwall", {"n": "none", "w": "weak", "s": "strong"}),
    "swf": ("flanking", _YES),
    "efe": ("edge_forts", _YES),
    "linc": ("linnaean", _YES),
    "ber": ("berserk", {"n": "none", "c": "captures", "m": "moves"}),
}
"""For each key the switch behind it, and what its letters mean."""
_SYNONYMS = {"ks": {"y": "s", "n": "w"}}

_AREAS = ("cor", "cen", "afor", "dfor")
"""The keys of the areas, in the order of AREAS."""
_LISTS = {"p": "passing", "s": "stopping", "h": "hostile", "re": "entering"}

# fmt: off
_ORDER = (
    "dim", "name", "esc", "surf", "atkf", "tfr", "ka", "ks", "kj", "nj", "cj", "mj", "gj",
    "cor", "cen", "afor", "dfor", "spd",
    "corp", "cenp", "aforp", "dforp", "cors", "cens", "afors", "dfors",
    "corh", "cenh", "cenhe", "aforh", "dforh", "corre", "cenre", "aforre", "dforre",
    "sw", "swf", "efe", "linc", "ber", "start",
)
# fmt: on
_ALWAYS = {"dim", "name", "atkf", "start"}

_TITLE = re.compile(r"(?<!\S)(dim|name):(\S*)")
_NOT_IN_NAMES = re.compile(r'["|\[\]<>]')
_NUMBER = re.compile(r"-?[0-9]{1,4}")
_SPEEDS = {
    1: LETTERS,
    2: LETTERS,
    8: "tcnkTCNK",
    10: "tcnkmTCNKM",
    12: LETTERS,
}
"""Whose speeds as many numbers are."""


class _Entry(NamedTuple):
    value: str
    place: int
    """Where the value begins in the whole text."""


def _entries(text: str) -> dict[str, _Entry]:
    """The entries by their keys; of two with the same key the later counts."""
    found: dict[str, _Entry] = {}
    for word in re.finditer(r"\S+", text):
        key, colon, value = word[0].partition(":")
        if not colon:
            raise at(text, word.start(), "Between blanks there must be a key, a colon and perhaps a value.")
        found[key] = _Entry(value, word.start() + len(key) + 1)
    return found


def beyond_usual(text: str) -> frozenset[tuple[str, str]]:
    """What a rules string says beyond the usual, in whatever order, and whether or not it can be read.

    Two strings with the same of it are the same rules. It takes much less than reading one.
    """
    found = {key + colon: value for key, colon, value in (word.partition(":") for word in text.split())}
    return frozenset(found.items() - _usual_choices())


@lru_cache(maxsize=1)
def _usual_choices() -> frozenset[tuple[str, str]]:
    usual = {field.name: field.default for field in fields(Rules)}
    return frozenset(
        (f"{key}:", letter)
        for key, (name, meanings) in _CHOICES.items()
        for letter, meaning in meanings.items()
        if meaning == usual[name]
    )


def title_of(text: str) -> str:
    """The name and the size that rules have in lists, of a rules string that is known to be good."""
    found = dict(_TITLE.findall(text))
    return titled(_spoken(found.get("name", _written_name(UNNAMED))), found["dim"])


def size_of(text: str) -> int:
    """The size of the board, of a rules string that is known to be good."""
    return int(dict(_TITLE.findall(text))["dim"])


class _Reader:
    """Reads one rules string; every complaint says where."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.entries = _entries(text)
        self.size = 0

    def bad(self, entry: _Entry, reason: str) -> BadNotation:
        return at(self.text, entry.place, reason)

    def rules(self) -> Rules:
        self.size = self._size()
        switches = {name: value for key in _CHOICES for name, value in self._choice(key)}
        for key, name, default in zip(_AREAS, AREAS, default_areas(self.size), strict=True):
            switches[name] = self._area(key, default)
        if "cenhe" in self.entries:
            switches["empty_centre_hostile"] = self._pieces("cenhe", UNLISTED)
        if "name" in self.entries:
            switches["name"] = self._name()
        if "spd" in self.entries:
            switches["speeds"] = self._speeds()
        return Rules(size=self.size, start=self._start(), **switches)

    def _size(self) -> int:
        entry = self.entries.get("dim")
        if entry is None:
            raise BadNotation("The size of the board is missing: dim, such as dim:11.")
        if entry.value not in map(str, SIZES):
            raise self.bad(entry, f"A board has an odd number of ranks from {SIZES[0]} to {SIZES[-1]}.")
        return int(entry.value)

    def _name(self) -> str:
        entry = self.entries["name"]
        name = _spoken(entry.value)
        if not name.isprintable() or _NOT_IN_NAMES.search(name):
            raise self.bad(entry, "A name has no quotes, bars or brackets, and nothing that cannot be seen.")
        return name

    def _choice(self, key: str) -> Iterator[tuple[str, Any]]:
        entry = self.entries.get(key)
        if entry is None:
            return
        name, meanings = _CHOICES[key]
        letter = _SYNONYMS.get(key, {}).get(entry.value, entry.value)
        if letter not in meanings:
            raise self.bad(entry, f"{key} is one of {', '.join(meanings)}.")
        yield name, meanings[letter]

    def _area(self, key: str, default: Area) -> Area:
        spaces = self._spaces(key, default.spaces) if key in self.entries else default.spaces
        lists = {name: self._pieces(key + ending, getattr(default, name)) for ending, name in _LISTS.items()}
        return Area(spaces=spaces, **lists)

    def _spaces(self, key: str, default: tuple[int, ...]) -> tuple[int, ...]:
        entry = self.entries[key]
        if entry.value == "default":
            return default
        if not entry.value:
            return ()
        found: list[int] = []
        place = entry.place
        for name in entry.value.removesuffix(",").split(","):
            space = space_number(name, self.size)
            if space is None:
                raise at(self.text, place, f"{name[:20]!r} is no space of this board.")
            found.append(space)
            place += len(name) + 1
        return tuple(dict.fromkeys(found))

    def _pieces(self, key: str, default: str) -> str:
        entry = self.entries.get(key)
        if entry is None or entry.value == "default":
            return default
        for place, letter in enumerate(entry.value, entry.place):
            if letter not in LETTERS:
                raise at(self.text, place, f"{letter!r} is no piece: they are {LETTERS}.")
        return "".join(letter for letter in LETTERS if letter in entry.value)

    def _speeds(self) -> tuple[int, ...]:
        entry = self.entries["spd"]
        words = entry.value.removesuffix(",").split(",")
        if len(words) not in _SPEEDS or not all(map(_NUMBER.fullmatch, words)):
            raise self.bad(entry, "Speeds are 1, 2, 8, 10 or 12 whole numbers with commas between them.")
        numbers = [int(word) for word in words]
        whose = _SPEEDS[len(numbers)]
        each = (
            numbers if len(numbers) > 2 else [n for n in numbers for _ in range(len(LETTERS) // len(numbers))]
        )
        known = dict(zip(whose, each, strict=True))
        return tuple(known.get(letter, UNLIMITED) for letter in LETTERS)

    def _start(self) -> str:
        inverted = "starti" in self.entries
        entry = self.entries.get("starti" if inverted else "start")
        if entry is None:
            raise BadNotation("The start is missing: start, and the position.", len(self.text) + 1)
        try:
            board = parse_layout(entry.value, self.size)
        except BadNotation as bad:
            raise at(self.text, entry.place + bad.column - 1, bad.reason) from None
        if not inverted:
            return board
        return "".join(
            board[rank : rank + self.size] for rank in range(len(board) - self.size, -1, -self.size)
        )


def parse_rules(text: str) -> Rules:
    """The rules behind a rules string. Raises BadNotation; whether the game can be played is another question."""
    if len(text) > LONGEST:
        raise BadNotation(f"These rules are too long: at most {LONGEST} characters.", LONGEST + 1)
    return _Reader(text).rules()


# Writing


def written_rules(rules: Rules, *, inverted: bool = False) -> str:
    """The one way to write these rules; what is as usual is left out."""
    return " ".join(_written(rules, inverted))


def written_from(rules: Rules, board: str, attackers_to_move: bool) -> str:
    """A position as rules: a game by them begins there."""
    return written_rules(replace(rules, start=board, attackers_first=attackers_to_move))


def _written(rules: Rules, inverted: bool) -> Iterator[str]:
    areas: dict[str, Any] = dict(zip(AREAS, default_areas(rules.size), strict=True))
    said, usual = _said(rules, inverted), _said(Rules(size=rules.size, start="", **areas), inverted)
    for key in _ORDER:
        # In which order spaces are listed means nothing.
        if key in _ALWAYS or sorted(said[key].split(",")) != sorted(usual[key].split(",")):
            name = "starti" if key == "start" and inverted else key
            yield f"{name}:{said[key]}"


def _said(rules: Rules, inverted: bool) -> dict[str, str]:
    """What an entry with each of the keys says of these rules."""
    said = {
        "dim": str(rules.size),
        "name": _written_name(rules.name),
        "spd": _written_speeds(rules.speeds),
        "cenhe": rules.empty_centre_hostile,
        "start": written_layout(rules.start, rules.size, inverted=inverted),
    }
    for key, (name, meanings) in _CHOICES.items():
        said[key] = next(letter for letter, meaning in meanings.items() if meaning == getattr(rules, name))
    for key, area in zip(_AREAS, rules.areas, strict=True):
        said[key] = "".join(f"{space_name(space, rules.size)}," for space in area.spaces)
        for ending, listed in _LISTS.items():
            said[key + ending] = getattr(area, listed)
    return said


def _written_name(name: str) -> str:
    return name.replace(" ", "_")


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _written_speeds(speeds: tuple[int, ...]) -> str:
    half = len(speeds) // 2
    attackers, defenders = set(speeds[:half]), set(speeds[half:])
    if len(attackers | defenders) == 1:
        return str(speeds[0])
    if len(attackers) == len(defenders) == 1:
        return f"{speeds[0]},{speeds[half]},"
    return "".join(f"{speed}," for speed in speeds)
