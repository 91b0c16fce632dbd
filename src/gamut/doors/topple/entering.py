"""Coming into a room: one state machine, from the query of the URL until the client knows all that it must.

    query ---> Arriving --+--> AwaitsPassword --+--> AwaitsSeat ------+
                          |                     |                     v
                          +---------------------+----------------> inside
                          |                                           ^
                          +--> AwaitsFile --> AwaitsSavedSeat --------+
                          +--> AwaitsRules (inside already) ----------+

What moves it on are messages (`hear`), a file (`hear_file`) and time (for the rules). Whatever is refused with a fatal
error ends the connection.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeGuard

import msgspec
from msgspec.structs import replace

from gamut.doors.topple import from_client as f
from gamut.doors.topple import to_client as t
from gamut.doors.topple import welcome
from gamut.doors.topple.boards import IMPORT
from gamut.doors.topple.codes import new_spectator_id
from gamut.doors.topple.handlers import change_rules
from gamut.doors.topple.query import Create, Import, Join, Rejoin, Spectate, TakeBotSeat, purpose
from gamut.doors.topple.refusals import fatal
from gamut.doors.topple.seating import rejoin, sit, spectate, take_bot_seat, take_free_seat
from gamut.games.files import BadFile
from gamut.games.game import Refused, Seat
from gamut.games.topple.files.suspended import LONGEST_SUSPENDED, Suspended, suspended
from gamut.games.topple.files.tables import resumption_of
from gamut.games.topple.state import number, seat_of
from gamut.games.topple.topology import TOPOLOGIES
from gamut.hall.files.resuming import opening_for, reseat_bots
from gamut.hall.ids import Millis, TableId
from gamut.hall.limits.attempts import TooManyTries, address_key, is_loopback
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.names.person_names import harmless_name
from gamut.hall.table.deciding.lock import locked, opens
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession


class Arriving(msgspec.Struct, frozen=True, tag="arriving"):
    """What the query asks for is being looked for. Nothing is heard meanwhile."""

    query: str


class AwaitsPassword(msgspec.Struct, frozen=True, tag="password"):
    """Nobody says anything before the password of this room, and nothing else is heard."""

    room: TableId


class AwaitsSeat(msgspec.Struct, frozen=True, tag="seat"):
    """A seat is to be chosen in a room in which a suspended game goes on."""

    room: TableId


class AwaitsFile(msgspec.Struct, frozen=True, tag="file"):
    """A suspended game is to be sent, which will go on in a new room."""

    spectators: bool
    password: str | None


class AwaitsSavedSeat(msgspec.Struct, frozen=True, tag="saved_seat"):
    """The suspended game has come, and a seat in it is to be chosen. Another one may still come in its place."""

    file: bytes
    spectators: bool
    password_hash: str | None


class AwaitsRules(msgspec.Struct, frozen=True, tag="rules"):
    """The room is there. What its rules are, the creator is told when they have said them, or have taken too long."""

    until: Millis


Entering = Arriving | AwaitsPassword | AwaitsSeat | AwaitsFile | AwaitsSavedSeat | AwaitsRules


# What moves it on


def begin(session: "ToppleSession") -> Awaitable[None] | None:
    """The connection stands: its query says what it came for."""
    arriving = session.state.entering
    assert isinstance(arriving, Arriving)
    wanted = purpose(arriving.query, session.door.settings.most_tiles)
    if isinstance(wanted, Create):
        return _create(session, wanted)
    if isinstance(wanted, Import):
        session.state.entering = AwaitsFile(wanted.spectators, wanted.password)
        return None
    session.hall.wings.check_name(session.door.name, wanted.room)
    session.door.guesses.begin(session.address)
    return _find(session, wanted)


def hear(session: "ToppleSession", message: Any) -> Awaitable[None] | None:
    """Somebody who is not inside yet, or has still to say the rules, says something."""
    waiting = session.state.entering
    if isinstance(waiting, AwaitsRules):
        if type(message) is f.Rules:
            change_rules(session, message)
            _rules_are_known(session)
            return None
        _rules_are_known(session)
        return session.handle(message)
    if isinstance(waiting, AwaitsPassword):
        if type(message) is f.Password:
            password = message.payload.pw
            return _in_room(session, waiting.room, lambda live: _try_password(session, live, password))
        return None
    if type(message) is f.Select:
        chosen = message.payload.n
        if isinstance(waiting, AwaitsSeat):
            return _in_room(session, waiting.room, lambda live: _select(session, live, chosen))
        if isinstance(waiting, AwaitsSavedSeat):
            if session.saved is None:
                return _select_when_read(session, waiting, chosen)
            return _select_saved(session, waiting, chosen)
    raise Refused("wrong_phase", "you are in no room yet")


def awaits_file(waiting: Entering | None) -> TypeGuard[AwaitsFile | AwaitsSavedSeat]:
    return isinstance(waiting, AwaitsFile | AwaitsSavedSeat)


def hear_file(session: "ToppleSession", data: bytes) -> Awaitable[None]:
    waiting = session.state.entering
    if not awaits_file(waiting):
        raise Refused("wrong_phase", "nothing binary is expected now")
    if not data.startswith(IMPORT) or len(data) > len(IMPORT) + LONGEST_SUSPENDED:
        raise fatal("not_suspended")
    return _read(session, waiting, data[len(IMPORT) :])


def wait_again(session: "ToppleSession") -> None:
    """The session is taken up again: what it waits for by time, it waits for now."""
    waiting = session.state.entering
    if isinstance(waiting, AwaitsRules):
        _wait_for_rules(session, waiting)


# Creating a room


def _create(session: "ToppleSession", wanted: Create) -> Awaitable[None] | None:
    opening = Opening(
        game=session.door.name,
        options={"topology": TOPOLOGIES[wanted.topology], "x": wanted.x, "y": wanted.y},
        seats=wanted.seats,
        start="host",
        private=wanted.private,
        watchable=wanted.spectators,
    )
    _check_opening(session, opening)
    if wanted.password is not None:
        return _create_locked(session, wanted, opening, wanted.password)
    return _in_new_room(session, lambda code: _create_now(session, wanted, replace(opening, room=code)))


async def _create_locked(session: "ToppleSession", wanted: Create, opening: Opening, password: str) -> None:
    secret = await session.hall.run_blocking(locked, password)
    opening = replace(opening, password=secret)
    if not session.is_deaf:
        await _when_bound(session, lambda code: _create_now(session, wanted, replace(opening, room=code)))


def _in_new_room(session: "ToppleSession", enter: Callable[[str], None]) -> Awaitable[None] | None:
    """Enter a room that is opened for it, under a code that is ours."""
    code = session.door.new_code()
    if not session.hall.register.names.is_ours(session.door.name, code):
        return _when_bound(session, enter)
    enter(code)
    return None


async def _when_bound(session: "ToppleSession", enter: Callable[[str], None]) -> None:
    """Whoever is gone by then enters no room, and the code is free again."""
    async with session.door.new_room() as code:
        if not session.is_deaf:
            enter(code)


def _create_now(session: "ToppleSession", wanted: Create, opening: Opening) -> None:
    live = _opened(session, opening)
    if wanted.hosts_as_spectator:
        session.state.spectator = new_spectator_id()
        session.entered(live)
    else:
        sit(session, live, Seat(0))
    session.send(*welcome.creator(session, live))
    until = session.hall.time.now() + session.door.settings.rules_wait
    waiting = session.state.entering = AwaitsRules(Millis(until))
    _wait_for_rules(session, waiting)


def _wait_for_rules(session: "ToppleSession", waiting: AwaitsRules) -> None:
    def time_out() -> None:
        if session.state.entering is waiting and not session.is_deaf:
            _rules_are_known(session)

    left = max(0, waiting.until - session.hall.time.now())
    session.hall.time.later(Millis(left), time_out)


def _rules_are_known(session: "ToppleSession") -> None:
    assert session.live is not None
    session.send(*welcome.creator_with_rules(session, session.live))
    session.state.entering = None


@contextmanager
def _no_room_can_be_opened() -> Iterator[None]:
    """Turn refusals of the hall into this protocol's words for a room that cannot be opened."""
    try:
        yield
    except Refused as refused:
        full = refused.code in ("hall_full", "too_many_tries")
        raise fatal("no_capacity" if full else "invalid_parameters") from None


