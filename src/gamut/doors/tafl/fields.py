"""The fields of what clients say: identifiers, passwords, sides, times, talk and saved games. Refused where one cannot
be read."""

import re
from uuid import UUID

import msgspec

from gamut.games.game import Refused, Seat
from gamut.games.tafl.pieces import SIDES
from gamut.hall.people.prehash import BadHash, check_prehash
from gamut.hall.table.clock import ClockSetting, NoClock, Overtime, Time
from gamut.hall.table.deciding.talk import MOST_CHARACTERS, cleaned

_MOST_CHAT = 2000
"""Characters."""
_GUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
TIME_SPEC = re.compile(r"([0-9]{1,12})\|([0-9]{1,12})/([0-9]{1,12})\|([0-9]{1,12})")
_TIME_LEFT = re.compile(r"-?[0-9]{1,12}\|-?[0-9]{1,12}/-?[0-9]{1,12}\|-?[0-9]{1,12}")
_FLAG = {"true": True, "false": False}
_SIDES = {side: Seat(number) for number, side in enumerate(SIDES)}
NO_PASSWORD = ("open", "none")


def malformed() -> Refused:
    return Refused("malformed", "This line cannot be read.")


def malformed_game() -> Refused:
    """The same for those who want into a game, and wait for an answer."""
    return Refused("malformed_game", "This line cannot be read.")


# Talk


def chat_pieces(rest: str) -> tuple[str, ...]:
    """Who is said to have said it does not matter. What cannot be seen is left out, and if nothing is left it is no
    message."""
    end = rest.find('"', 1) if rest.startswith('"') else -1
    if end < 0 or rest[end + 1 : end + 2] != " ":
        raise malformed()
    text = rest[end + 2 :]
    if not text.strip() or len(text) > _MOST_CHAT:
        raise malformed()
    return tuple(map(cleaned, _pieces(text)))


def _pieces(text: str) -> list[str]:
    words, lines = " ".join(text.split()), []
    while len(words) > MOST_CHARACTERS:
        # Better between two words, if there is a blank.
        end = words.rfind(" ", MOST_CHARACTERS // 2, MOST_CHARACTERS + 1)
        end = MOST_CHARACTERS if end < 0 else end
        lines.append(words[:end])
        words = words[end:].lstrip()
    return [*lines, words]


# Games


def game_guid(word: str) -> str:
    """In the one spelling that it has in lists."""
    if not _GUID.fullmatch(word):
        raise malformed_game()
    return str(UUID(word))


def new_password(word: str) -> str | None:
    if word in NO_PASSWORD:
        return None
    try:
        check_prehash(word)
    except BadHash:
        raise malformed_game() from None
    return word


def side(word: str) -> Seat:
    if word not in _SIDES:
        raise malformed_game()
    return _SIDES[word]


def flag(word: str, name: str) -> bool:
    key, _, value = word.partition(":")
    if key != name or value not in _FLAG:
        raise malformed_game()
    return _FLAG[value]


def clock_setting(found: re.Match[str]) -> ClockSetting:
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
        raise malformed_game() from None
    return setting


def said_password(words: list[str]) -> str | None:
    # Whatever it is, it is compared with the right one: a hash that cannot be one is simply wrong.
    return None if not words or words[0] in NO_PASSWORD else words[0]


# Games that go on


class SavedGame(msgspec.Struct, frozen=True, gc=False):
    size: int
    moves: tuple[str, ...]
    """As they were sent. There may be thousands: they are read where nobody waits, when the options are checked."""


def saved_game(rest: str) -> SavedGame | None:
    """The moves of a saved game, each with the time that was left and two bars behind it."""
    size, _, entries = rest.strip(" ").partition(" ")
    if not (size.isascii() and size.isdigit() and len(size) <= 2):
        return None
    moves = []
    for entry in entries.split("||"):
        words = entry.split()
        if not words:
            continue
        if len(words) > 2 or (len(words) == 2 and not _TIME_LEFT.fullmatch(words[1])):
            return None
        moves.append(words[0])
    return SavedGame(int(size), tuple(moves))


def time_left(found: re.Match[str]) -> Time:
    main, overtime, periods, _ = map(int, found.groups())
    try:
        return msgspec.convert({"main": main, "overtime": overtime, "periods": periods}, Time)
    except msgspec.ValidationError:
        raise malformed() from None
