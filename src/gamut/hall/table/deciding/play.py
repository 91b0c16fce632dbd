"""Playing: actions, resigning, draws, pauses."""

from collections.abc import Sequence
from typing import Any

from gamut.games.game import Refused, Seat
from gamut.hall.table import clock as clocks
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import NoClock
from gamut.hall.table.deciding.draft import Draft
from gamut.hall.table.deciding.rights import holder_of, host_only, in_play, own_seat
from gamut.hall.table.seats import BotSitter

LONGEST_LOG = 100_000
"""Events, far beyond what any game needs: so long a game ends without a result, if its own rules do not end it."""


def act(draft: Draft, command: c.Act) -> None:
    table = draft.table
    seat = table.seat_of(command.person)
    if seat is None:
        raise Refused("not_seated", "You have no seat at this table.")
    in_play(table)
    if command.seen is not None and command.seen < table.last_turn(seat):
        raise Refused("stale", "Something happened before that arrived; look again.")
    _do(draft, seat, command.action)


def bot_act(draft: Draft, command: c.BotAct) -> None:
    table = draft.table
    in_play(table)
    if not isinstance(holder_of(table, command.seat), BotSitter):
        raise Refused("not_a_bot", "No bot sits there.")
    if command.resigns:
        _resign(draft, command.seat)
    else:
        _do(draft, command.seat, command.action)


def _do(draft: Draft, seat: Seat, action: Any) -> None:
    events = draft.game.decide(draft.table.state, seat, action, draft.chance)
    draft.add(e.Played(at=draft.now, seat=seat, events=tuple(events)))
    if draft.table.seq >= LONGEST_LOG:
        _end_endless(draft)


def _end_endless(draft: Draft) -> None:
    if draft.table.phase != "over":
        draft.add(e.Closed(at=draft.now, why="endless"))


def quit_game(draft: Draft, seat: Seat) -> None:
    _out(draft, seat, draft.game.quit(draft.table.state, seat, draft.chance))


def _out(draft: Draft, seat: Seat, events: Sequence[Any]) -> None:
    if events:
        draft.add(e.Played(at=draft.now, seat=seat, why="quit", events=tuple(events)))


def taken_out(draft: Draft, seat: Seat) -> bool:
    """Let a removed player quit the game. False, with nothing done:
    without them only one side would be left."""
    game, state = draft.game, draft.table.state
    events = tuple(game.quit(state, seat, draft.chance))
    for happened in events:
        state = game.evolve(state, happened)
    if not game.contested(state):
        return False
    _out(draft, seat, events)
    return True


def resign(draft: Draft, command: c.Resign) -> None:
    _resign(draft, own_seat(draft.table, command.person))


def _resign(draft: Draft, seat: Seat) -> None:
    if not draft.game.traits.resigning:
        raise Refused("no_resigning", f"{draft.game.traits.title} has no resigning; you can leave your seat.")
    in_play(draft.table)
    _out(draft, seat, draft.game.resign(draft.table.state, seat, draft.chance))


def report_flag(draft: Draft, command: c.ReportFlag) -> None:
    table = draft.table
    seat = own_seat(table, command.person)
    in_play(table)
    if isinstance(table.clock_setting, NoClock):
        raise Refused("no_clock", "This game is played without a clock.")
    if seat not in table.clock.running:
        raise Refused("not_your_turn", "Your clock does not run.")
    if not clocks.is_used_up(table.clock, seat, draft.now):
        raise Refused("time_left", "There is still time on your clock.")
    flag_falls(draft, seat)


def flag_falls(draft: Draft, seat: Seat) -> None:
    events = draft.game.flag(draft.table.state, seat, draft.chance)
    draft.add(e.Played(at=draft.now, seat=seat, why="flagged", events=tuple(events)))
    if draft.table.seq >= LONGEST_LOG:
        _end_endless(draft)


def offer_draw(draft: Draft, command: c.OfferDraw) -> None:
    table = draft.table
    seat = own_seat(table, command.person)
    if not draft.game.traits.draw_offers:
        raise Refused("no_draws", f"{draft.game.traits.title} has no draw offers.")
    in_play(table)
    bots = any(isinstance(holder, BotSitter) for holder in table.seats)
    if bots and not draft.game.traits.bots_answer_draws:
        raise Refused("bot", "A bot plays to the end.")
    if seat in table.draw_offers:
        raise Refused("offered", "You have offered a draw already.")
    if seat in table.turned_down and not table.draw_offers:
        # Once a turn is enough: nobody has to decline the same offer again and again.
        raise Refused(
            "turned_down", "Your offer was declined. You can offer a draw again after your next move."
        )
    _offer(draft, seat)


def _offer(draft: Draft, seat: Seat) -> None:
    draft.add(e.DrawOffered(at=draft.now, seat=seat))
    table = draft.table
    if all(holder is None or seat in table.draw_offers for seat, holder in enumerate(table.seats)):
        events = tuple(draft.game.draw(table.state))
        draft.add(e.Played(at=draft.now, why="agreed", events=events))


def bot_answer(draft: Draft, command: c.BotAnswer) -> None:
    table = draft.table
    in_play(table)
    if not isinstance(holder_of(table, command.seat), BotSitter):
        raise Refused("not_a_bot", "No bot sits there.")
    if not table.draw_offers or command.seat in table.draw_offers:
        raise Refused("no_offer", "No draw is offered.")
    if command.accept:
        _offer(draft, command.seat)
    else:
        draft.add(e.DrawDeclined(at=draft.now, seat=command.seat))


def decline_draw(draft: Draft, command: c.DeclineDraw) -> None:
    seat = own_seat(draft.table, command.person)
    if not draft.table.draw_offers:
        raise Refused("no_offer", "No draw is offered.")
    draft.add(e.DrawDeclined(at=draft.now, seat=seat))


def close(draft: Draft, command: c.Close) -> None:
    """No draw, no winner: whoever carries the game off may bring it back at another table."""
    table = draft.table
    host_only(table, command.by)
    if not draft.game.traits.suspends:
        raise Refused("no_files", f"A game of {draft.game.traits.title} stays where it is.")
    if table.phase != "paused":
        in_play(table)
    draft.add(e.Closed(at=draft.now, why="exported"))


def pause(draft: Draft, command: c.Pause) -> None:
    host_only(draft.table, command.by)
    in_play(draft.table)
    draft.add(e.Paused(at=draft.now))


def resume(draft: Draft, command: c.Resume) -> None:
    host_only(draft.table, command.by)
    if draft.table.phase != "paused":
        raise Refused("not_paused", "The game is not paused.")
    draft.add(e.Resumed(at=draft.now))
