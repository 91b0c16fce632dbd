"""The list of games: open ones, those that are being played, and those whose players are still there."""

from typing import NamedTuple

from gamut.doors.public_rooms import PublicRoom, PublicRooms
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.dialects import Dialect
from gamut.hall.hall import Hall
from gamut.hall.table.clock import ClockSetting, NoClock
from gamut.hall.table.deciding.bot_names import shown_name
from gamut.hall.table.seats import Holder, person_in

NOBODY = "<none>"
UNTITLED = "Tafl"


class ListedGame(NamedTuple):
    guid: str
    rules: str
    attackers: str
    defenders: str
    password: bool = False
    started: bool = False
    loaded: bool = False
    one_chat: bool = False
    allow_replay: bool = False
    spectators: int = 0
    clock: ClockSetting = NoClock()


def games_of(hall: Hall, game: str) -> PublicRooms[ListedGame]:
    return PublicRooms(hall, game, _listed, _is_listed)


def _is_listed(room: PublicRoom) -> bool:
    if room.summary.room is None:
        return False  # from a time when tables had no such names
    if room.summary.phase != "over":
        return True
    # A bot never leaves: it keeps no game in the list that nobody can come into any more.
    return room.live is not None and any(map(person_in, room.seats))


def _listed(room: PublicRoom) -> ListedGame:
    summary = room.summary
    attackers, defenders = (_name(holder) for holder in room.seats)
    return ListedGame(
        guid=room.name,
        rules=t.shown(str(summary.options.get("title", UNTITLED))),
        attackers=attackers,
        defenders=defenders,
        password=summary.locked,
        started=summary.phase != "setup",
        loaded=bool(summary.options.get("moves")),
        one_chat=summary.one_chat,
        allow_replay=room.live is not None and bool(room.live.table.decor.get("allow_replay")),
        spectators=room.watchers,
        clock=summary.clock,
    )


def _name(holder: Holder | None) -> str:
    return NOBODY if holder is None else t.shown(shown_name(holder))


def game_list(dialect: Dialect, records: list[str]) -> str:
    """The line without its end: in dialect O more records may follow."""
    if dialect == "O":
        return "game-list " + "".join(records)
    return " ".join(("game-list", "|".join(records))) if records else "game-list"


def record(dialect: Dialect, game: ListedGame) -> str:
    return _old_record(game) if dialect == "O" else _record(game)


def _record(game: ListedGame) -> str:
    return (
        f'{game.guid} "{game.rules}" "{game.attackers}" "{game.defenders}" '
        f"password:{_flag(game.password)} spectators:{game.spectators}"
    )


def _old_record(game: ListedGame) -> str:
    # Existing servers have two blanks between the names.
    return (
        f'{game.guid} "{game.rules}"  "{game.attackers}"  "{game.defenders}" '
        f"password:{_flag(game.password)} started:{_flag(game.started)} loaded:{_flag(game.loaded)} "
        f"combinechat:{_flag(game.one_chat)} allowreplay:{_flag(game.allow_replay)} "
        f"spectators:{game.spectators} {t.time_spec(game.clock)}||"
    )


def _flag(value: bool) -> str:
    return "true" if value else "false"
