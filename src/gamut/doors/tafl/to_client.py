"""What the server says, line by line."""

from functools import lru_cache

from gamut.doors.tafl.dialects import Dialect
from gamut.games.game import Seat
from gamut.games.tafl.pieces import SIDES
from gamut.games.tafl.records import parse_record
from gamut.games.tafl.rules_text import size_of
from gamut.hall.ids import Millis
from gamut.hall.names.characters import REPLACED
from gamut.hall.table import clock as clocks
from gamut.hall.table.clock import Clock, ClockSetting, NoClock, Overtime, Time

SUCCESS = b"success\n"
LOGGED_IN = b"success logged-in\n"
WATCHING = b"success spectator\n"
END_GAME = b"end-game\n"
GAME_ENDED = b"game-ended\n"
GAME_CANCELED = b"error game-canceled\n"
OPPONENT_LEFT = b"error opponent-left\n"
WAITING = b"error waiting-for-opponent\n"
DRAW_OFFER = b"draw-offer\n"
DRAW_DECLINE = b"draw-decline\n"

AWAIT_MOVE = tuple(f"await-move {side}\n".encode() for side in SIDES)
_SEATED = tuple(f"success {side}\n".encode() for side in SIDES)
"""By seat; how dialect O is told that it sits."""

SERVER = "Server"
"""Who speaks where nobody does. Nobody can have this name."""
UNTIMED = "0|0/0|0"
UNKNOWN_TIME = "-1|-1/0|-1"
_VICTORY = {Seat(0): b"victory ATTACKER\n", Seat(1): b"victory DEFENDER\n"}
_DRAW = b"victory DRAW\n"
_WON = {Seat(0): 2, Seat(1): 3}
_DRAWN = 4

# Names and rules are between quotes, bars part records, and there is no way to escape either.
_REPLACED = str.maketrans(REPLACED)


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def line(text: str) -> bytes:
    return encoded(text) + b"\n"


def error(code: str) -> bytes:
    return f"error {code}\n".encode()


def shown(name: str) -> str:
    """A name as this protocol can say it: at other doors there may be anything in one."""
    return name.translate(_REPLACED)


def seated(dialect: Dialect, seat: Seat | None) -> bytes:
    return _SEATED[seat] if dialect == "O" and seat is not None else SUCCESS


def move_result(code: int) -> bytes:
    return f"move-result {code}\n".encode()


GOOD_MOVE = move_result(0)


def final_move(winners: tuple[Seat, ...]) -> bytes:
    """A move with which the game is over."""
    return move_result(_WON[winners[0]] if winners else _DRAWN)


def victory(winners: tuple[Seat, ...]) -> bytes:
    return _VICTORY[winners[0]] if winners else _DRAW


@lru_cache(maxsize=1024)
def _for_old_clients(record: str) -> str:
    return parse_record(record).for_old_clients()


def move(dialect: Dialect, record: str) -> bytes:
    if dialect == "O":
        return f"move-record {_for_old_clients(record)}\n".encode()
    return f"move {record}\n".encode()


def start_game(rules: str) -> bytes:
    return f"start-game {rules}\n".encode()


def start_with_history(rules: str, entries: bytes) -> bytes:
    return b"start-game %b %b" % (rules.encode(), history(rules, entries))


def history(rules: str, entries: bytes) -> bytes:
    return b"history %d %b\n" % (size_of(rules), entries)


def time_of_moves(setting: ClockSetting) -> str:
    """Existing clients are told the time control of the game with each move, as they always were."""
    return UNKNOWN_TIME if isinstance(setting, NoClock) else time_spec(setting)


def history_entry(record: str, time: str) -> bytes:
    return f"{_for_old_clients(record)} {time}||".encode()


# Talk


def lobby_chat(name: str, text: str) -> bytes:
    return line(f'lobby-chat "{shown(name)}" {text}')


def game_chat(dialect: Dialect, name: str, text: str) -> bytes:
    # Existing clients cut the text at the first quote.
    return line(f'game-chat "{shown(name)}" {_unquoted(dialect, text)}')


def spectator_chat(dialect: Dialect, name: str, text: str) -> bytes:
    if dialect == "O":
        return game_chat(dialect, name, text)
    return line(f'spectator-chat "{shown(name)}" {text}')


def _unquoted(dialect: Dialect, text: str) -> str:
    return text.replace('"', "'") if dialect == "O" else text


# Clocks


def time_spec(setting: ClockSetting) -> str:
    """A time control as `main|overtime/count|increment`, in milliseconds. What a table of the page may have and this
    protocol cannot say is left out."""
    match setting:
        case Overtime(main=main, length=length, periods=periods, increment=increment):
            return f"{main}|{length}/{periods}|{increment}"
        case clocks.Bank(main=main, increment=increment):
            return f"{main}|0/0|{increment}"
        case clocks.PerTurn(limit=limit):
            return f"{limit}|0/0|0"
    return UNTIMED


def clock_update(dialect: Dialect, clock: Clock, now: Millis) -> bytes:
    """Nothing where there is no clock."""
    setting = clock.setting
    if isinstance(setting, NoClock):
        return b""
    attackers, defenders = clocks.charge(clock, now).times
    length, of_attackers, of_defenders = 0, 0, 0
    if isinstance(setting, Overtime):
        length, of_attackers, of_defenders = setting.length, _of_period(attackers), _of_period(defenders)
    if dialect == "O":
        old = attackers.main, of_attackers, attackers.periods, defenders.main, of_defenders, defenders.periods
        return b"clock-update %d|%d/%d|0 %d|%d/%d|0\n" % old
    return b"clock-update %d/%d/%d/%d %d/%d/%d/%d\n" % (
        *(attackers.main, of_attackers, length, attackers.periods),
        *(defenders.main, of_defenders, length, defenders.periods),
    )


def _of_period(time: Time) -> int:
    """What is left of the period. Without any period left it is nothing, once it is needed."""
    return time.overtime if time.main or time.periods else 0
