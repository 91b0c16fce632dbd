"""What each message does: coming into a room, and placing a mark."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from gamut.doors.tower import from_client as f
from gamut.games.game import Refused
from gamut.games.tower.rules import Place
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.names.lookalikes import skeleton
from gamut.hall.names.person_names import NameRefused, clean_name, clean_room
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter

if TYPE_CHECKING:
    from gamut.doors.tower.session import TowerSession


def place(session: "TowerSession", message: f.PlaceMark) -> None:
    if session.live is None:
        raise Refused("not_in_room", "join a room first")
    session.hall.do(session.live, c.Act(session.person, Place(message.tile)))


def join(session: "TowerSession", message: f.JoinRoom) -> Awaitable[None] | None:
    if session.live is not None:
        raise Refused("in_room", "you are in a room already")
    try:
        room = clean_room(message.room)
    except NameRefused as refused:
        raise Refused("bad_room", refused.reason) from None
    session.hall.wings.check_name(session.door.name, room)
    return _come_in(session, room, clean_name(message.name))


def _come_in(session: "TowerSession", room: str, name: str) -> Awaitable[None] | None:
    hall, door = session.hall, session.door
    if hall.waking.is_to_come(TableId(room)):
        return _when_woken(session, TableId(room), name)
    found = _lost_at(session, TableId(room), name) or hall.register.room(door.name, room)
    if found is None:
        # The game may have ended just before the server stopped: its players are first told how.
        found = hall.register.endings.get((door.name, room))
    live = None if found is None else hall.here(found)
    if found is not None and (live is None or door.ended_before(live) is not None):
        return _load(session, found, room, name)
    return _enter(session, live, room, name)


async def _when_woken(session: "TowerSession", table: TableId, name: str) -> None:
    """The hall has only just been opened, and it is not known yet who has lost a seat here."""
    await session.hall.readable(table)
    waiting = None if session.is_deaf else _come_in(session, str(table), name)
    if waiting is not None:
        await waiting


def _lost_at(session: "TowerSession", table: TableId, name: str) -> TableId | None:
    """The table of this id, also if private, where somebody of this name lost a seat when the server stopped.

    Nobody else may find a private table. It is in memory, as such tables are loaded at the start.
    """
    live = session.hall.here(table)
    if live is None or live.table.game != session.door.name or live.table.phase == "over":
        return None
    return table if _was_lost(live, name) else None


async def _load(session: "TowerSession", table: TableId, room: str, name: str) -> None:
    hall, door = session.hall, session.door
    live = await hall.load(table)
    # Somebody may have been quicker to open the room again.
    opened = hall.register.room(door.name, room)
    if opened is not None and opened != table:
        live = await hall.load(opened)
    before = None if live is None else door.ended_before(live)
    if live is not None and before is not None:
        ended = await hall.load(before)
        if ended is not None and ended.table.outcome is not None:
            door.recall(live, ended)
    if not session.is_deaf:
        waiting = _enter(session, live, room, name)
        if waiting is not None:
            await waiting


def _enter(session: "TowerSession", live: LiveTable | None, room: str, name: str) -> Awaitable[None] | None:
    hall, door = session.hall, session.door
    if live is not None and hall.register.endings.get((door.name, room)) == live.id:
        _check_place_after(session, live, name)
        return _open(session, room, name, live)
    if live is None or (live.table.phase == "over" and not live.table.present()):
        door.check_unregistered(name)
        return _open(session, room, name, None)
    _check_place(session, live, name)
    _sit(session, live, name)
    return None


def _open(session: "TowerSession", room: str, name: str, ended: LiveTable | None) -> Awaitable[None] | None:
    """Come into a room in which nobody is. `ended`: the game there ended when the server did, and the room goes on
    after it with the same seats."""
    hall, door = session.hall, session.door
    opening = Opening(game=door.name, room=room, before=None if ended is None else ended.id)
    if not hall.register.names.is_ours(door.name, room):
        hall.may_open(opening, session.person)
        return _bind(session, room, name)
    live = hall.open(opening, session.person)
    if ended is not None:
        door.recall(live, ended)
    _sit(session, live, name)
    return None


async def _bind(session: "TowerSession", room: str, name: str) -> None:
    """Make the name of the room ours, and come in."""
    async with session.hall.register.names.holding(session.door.name, room):
        # Anything may have happened meanwhile; others who waited for this name may have opened the room.
        waiting = None if session.is_deaf else _come_in(session, room, name)
        if waiting is not None:
            await waiting


def _sit(session: "TowerSession", live: LiveTable, name: str) -> None:
    # A player who lost the seat when the server stopped comes back to a private table without its key.
    key = live.table.key if _was_lost(live, name) else None
    seat = session.door.former_seat(live, name)
    session.sit(live, c.Sit(Sitter(session.person, name, returns=False), seat, key))


def _check_place_after(session: "TowerSession", ended: LiveTable, name: str) -> None:
    """A player of the game that ended keeps the name, whoever has registered it meanwhile."""
    if all(holder is None or holder.name != name for holder in ended.table.players):
        session.door.check_unregistered(name)


def _check_place(session: "TowerSession", live: LiveTable, name: str) -> None:
    table = live.table
    if session.door.former_seat(live, name) is not None:
        return
    present = [holder for _, holder in table.present()]
    if len(present) == len(table.seats) or table.phase == "over":
        raise Refused("room_full", "the room is full")
    if _was_lost(live, name):
        return  # a player who comes back keeps the name, whoever has registered it meanwhile
    look = skeleton(name)
    if any(skeleton(holder.name) == look for holder in present):
        raise Refused("name_taken", "somebody in the room has that name, or one that looks like it")
    session.door.check_unregistered(name)


def _was_lost(live: LiveTable, name: str) -> bool:
    """Whether somebody of this name lost a seat when the server stopped, and it is still free for them."""
    table = live.table
    if not table.away:
        return False
    return any(table.is_lost(seat) and sitter.name == name for seat, sitter in table.sitters())


HANDLERS: dict[type, Callable[["TowerSession", Any], Awaitable[None] | None]] = {
    f.JoinRoom: join,
    f.PlaceMark: place,
}
