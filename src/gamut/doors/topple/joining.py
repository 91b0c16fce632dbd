"""Taking a place in a room that is there: a free seat, one's own again, a bot's, or a spectator's."""

import hmac
from typing import TYPE_CHECKING

from gamut.doors.topple import errors, views
from gamut.doors.topple import introducing as intro
from gamut.doors.topple import to_client as t
from gamut.doors.topple.codes import new_machine_id, new_spectator_id
from gamut.doors.topple.holding import was_held
from gamut.doors.topple.query import Rejoin, TakeBotSeat
from gamut.doors.topple.showing_again import show_again
from gamut.games.game import Refused, Seat
from gamut.games.topple.state import number, seat_of
from gamut.hall.live.live_table import LiveTable
from gamut.hall.names.person_names import NAMELESS, NameTaken, clean_name
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession


def sit(session: "ToppleSession", live: LiveTable, seat: Seat, name: str | None = None) -> None:
    # There is a word for being ready, but it is only told, and existing clients never say it.
    sitter = Sitter(
        session.person,
        name or _nameless(session, seat),
        kept_for=session.door.settings.rejoin_window,
        cannot=("ready", "rematch", "follow"),
    )
    try:
        session.hall.do(live, c.Sit(sitter, seat, key=live.table.key))
    except Refused as refused:
        raise errors.game_in_progress() if refused.code == "over" else errors.room_is_full() from None
    # Only now: what the others hear of it is not for the newcomer.
    session.entered(live)


def _nameless(session: "ToppleSession", seat: Seat) -> str:
    """What others see of somebody who has not said a name: nothing that is somebody's account."""
    name = f"Player {number(seat)}"
    try:
        session.door.check_unregistered(name)
    except NameTaken:
        return NAMELESS
    return name


def join(session: "ToppleSession", live: LiveTable) -> None:
    table, door = live.table, session.door
    free = [Seat(place) for place, holder in enumerate(table.seats) if holder is None]
    if not free:
        raise errors.room_is_full()
    if table.phase != "setup":
        raise errors.game_in_progress()
    present = intro.who_is_here(session, live)
    sit(session, live, free[0])
    session.send(
        intro.key_of(door, live, session.person),
        intro.number_of(live, session.person),
        intro.room_of(live),
        present,
        intro.key_of(door, live, session.person),
        intro.config_of(door, live),
        views.rules(live.table),
        *intro.ready_ones(live),
    )
    if live.table.phase != "setup":
        # Where play begins as soon as every seat is taken, nobody else says so any more.
        session.send(t.STARTED, views.turn(live.table))
    session.settle()


def take_bot_seat(session: "ToppleSession", live: LiveTable, wanted: TakeBotSeat) -> None:
    """A bot from elsewhere. Its key is the one with which the table's people let others in."""
    table, door = live.table, session.door
    seat = seat_of(wanted.number)
    free = 0 <= seat < len(table.seats) and table.seats[seat] is None
    right = hmac.compare_digest(wanted.key.encode("utf-8", "surrogatepass"), table.key.encode())
    if not (free and right and table.phase == "setup" and not table.options.resume):
        raise errors.bot_seat_wrong()
    try:
        name = clean_name(wanted.name)
        door.check_unregistered(name)
    except Refused:
        raise errors.bot_seat_wrong() from None
    session.becomes(new_machine_id())
    sit(session, live, seat, name)
    session.send(
        intro.number_of(live, session.person),
        intro.room_of(live),
        intro.who_is_here(session, live),
        intro.key_of(door, live, session.person),
        intro.config_of(door, live),
        views.rules(live.table),
    )
    session.settle()


def rejoin(session: "ToppleSession", live: LiveTable, wanted: Rejoin) -> None:
    table, door = live.table, session.door
    if not 1 <= wanted.number <= len(table.seats):
        raise errors.bad_player_number()
    seat = seat_of(wanted.number)
    holder = table.seats[seat]
    if not isinstance(holder, Sitter):
        raise errors.incorrect_key()
    key = door.keys.which(live, seat, wanted.key)
    if key is None:
        raise errors.not_disconnected() if holder.person in live.here else errors.incorrect_key()
    held = was_held(live, holder.person, door.opened)
    for other in list(door.sessions(live)):
        if other.person == holder.person:
            other.replaced()
    session.becomes(holder.person)
    session.entered(live, key)
    table = live.table
    frames = [
        intro.number_of(live, session.person),
        intro.room_of(live),
        intro.who_is_here(session, live),
        intro.key_of(door, live, session.person),
    ]
    if table.phase == "setup":
        frames += intro.before_the_game(door, live)
    else:
        frames += [
            t.RECONNECTED,
            intro.config_of(door, live),
            views.board(table.state),
            views.rules(table),
        ]
        frames += intro.how_it_stands(door, live)
    if held:
        # Only now: what was held back belongs to a game that the client knows again.
        frames.append(t.CONT)
    session.send(*frames)
    session.settle()
    if table.state is not None:
        show_again(session, live)


def spectate(session: "ToppleSession", live: LiveTable) -> None:
    door = session.door
    if not views.takes_spectators(live.table):
        raise errors.no_spectators()
    if sum(1 for _ in door.spectators(live)) >= door.settings.spectators:
        raise errors.room_is_full()
    spectator = new_spectator_id()
    session.watches_as(spectator)
    present = intro.who_is_here(session, live)
    try:
        session.entered(live)
    except Refused:
        session.be_at(None)
        raise errors.room_is_full() from None
    door.others(live, t.spectator_joined(spectator), session)
    frames = [t.own_spectator_id(spectator), intro.room_of(live), present]
    table = live.table
    if table.phase == "setup":
        frames += intro.before_the_game(door, live)
    else:
        frames += [views.rules(table), intro.config_of(door, live), views.board(table.state)]
        frames += intro.how_it_stands(door, live)
    session.send(*frames)
    session.settle()
    if table.state is not None:
        show_again(session, live)
