"""The metadata of a file: who played, by which rules, in which colours."""

from typing import TypeVar

from msgspec.structs import replace

from gamut.games.topple.files.cursor import Cursor, damaged
from gamut.games.topple.files.layout import PENALTIES, SCORINGS, STYLES
from gamut.games.topple.files.record import Clock, Person
from gamut.games.topple.state import Scoring

T = TypeVar("T")

_FAMILIES = {"col": 1, "pn": 2, "rlz": 1}
"""Entries that may be too long for one key, and so go on under the next: how their keys begin, and how many
digits (base 36) number them."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LONGEST = 0xFFFF
NAMES = "gmtn"
"""The key of an entry of ours, which other programs keep and ignore: what everybody was called at the table."""


def read_entries(cursor: Cursor) -> tuple[bytes, dict[str, bytes]]:
    """The flag bytes and the entries, those of a family joined under its name."""
    flags = cursor.take(cursor.number(1))
    found: dict[str, bytes] = {}
    for _ in range(cursor.number(2)):
        length = cursor.number(2)
        key = cursor.text(4)
        if len(key) != 4 or key in found:
            raise damaged("its metadata makes no sense")
        found[key] = cursor.take(length)
    return flags, _joined(found)


def _joined(found: dict[str, bytes]) -> dict[str, bytes]:
    entries = dict(found)
    for family, digits in _FAMILIES.items():
        keys = sorted(key for key in found if key.startswith(family))
        if keys != [_numbered(family, digits, number) for number in range(len(keys))]:
            raise damaged("its metadata has gaps")
        if keys:
            entries[family] = b"".join(entries.pop(key) for key in keys)
    return entries


def _numbered(family: str, digits: int, number: int) -> str:
    high, low = divmod(number, 36)
    return family + (_DIGITS[high] if digits == 2 and high < 36 else "") + _DIGITS[low]


def written_entries(flags: bytes, entries: dict[str, bytes]) -> bytes:
    parts: dict[str, bytes] = {}
    for key, value in entries.items():
        if key in _FAMILIES:
            for number, start in enumerate(range(0, max(1, len(value)), _LONGEST)):
                parts[_numbered(key, _FAMILIES[key], number)] = value[start : start + _LONGEST]
        else:
            parts[key] = value
    written = bytearray([len(flags)]) + flags + len(parts).to_bytes(2, "big")
    for key in sorted(parts):
        written += len(parts[key]).to_bytes(2, "big") + key.encode() + parts[key]
    return bytes(written)


def check_entries(flags: bytes, other: dict[str, bytes]) -> None:
    """Raise BadFile if this metadata cannot be written and read back."""
    if len(flags) > 0xFF or len(other) > 0xFF:
        raise damaged("it has too much metadata")
    for key, value in other.items():
        known = key in ("stpl", NAMES) or key.startswith(tuple(_FAMILIES))
        if len(key) != 4 or not key.isascii() or known or len(value) > _LONGEST:
            raise damaged("its metadata makes no sense")


def read_colours(value: bytes) -> tuple[int, ...]:
    if len(value) % 3:
        raise damaged("a colour is cut off")
    return tuple(int.from_bytes(value[at : at + 3], "big") for at in range(0, len(value), 3))


def written_colours(colours: tuple[int, ...]) -> bytes:
    return b"".join(colour.to_bytes(3, "big") for colour in colours)


def read_people(value: bytes, names: bytes | None, count: int) -> tuple[Person | None, ...]:
    cursor = Cursor(value)
    # There is a slot 0, in which nobody ever sits.
    cursor.expect(b"\0", "list of players")
    people = tuple(_person(cursor) for _ in range(count))
    if not cursor.done:
        raise damaged("its list of players is too long")
    return people if names is None else _named(people, names)


def _person(cursor: Cursor) -> Person | None:
    kind = cursor.number(1)
    if kind == 0:
        return None
    bot = ""
    if kind == 2:
        bot = cursor.text(cursor.number(1))
    if kind > 2 or (kind == 2 and not bot):
        raise damaged("its list of players makes no sense")
    return Person(account=cursor.text(cursor.number(1)), bot=bot)


def written_people(people: tuple[Person | None, ...]) -> bytes:
    written = bytearray(1)
    for person in people:
        if person is None:
            written.append(0)
        else:
            written += b"\2" + _short(person.bot) if person.bot else b"\1"
            written += _short(person.account)
    return bytes(written)


def _named(people: tuple[Person | None, ...], names: bytes) -> tuple[Person | None, ...]:
    cursor = Cursor(names)
    found: list[Person | None] = []
    for person in people:
        called = cursor.text(cursor.number(1))
        if person is None and called:
            raise damaged("it has names of nobody")
        found.append(None if person is None else replace(person, called=called))
    if not cursor.done:
        raise damaged("its list of names is too long")
    return tuple(found)


def written_names(people: tuple[Person | None, ...]) -> bytes:
    return b"".join(_short("" if person is None else person.called) for person in people)


def _short(text: str) -> bytes:
    encoded = text.encode()
    if len(encoded) > 0xFF:
        raise damaged("a name in it is too long")
    return bytes([len(encoded)]) + encoded


def read_rules(value: bytes, count: int) -> tuple[Clock | None, Scoring | None]:
    cursor = Cursor(value)
    clock = _clock(cursor, count) if _yes(cursor) else None
    scoring: Scoring | None = None
    # Older files say nothing about scoring.
    if not cursor.done and _yes(cursor):
        scoring = _known(SCORINGS, cursor)
    if not cursor.done:
        raise damaged("its rules are too long")
    return clock, scoring


def _yes(cursor: Cursor) -> bool:
    return _known((False, True), cursor)


def _known(names: tuple[T, ...], cursor: Cursor) -> T:
    number = cursor.number(1)
    if number >= len(names):
        raise damaged("its rules make no sense")
    return names[number]


def _clock(cursor: Cursor, count: int) -> Clock:
    penalty, style = _known(PENALTIES, cursor), _known(STYLES, cursor)
    limit = cursor.number(4)
    left: tuple[int, ...] = ()
    if style == "chess":
        cursor.take(4)
        left = tuple(cursor.number(4) for _ in range(count))
    return Clock(style=style, limit=limit, penalty=penalty, left=left)


def written_rules(clock: Clock | None, scoring: Scoring | None) -> bytes:
    written = bytearray([clock is not None])
    if clock is not None:
        written += bytes([PENALTIES.index(clock.penalty), STYLES.index(clock.style)])
        written += clock.limit.to_bytes(4, "big")
        if clock.style == "chess":
            written += b"".join(left.to_bytes(4, "big") for left in (0, *clock.left))
    written += b"\0" if scoring is None else bytes([1, SCORINGS.index(scoring)])
    return bytes(written)
