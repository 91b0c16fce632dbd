"""The way into a room: creating, joining, rejoining, spectating, and resuming a suspended game."""

import hmac
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from gamut.doors.topple import errors, views
from gamut.doors.topple import from_client as f
from gamut.doors.topple import introducing as intro
from gamut.doors.topple import to_client as t
from gamut.doors.topple.codes import NoCode, new_machine_id, new_room_code, new_spectator_id
from gamut.doors.topple.holding import was_held
from gamut.doors.topple.query import Create, Import, Join, Purpose, Rejoin, Spectate, TakeBotSeat, purpose
from gamut.doors.topple.resuming import free_places, opening_for, reseat_bots, saved_places
from gamut.doors.topple.rules import configuring
from gamut.games.game import Refused, Seat
from gamut.games.topple.files.record import BadFile
from gamut.games.topple.files.suspended import LONGEST_SUSPENDED, Suspended, suspended
from gamut.games.topple.state import number, seat_of
from gamut.games.topple.topology import TOPOLOGIES
from gamut.hall.attempts import TooManyTries, address_key, is_loopback
from gamut.hall.ids import TableId
from gamut.hall.live import LiveTable
from gamut.hall.names import clean_name
from gamut.hall.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.lock import locked, opens
from gamut.hall.table.seats import Sitter
from gamut.hall.time import Timer

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession

FILE_MARK = b"\x55\x99"


@contextmanager
def _as_fatal() -> Iterator[None]:
    """Why no room can be opened, in this protocol's words."""
    try:
        yield
    except Refused as refused:
        if refused.code in ("hall_full", "too_many_tries"):
            raise errors.no_capacity() from None
        raise errors.invalid_parameters() from None


