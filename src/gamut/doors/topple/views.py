"""A table as this protocol shows it: players by number, teams, colours, boards and times left."""

from collections.abc import Sequence

from gamut.doors.topple import to_client as t
from gamut.doors.topple.boards import board_frame
from gamut.doors.topple.codes import is_machine
from gamut.doors.topple.rules import rules_of, scored
from gamut.games.game import Seat
from gamut.games.topple.evolve import evolve
from gamut.games.topple.files import bots
from gamut.games.topple.files.clock import seconds
from gamut.games.topple.state import TEAMS, ToppleState, number
from gamut.games.topple.topology import TOPOLOGIES
from gamut.hall.ids import Millis
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import clock as clocks
from gamut.hall.table.clock import Bank, NoClock, Overtime
from gamut.hall.table.seats import BotSitter, Sitter
from gamut.hall.table.state import Table

_NO_SCORES = (None,) * (TEAMS + 1)


def position(table: Table) -> ToppleState | None:
    """The position; before a suspended game goes on, the one in which it will. None before a new game."""
    state: ToppleState | None = table.state
    if state is not None:
        return state
    standing = table.options.standing()
    return None if standing is None else evolve(None, standing)


def teams_of(table: Table) -> tuple[int, ...]:
    state = position(table)
    teams: tuple[int, ...]
    teams = table.options.teams_of(len(table.seats)) if state is None else state.setup.teams
    return teams


def account_of(live: LiveTable, seat: Seat) -> str | None:
    """What the protocol has in the place of an account: a bot's name, or that of somebody with an account."""
    holder = live.table.seats[seat]
    if isinstance(holder, BotSitter):
        return bots.name_of(holder.level)
    named = isinstance(holder, Sitter) and (not holder.guest or is_machine(holder.person))
    return holder.name if holder is not None and named else None


def scores(table: Table) -> tuple[int | None, ...]:
    state = position(table)
    return _NO_SCORES if state is None or not scored(table) else state.scores


def who_is_here(live: LiveTable, spectators: Sequence[t.SpectatorEntry]) -> bytes:
    table = live.table
    teams = teams_of(table)
    players = [
        (number(seat), teams[seat], account_of(live, seat))
        for seat in map(Seat, range(len(table.seats)))
        if table.seats[seat] is not None
    ]
    return t.who_is_here(players, spectators, scores(table))


def config(table: Table, host: int | str) -> bytes:
    options = table.options
    return t.config(
        topology=TOPOLOGIES.index(options.topology),
        x=options.x,
        y=options.y,
        players=len(table.seats),
        host=host,
        colours=table.decor.get("colours"),
    )


def rules(table: Table) -> bytes:
    return t.rules(rules_of(table))


def board(state: ToppleState) -> bytes:
    setup = state.setup
    return t.board(board_frame(setup.topology, setup.x, setup.y, state.board, state.owners))


def empty_board(table: Table) -> bytes:
    options = table.options
    tiles = options.x * options.y
    topology = TOPOLOGIES.index(options.topology)
    return t.board(board_frame(topology, options.x, options.y, b"\1" * tiles, b"\0" * tiles))


def turn(table: Table) -> bytes:
    """Whose turn it is, for somebody who comes in: timed if a clock runs for it."""
    state: ToppleState = table.state
    assert state.turn is not None
    timed = not state.first and not isinstance(table.clock_setting, NoClock)
    return t.TURN[number(state.turn)][timed]


def won(table: Table, team: int) -> bytes:
    """The replay of a table without an address can only be asked for by who is there."""
    return t.won(team, by_http=has_address(table))


def has_address(table: Table) -> bool:
    """Whether everybody who knows its name finds the table here: a private one of the page has none."""
    return table.room is not None or not table.private


def takes_spectators(table: Table) -> bool:
    """Spectators of this protocol cannot say a password."""
    return table.watchable and not table.guards_watching


# Times. A turn's are milliseconds and a whole game's seconds, as the protocol has them.


def _for_the_game(table: Table) -> bool:
    return isinstance(table.clock_setting, Bank | Overtime)


def _left(table: Table, now: Millis) -> dict[Seat, int]:
    """Milliseconds left of those whose time counts: whoever is to move, or everybody who is in the game."""
    state: ToppleState = table.state
    if isinstance(table.clock_setting, NoClock) or state.turn is None:
        return {}
    times = clocks.charge(table.clock, now).times
    if _for_the_game(table):
        return {seat: times[seat].main for seat in state.living()}
    return {} if table.untimed else {state.turn: times[state.turn].main}


def paused(table: Table, now: Millis) -> bytes:
    times = [0] * (len(table.seats) + 1)
    for seat, left in _left(table, now).items():
        times[number(seat)] = seconds(left) if _for_the_game(table) else left
    return t.paused(times)


def times_left(table: Table, now: Millis) -> bytes:
    left = _left(table, now)
    return t.sync({f"PLAYER.{number(seat)}.time_left": seconds(millis) for seat, millis in left.items()})


def team_scores(table: Table) -> bytes:
    return t.sync({f"TEAM.{team}.score": score for team, score in enumerate(scores(table))})
