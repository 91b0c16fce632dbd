"""Taking a move back, where nobody but bots has played on."""

from collections.abc import Sequence
from typing import Any

from gamut.games.game import AnyGame, Refused, Seat
from gamut.hall.table import clock as clocks
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import NoClock
from gamut.hall.table.deciding.draft import Draft
from gamut.hall.table.deciding.rights import in_play, own_seat
from gamut.hall.table.standing import standing
from gamut.hall.table.state import Table

MOST_MOVES = 2_000
"""The game is played through from its start, which takes some milliseconds for so many: others wait meanwhile."""


def take_back(draft: Draft, command: c.TakeBack) -> None:
    """It is one's own turn again, as it was before one's last action."""
    table, game = draft.table, draft.game
    seat = seat_that_takes_back(game, table, command)
    if not isinstance(table.clock_setting, NoClock) and clocks.is_used_up(table.clock, seat, draft.now):
        raise Refused("no_time", "There is no time left on your clock.")
    plays = standing(draft.log)
    moves = _moves_before_the_last_of(seat, plays)
    if moves is None or _seats_changed_since(plays[moves + 1], draft.log):
        raise Refused("nothing_to_take_back", "There is no move of yours to take back.")
    if command.moves != moves:
        raise Refused("stale", "Something happened before that arrived; look again.")
    if moves > MOST_MOVES:
        raise Refused("too_many_moves", f"After more than {MOST_MOVES} moves none is taken back.")
    state = game.replay(happened for play in plays[: moves + 1] for happened in play.events)
    draft.go_back(e.TakenBack(at=draft.now, seat=seat, moves=moves), state)


def seat_that_takes_back(game: AnyGame, table: Table, command: c.TakeBack) -> Seat:
    """Whose turn it would be again. Refused if nothing is taken back at this table; nothing long is looked at."""
    seat = own_seat(table, command.person)
    if not game.traits.takes_back:
        raise Refused("no_take_back", f"In {game.traits.title} no move is taken back.")
    in_play(table)
    if any(other != seat for other, _ in table.sitters()):
        raise Refused("not_alone", "A move is taken back only where all others are bots.")
    return seat


def _moves_before_the_last_of(seat: Seat, plays: Sequence[Any]) -> int | None:
    """How many moves there were before this seat last acted; None if it has not since somebody quit."""
    for number in range(len(plays) - 1, 0, -1):
        play = plays[number]
        if play.why == "quit":
            return None
        if play.why == "acted" and play.seat == seat:
            return number - 1
    return None


def _seats_changed_since(play: Any, log: Sequence[Any]) -> bool:
    """Whether somebody has sat down or stood up after that move: what they did stands, whoever sits there now."""
    for event in reversed(log):
        if event is play:
            return False
        if type(event) in (e.Sat, e.BotSat, e.Stood):
            return True
    return False