def _check_opening(session: "ToppleSession", opening: Opening) -> None:
    """All that may be refused before anything takes long. An address opens only so many rooms in a minute."""
    with _no_room_can_be_opened():
        session.hall.may_open(opening, session.person)
        if not is_loopback(session.address):
            session.door.new_rooms.take(address_key(session.address))


def _opened(session: "ToppleSession", opening: Opening) -> LiveTable:
    with _no_room_can_be_opened():
        return session.hall.open(opening, session.person)


# Finding a room


async def _find(session: "ToppleSession", wanted: Join | Rejoin | Spectate | TakeBotSeat) -> None:
    door = session.door
    live = await door.find(wanted.room)
    if live is None and isinstance(wanted, Rejoin):
        live = await _unlisted(session, wanted)
    if session.is_deaf:
        return
    if live is None or not door.is_open(live):
        raise fatal("room_gone" if isinstance(wanted, Rejoin) else "game_not_found")
    if isinstance(wanted, Rejoin):
        rejoin(session, live, wanted)
    elif isinstance(wanted, TakeBotSeat):
        take_bot_seat(session, live, wanted)
    # Only now: for a rejoin or a bot's seat the key has to be right as well, not only the room.
    door.guesses.right(session.address)
    if isinstance(wanted, Join | Spectate):
        door.check_kicked(live, session.address)
        if isinstance(wanted, Spectate):
            spectate(session, live)
        elif live.table.password is not None:
            session.state.entering = AwaitsPassword(live.id)
        else:
            _join(session, live)


async def _unlisted(session: "ToppleSession", wanted: Rejoin) -> LiveTable | None:
    """A private table of the page: only who has a key to it may know of it."""
    live = await session.hall.load(TableId(wanted.room))
    if live is None or live.table.game != session.door.name:
        return None
    seat = seat_of(wanted.number)
    if not 0 <= seat < len(live.table.seats) or session.door.keys.which(live, seat, wanted.key) is None:
        return None
    return live


