"""Creating a game, and all that is done before it begins."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from gamut.doors.acquire import from_client as f
from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.naming import game_number
from gamut.doors.acquire.snapshots import ORDERS, snapshot
from gamut.doors.acquire.time_control import control_of, setting_of
from gamut.doors.acquire.users import user_ids
from gamut.games.acquire.options import MODE_NAMES, MODES, AcquireOptions, ModeName
from gamut.games.game import Refused, Seat
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.doors.acquire.session import AcquireSession

_ORDER_NAMES: dict[int, Any] = {number: name for name, number in ORDERS.items()}


def create(session: "AcquireSession", message: f.CreateGame) -> None:
    mode = _mode(message.game_mode)
    clock = setting_of(message.time_control_starting_amount, message.time_control_increment_amount)
    opening = Opening(
        game=session.door.name,
        options=AcquireOptions(mode=mode),
        clock=clock,
        start="approval",
        one_chat=True,
    )
    session.check_room_for_game()
    live = session.hall.open(opening, session.person)
    session.hall.do(live, c.Sit(session.sitter(), Seat(0)), granted=True)
    session.enter(live)
    session.send(snapshot(session.door, live, session.person))
    if message.id is not None:
        session.send(t.Ok(id=message.id, game_number=game_number(live.table)))


def change(session: "AcquireSession", message: f.DoGameSetupAction, live: LiveTable) -> None:
    action = message.action
    if isinstance(action, f.HostAction) and live.table.host != session.person:
        raise Refused("not_host", "Only the host of the game can do that.")
    if live.table.phase != "setup":
        raise Refused("game_already_started", "The game has begun.")
    _CHANGES[type(action)](session, action, live)


def _mode(number: int) -> ModeName:
    name = MODE_NAMES.get(number)
    if name is None:
        raise Refused("invalid_game_mode", "A game mode is a number from 1 to 9.")
    return name


# By anybody


def _join(session: "AcquireSession", action: f.JoinGame, live: LiveTable) -> None:
    table = live.table
    if table.seat_of(session.person) is not None:
        raise Refused("already_joined", "You are in this game already.")
    if table.full:
        raise Refused("game_full", "All positions are taken.")
    sit = c.Sit(session.sitter())
    if not session.is_at(live):
        # Whoever plays is at the game, and hears what happens there. Nobody hears of somebody who may not play.
        session.check_room_for_game()
        session.hall.check_sit(live, sit)
        session.enter(live, sits_down=True)
        session.send(snapshot(session.door, live, session.person))
    session.do(live, sit)


def _unjoin(session: "AcquireSession", action: f.UnjoinGame, live: LiveTable) -> None:
    _check_member(session, live.table)
    if live.table.host == session.person:
        raise Refused("host_cannot_leave", "The host cannot leave the game, but cancel it.")
    session.do(live, c.Leave(session.person))


def _approve(session: "AcquireSession", action: f.ApproveOfGameSetup, live: LiveTable) -> None:
    seat, table = _check_member(session, live.table), live.table
    if not table.full:
        raise Refused("game_not_full", "All positions must be taken before anybody can approve.")
    if seat in table.ready:
        raise Refused("already_approved", "You have approved already.")
    session.do(live, c.Ready(session.person, True))
    if live.table.phase == "setup" and live.table.start == "host" and live.table.host == session.person:
        # A table of the page that begins when its host says so: this is how a host says it here.
        session.do(live, c.Start(session.person))


def _check_member(session: "AcquireSession", table: Table) -> Seat:
    seat = table.seat_of(session.person)
    if seat is None:
        raise Refused("not_joined", "You are not in this game.")
    return seat


# By the host


def _change_mode(session: "AcquireSession", action: f.ChangeGameMode, live: LiveTable) -> None:
    mode, table = _mode(action.game_mode), live.table
    options: AcquireOptions = table.options
    if mode == options.mode:
        raise Refused("same_game_mode", "That is the game mode already.")
    people = sum(holder is not None for holder in table.seats)
    if people > MODES[mode].seats:
        raise Refused(
            "too_many_users_for_mode", f"That is for {MODES[mode].seats} players, and {people} are here."
        )
    session.do(live, c.Configure(session.person, options=options.with_mode(mode)))


def _change_order(session: "AcquireSession", action: f.ChangePlayerArrangementMode, live: LiveTable) -> None:
    order = _ORDER_NAMES.get(action.player_arrangement_mode)
    options: AcquireOptions = live.table.options
    if order is None:
        raise Refused("invalid_player_arrangement_mode", "An arrangement mode is a number from 1 to 3.")
    if order == options.order:
        raise Refused("same_player_arrangement_mode", "That is the arrangement mode already.")
    if order == "teams" and options.rules.singles:
        raise Refused("teams_only_in_team_games", "Teams can be chosen in team games only.")
    session.do(live, c.Configure(session.person, options=replace(options, order=order)))


def _change_time(session: "AcquireSession", action: f.ChangeTimeControl, live: LiveTable) -> None:
    clock = setting_of(action.starting_amount, action.increment_amount)
    if control_of(clock) == control_of(live.table.clock_setting):
        raise Refused("same_time_control", "That is the time control already.")
    session.do(live, c.Configure(session.person, clock=clock))


def _swap(session: "AcquireSession", action: f.SwapPositions, live: LiveTable) -> None:
    first, second, seats = action.position1, action.position2, live.table.seats
    if not (0 <= first < len(seats) and 0 <= second < len(seats)):
        raise Refused("invalid_position", f"A position is a number from 0 to {len(seats) - 1}.")
    if first == second:
        raise Refused("same_position", "Two different positions can be swapped.")
    if seats[first] is None and seats[second] is None:
        raise Refused("positions_empty", "Nobody is at either position.")
    session.do(live, c.Swap(session.person, Seat(first), Seat(second)))


def _kick(session: "AcquireSession", action: f.KickUser, live: LiveTable) -> None:
    table = live.table
    users = user_ids(table.seats)
    if action.user_id not in users:
        raise Refused("not_joined", "There is no such user in this game.")
    seat = Seat(users.index(action.user_id))
    holder = table.seats[seat]
    if isinstance(holder, Sitter) and holder.person == table.host:
        raise Refused("cannot_kick_host", "The host cannot be kicked.")
    # Whoever is kicked may come back.
    session.do(live, c.Unseat(session.person, seat, bar=False))


def _cancel(session: "AcquireSession", action: f.CancelGame, live: LiveTable) -> None:
    session.do(live, c.CallOff(session.person))


_CHANGES: dict[type, Callable[["AcquireSession", Any, LiveTable], None]] = {
    f.JoinGame: _join,
    f.UnjoinGame: _unjoin,
    f.ApproveOfGameSetup: _approve,
    f.ChangeGameMode: _change_mode,
    f.ChangePlayerArrangementMode: _change_order,
    f.ChangeTimeControl: _change_time,
    f.SwapPositions: _swap,
    f.KickUser: _kick,
    f.CancelGame: _cancel,
}
