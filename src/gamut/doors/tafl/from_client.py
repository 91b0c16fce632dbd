"""What clients say, line by line, in each dialect. docs/protocols/tafl.md describes the messages.

What is wrong with a line is found here, before anything is done, unless something else has to be looked at first.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from uuid import UUID

import msgspec

from gamut.doors.tafl.dialects import EXTENDED, VERSION, Dialect
from gamut.games.game import Refused, Seat
from gamut.games.tafl.notation import BadNotation, space_numbers
from gamut.games.tafl.pieces import LETTERS, SIDES
from gamut.games.tafl.records import RESIGNS, parse_record
from gamut.games.tafl.ruleset import SIZES
from gamut.hall.ids import Millis
from gamut.hall.people.prehash import BadHash, check_prehash
from gamut.hall.table.clock import ClockSetting, NoClock, Overtime, Time
from gamut.hall.table.deciding.talk import MOST_CHARACTERS, cleaned

_MOST_CHAT = 2000
"""Characters."""
_LONGEST_GRACE = 3600
"""Seconds."""
_LONGEST_TOKEN = 200
_GUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TIME_SPEC = re.compile(r"([0-9]{1,12})\|([0-9]{1,12})/([0-9]{1,12})\|([0-9]{1,12})")
_TIME_LEFT = re.compile(r"-?[0-9]{1,12}\|-?[0-9]{1,12}/-?[0-9]{1,12}\|-?[0-9]{1,12}")
_NUMBERS = re.compile(r"[-+0-9.|/]+")
"""No rules begin like that: it is a time that cannot be read."""
_GRACE = re.compile(r"grace:([0-9]{1,6})")
_FLAG = {"true": True, "false": False}
_SIDES = {side: Seat(number) for number, side in enumerate(SIDES)}
_SPACES = frozenset(space_numbers(max(SIZES)))
NO_PASSWORD = ("open", "none")


class Message(msgspec.Struct, frozen=True, gc=False):
    """What a line says."""


class Login(Message, frozen=True):
    name: str
    hash: str
    dialect: Dialect


class LobbyChat(Message, frozen=True):
    pieces: tuple[str, ...]
    """The text in lines of the length that one may have here; the protocol allows longer ones."""


class GameChat(Message, frozen=True):
    pieces: tuple[str, ...]


class SpectatorChat(Message, frozen=True):
    pieces: tuple[str, ...]


class Create(Message, frozen=True):
    guid: str
    side: Seat
    password: str | None
    clock: ClockSetting
    rules: str
    one_chat: bool = False
    allow_replay: bool = False
    grace: Millis = Millis(0)
    """How long a seat waits for somebody of dialect S+ whose connection was lost."""


class Join(Message, frozen=True):
    guid: str
    password: str | None


class Watch(Message, frozen=True):
    guid: str
    password: str | None


class Resume(Message, frozen=True):
    guid: str


class Leave(Message, frozen=True):
    guid: str


class Move(Message, frozen=True):
    """Between two spaces, by their names. They are empty if the record cannot be read: whether there is a game is
    looked at first."""

    start: str
    end: str


class SavedGame(msgspec.Struct, frozen=True, gc=False):
    size: int
    moves: tuple[str, ...]
    """As they were sent. There may be thousands: they are read where nobody waits, when the options are checked."""


class LoadGame(Message, frozen=True):
    saved: SavedGame | None
    """None: it cannot be read. Whether this client may load a game is looked at first."""


class SetClocks(Message, frozen=True):
    times: tuple[Time, Time]
    """What each side has left at the beginning of a game that goes on."""


class Ping(Message, frozen=True):
    token: str


class Blank(Message, frozen=True):
    """An empty line."""


class ListGames(Message, frozen=True):
    """Which games there are."""


class ListClients(Message, frozen=True):
    """Who is here."""


class Ready(Message, frozen=True):
    """The game may begin."""


class Resign(Message, frozen=True):
    """Give up."""


class OfferDraw(Message, frozen=True):
    """A draw?"""


class AcceptDraw(Message, frozen=True):
    """A draw."""


class DeclineDraw(Message, frozen=True):
    """No draw."""


class AskHistory(Message, frozen=True):
    """Which moves were made."""


class AskClocks(Message, frozen=True):
    """How the clocks stand."""


def _malformed() -> Refused:
    return Refused("malformed", "This line cannot be read.")


def _malformed_game() -> Refused:
    """The same for those who want into a game, and wait for an answer."""
    return Refused("malformed_game", "This line cannot be read.")


# Logging in


def _login(rest: str) -> Login:
    if not rest.startswith('"') or (end := rest.rfind('"')) == 0:
        raise _malformed()
    words = rest[end + 1 :].split()
    if len(words) not in (1, 2) or rest[end + 1] != " ":
        raise _malformed()
    return Login(rest[1:end], words[0], _dialect(words[1] if len(words) == 2 else ""))


def _dialect(kind: str) -> Dialect:
    """What came after the hash: a version of dialect O, or the word for the extended one."""
    if not kind:
        return "S"
    if kind == EXTENDED:
        return "S+"
    if not (kind.isascii() and kind.isdigit()):
        raise _malformed()
    if kind != VERSION:
        raise Refused("version_mismatch", f"This server speaks version {VERSION}.")
    return "O"


def _login_again(rest: str) -> Message:
    raise Refused("invalid_login", "You are logged in already.")


# Talk


def _chat(rest: str) -> tuple[str, ...]:
    """Who is said to have said it does not matter. What cannot be seen is left out, and if nothing is left it is no
    message."""
    end = rest.find('"', 1) if rest.startswith('"') else -1
    if end < 0 or rest[end + 1 : end + 2] != " ":
        raise _malformed()
    text = rest[end + 2 :]
    if not text.strip() or len(text) > _MOST_CHAT:
        raise _malformed()
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
        raise _malformed_game()
    return str(UUID(word))


def _leave(rest: str) -> Leave:
    try:
        return Leave(game_guid(rest.strip()))
    except Refused:
        raise _malformed() from None


def _password(word: str) -> str | None:
    if word in NO_PASSWORD:
        return None
    try:
        check_prehash(word)
    except BadHash:
        raise _malformed_game() from None
    return word


def _side(word: str) -> Seat:
    if word not in _SIDES:
        raise _malformed_game()
    return _SIDES[word]


def _flag(word: str, name: str) -> bool:
    key, _, value = word.partition(":")
    if key != name or value not in _FLAG:
        raise _malformed_game()
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
        raise _malformed_game() from None
    return setting


def _create(rest: str, *, extended: bool = False) -> Create:
    """In dialects S and S+: guid, side, password, perhaps a time, perhaps a grace, and the rules."""
    words = rest.split(" ", 3)
    if len(words) < 4:
        raise _malformed_game()
    clock: ClockSetting = NoClock()
    grace, rules = 0, words[3].lstrip(" ")
    first, _, after = rules.partition(" ")
    if (found := _TIME_SPEC.fullmatch(first)) is not None:
        clock, rules = _setting(found), after.lstrip(" ")
        first, _, after = rules.partition(" ")
    if extended and first.startswith("grace:"):
        found = _GRACE.fullmatch(first)
        if found is None or int(found[1]) > _LONGEST_GRACE:
            raise _malformed_game()
        grace, rules = int(found[1]), after.lstrip(" ")
        first = rules.partition(" ")[0]
    if not rules or _NUMBERS.fullmatch(first):
        raise _malformed_game()
    return Create(
        game_guid(words[0]), _side(words[1]), _password(words[2]), clock, rules, grace=Millis(1000 * grace)
    )


def _create_old(rest: str) -> Create:
    """In dialect O, where everything must be there."""
    words = rest.split(" ", 6)
    if len(words) < 7 or not words[6].strip():
        raise _malformed_game()
    found = _TIME_SPEC.fullmatch(words[5])
    if found is None:
        raise _malformed_game()
    return Create(
        game_guid(words[0]),
        _side(words[3]),
        _password(words[4]),
        _setting(found),
        words[6].strip(),
        one_chat=_flag(words[1], "combinechat"),
        allow_replay=_flag(words[2], "allowreplay"),
    )


def _entered(rest: str) -> tuple[str, str | None]:
    """In dialects S and S+: a guid, and perhaps the hash of a password."""
    words = rest.split()
    if len(words) not in (1, 2):
        raise _malformed_game()
    return game_guid(words[0]), _said_password(words[1:])


def _entered_old(rest: str, flag: str) -> tuple[str, str | None]:
    """In dialect O, where a word says whether one comes to watch."""
    words = rest.split()
    if len(words) not in (2, 3) or words[1] != flag:
        raise _malformed_game()
    return game_guid(words[0]), _said_password(words[2:])


def _said_password(words: list[str]) -> str | None:
    # Whatever it is, it is compared with the right one: a hash that cannot be one is simply wrong.
    return None if not words or words[0] in NO_PASSWORD else words[0]


# Playing


def _move(rest: str) -> Move | Resign:
    text = rest.strip(" ")
    # Nearly every record is two spaces, perhaps with the letter of the piece in front.
    start, _, end = text.partition("-")
    if end in _SPACES:
        if start in _SPACES:
            return Move(start, end)
        if start[1:] in _SPACES and start[0] in LETTERS:
            return Move(start[1:], end)
    if text == RESIGNS:
        return Resign()
    try:
        record = parse_record(text)
    except BadNotation:
        return Move("", "")
    return Move(record.start, record.end)


def _history(rest: str) -> AskHistory | LoadGame:
    return LoadGame(_saved_game(rest)) if rest.strip() else AskHistory()


def _saved_game(rest: str) -> SavedGame | None:
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


def _clocks(rest: str) -> AskClocks | SetClocks:
    words = rest.split()
    if not words:
        return AskClocks()
    found = [_TIME_SPEC.fullmatch(word) for word in words]
    if len(found) != 2 or found[0] is None or found[1] is None:
        raise _malformed()
    return SetClocks((_time(found[0]), _time(found[1])))


def _time(found: re.Match[str]) -> Time:
    main, overtime, periods, _ = map(int, found.groups())
    try:
        return msgspec.convert({"main": main, "overtime": overtime, "periods": periods}, Time)
    except msgspec.ValidationError:
        raise _malformed() from None


def _ping(rest: str) -> Ping:
    if len(rest) > _LONGEST_TOKEN or not rest.isprintable():
        raise _malformed()
    return Ping(rest)


# Which words there are

_Parser = Callable[[str], Message]


def _word_alone(message: Message) -> _Parser:
    """Whatever follows such a word does not matter."""
    return lambda rest: message


_RESIGN = _word_alone(Resign())
_LIST_CLIENTS = _word_alone(ListClients())
_FOR_ALL: dict[str, _Parser] = {
    "login": _login_again,
    "lobby-chat": lambda rest: LobbyChat(_chat(rest)),
    "game-chat": lambda rest: GameChat(_chat(rest)),
    "leave-game": _leave,
}
_PLAIN: dict[str, _Parser] = {
    **_FOR_ALL,
    "get-game-list": _word_alone(ListGames()),
    "create-game": _create,
    "join-game": lambda rest: Join(*_entered(rest)),
    "spectate-game": lambda rest: Watch(*_entered(rest)),
    "ready-for-game": _word_alone(Ready()),
    "move": _move,
    "end-game": _RESIGN,
    "spectator-chat": lambda rest: SpectatorChat(_chat(rest)),
}
_EXTENDED: dict[str, _Parser] = {
    **_PLAIN,
    "create-game": partial(_create, extended=True),
    "client-list": _LIST_CLIENTS,
    "history": _history,
    "clock-update": _clocks,
    "resign": _RESIGN,
    "draw-offer": _word_alone(OfferDraw()),
    "draw-accept": _word_alone(AcceptDraw()),
    "draw-decline": _word_alone(DeclineDraw()),
    "ping": _ping,
    "resume": lambda rest: Resume(game_guid(rest.strip())),
}
_OLD: dict[str, _Parser] = {
    **_FOR_ALL,
    "game-list": _word_alone(ListGames()),
    "client-list": _LIST_CLIENTS,
    "create-game": _create_old,
    "join-game": lambda rest: Join(*_entered_old(rest, "false")),
    "spectate": lambda rest: Watch(*_entered_old(rest, "true")),
    "history": _history,
    "clock-update": _clocks,
    "move-record": _move,
    "game-ended": _RESIGN,
}
WORDS: Mapping[Dialect, Mapping[str, _Parser]] = {"S": _PLAIN, "S+": _EXTENDED, "O": _OLD}

_BLANK = Blank()


def parsed(data: bytes, dialect: Dialect) -> Message:
    """The message in a line of somebody who is logged in. What is not UTF-8 is replaced."""
    word, _, rest = data.decode("utf-8", "replace").lstrip(" ").partition(" ")
    parse = WORDS[dialect].get(word)
    if parse is not None:
        return parse(rest)
    if word.strip():
        raise Refused("unknown_command", "There is no such word.")
    return _BLANK


def parsed_login(data: bytes) -> Message:
    """The same before that."""
    word, _, rest = data.decode("utf-8", "replace").lstrip(" ").partition(" ")
    if word == "login":
        return _login(rest)
    if word:
        raise Refused("not_logged_in", "Log in first.")
    return _BLANK
