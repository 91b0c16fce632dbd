"""Going on with a suspended game: its file, a new room for it, and the choice of a seat."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from gamut.doors.topple import errors, views
from gamut.doors.topple import introducing as intro
from gamut.doors.topple import to_client as t
from gamut.doors.topple.creating import check_opening, new_code, opened
from gamut.doors.topple.joining import sit
from gamut.doors.topple.query import Import
from gamut.doors.topple.resuming import free_places, saved_places
from gamut.doors.topple.way_in import WayIn
from gamut.games.files import BadFile
from gamut.games.game import Seat
from gamut.games.topple.files.suspended import LONGEST_SUSPENDED, Suspended, suspended
from gamut.games.topple.files.tables import resumption_of
from gamut.games.topple.state import seat_of
from gamut.hall.files.resuming import opening_for, reseat_bots
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table.deciding.lock import locked

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession

FILE_MARK = b"\x55\x99"


class TakingUp:
    """One connection that brings a suspended game, or comes into a room in which one goes on."""

    def __init__(self, session: "ToppleSession", way_in: WayIn) -> None:
        self._session = session
        self._way_in = way_in
        self._importing: Import | None = None
        self._saved: Suspended | None = None
        """The suspended game in which a seat is to be chosen."""
        self._room: LiveTable | None = None
        """A resumed room in which a seat is to be chosen."""

    # A file

    def wait_for_file(self, wanted: Import) -> None:
        self._importing = wanted
        self._way_in.wants_file = True

    def file(self, data: bytes) -> Awaitable[None] | None:
        if not data.startswith(FILE_MARK) or len(data) > len(FILE_MARK) + LONGEST_SUSPENDED:
            self._session.fail(errors.not_suspended())
            return None
        return self._session.guarded(self._read(data[len(FILE_MARK) :]))

    async def _read(self, file: bytes) -> None:
        session = self._session
        assert self._importing is not None
        password = self._importing.password
        try:
            # A whole game is played through.
            found = await session.hall.slow_work.run(None, session.address, suspended, file)
        except BadFile as bad:
            raise errors.wrong_version() if bad.trouble == "version" else errors.not_suspended() from None
        if len(found.record.teams) < 2:
            raise errors.not_suspended()
        secret = None if password is None else await session.hall.run_blocking(locked, password)
        if session.is_deaf:
            return
        self._saved = found
        self._way_in.file, self._way_in.locked = file, secret
        session.send(t.seats_available(saved_places(found)))

    # A room

    def wait_for_seat(self, live: LiveTable) -> None:
        """Somebody joins a room in which a suspended game is to go on."""
        places = free_places(live.table)
        if not places:
            raise errors.room_is_full()
        self._room = live
        self._way_in.seat_of = live.id
        self._session.send(t.seats_available(places))

    # A seat

    @property
    def waits_for_seat(self) -> bool:
        return self._saved is not None or self._room is not None

    def select(self, chosen: int) -> None:
        if self._room is not None:
            self._session.door.check_kicked(self._room, self._session.address)
            if self._room.table.phase != "setup":
                raise errors.game_in_progress()
            places = free_places(self._room.table)
        else:
            assert self._saved is not None
            places = saved_places(self._saved)
        if all(place != chosen for place, _, _ in places):
            self._session.send(t.seats_available(places))
            return
        live = self._room if self._room is not None else self._new_room()
        self._take_up(live, seat_of(chosen))

    def _new_room(self) -> LiveTable:
        session = self._session
        assert self._saved is not None
        assert self._importing is not None
        saved = resumption_of(self._saved)
        opening = opening_for(
            session.door.name,
            saved,
            room=new_code(session),
            password=self._way_in.locked,
            watchable=self._importing.spectators,
        )
        check_opening(session, opening)
        live = opened(session, opening)
        reseat_bots(session.hall, live, session.person, saved)
        return live

    def _take_up(self, live: LiveTable, seat: Seat) -> None:
        session, door = self._session, self._session.door
        sit(session, live, seat)
        session.send(
            t.SEAT_SELECTED,
            intro.number_of(live, session.person),
            intro.room_of(live),
            intro.who_is_here(session, live),
            *intro.saved_board(live),
            intro.key_of(door, live, session.person),
            intro.config_of(door, live),
            views.rules(live.table),
            *intro.saved_board(live),
            views.team_scores(live.table),
        )
        session.settle()
