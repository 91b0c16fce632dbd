"""What clients say, read from lines. All that is wrong with a line is found here, before anything is done."""

import re
from typing import NamedTuple
from uuid import UUID

import msgspec

from gamut.doors.tafl.dialects import Rejected
from gamut.games.game import Seat
from gamut.games.tafl.pieces import SIDES
from gamut.games.tafl.records import RESIGNS, MoveRecord, parse_record
from gamut.hall.ids import Millis
from gamut.hall.people.prehash import BadHash, check_prehash
from gamut.hall.table.clock import ClockSetting, NoClock, Overtime, Time

MOST_CHAT = 2000
"""Characters."""
_LONGEST_GRACE = 3600
"""Seconds."""
_GUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TIME_SPEC = re.compile(r"([0-9]{1,12})\|([0-9]{1,12})/([0-9]{1,12})\|([0-9]{1,12})")
_NUMBERS = re.compile(r"[-+0-9.|/]+")
"""No rules begin like that: it is a time that cannot be read."""
_GRACE = re.compile(r"grace:([0-9]{1,6})")
_FLAG = {"true": True, "false": False}
_SIDES = {side: Seat(number) for number, side in enumerate(SIDES)}
NO_PASSWORD = ("open", "none")


class Login(NamedTuple):
    name: str
    hash: str
    kind: str
    """What came after the hash: a version of dialect O, or the word for the extended one."""


class Create(NamedTuple):
    guid: str
    side: Seat
    password: str | None
    clock: ClockSetting
    rules: str
    one_chat: bool = False
    allow_replay: bool = False
    grace: Millis = Millis(0)
    """How long a seat waits for somebody of dialect S+ whose connection was lost."""


class Enter(NamedTuple):
    """A game that somebody wants to join or to watch."""

    guid: str
    password: str | None


class History(NamedTuple):
    size: int
    moves: tuple[str, ...]
    """As they were sent. There may be thousands: they are read where nobody waits, when the options are checked."""


def _malformed(*, awaited: bool = False) -> Rejected:
    return Rejected("malformed", awaited=awaited)


def login(rest: str) -> Login:
    if not rest.startswith('"') or (end := rest.rfind('"')) == 0:
        raise _malformed()
    words = rest[end + 1 :].split()
    if len(words) not in (1, 2) or rest[end + 1] != " ":
        raise _malformed()
    return Login(rest[1:end], words[0], words[1] if len(words) == 2 else "")


def chat(rest: str) -> str:
    """The text. Who is said to have said it does not matter."""
    end = rest.find('"', 1) if rest.startswith('"') else -1
    if end < 0 or rest[end + 1 : end + 2] != " ":
        raise _malformed()
    text = rest[end + 2 :]
    if not text.strip() or len(text) > MOST_CHAT:
        raise _malformed()
    return text


def guid(word: str, *, awaited: bool = True) -> str:
    """In the one spelling that it has in lists."""
    if not _GUID.fullmatch(word):
        raise _malformed(awaited=awaited)
    return str(UUID(word))


def _password(word: str) -> str | None:
    if word in NO_PASSWORD:
        return None
    try:
        check_prehash(word)
    except BadHash:
        raise _malformed(awaited=True) from None
    return word


def _side(word: str) -> Seat:
    if word not in _SIDES:
        raise _malformed(awaited=True)
    return _SIDES[word]


def _flag(word: str, name: str) -> bool:
    key, _, value = word.partition(":")
    if key != name or value not in _FLAG:
        raise _malformed(awaited=True)
    return _FLAG[value]


def _setting(found: re.Match[str]) -> ClockSetting:
    main, length, periods, increment = map(int, found.groups())
    if main == 0 and (length == 0 or periods == 0):
        return NoClock()
    wanted = {
        "kind": "overtime",
        "main": main,
        "length": length,
        "periods": periods,
        "increment": increment,
    }
    try:
        setting: ClockSetting = msgspec.convert(wanted, Overtime)
    except msgspec.ValidationError:
        raise _malformed(awaited=True) from None
    return setting


