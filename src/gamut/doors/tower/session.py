"""One connection of the Tower protocol: one socket is one player in at most one room."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from gamut.doors.base_session import TableSession, TableState
from gamut.doors.close_codes import GOING_AWAY, POLICY, TOO_BIG, UNSUPPORTED
from gamut.doors.tower import messages as m
from gamut.doors.tower.messages import Rejected, TowerError
from gamut.games.game import Refused
from gamut.games.tower.rules import Place
from gamut.hall.ids import TableId, new_person_id
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.names.lookalikes import skeleton
from gamut.hall.names.person_names import NameRefused, NameTaken, clean_name, clean_room
from gamut.hall.store.journal import Wire
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter

if TYPE_CHECKING:
    from gamut.doors.tower.door import TowerDoor

MOST_BYTES = 4096


class TowerSession(TableSession["TowerDoor", TableState]):
    __slots__ = ()

    counted_as = "tower_"

    def __init__(self, door: "TowerDoor", wire: Wire, address: str) -> None:
        super().__init__(door, wire, TableState(person=new_person_id(), address=address))

    @property
    def greeted(self) -> bool:
        return self.live is not None

    def opened(self) -> None:
        self.enter_hall()

    def text(self, data: bytes) -> Awaitable[None] | None:
        if self.state.deaf:
            return None
        if len(data) > MOST_BYTES:
            self.oversized()
            return None
        try:
            tile = m.tile_in(data)
            if tile is not None:
                self._place(tile)
                return None
            message = m.parsed(data)
            if type(message) is m.PlaceMark:
                # A position that is no tile goes to the rules like any other: whose turn it is comes first.
                self._place(m.tile_of(message.position))
                return None
            assert isinstance(message, m.JoinRoom)
            return self._join(message)
        except Rejected as rejected:
            self._error(rejected.error, rejected.text)
            return None

    def binary(self, data: bytes) -> None:
        self.close(UNSUPPORTED, "this protocol is text")

    def oversized(self) -> None:
        self._error(TowerError.PARSE_ERROR, f"a message has at most {MOST_BYTES} bytes")
        self.close(TOO_BIG, "message too big")

    def rate_limited(self) -> None:
        self._error(TowerError.GENERAL_ERROR, "too many messages; slow down")

    def flooded(self) -> None:
        self.close(POLICY, "too many messages")

    def closing(self) -> None:
        # Nobody leaves because the server stops: who comes back under the same name gets the seat back.
        self.freeze()
        self.close(GOING_AWAY, "the server is restarting")

    def removed(self) -> None:
        """The host sent this player off, or called the game off: all that the protocol can say is to hang up."""
        live = self.be_at(None)
        if live is not None:
            live.depart(self)
        self.close(POLICY, "removed from the room")
        # Whatever still comes from there means nothing any more.
        self.closed()

    def left(self) -> None:
        """Closing the socket is the only way to leave."""
        self.leave_hall()
        live = self.be_at(None)
        if live is not None:
            live.depart(self)
            if live.table.seat_of(self.person) is not None:
                self.hall.do(live, c.Leave(self.person))

    def _error(self, code: TowerError, text: str) -> None:
        self.count_refusal(code.name.lower())
        self.hall.journal.send(self.wire, m.error(code, text))

    # Joining

    def _join(self, message: m.JoinRoom) -> Awaitable[None] | None:
        if self.live is not None:
            raise Rejected(TowerError.GENERAL_ERROR, "you are in a room already")
        try:
            room = clean_room(message.room)
        except NameRefused as refused:
            raise Rejected(TowerError.INVALID_ROOM_NAME, refused.reason) from None
        try:
            name = clean_name(message.name)
        except NameRefused as refused:
            raise Rejected(TowerError.INVALID_MESSAGE, refused.reason) from None
        found = self._lost_at(TableId(room), name) or self.hall.register.room("tower", room)
        if found is None:
            # A game that ended in the moment in which the server did: its people are told of that first.
            found = self.hall.register.endings.get(("tower", room))
        live = None if found is None else self.hall.here(found)
        if found is not None and (live is None or self.door.ended_before(live) is not None):
            return self._load(found, room, name)
        self._enter(live, room, name)
        return None

    def _lost_at(self, table: TableId, name: str) -> TableId | None:
        """A table of the page that has become private, if somebody of this name was lost there with the server.

        Nobody else may know of it. It is in memory: such a table is loaded at the start.
        """
        live = self.hall.here(table)
        if live is None or live.table.game != "tower" or live.table.phase == "over":
            return None
        return table if _was_lost(live, name) else None

    async def _load(self, table: TableId, room: str, name: str) -> None:
        try:
            live = await self.hall.load(table)
            # Somebody may have been quicker to open the room again.
            opened = self.hall.register.room("tower", room)
            if opened is not None and opened != table:
                live = self.hall.here(opened)
            before = None if live is None else self.door.ended_before(live)
            if live is not None and before is not None:
                ended = await self.hall.load(before)
                if ended is not None and ended.table.outcome is not None:
                    self.door.recall(live, ended)
            if not self.state.deaf:
                self._enter(live, room, name)
        except Refused as refused:
            self._error(TowerError.GENERAL_ERROR, refused.reason)
        except Rejected as rejected:
            self._error(rejected.error, rejected.text)

    def _enter(self, live: LiveTable | None, room: str, name: str) -> None:
        try:
            if live is not None and self.hall.register.endings.get(("tower", room)) == live.id:
                self._check_place_after(live, name)
                live = self.door.reopened(live, room, self.person)
            elif live is not None and live.table.phase == "over" and not live.table.present():
                live = None
            if live is None:
                self._check_unregistered(name)
                live = self.hall.open(Opening(game="tower", room=room), self.person)
            else:
                self._check_place(live, name)
            # Whoever has had a seat needs no invitation to it.
            key = live.table.key if _was_lost(live, name) else None
            live.attend(self)
            self.be_at(live)
            seat = self.door.former_seat(live, name)
            self.hall.do(live, c.Sit(Sitter(self.person, name, returns=False), seat, key))
        except Refused as refused:
            if self.live is not None:
                self.live.depart(self)
                self.be_at(None)
            raise Rejected(TowerError.GENERAL_ERROR, refused.reason) from None

    def _check_place_after(self, ended: LiveTable, name: str) -> None:
        """Whoever played the game that ended has had the name there all along."""
        if all(holder is None or holder.name != name for holder in ended.table.players):
            self._check_unregistered(name)

    def _check_place(self, live: LiveTable, name: str) -> None:
        table = live.table
        if self.door.former_seat(live, name) is not None:
            return
        present = [holder for _, holder in table.present()]
        if len(present) == len(table.seats) or table.phase == "over":
            raise Rejected(TowerError.ROOM_FULL, "the room is full")
        if _was_lost(live, name):
            return  # whoever comes back to a seat that was lost with the server has had the name there all along
        look = skeleton(name)
        if any(skeleton(holder.name) == look for holder in present):
            raise Rejected(
                TowerError.NAME_TAKEN, "somebody in the room has that name, or one that looks like it"
            )
        self._check_unregistered(name)

    def _check_unregistered(self, name: str) -> None:
        try:
            self.door.check_unregistered(name)
        except NameTaken as taken:
            raise Rejected(TowerError.NAME_TAKEN, taken.reason) from None

    # Playing

    def _place(self, tile: int) -> None:
        if self.live is None:
            raise Rejected(TowerError.GENERAL_ERROR, "join a room first")
        try:
            self.hall.do(self.live, c.Act(self.person, Place(tile)))
        except Refused as refused:
            error, text = _ANSWERS.get(refused.code, (TowerError.GENERAL_ERROR, refused.reason))
            raise Rejected(error, text) from None


def _was_lost(live: LiveTable, name: str) -> bool:
    """Whether somebody of this name was lost with the server, and the seat still waits."""
    table = live.table
    if not table.away:
        return False
    return any(table.is_lost(seat) and sitter.name == name for seat, sitter in table.sitters())


_ANSWERS = {
    "not_your_turn": (TowerError.GENERAL_ERROR, "not your turn"),
    "no_such_tile": (TowerError.INVALID_COORDINATE, "there is no such tile"),
    "taken": (TowerError.INVALID_COORDINATE, "tile is taken"),
}
