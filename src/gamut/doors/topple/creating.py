"""Opening a room, and hearing its rules."""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from gamut.doors.topple import errors, views
from gamut.doors.topple import from_client as f
from gamut.doors.topple import introducing as intro
from gamut.doors.topple import to_client as t
from gamut.doors.topple.codes import new_spectator_id
from gamut.doors.topple.joining import sit
from gamut.doors.topple.query import Create
from gamut.doors.topple.rules import configuring
from gamut.doors.topple.way_in import WayIn
from gamut.games.game import Refused, Seat
from gamut.games.topple.topology import TOPOLOGIES
from gamut.hall.limits.attempts import address_key, is_loopback
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table.deciding.lock import locked
from gamut.hall.time import Timer

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession


@contextmanager
def _as_fatal() -> Iterator[None]:
    """Why no room can be opened, in this protocol's words."""
    try:
        yield
    except Refused as refused:
        if refused.code in ("hall_full", "too_many_tries"):
            raise errors.no_capacity() from None
        raise errors.invalid_parameters() from None


def new_code(session: "ToppleSession") -> str:
    try:
        return session.door.new_room()
    except Refused:
        raise errors.no_room_code() from None


def check_opening(session: "ToppleSession", opening: Opening) -> None:
    """All that may be refused before anything takes long. An address opens only so many rooms in a minute."""
    with _as_fatal():
        session.hall.may_open(opening, session.person)
        if not is_loopback(session.address):
            session.door.new_rooms.take(address_key(session.address))


def opened(session: "ToppleSession", opening: Opening) -> LiveTable:
    with _as_fatal():
        return session.hall.open(opening, session.person)


class Creating:
    """One connection that opens a room. Until its creator has said the rules, or a moment has passed, they are not told
    what the rules are."""

    def __init__(self, session: "ToppleSession", way_in: WayIn) -> None:
        self._session = session
        self._way_in = way_in
        self._patience: Timer | None = None
        """How long the rules are waited for."""

    def create(self, wanted: Create) -> Awaitable[None] | None:
        opening = Opening(
            game=self._session.door.name,
            options={"topology": TOPOLOGIES[wanted.topology], "x": wanted.x, "y": wanted.y},
            seats=wanted.seats,
            start="host",
            private=wanted.private,
            watchable=wanted.spectators,
        )
        check_opening(self._session, opening)
        if wanted.password is not None:
            return self._session.guarded(self._create_locked(wanted, opening, wanted.password))
        self._create_now(wanted, opening)
        return None

    async def _create_locked(self, wanted: Create, opening: Opening, password: str) -> None:
        secret = await self._session.hall.run_blocking(locked, password)
        if not self._session.is_deaf:
            self._create_now(wanted, replace(opening, password=secret))

    def _create_now(self, wanted: Create, opening: Opening) -> None:
        session = self._session
        live = opened(session, replace(opening, room=new_code(session)))
        if wanted.hosts_as_spectator:
            spectator = new_spectator_id()
            session.watches_as(spectator)
            session.entered(live)
            session.send(t.own_spectator_id(spectator), intro.room_of(live))
        else:
            sit(session, live, Seat(0))
            session.send(
                intro.key_of(session.door, live, session.person),
                intro.number_of(live, session.person),
                intro.room_of(live),
            )
        self._way_in.rules = True
        self._patience = session.hall.time.later(session.door.settings.rules_wait, self._settle)

    def hears(self, message: Any) -> bool:
        """Whether the message was the rules of the new room."""
        if self._patience is None:
            return False
        if type(message) is f.Rules:
            self._ruled(message)
            return True
        self._settle()
        return False

    def _ruled(self, message: f.Rules) -> None:
        session = self._session
        live = session.live
        if live is not None and live.table.phase == "setup" and live.table.host == session.person:
            command = configuring(live.table, session.person, message.payload)
            if command is not None:
                session.hall.do(live, command)
        self._settle()

    def _settle(self) -> None:
        """All that the creator must know, with the rules as they are now."""
        if self._patience is None:
            return
        self._patience.cancel()
        self._patience = None
        self._way_in.rules = False
        session = self._session
        live = session.live
        if live is None:
            return  # gone meanwhile
        key = [] if session.spectator is not None else [intro.key_of(session.door, live, session.person)]
        session.send(*key, intro.config_of(session.door, live), views.rules(live.table))
        session.settle()