def create(rest: str, *, extended: bool) -> Create:
    """In dialects S and S+: guid, side, password, perhaps a time, perhaps a grace, and the rules."""
    words = rest.split(" ", 3)
    if len(words) < 4:
        raise _malformed(awaited=True)
    clock: ClockSetting = NoClock()
    grace, rules = 0, words[3].lstrip(" ")
    first, _, after = rules.partition(" ")
    if (found := _TIME_SPEC.fullmatch(first)) is not None:
        clock, rules = _setting(found), after.lstrip(" ")
        first, _, after = rules.partition(" ")
    if extended and first.startswith("grace:"):
        found = _GRACE.fullmatch(first)
        if found is None or int(found[1]) > _LONGEST_GRACE:
            raise _malformed(awaited=True)
        grace, rules = int(found[1]), after.lstrip(" ")
        first = rules.partition(" ")[0]
    if not rules or _NUMBERS.fullmatch(first):
        raise _malformed(awaited=True)
    return Create(
        guid(words[0]), _side(words[1]), _password(words[2]), clock, rules, grace=Millis(1000 * grace)
    )


def create_old(rest: str) -> Create:
    """In dialect O, where everything must be there."""
    words = rest.split(" ", 6)
    if len(words) < 7 or not words[6].strip():
        raise _malformed(awaited=True)
    found = _TIME_SPEC.fullmatch(words[5])
    if found is None:
        raise _malformed(awaited=True)
    return Create(
        guid(words[0]),
        _side(words[3]),
        _password(words[4]),
        _setting(found),
        words[6].strip(),
        one_chat=_flag(words[1], "combinechat"),
        allow_replay=_flag(words[2], "allowreplay"),
    )


def enter(rest: str) -> Enter:
    """In dialects S and S+: a guid, and perhaps the hash of a password."""
    words = rest.split()
    if len(words) not in (1, 2):
        raise _malformed(awaited=True)
    return Enter(guid(words[0]), _said_password(words[1:]))


def enter_old(rest: str, flag: str) -> Enter:
    """In dialect O, where a word says whether one comes to watch."""
    words = rest.split()
    if len(words) not in (2, 3) or words[1] != flag:
        raise _malformed(awaited=True)
    return Enter(guid(words[0]), _said_password(words[2:]))


def _said_password(words: list[str]) -> str | None:
    # Whatever it is, it is compared with the right one: a hash that cannot be one is simply wrong.
    return None if not words or words[0] in NO_PASSWORD else words[0]


def move(rest: str) -> MoveRecord | None:
    """None: the player gives up. Raises BadNotation."""
    record = rest.strip(" ")
    return None if record == RESIGNS else parse_record(record)


def history(rest: str) -> History:
    """The moves of a saved game, each with the time that was left and two bars behind it. Raises Rejected."""
    size, _, entries = rest.strip(" ").partition(" ")
    if not (size.isascii() and size.isdigit() and len(size) <= 2):
        raise Rejected("bad-save")
    moves = []
    for entry in entries.split("||"):
        words = entry.split()
        if not words:
            continue
        if len(words) > 2 or (len(words) == 2 and not _is_time(words[1])):
            raise Rejected("bad-save")
        moves.append(words[0])
    return History(int(size), tuple(moves))


def _is_time(word: str) -> bool:
    return re.fullmatch(r"-?[0-9]{1,12}\|-?[0-9]{1,12}/-?[0-9]{1,12}\|-?[0-9]{1,12}", word) is not None


def clocks(rest: str) -> tuple[Time, Time]:
    """What each side has left at the beginning of a game that goes on."""
    words = rest.split()
    found = [_TIME_SPEC.fullmatch(word) for word in words]
    if len(found) != 2 or found[0] is None or found[1] is None:
        raise _malformed()
    attackers, defenders = (_time(match) for match in found if match is not None)
    return attackers, defenders


def _time(found: re.Match[str]) -> Time:
    main, overtime, periods, _ = map(int, found.groups())
    try:
        return msgspec.convert({"main": main, "overtime": overtime, "periods": periods}, Time)
    except msgspec.ValidationError:
        raise _malformed() from None
