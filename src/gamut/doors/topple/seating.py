"""Taking a place in a room: a free seat, one's own again, a bot's, or a spectator's."""

import hmac
from typing import TYPE_CHECKING

from gamut.doors.topple import to_client as t
from gamut.doors.topple import views, welcome
from gamut.doors.topple.codes import new_machine_id, new_spectator_id
from gamut.doors.topple.query import Rejoin, TakeBotSeat
from gamut.doors.topple.refusals import fatal
from gamut.games.game import Refused, Seat
from gamut.games.topple.state import number, seat_of
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.names.person_names import NAMELESS, NameTaken, clean_name
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.seats import Sitter

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession


def take_free_seat(session: "ToppleSession", live: LiveTable) -> None:
    free = [Seat(seat) for seat, holder in enumerate(live.table.seats) if holder is None]
    if not free:
        raise fatal("room_full")
    if live.table.phase != "setup":
        raise fatal("game_in_progress")
    present = welcome.who_is_here(session, live)
    sit(session, live, free[0])
    session.settle(welcome.player(session, live, present))


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
        raise fatal("game_in_progress" if refused.code == "over" else "room_full") from None
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


def take_bot_seat(session: "ToppleSession", live: LiveTable, wanted: TakeBotSeat) -> None:
    """A bot from elsewhere. Its key is the one with which the table's people let others in."""
    table = live.table
    seat = seat_of(wanted.number)
    free = 0 <= seat < len(table.seats) and table.seats[seat] is None
    right = hmac.compare_digest(wanted.key.encode("utf-8", "surrogatepass"), table.key.encode())
    if not (free and right and table.phase == "setup" and not table.options.resume):
        raise fatal("no_seat_for_bot")
    try:
        name = clean_name(wanted.name)
        session.door.check_unregistered(name)
    except Refused:
        raise fatal("no_seat_for_bot") from None
    session.state.person = new_machine_id()
    sit(session, live, seat, name)
    session.settle(welcome.bot(session, live))


def rejoin(session: "ToppleSession", live: LiveTable, wanted: Rejoin) -> None:
    table, door = live.table, session.door
    if not 1 <= wanted.number <= len(table.seats):
        raise fatal("bad_player_number")
    seat = seat_of(wanted.number)
    holder = table.seats[seat]
    if not isinstance(holder, Sitter):
        raise fatal("incorrect_key")
    key = door.keys.which(live, seat, wanted.key)
    if key is None:
        raise fatal("not_disconnected" if holder.person in live.here else "incorrect_key")
    session.state.person = holder.person
    held = door.held.is_back(live, session) or _was_held(live, holder.person, door.opened)
    for other in door.sessions_at(live):
        if other.person == holder.person:
            other.dismissed()
    session.entered(live, key)
    frames = welcome.returned(session, live)
    if held:
        # At the end: what the client held back is about a game of which it has now been told again.
        frames.append(t.CONT)
    session.settle(frames)
    welcome.show_again(session, live)


def _was_held(live: LiveTable, person: PersonId, opened: Millis) -> bool:
    """Whether a server before this one told this person to hold when it stopped: `opened` is when this one opened.

    The log shows it: for somebody who was connected to the end, the last entry is that they came, not that
    they left.
    """
    if person in live.here:
        return False
    for event in reversed(live.log):
        match event:
            case e.Dropped(person=gone) if gone == person:
                return False
            case e.Returned(person=back) if back == person:
                return event.at < opened
            case e.Sat(sitter=sitter) if sitter.person == person:
                return event.at < opened
    return False


def spectate(session: "ToppleSession", live: LiveTable) -> None:
    door = session.door
    if not views.takes_spectators(live.table):
        raise fatal("no_spectators")
    if sum(1 for _ in door.spectators(live)) >= door.settings.spectators:
        raise fatal("room_full")
    spectator = session.state.spectator = new_spectator_id()
    present = welcome.who_is_here(session, live)
    try:
        session.entered(live)
    except Refused:
        session.be_at(None)
        raise fatal("room_full") from None
    door.others(live, t.spectator_joined(spectator), session)
    frames = welcome.spectator(session, live, present)
    if door.held.is_back(live, session):
        frames.append(t.CONT)
    session.settle(frames)
    welcome.show_again(session, live)
