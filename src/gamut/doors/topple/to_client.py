"""What the server says, framed. docs/protocols/topple.md describes the messages."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from gamut.doors.framing import binary_frame, text_frame
from gamut.doors.topple.boards import EXPORT, REPLAY
from gamut.doors.topple.refusals import Fatal, Soft
from gamut.games.topple.state import MOST_PLAYERS, TEAMS
from gamut.games.topple.topology import MOST_TILES

_encode = msgspec.json.Encoder().encode

PlayerEntry = tuple[int, int, str | None]
"""Number, team, account or bot's name."""
SpectatorEntry = tuple[str, str | None]
SeatEntry = tuple[int, str | None, int]
"""Number, account, team."""


def _frame(kind: str, payload: Mapping[str, Any]) -> bytes:
    return text_frame(_encode({"type": kind, "payload": payload}))


# CONN: the connection itself

HOLD = _frame("CONN:HOLD", {})
CONT = _frame("CONN:CONT", {})
DYNG = _frame("CONN:DYNG", {})


def switch(parameters: str, data: Sequence[str] = ()) -> bytes:
    """Connect again with these parameters, and say this as soon as the connection stands."""
    return _frame("CONN:SWCH", {"P": parameters, "D": data})


def switch_player(room: str, number: int, key: str, data: Sequence[str] = ()) -> bytes:
    return switch(f"t=3&g={room}&i={number}&k={key}", data)


def switch_spectator(room: str, data: Sequence[str] = ()) -> bytes:
    return switch(f"t=4&g={room}", data)


# account


def account_found(who: int | str, account: str) -> bytes:
    return _frame("account:found", {"n": who, "a": account})


def account_is_bot(number: int, name: str) -> bytes:
    return _frame("account:isbot", {"n": number, "a": name})


# waiting

STARTED = _frame("waiting:start", {})


def promoted(number: int) -> bytes:
    return _frame("waiting:promote", {"n": number})


def ready(number: int, is_ready: bool) -> bytes:
    return _frame("waiting:setready", {"n": number, "r": is_ready})


def team_colors(colours: Sequence[int], *, compat: bool) -> bytes:
    """Under the protocol's name, and once more under that which the existing browser client knows."""
    frames = _frame("waiting:teamcolors", {"c": colours})
    return frames + _frame("waiting:teamcols", {"c": colours}) if compat else frames


# error


def fatal(error: Fatal) -> bytes:
    return _error(error.code, error.message, error.redirect, error.message if error.stored else None)


def soft(error: Soft, text: str) -> bytes:
    return _error(error, text, None, None)


def _error(code: int, message: str, redirect: str | None, store: str | None) -> bytes:
    return _frame("error", {"code": int(code), "message": message, "redirect": redirect, "store": store})


# key, player, spectator


def rejoin_key(key: str, room: str, number: int) -> bytes:
    return _frame("key:rejoin", {"key": key, "g": room, "p": number})


def player_joined(number: int, team: int) -> bytes:
    return _frame("player:join", {"n": number, "t": team})


def player_left(number: int) -> bytes:
    return _frame("player:leave", {"n": number})


def player_switched(number: int, team: int) -> bytes:
    return _frame("player:switch", {"n": number, "t": team})


def player_spectates(number: int, spectator: str) -> bytes:
    return _frame("player:spectate", {"n": number, "id": spectator})


def own_number(number: int, team: int) -> bytes:
    return _frame("player:ownid", {"n": number, "t": team})


def player_lost(number: int) -> bytes:
    return _frame("player:lose", {"n": number})


def spectator_joined(spectator: str) -> bytes:
    return _frame("spectator:join", {"n": spectator})


def spectator_left(spectator: str) -> bytes:
    return _frame("spectator:leave", {"n": spectator})


def own_spectator_id(spectator: str) -> bytes:
    return _frame("spectator:ownid", {"n": spectator})


# game

RECONNECTED = _frame("game:reconnected", {})
RESUMED = _frame("game:resume", {})
CLOSED = _frame("game:close", {})


def room_id(room: str) -> bytes:
    return _frame("game:roomid", {"g": room})


def config(
    *, topology: int, x: int, y: int, players: int, host: int | str, colours: Sequence[int] | None
) -> bytes:
    payload = {"c": x * y, "d": {"x": x, "y": y}, "t": topology, "p": players, "l": host, "tc": colours}
    return _frame("game:config", payload)


def who_is_here(
    players: Sequence[PlayerEntry], spectators: Sequence[SpectatorEntry], scores: Sequence[int | None]
) -> bytes:
    return _frame("game:jlist", {"p": players, "s": spectators, "ts": scores})


def rules(payload: Mapping[str, Any]) -> bytes:
    return _frame("game:rules", payload)


def _turn(number: int, timed: bool) -> bytes:
    return _frame("game:turn", {"n": number, "t": timed})


def _moved(tile: int, team: int) -> bytes:
    return _frame("game:move", {"n": tile, "t": team})


# Most of what is said is one of these: they are encoded once for ever.
TURN = tuple((_turn(number, False), _turn(number, True)) for number in range(MOST_PLAYERS + 1))
"""By player number and by whether the turn is timed."""
MOVED = tuple(tuple(_moved(tile, team) for tile in range(MOST_TILES)) for team in range(TEAMS + 1))
"""By team and tile."""


def won(team: int, *, by_http: bool) -> bytes:
    """A replay can be had, by message and perhaps by HTTP as well."""
    return _frame("game:win", {"t": team, "d": by_http})


def time_up(number: int) -> bytes:
    return _frame("game:timeup", {"n": number})


def kicked(who: int | str) -> bytes:
    return _frame("game:kick", {"n": who})


def paused(times: Sequence[int]) -> bytes:
    return _frame("game:pause", {"t": times})


def pinged(kind: str | None) -> bytes:
    return _frame("ping", {"kind": "default" if kind is None else kind})


# Outside the list that binds us, but the existing browser client needs them


def sync(values: Mapping[str, int | None]) -> bytes:
    return _frame("sync", values)


def seats_available(seats: Sequence[SeatEntry]) -> bytes:
    """The client looks for the account under another name than the server's."""
    entries = [{"n": number, "a": account, "t": team, "accid": account} for number, account, team in seats]
    return _frame("resjoin:available", {"p": entries})


SEAT_SELECTED = _frame("resjoin:select", {})


# Binary


def board(frame: bytes) -> bytes:
    return binary_frame(frame)


def replay_file(file: bytes) -> bytes:
    return binary_frame(bytes([REPLAY]) + file)


def export_file(file: bytes) -> bytes:
    return binary_frame(bytes([EXPORT]) + file)
