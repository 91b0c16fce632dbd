"""What clients say, line by line, in each dialect. docs/protocols/tafl.md describes the messages.

What is wrong with a line is found here, before anything is done, unless something else has to be looked at first.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial

import msgspec

from gamut.doors.tafl.dialects import EXTENDED, VERSION, Dialect
from gamut.doors.tafl.fields import (
    TIME_SPEC,
    SavedGame,
    chat_pieces,
    clock_setting,
    flag,
    game_guid,
    malformed,
    malformed_game,
    new_password,
    said_password,
    saved_game,
    side,
    time_left,
)
from gamut.games.game import Refused, Seat
from gamut.games.tafl.notation import BadNotation, space_numbers
from gamut.games.tafl.pieces import LETTERS
from gamut.games.tafl.records import RESIGNS, parse_record
from gamut.games.tafl.ruleset import SIZES
from gamut.hall.ids import Millis
from gamut.hall.table.clock import ClockSetting, NoClock, Time

_LONGEST_TOKEN = 200
_LONGEST_GRACE = 3600
"""Seconds."""
_GRACE = re.compile(r"grace:([0-9]{1,6})")
_NUMBERS = re.compile(r"[-+0-9.|/]+")
"""No rules begin like that: it is a time that cannot be read."""
_SPACES = frozenset(space_numbers(max(SIZES)))


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


# Logging in


def _login(rest: str) -> Login:
    if not rest.startswith('"') or (end := rest.rfind('"')) == 0:
        raise malformed()
    words = rest[end + 1 :].split()
    if len(words) not in (1, 2) or rest[end + 1] != " ":
        raise malformed()
    return Login(rest[1:end], words[0], _dialect(words[1] if len(words) == 2 else ""))


def _dialect(kind: str) -> Dialect:
    """What came after the hash: a version of dialect O, or the word for the extended one."""
    if not kind:
        return "S"
    if kind == EXTENDED:
        return "S+"
    if not (kind.isascii() and kind.isdigit()):
        raise malformed()
    if kind != VERSION:
        raise Refused("version_mismatch", f"This server speaks version {VERSION}.")
    return "O"


def _login_again(rest: str) -> Message:
    raise Refused("invalid_login", "You are logged in already.")


# Games


def _leave(rest: str) -> Leave:
    try:
        return Leave(game_guid(rest.strip()))
    except Refused:
        raise malformed() from None


def _create(rest: str, *, extended: bool = False) -> Create:
    """In dialects S and S+: guid, side, password, perhaps a time, perhaps a grace, and the rules."""
    words = rest.split(" ", 3)
    if len(words) < 4:
        raise malformed_game()
    clock: ClockSetting = NoClock()
    grace, rules = 0, words[3].lstrip(" ")
    first, _, after = rules.partition(" ")
    if (found := TIME_SPEC.fullmatch(first)) is not None:
        clock, rules = clock_setting(found), after.lstrip(" ")
        first, _, after = rules.partition(" ")
    if extended and first.startswith("grace:"):
        found = _GRACE.fullmatch(first)
        if found is None or int(found[1]) > _LONGEST_GRACE:
            raise malformed_game()
        grace, rules = int(found[1]), after.lstrip(" ")
        first = rules.partition(" ")[0]
    if not rules or _NUMBERS.fullmatch(first):
        raise malformed_game()
    return Create(
        game_guid(words[0]), side(words[1]), new_password(words[2]), clock, rules, grace=Millis(1000 * grace)
    )


def _create_old(rest: str) -> Create:
    """In dialect O, where everything must be there."""
    words = rest.split(" ", 6)
    if len(words) < 7 or not words[6].strip():
        raise malformed_game()
    found = TIME_SPEC.fullmatch(words[5])
    if found is None:
        raise malformed_game()
    return Create(
        game_guid(words[0]),
        side(words[3]),
        new_password(words[4]),
        clock_setting(found),
        words[6].strip(),
        one_chat=flag(words[1], "combinechat"),
        allow_replay=flag(words[2], "allowreplay"),
    )


def _entered(rest: str) -> tuple[str, str | None]:
    """In dialects S and S+: a guid, and perhaps the hash of a password."""
    words = rest.split()
    if len(words) not in (1, 2):
        raise malformed_game()
    return game_guid(words[0]), said_password(words[1:])


def _entered_old(rest: str, watches: str) -> tuple[str, str | None]:
    """In dialect O, where a word says whether one comes to watch."""
    words = rest.split()
    if len(words) not in (2, 3) or words[1] != watches:
        raise malformed_game()
    return game_guid(words[0]), said_password(words[2:])


# Playing


def _move(rest: str) -> Move | Resign:
    text = rest.strip(" ")
    # Nearly every record is two spaces, perhaps with those who are captured behind them.
    before, _, after = text.partition("-")
    end, x, captures = after.partition("x")
    if end in _SPACES and (start := _space(before)) and (not x or all(map(_space, captures.split("/")))):
        return Move(start, end)
    if text == RESIGNS:
        return Resign()
    try:
        record = parse_record(text)
    except BadNotation:
        return Move("", "")
    return Move(record.start, record.end)


def _space(word: str) -> str:
    """The space that it names, perhaps with the letter of a piece in front; empty if it names none."""
    if word in _SPACES:
        return word
    return word[1:] if word[1:] in _SPACES and word[0] in LETTERS else ""


def _history(rest: str) -> AskHistory | LoadGame:
    return LoadGame(saved_game(rest)) if rest.strip() else AskHistory()


def _clocks(rest: str) -> AskClocks | SetClocks:
    words = rest.split()
    if not words:
        return AskClocks()
    found = [TIME_SPEC.fullmatch(word) for word in words]
    if len(found) != 2 or found[0] is None or found[1] is None:
        raise malformed()
    return SetClocks((time_left(found[0]), time_left(found[1])))


def _ping(rest: str) -> Ping:
    if len(rest) > _LONGEST_TOKEN or not rest.isprintable():
        raise malformed()
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
    "lobby-chat": lambda rest: LobbyChat(chat_pieces(rest)),
    "game-chat": lambda rest: GameChat(chat_pieces(rest)),
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
    "spectator-chat": lambda rest: SpectatorChat(chat_pieces(rest)),
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