def _in_room(
    session: "ToppleSession", room: TableId, enter: Callable[[LiveTable], None]
) -> Awaitable[None] | None:
    """Enter a room that was found before. It may have left the memory:
    waiting outside does not keep it there."""
    live = session.hall.here(room)
    if live is None:
        return _load(session, room, enter)
    enter(live)
    return None


async def _load(session: "ToppleSession", room: TableId, enter: Callable[[LiveTable], None]) -> None:
    live = await session.hall.load(room)
    if session.is_deaf:
        return
    if live is None:
        raise fatal("game_not_found")
    enter(live)


def _try_password(session: "ToppleSession", live: LiveTable, password: str) -> None:
    assert live.table.password is not None
    session.door.check_kicked(live, session.address)
    try:
        session.hall.wrong_passwords.begin(session.address)
    except TooManyTries:
        raise fatal("wrong_password") from None
    if not opens(live.table.password, password):
        raise fatal("wrong_password")
    session.hall.wrong_passwords.right(session.address)
    if not session.door.is_open(live):
        raise fatal("game_not_found")
    _join(session, live)


def _join(session: "ToppleSession", live: LiveTable) -> None:
    if not live.table.options.resume or live.table.phase != "setup":
        take_free_seat(session, live)
        return
    seats = _free_seats(live.table)
    if not seats:
        raise fatal("room_full")
    session.state.entering = AwaitsSeat(live.id)
    session.send(t.seats_available(seats))


# Going on with a suspended game


async def _read(session: "ToppleSession", waiting: AwaitsFile | AwaitsSavedSeat, file: bytes) -> None:
    hall = session.hall
    try:
        # A whole game is played through.
        found = await hall.slow_work.run(None, session.address, suspended, file)
    except BadFile as bad:
        raise fatal("wrong_version" if bad.trouble == "version" else "not_suspended") from None
    if len(found.record.teams) < 2:
        raise fatal("not_suspended")
    if isinstance(waiting, AwaitsSavedSeat):
        secret = waiting.password_hash
    else:
        secret = None if waiting.password is None else await hall.run_blocking(locked, waiting.password)
    if session.is_deaf:
        return
    session.saved = found
    session.state.entering = AwaitsSavedSeat(file, waiting.spectators, secret)
    session.send(t.seats_available(_saved_seats(found)))


def _saved_seats(saved: Suspended) -> list[t.SeatEntry]:
    """Of those who are still in the game and are people. Whoever brings a file knows the names in it."""
    return [
        (number(Seat(seat)), harmless_name(person.account), saved.record.teams[seat])
        for seat, person in enumerate(saved.record.people or ())
        if person is not None and not person.bot and saved.state.alive[seat]
    ]


def _free_seats(table: Table) -> list[t.SeatEntry]:
    """Of a room in which a suspended game goes on: those that nobody has taken yet. It knows no names any more."""
    standing = table.options.standing()
    return [
        (number(Seat(seat)), None, standing.setup.teams[seat])
        for seat, living in enumerate(standing.alive)
        if living and table.seats[seat] is None
    ]


def _select(session: "ToppleSession", live: LiveTable, chosen: int) -> None:
    session.door.check_kicked(live, session.address)
    if live.table.phase != "setup":
        raise fatal("game_in_progress")
    if _is_among(session, _free_seats(live.table), chosen):
        _take_saved_seat(session, live, seat_of(chosen))


async def _select_when_read(session: "ToppleSession", waiting: AwaitsSavedSeat, chosen: int) -> None:
    """The session was taken up again since the file was played through."""
    session.saved = await session.hall.run_blocking(suspended, waiting.file)
    selected = None if session.is_deaf else _select_saved(session, waiting, chosen)
    if selected is not None:
        await selected


def _select_saved(session: "ToppleSession", waiting: AwaitsSavedSeat, chosen: int) -> Awaitable[None] | None:
    assert session.saved is not None
    if not _is_among(session, _saved_seats(session.saved), chosen):
        return None
    saved = resumption_of(session.saved)
    opening = opening_for(
        session.door.name, saved, password=waiting.password_hash, watchable=waiting.spectators
    )
    _check_opening(session, opening)

    def go_on(code: str) -> None:
        live = _opened(session, replace(opening, room=code))
        reseat_bots(session.hall, live, session.person, saved)
        _take_saved_seat(session, live, seat_of(chosen))

    return _in_new_room(session, go_on)


def _is_among(session: "ToppleSession", seats: list[t.SeatEntry], chosen: int) -> bool:
    """Whether this is one of these seats; who has chosen another one is told once more which there are."""
    if any(seat == chosen for seat, _, _ in seats):
        return True
    session.send(t.seats_available(seats))
    return False


def _take_saved_seat(session: "ToppleSession", live: LiveTable, seat: Seat) -> None:
    sit(session, live, seat)
    session.saved = None
    session.settle(welcome.player_of_saved_game(session, live))
