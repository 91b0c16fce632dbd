"""What somebody is told who comes to a game: how it is set up, or how it stands, as they may see it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.action_done import next_of, rack_counts, score_rows
from gamut.doors.acquire.naming import game_number
from gamut.doors.acquire.time_control import control_of, left
from gamut.doors.acquire.users import user_ids, usernames
from gamut.games.acquire.board import PRICES, rows_of
from gamut.games.acquire.kinds import rack_kinds
from gamut.games.acquire.options import AcquireOptions
from gamut.games.acquire.scores import nets
from gamut.games.acquire.state import AcquireState, Acted, Began
from gamut.games.game import Seat
from gamut.hall.ids import PersonId, Seq
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table.seats import BotSitter, person_in
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor

ORDERS = {"random": 1, "exact": 2, "teams": 3}
"""Arrangement modes by their number."""


def snapshot(door: "AcquireDoor", live: LiveTable, person: PersonId, known: int = 0) -> t.ToClient:
    """A game for one person who knows so many of its actions."""
    if live.table.phase == "setup":
        return setup_of(door, live)
    return state_of(door, live, person, known)


def player_of(table: Table, person: PersonId) -> Seat | None:
    """Where somebody plays, or played if the game is over and they have left."""
    if table.phase != "over":
        return table.seat_of(person)
    return next(
        (Seat(seat) for seat, holder in enumerate(table.players) if person_in(holder) == person), None
    )


def setup_of(door: "AcquireDoor", live: LiveTable) -> t.GameSetup:
    table = live.table
    options: AcquireOptions = table.options
    control = control_of(table.clock_setting)
    return t.GameSetup(
        game_number=game_number(table),
        game_mode=options.rules.number,
        player_arrangement_mode=ORDERS[options.order],
        time_control_starting_amount=control.starting,
        time_control_increment_amount=control.increment,
        host_user_id=door.host_of(table),
        user_ids=user_ids(table.seats),
        usernames=usernames(table.seats),
        # Bots approve by themselves.
        approvals=[
            seat in table.ready or isinstance(holder, BotSitter) for seat, holder in enumerate(table.seats)
        ],
    )


def state_of(door: "AcquireDoor", live: LiveTable, person: PersonId, known: int) -> t.GameState:
    """The position, with the history of all actions after those that are known."""
    table = live.table
    options: AcquireOptions = table.options
    viewer = live.viewer(person)
    player = player_of(table, person)
    state: AcquireState = live.state_for(viewer)
    rack = None if player is None else state.racks[player]
    return t.GameState(
        game_number=game_number(table),
        game_state_history_size=state.actions,
        game_mode=options.rules.number,
        user_ids=user_ids(table.players),
        usernames=usernames(table.players),
        host_user_id=door.host_of(table),
        player_id=player,
        board=rows_of(state.board),
        score_board=score_rows(state, nets(state)),
        available=state.available,
        chain_size=state.sizes,
        price=[PRICES[chain][size] for chain, size in enumerate(state.sizes)],
        rack_counts=rack_counts(state.racks),
        rack=rack,
        rack_types=None if rack is None else rack_kinds(state.board, rack),
        turn_player=state.next.turn,
        next=next_of(state),
        clocks=left(table.clock, door.hall.time.now()),
        forfeits=state.forfeited,
        history=list(_history(live, viewer))[known:] if known < state.actions else [],
        over=table.phase == "over",
    )


def _history(live: LiveTable, viewer: Seat | None) -> Iterator[t.Message]:
    for event in live.visible(viewer, Seq(0)):
        for happened in getattr(event, "events", ()):
            if isinstance(happened, Began | Acted):
                yield happened.history
