"""What a connection is for. It says so in the query of its URL, not in a message."""

from urllib.parse import parse_qsl

import msgspec

from gamut.doors.topple.codes import LONGEST_CODE
from gamut.doors.topple.refusals import fatal
from gamut.games.topple.state import MOST_PLAYERS
from gamut.games.topple.topology import LONGEST_SIDE, TOPOLOGIES

FEWEST_PLAYERS = 2
LONGEST_PASSWORD = 64
_LONGEST_NAME = 32


class Join(msgspec.Struct, frozen=True):
    room: str


class Create(msgspec.Struct, frozen=True):
    private: bool
    topology: int
    x: int
    y: int
    seats: int
    spectators: bool = True
    hosts_as_spectator: bool = False
    password: str | None = None


class Import(msgspec.Struct, frozen=True):
    """Create a room from the file that will be sent."""

    spectators: bool = True
    password: str | None = None


class Rejoin(msgspec.Struct, frozen=True):
    room: str
    number: int
    key: str


class Spectate(msgspec.Struct, frozen=True):
    room: str


class TakeBotSeat(msgspec.Struct, frozen=True):
    room: str
    number: int
    key: str
    name: str


Purpose = Join | Create | Import | Rejoin | Spectate | TakeBotSeat


def purpose(query: str, most_tiles: int) -> Purpose:
    """What the query asks for, or Refused. The checks come in the order in which the existing server makes them."""
    fields: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True, errors="replace", max_num_fields=None):
        fields.setdefault(name, value)
    kind = _number(fields.get("t") or "0")
    if kind is None or not 0 <= kind <= 5:
        raise fatal("connection_type_missing")
    if kind in (1, 2):
        return _creation(fields, private=kind == 2, most_tiles=most_tiles)
    room = fields.get("g", "")
    if not room:
        raise fatal("missing_game_id")
    room = room[:LONGEST_CODE]
    if kind == 0:
        return Join(room)
    if kind == 4:
        return Spectate(room)
    key = fields.get("k", "")
    number = _number(fields.get("i" if kind == 3 else "n", ""))
    if kind == 3:
        if number is None:
            raise fatal("bad_player_number")
        return Rejoin(room, number, key)
    if number is None:
        raise fatal("no_seat_for_bot")
    return TakeBotSeat(room, number, key, _plain(fields.get("a", "")) or "Bot")


def _creation(fields: dict[str, str], *, private: bool, most_tiles: int) -> Create | Import:
    spectators = fields.get("s", "1") == "1"
    password = fields.get("pw") or None
    if password is not None and len(password) > LONGEST_PASSWORD:
        raise fatal("invalid_parameters")
    if "p" in fields and _float(fields["p"]) is None:
        raise fatal("bad_player_count")
    if fields.get("res") == "1":
        return Import(spectators, password)
    seats = _number(fields.get("p", ""))
    sizes = [_number(part) for part in fields.get("d", "").split(",")]
    if seats is None or len(sizes) != 3:
        raise fatal("invalid_parameters")
    topology, x, y = sizes
    if topology is None or not 0 <= topology < len(TOPOLOGIES) or x is None or y is None:
        raise fatal("invalid_parameters")
    if not FEWEST_PLAYERS <= seats <= MOST_PLAYERS:
        raise fatal("invalid_parameters")
    if min(x, y) < 1 or max(x, y) > LONGEST_SIDE:
        raise fatal("invalid_parameters")
    if x * y > most_tiles:
        raise fatal("too_many_tiles")
    hosts_as_spectator = fields.get("S") == "1"
    return Create(private, topology, x, y, seats, spectators, hosts_as_spectator, password)


def _number(text: str) -> int | None:
    """A whole number in plain digits. Python reads more than that as one."""
    text = text.strip()
    if not text.isascii() or len(text) > 9 or not text.removeprefix("-").isdigit():
        return None
    return int(text)


def _float(text: str) -> float | None:
    try:
        return float(text) if text.isascii() and text.strip() and "_" not in text else None
    except ValueError:
        return None


def _plain(text: str) -> str:
    return "".join(ch for ch in text if ch.isprintable()).strip()[:_LONGEST_NAME]