class Entering:
    """One connection that is not yet in its room, or whose creator has not yet said the rules."""

    def __init__(self, session: "ToppleSession") -> None:
        self._session = session
        self._door = session.door
        self._hall = session.hall
        self._locked: LiveTable | None = None
        """The room whose password is waited for."""
        self._importing: Import | None = None
        self._file: tuple[Suspended, str | None] | None = None
        """The suspended game in which a seat is to be chosen, and the password of its room."""
        self._resumed: LiveTable | None = None
        """A resumed room in which a seat is to be chosen."""
        self._patience: Timer | None = None
        """How long the rules of a new room are waited for."""

    def begin(self) -> Awaitable[None] | None:
        try:
            wanted = purpose(self._session.query, self._door.settings.most_tiles)
            if isinstance(wanted, Create):
                return self._create(wanted)
            if isinstance(wanted, Import):
                self._importing = wanted
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
        live = None
        # Codes are capital letters, but people type; a table of the page is known by its id, where case counts.
        for name in dict.fromkeys((wanted.room, wanted.room.upper())):
            live = live or await self._hall.find(self._door.name, name)
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
        """A table of the page that is on no list, being private or over: only who has a key to it may know of it."""
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
            self._check_kicked(live)
        if isinstance(wanted, Join):
            if live.table.password is not None:
                self._locked = live
            else:
                self._join(live)
        elif isinstance(wanted, Rejoin):
            self._rejoin(live, wanted)
        elif isinstance(wanted, Spectate):
            self._spectate(live)
        elif isinstance(wanted, TakeBotSeat):
            self._take_bot_seat(live, wanted)

    def _check_kicked(self, live: LiveTable) -> None:
        if self._door.kicked.is_barred(live, self._session.address):
            raise errors.kicked_before()

    # What is said on the way

    def hears(self, message: Any) -> bool:
        """Whether the message was part of coming in."""
        if self._patience is not None:
            if type(message) is f.Rules:
                self._ruled(message)
                return True
            self._settle_creation()
            return False
        if self._locked is not None:
            # Until the password has come nobody says anything here, and nothing else is heard.
            if type(message) is f.Password:
                self._try(self._locked, message.payload.pw)
            return True
        if type(message) is f.Select and (self._file is not None or self._resumed is not None):
            self._select(message.payload.n)
            return True
        return False

    def _try(self, live: LiveTable, password: str) -> None:
        assert live.table.password is not None
        self._check_kicked(live)
        try:
            self._hall.wrong_passwords.begin(self._session.address)
        except TooManyTries:
            raise errors.wrong_password() from None
        if not opens(live.table.password, password):
            raise errors.wrong_password()
        self._hall.wrong_passwords.right(self._session.address)
        self._locked = None
        if not self._door.is_open(live):
            raise errors.game_not_found()
        self._join(live)

    # Creating

    def _create(self, wanted: Create) -> Awaitable[None] | None:
        opening = Opening(
            game=self._door.name,
            options={"topology": TOPOLOGIES[wanted.topology], "x": wanted.x, "y": wanted.y},
            seats=wanted.seats,
            start="host",
            private=wanted.private,
            watchable=wanted.spectators,
        )
        self._check_opening(opening)
        if wanted.password is not None:
            return self._session.guarded(self._create_locked(wanted, opening, wanted.password))
        self._create_now(wanted, opening)
        return None

    async def _create_locked(self, wanted: Create, opening: Opening, password: str) -> None:
        secret = await self._hall.run_blocking(locked, password)
        if not self._session.is_deaf:
            self._create_now(wanted, replace(opening, password=secret))

    def _create_now(self, wanted: Create, opening: Opening) -> None:
        session = self._session
        live = self._opened(replace(opening, room=self._new_code()))
        if wanted.hosts_as_spectator:
            session.spectator = new_spectator_id()
            session.entered(live)
            session.send(t.own_spectator_id(session.spectator), intro.room_of(live))
        else:
            self._sit(live, Seat(0))
            session.send(
                intro.key_of(self._door, live, session.person),
                intro.number_of(live, session.person),
                intro.room_of(live),
            )
        self._patience = self._hall.time.later(self._door.settings.rules_wait, self._settle_creation)

    def _new_code(self) -> str:
        try:
            return new_room_code(self._hall.time.now(), self._hall.rooms)
        except NoCode:
            raise errors.no_room_code() from None

    def _check_opening(self, opening: Opening) -> None:
        """All that may be refused before anything takes long. An address opens only so many rooms in a minute."""
        address = self._session.address
        with _as_fatal():
            self._hall.may_open(opening, self._session.person)
            if not is_loopback(address):
                self._door.new_rooms.take(address_key(address))

    def _opened(self, opening: Opening) -> LiveTable:
        with _as_fatal():
            return self._hall.open(opening, self._session.person)

    def _ruled(self, message: f.Rules) -> None:
        live = self._session.live
        if live is not None and live.table.phase == "setup" and live.table.host == self._session.person:
            command = configuring(live.table, self._session.person, message.payload)
            if command is not None:
                self._hall.do(live, command)
        self._settle_creation()

    def _settle_creation(self) -> None:
        """All that the creator must know, with the rules as they are now."""
        if self._patience is None:
            return
        self._patience.cancel()
        self._patience = None
        session = self._session
        live = session.live
        if live is None:
            return  # gone meanwhile
        key = [] if session.spectator is not None else [intro.key_of(self._door, live, self._session.person)]
        session.send(*key, intro.config_of(self._door, live), views.rules(live.table))
        session.settle()

    # Joining

    def _join(self, live: LiveTable) -> None:
        table = live.table
        if table.options.resume and table.phase == "setup":
            free_seats = free_places(table)
            if not free_seats:
                raise errors.room_is_full()
            self._resumed = live
            self._session.send(t.seats_available(free_seats))
            return
        free = [Seat(place) for place, holder in enumerate(table.seats) if holder is None]
        if not free:
            raise errors.room_is_full()
        if table.phase != "setup":
            raise errors.game_in_progress()
        session = self._session
        present = intro.who_is_here(self._door, live)
        self._sit(live, free[0])
        session.send(
            intro.key_of(self._door, live, session.person),
            intro.number_of(live, session.person),
            intro.room_of(live),
            present,
            intro.key_of(self._door, live, self._session.person),
            intro.config_of(self._door, live),
            views.rules(live.table),
            *intro.ready_ones(live),
        )
        if live.table.phase != "setup":
            # Where play begins as soon as every seat is taken, nobody else says so any more.
            session.send(t.STARTED, views.turn(live.table))
        session.settle()

    def _sit(self, live: LiveTable, seat: Seat, name: str | None = None) -> None:
        session = self._session
        name = f"Player {number(seat)}" if name is None else name
        sitter = Sitter(session.person, name, hold=self._door.settings.rejoin_window)
        try:
            self._hall.do(live, c.Sit(sitter, seat, key=live.table.key))
        except Refused as refused:
            raise errors.game_in_progress() if refused.code == "over" else errors.room_is_full() from None
        # Only now: what the others hear of it is not for the newcomer.
        session.entered(live)

    def _take_bot_seat(self, live: LiveTable, wanted: TakeBotSeat) -> None:
        """A bot from elsewhere. Its key is the one with which the table's people let others in."""
        session, table = self._session, live.table
        seat = seat_of(wanted.number)
        free = 0 <= seat < len(table.seats) and table.seats[seat] is None
        right = hmac.compare_digest(wanted.key.encode("utf-8", "surrogatepass"), table.key.encode())
        if not (free and right and table.phase == "setup" and not table.options.resume):
            raise errors.bot_seat_wrong()
        try:
            name = clean_name(wanted.name)
            self._door.check_unregistered(name)
        except Refused:
            raise errors.bot_seat_wrong() from None
        session.person = new_machine_id()
        self._sit(live, seat, name)
        session.send(
            intro.number_of(live, session.person),
            intro.room_of(live),
            intro.who_is_here(self._door, live),
            intro.key_of(self._door, live, self._session.person),
            intro.config_of(self._door, live),
            views.rules(live.table),
        )
        session.settle()

    # Rejoining

    def _rejoin(self, live: LiveTable, wanted: Rejoin) -> None:
        session, table = self._session, live.table
        if not 1 <= wanted.number <= len(table.seats):
            raise errors.bad_player_number()
        seat = seat_of(wanted.number)
        holder = table.seats[seat]
        if not isinstance(holder, Sitter):
            raise errors.incorrect_key()
        key = self._door.keys.which(live, seat, wanted.key)
        if key is None:
            raise errors.not_disconnected() if holder.person in live.here else errors.incorrect_key()
        held = was_held(live, holder.person, self._door.opened)
        for other in list(self._door.sessions(live)):
            if other.person == holder.person:
                other.replaced()
        session.person = holder.person
        session.entered(live, key)
        table = live.table
        frames = [
            intro.number_of(live, session.person),
            intro.room_of(live),
            intro.who_is_here(self._door, live),
            intro.key_of(self._door, live, self._session.person),
        ]
        if table.phase == "setup":
            frames += intro.before_the_game(self._door, live)
        else:
            frames += [
                t.RECONNECTED,
                intro.config_of(self._door, live),
                views.board(table.state),
                views.rules(table),
            ]
            frames += intro.how_it_stands(self._door, live)
        if held:
            # Only now: what was held back belongs to a game that the client knows again.
            frames.append(t.CONT)
        session.send(*frames)
        session.settle()

    # Spectating

    def _spectate(self, live: LiveTable) -> None:
        session = self._session
        # Spectators of this protocol cannot say a password.
        if not live.table.watchable or live.table.guards_watching:
            raise errors.no_spectators()
        if sum(1 for _ in self._door.spectators(live)) >= self._door.settings.spectators:
            raise errors.room_is_full()
        session.spectator = new_spectator_id()
        present = intro.who_is_here(self._door, live)
        try:
            session.entered(live)
        except Refused:
            session.live = None
            raise errors.room_is_full() from None
        self._door.others(live, t.spectator_joined(session.spectator), session)
        frames = [t.own_spectator_id(session.spectator), intro.room_of(live), present]
        table = live.table
        if table.phase == "setup":
            frames += intro.before_the_game(self._door, live)
        else:
            frames += [views.rules(table), intro.config_of(self._door, live), views.board(table.state)]
            frames += intro.how_it_stands(self._door, live)
        session.send(*frames)
        session.settle()

    # Resuming

    @property
    def wants_file(self) -> bool:
        return self._importing is not None

    def file(self, data: bytes) -> Awaitable[None] | None:
        if not data.startswith(FILE_MARK) or len(data) > len(FILE_MARK) + LONGEST_SUSPENDED:
            self._session.fail(errors.not_suspended())
            return None
        return self._session.guarded(self._read(data[len(FILE_MARK) :]))

    async def _read(self, file: bytes) -> None:
        assert self._importing is not None
        password = self._importing.password
        try:
            # A whole game is played through.
            found = await self._hall.slow_work.run(None, self._session.address, suspended, file)
        except BadFile as bad:
            raise errors.wrong_version() if bad.trouble == "version" else errors.not_suspended() from None
        if len(found.record.teams) < 2:
            raise errors.not_suspended()
        secret = None if password is None else await self._hall.run_blocking(locked, password)
        if self._session.is_deaf:
            return
        self._file = found, secret
        self._session.send(t.seats_available(saved_places(found)))

    def _select(self, chosen: int) -> None:
        if self._resumed is not None:
            self._check_kicked(self._resumed)
            if self._resumed.table.phase != "setup":
                raise errors.game_in_progress()
            places = free_places(self._resumed.table)
        else:
            assert self._file is not None
            places = saved_places(self._file[0])
        if all(place != chosen for place, _, _ in places):
            self._session.send(t.seats_available(places))
            return
        live = self._resumed if self._resumed is not None else self._resume()
        self._take_up(live, seat_of(chosen))

    def _resume(self) -> LiveTable:
        assert self._file is not None
        assert self._importing is not None
        found, secret = self._file
        opening = opening_for(
            found, room=self._new_code(), password=secret, watchable=self._importing.spectators
        )
        self._check_opening(opening)
        live = self._opened(opening)
        reseat_bots(self._hall, live, self._session.person, found)
        return live

    def _take_up(self, live: LiveTable, seat: Seat) -> None:
        session = self._session
        self._sit(live, seat)
        self._importing = self._file = self._resumed = None
        session.send(
            t.SEAT_SELECTED,
            intro.number_of(live, session.person),
            intro.room_of(live),
            intro.who_is_here(self._door, live),
            *intro.saved_board(live),
            intro.key_of(self._door, live, self._session.person),
            intro.config_of(self._door, live),
            views.rules(live.table),
            *intro.saved_board(live),
            views.team_scores(live.table),
        )
        session.settle()
