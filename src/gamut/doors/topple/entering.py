"""The way into a room: what a connection came for, and what is said until it is in."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from gamut.doors.topple import errors
from gamut.doors.topple import from_client as f
from gamut.doors.topple.creating import Creating
from gamut.doors.topple.joining import join, rejoin, spectate, take_bot_seat
from gamut.doors.topple.query import Create, Import, Join, Purpose, Rejoin, Spectate, TakeBotSeat, purpose
from gamut.doors.topple.taking_up import TakingUp
from gamut.doors.topple.way_in import WayIn
from gamut.games.topple.state import seat_of
from gamut.hall.ids import TableId
from gamut.hall.limits.attempts import TooManyTries
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table.deciding.lock import opens

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession


class Entering:
    """One connection that is not yet in its room, or whose creator has not yet said the rules."""

    def __init__(self, session: "ToppleSession", way_in: WayIn) -> None:
        self._session = session
        self._door = session.door
        self._hall = session.hall
        self._way_in = way_in
        self._creating = Creating(session, way_in)
        self._taking_up = TakingUp(session, way_in)
        self._locked: LiveTable | None = None
        """The room whose password is waited for."""

    def begin(self) -> Awaitable[None] | None:
        try:
            wanted = purpose(self._session.state.query, self._door.settings.most_tiles)
            if isinstance(wanted, Create):
                return self._creating.create(wanted)
            if isinstance(wanted, Import):
                self._taking_up.wait_for_file(wanted)
                return None
            self._door.guesses.begin(self._session.address)
        except errors.Fatal as fatal:
            self._session.fail(fatal)
            return None
        except TooManyTries:
            self._session.fail(errors.no_capacity())
            return None
        return self._session.guarded(self._find(wanted))

    async def _find(self, wanted: Join | Rejoin | Spectate | TakeBotSeat) -> None:
        live = await self._door.find(wanted.room)
        if live is None and isinstance(wanted, Rejoin):
            live = await self._unlisted(wanted)
        if self._session.is_deaf:
            return
        if live is None or not self._door.is_open(live):
            raise errors.room_gone() if isinstance(wanted, Rejoin) else errors.game_not_found()
        if isinstance(wanted, Join | Spectate):
            self._door.guesses.right(self._session.address)
            self._come_to(live, wanted)
        else:
            self._come_to(live, wanted)
            # Only now: the key was right as well.
            self._door.guesses.right(self._session.address)

    async def _unlisted(self, wanted: Rejoin) -> LiveTable | None:
        """A private table of the page: only who has a key to it may know of it."""
        live = await self._hall.load(TableId(wanted.room))
        if live is None or live.table.game != self._door.name:
            return None
        seat = seat_of(wanted.number)
        inside = (
            0 <= seat < len(live.table.seats) and self._door.keys.which(live, seat, wanted.key) is not None
        )
        return live if inside else None

    def _come_to(self, live: LiveTable, wanted: Purpose) -> None:
        if isinstance(wanted, Join | Spectate):
            self._door.check_kicked(live, self._session.address)
        if isinstance(wanted, Join):
            if live.table.password is not None:
                self._locked = live
                self._way_in.password_of = live.id
            else:
                self._join(live)
        elif isinstance(wanted, Rejoin):
            rejoin(self._session, live, wanted)
        elif isinstance(wanted, Spectate):
            spectate(self._session, live)
        elif isinstance(wanted, TakeBotSeat):
            take_bot_seat(self._session, live, wanted)

    def _join(self, live: LiveTable) -> None:
        if live.table.options.resume and live.table.phase == "setup":
            self._taking_up.wait_for_seat(live)
        else:
            join(self._session, live)

    # What is said on the way

    def hears(self, message: Any) -> bool:
        """Whether the message was part of coming in."""
        if self._way_in.rules:
            return self._creating.hears(message)
        if self._locked is not None:
            # Until the password has come nobody says anything here, and nothing else is heard.
            if type(message) is f.Password:
                self._try(self._locked, message.payload.pw)
            return True
        if type(message) is f.Select and self._taking_up.waits_for_seat:
            self._taking_up.select(message.payload.n)
            return True
        return False

    def _try(self, live: LiveTable, password: str) -> None:
        assert live.table.password is not None
        self._door.check_kicked(live, self._session.address)
        try:
            self._hall.wrong_passwords.begin(self._session.address)
        except TooManyTries:
            raise errors.wrong_password() from None
        if not opens(live.table.password, password):
            raise errors.wrong_password()
        self._hall.wrong_passwords.right(self._session.address)
        self._locked = None
        self._way_in.password_of = None
        if not self._door.is_open(live):
            raise errors.game_not_found()
        self._join(live)

    @property
    def wants_file(self) -> bool:
        return self._way_in.wants_file

    def file(self, data: bytes) -> Awaitable[None] | None:
        return self._taking_up.file(data)
