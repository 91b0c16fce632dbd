"""What a table says to a command: the events that happen, or Refused. The table itself is never touched."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from gamut.games.game import AnyGame, Refused, Seat
from gamut.hall import clock as clocks
from gamut.hall.ids import Millis, PersonId
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.evolve import evolve
from gamut.hall.table.seats import BotSitter, Sitter
from gamut.hall.table.state import Table
from gamut.hall.table.talk import cleaned


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """How long the house waits for people without a connection."""

    host_grace: Millis = Millis(60_000)
    """Then somebody who is there becomes host."""
    setup_grace: Millis = Millis(120_000)
    """Then their seat at a table that has not begun is free again."""
    abandoned_after: Millis = Millis(24 * 3_600_000)
    """A table that nobody comes back to is closed."""
    room_grace: Millis = Millis(600_000)
    """The same, where the people can only come back by taking a seat anew."""


class Draft:
    """A decision being made: the events so far and the table they lead to."""

    def __init__(self, game: AnyGame, table: Table, now: Millis, chance: Random, manners: Manners) -> None:
        self.game = game
        self.table = table
        self.now = Millis(max(now, table.at))
        self.chance = chance
        self.manners = manners
        self.events: list[e.Happening] = []

    def add(self, event: e.Happening) -> None:
        self.events.append(event)
        self.table = evolve(self.game, self.table, event)


def decide(
    game: AnyGame, table: Table, command: c.Command, now: Millis, chance: Random, manners: Manners
) -> Draft:
    """The events that the command causes and the table after them; Refused changes nothing."""
    draft = Draft(game, table, now, chance, manners)
    _RULES[type(command)](draft, command)
    return draft


def next_deadline(table: Table, manners: Manners) -> Millis | None:
    """When Tick will have something to do, if nothing happens before."""
    if table.phase == "over":
        return None
    due = []
    flag = clocks.next_flag(table.clock)
    if flag is not None:
        due.append(flag[0])
    if table.away:
        for gone in table.away:
            if gone.person == table.host and _heir(table) is not None:
                due.append(Millis(gone.since + manners.host_grace))
            if table.phase == "setup" and table.seat_of(gone.person) is not None:
                due.append(Millis(gone.since + manners.setup_grace))
        if _deserted(table):
            due.append(_abandoned_at(table, manners))
    return min(due, default=None)


def _deserted(table: Table) -> bool:
    """Nobody of this table has a connection."""
    return bool(table.away) and all(table.is_away(sitter.person) for _, sitter in table.sitters())


def _abandoned_at(table: Table, manners: Manners) -> Millis:
    patience = manners.setup_grace
    if table.phase != "setup":
        keeping = any(sitter.keeps for _, sitter in table.sitters())
        patience = manners.abandoned_after if keeping else manners.room_grace
    return Millis(max(gone.since for gone in table.away) + patience)


# Seats


def _sit(draft: Draft, command: c.Sit) -> None:
    table, sitter = draft.table, command.sitter
    if table.phase == "over":
        raise Refused("over", "This game is over.")
    if sitter.person in table.barred:
        raise Refused("barred", "The host has asked you to leave this table.")
    if table.seat_of(sitter.person) is not None:
        raise Refused("seated", "You already have a seat at this table.")
    if table.private and command.key != table.key:
        raise Refused("private", "This table is private: open the link its host gave you.")
    draft.add(e.Sat(at=draft.now, seat=_free_seat(table, command.seat, sitter.name), sitter=sitter))
    if draft.table.host is None:
        draft.add(e.HostChanged(at=draft.now, host=sitter.person))
    _start_if_due(draft)


def _free_seat(table: Table, wanted: Seat | None, name: str | None = None) -> Seat:
    filled = {seat for seat, _ in table.present()}
    free = table.waiting
    if table.phase == "setup":
        free = tuple(Seat(number) for number in range(len(table.seats)) if number not in filled)
    if not free:
        raise Refused("full", "Every seat is taken; you can watch.")
    if wanted is None:
        # Whoever lost a seat with the server gets it back by name; strangers take the truly empty ones first.
        for seat in free:
            holder = table.seats[seat]
            if holder is not None and holder.name == name:
                return seat
        return min(free, key=lambda seat: (table.seats[seat] is not None, seat))
    if wanted not in free:
        raise Refused("taken", "That seat is taken.")
    return wanted


def _seat_bot(draft: Draft, command: c.SeatBot) -> None:
    table = draft.table
    _host_only(table, command.by)
    if table.phase == "over":
        raise Refused("over", "This game is over.")
    for level in draft.game.traits.levels:
        if level.name == command.level:
            break
    else:
        known = ", ".join(level.name for level in draft.game.traits.levels)
        raise Refused("no_such_level", f"There is no such bot; choose one of {known}.")
    seat = _free_seat(table, command.seat)
    draft.add(e.BotSat(at=draft.now, seat=seat, level=level.name, name=f"{level.title} bot"))
    _start_if_due(draft)


def _unseat(draft: Draft, command: c.Unseat) -> None:
    table = draft.table
    _host_only(table, command.by)
    holder = _holder(table, command.seat)
    if table.phase == "over":
        raise Refused("over", "This game is over.")
    if isinstance(holder, Sitter):
        if holder.person == command.by:
            raise Refused("own_seat", "You cannot kick yourself; leave instead.")
        _stand(draft, command.seat, holder.person, "kicked")
    else:
        _stand(draft, command.seat, None, "removed")


def _leave(draft: Draft, command: c.Leave) -> None:
    seat = _own_seat(draft.table, command.person)
    _stand(draft, seat, command.person, "left")


def _stand(draft: Draft, seat: Seat, person: PersonId | None, why: Any) -> None:
    """Empty a seat, with all that follows from it."""
    game, table = draft.game, draft.table
    if table.phase in ("playing", "paused") and game.traits.leaver == "quits":
        _quit(draft, seat)
    draft.add(e.Stood(at=draft.now, seat=seat, person=person, why=why))
    table = draft.table
    if table.phase != "over" and next(table.sitters(), None) is None:
        draft.add(e.Closed(at=draft.now, why="empty"))
    elif person is not None and person == table.host:
        draft.add(e.HostChanged(at=draft.now, host=_heir(table)))


def _heir(table: Table) -> PersonId | None:
    """The first person in seat order who is there, other than the host."""
    for _, sitter in table.sitters():
        if sitter.person != table.host and not table.is_away(sitter.person):
            return sitter.person
    return None


def _holder(table: Table, seat: Seat) -> Sitter | BotSitter:
    holder = table.seats[seat] if 0 <= seat < len(table.seats) else None
    if holder is None:
        raise Refused("empty_seat", "Nobody sits there.")
    return holder


def _own_seat(table: Table, person: PersonId) -> Seat:
    seat = table.seat_of(person)
    if seat is None:
        raise Refused("not_seated", "You have no seat at this table.")
    return seat


def _host_only(table: Table, person: PersonId) -> None:
    if table.host != person:
        raise Refused("not_host", "Only the host of the table can do that.")


def _promote(draft: Draft, command: c.Promote) -> None:
    _host_only(draft.table, command.by)
    holder = _holder(draft.table, command.seat)
    if not isinstance(holder, Sitter):
        raise Refused("bot", "A bot cannot be host.")
    if holder.person == command.by:
        raise Refused("own_seat", "You are the host already.")
    draft.add(e.HostChanged(at=draft.now, host=holder.person))


# Setting up


def _in_setup(table: Table) -> None:
    if table.phase != "setup":
        raise Refused("started", "The game has begun.")


def _configure(draft: Draft, command: c.Configure) -> None:
    table = draft.table
    _host_only(table, command.by)
    _in_setup(table)
    options = table.options
    if command.options is not None:
        options = parsed_options(draft.game, command.options)
    draft.add(
        e.Configured(
            at=draft.now,
            options=msgspec.to_builtins(options),
            clock=table.clock_setting if command.clock is None else command.clock,
            start=table.start if command.start is None else command.start,
            private=table.private if command.private is None else command.private,
        )
    )
    _start_if_due(draft)


def parsed_options(game: AnyGame, options: dict[str, Any]) -> Any:
    try:
        return msgspec.convert(options, game.options_type)
    except msgspec.ValidationError as error:
        raise Refused("bad_options", f"{game.traits.title} cannot be played like that: {error}.") from None


def _ready(draft: Draft, command: c.Ready) -> None:
    _in_setup(draft.table)
    seat = _own_seat(draft.table, command.person)
    if (seat in draft.table.ready) != command.ready:
        draft.add(e.Readied(at=draft.now, seat=seat, ready=command.ready))
        _start_if_due(draft)


def _start(draft: Draft, command: c.Start) -> None:
    _host_only(draft.table, command.by)
    _in_setup(draft.table)
    if not draft.table.full:
        raise Refused("not_full", "Every seat must be taken first; a bot will do.")
    _begin(draft)


def _start_if_due(draft: Draft) -> None:
    table = draft.table
    if table.phase != "setup" or not table.full or table.start == "host":
        return
    if table.start == "ready" and any(seat not in table.ready for seat, _ in table.sitters()):
        return
    _begin(draft)


def _begin(draft: Draft) -> None:
    table = draft.table
    events = draft.game.begin(table.options, len(table.seats), draft.chance)
    draft.add(e.Started(at=draft.now, events=tuple(events)))


# Play


def _in_play(table: Table) -> None:
    if table.phase == "setup":
        raise Refused("not_started", "The game has not begun.")
    if table.phase == "over":
        raise Refused("over", "This game is over.")
    if table.phase == "paused":
        raise Refused("paused", "The game is paused.")
    if table.waiting:
        raise Refused("waiting", "The game waits for somebody to take the empty seat.")


def _act(draft: Draft, command: c.Act) -> None:
    table = draft.table
    seat = table.seat_of(command.person)
    if seat is None:
        raise Refused("not_seated", "You have no seat at this table.")
    _in_play(table)
    if command.seen is not None and command.seen < table.moved:
        raise Refused("stale", "Something happened before that arrived; look again.")
    _do(draft, seat, command.action)


def _bot_act(draft: Draft, command: c.BotAct) -> None:
    table = draft.table
    _in_play(table)
    if not isinstance(_holder(table, command.seat), BotSitter):
        raise Refused("not_a_bot", "No bot sits there.")
    _do(draft, command.seat, command.action)


def _do(draft: Draft, seat: Seat, action: Any) -> None:
    events = draft.game.decide(draft.table.state, seat, action, draft.chance)
    draft.add(e.Played(at=draft.now, seat=seat, events=tuple(events)))


def _quit(draft: Draft, seat: Seat) -> None:
    events = tuple(draft.game.quit(draft.table.state, seat, draft.chance))
    if events:
        draft.add(e.Played(at=draft.now, seat=seat, why="quit", events=events))


def _resign(draft: Draft, command: c.Resign) -> None:
    seat = _own_seat(draft.table, command.person)
    if not draft.game.traits.resigning:
        raise Refused("no_resigning", f"{draft.game.traits.title} has no resigning; you can leave your seat.")
    _in_play(draft.table)
    _quit(draft, seat)


def _offer_draw(draft: Draft, command: c.OfferDraw) -> None:
    table = draft.table
    seat = _own_seat(table, command.person)
    if not draft.game.traits.draw_offers:
        raise Refused("no_draws", f"{draft.game.traits.title} has no draw offers.")
    _in_play(table)
    if any(isinstance(holder, BotSitter) for holder in table.seats):
        raise Refused("bot", "A bot plays to the end.")
    if seat in table.draw_offers:
        raise Refused("offered", "You have offered a draw already.")
    draft.add(e.DrawOffered(at=draft.now, seat=seat))
    if all(seat in draft.table.draw_offers for seat, _ in draft.table.sitters()):
        events = tuple(draft.game.draw(draft.table.state))
        draft.add(e.Played(at=draft.now, why="agreed", events=events))


def _decline_draw(draft: Draft, command: c.DeclineDraw) -> None:
    seat = _own_seat(draft.table, command.person)
    if not draft.table.draw_offers:
        raise Refused("no_offer", "No draw is offered.")
    draft.add(e.DrawDeclined(at=draft.now, seat=seat))


def _pause(draft: Draft, command: c.Pause) -> None:
    _host_only(draft.table, command.by)
    _in_play(draft.table)
    draft.add(e.Paused(at=draft.now))


def _resume(draft: Draft, command: c.Resume) -> None:
    _host_only(draft.table, command.by)
    if draft.table.phase != "paused":
        raise Refused("not_paused", "The game is not paused.")
    draft.add(e.Resumed(at=draft.now))


# Afterwards


def _rematch(draft: Draft, command: c.Rematch) -> None:
    table = draft.table
    seat = _own_seat(table, command.person)
    if table.phase != "over" or table.outcome is None:
        raise Refused("not_over", "This game is not over.")
    if table.successor is not None:
        raise Refused("succeeded", "The rematch has begun already.")
    if seat in table.rematch:
        raise Refused("asked", "You have asked for a rematch already.")
    draft.add(e.RematchWanted(at=draft.now, seat=seat))


def rematch_agreed(table: Table) -> bool:
    """Everybody who still sits here wants to play again. Bots always do."""
    return bool(table.rematch) and all(seat in table.rematch for seat, _ in table.sitters())


def _succeed(draft: Draft, command: c.Succeed) -> None:
    if draft.table.successor is not None:
        raise Refused("succeeded", "The rematch has begun already.")
    draft.add(e.Succeeded(at=draft.now, next=command.next))


# Talk


def _say(draft: Draft, command: c.Say) -> None:
    seated = draft.table.seat_of(command.person) is not None
    if command.room == "table" and not seated:
        raise Refused("not_seated", "Only players talk at the table; watchers have their own room.")
    if command.room == "kibitz" and seated:
        raise Refused("seated", "Players do not talk among the watchers.")
    draft.add(
        e.Said(
            at=draft.now,
            person=command.person,
            name=command.name,
            text=cleaned(command.text),
            room=command.room,
        )
    )


# Presence and time


def _belongs(table: Table, person: PersonId) -> bool:
    return table.host == person or table.seat_of(person) is not None


def _drop(draft: Draft, command: c.Drop) -> None:
    table = draft.table
    if table.phase != "over" and _belongs(table, command.person) and not table.is_away(command.person):
        draft.add(e.Dropped(at=draft.now, person=command.person))


def _return(draft: Draft, command: c.Return) -> None:
    table = draft.table
    if not table.is_away(command.person):
        return
    draft.add(e.Returned(at=draft.now, person=command.person))
    if table.phase != "over" and table.host is None:
        draft.add(e.HostChanged(at=draft.now, host=command.person))


def _wake(draft: Draft, command: c.Wake) -> None:
    table = draft.table
    if table.phase == "over":
        return
    everybody = {sitter.person for _, sitter in table.sitters()}
    if table.host is not None:
        everybody.add(table.host)
    if table.clock.running or any(not table.is_away(person) for person in everybody):
        draft.add(e.Woken(at=draft.now))


def _tick(draft: Draft, command: c.Tick) -> None:
    """Do whatever is due, the earliest first; at most one flag, so that everyone sees the game move on."""
    manners, now = draft.manners, draft.now
    flag = clocks.next_flag(draft.table.clock)
    if flag is not None and flag[0] <= now:
        seat = flag[1]
        events = draft.game.flag(draft.table.state, seat, draft.chance)
        draft.add(e.Played(at=now, seat=seat, why="flagged", events=tuple(events)))
    for gone in draft.table.away:
        table = draft.table
        if table.phase == "over":
            return
        if table.phase == "setup" and gone.since + manners.setup_grace <= now:
            seat_gone = table.seat_of(gone.person)
            if seat_gone is not None:
                _stand(draft, seat_gone, gone.person, "gone")
        elif gone.person == table.host and gone.since + manners.host_grace <= now:
            heir = _heir(table)
            if heir is not None:
                draft.add(e.HostChanged(at=now, host=heir))
    table = draft.table
    if table.phase != "over" and _deserted(table) and _abandoned_at(table, manners) <= now:
        draft.add(e.Closed(at=now, why="abandoned"))


_RULES: dict[type, Callable[[Draft, Any], None]] = {
    c.Sit: _sit,
    c.SeatBot: _seat_bot,
    c.Unseat: _unseat,
    c.Leave: _leave,
    c.Ready: _ready,
    c.Start: _start,
    c.Promote: _promote,
    c.Configure: _configure,
    c.Act: _act,
    c.BotAct: _bot_act,
    c.Resign: _resign,
    c.OfferDraw: _offer_draw,
    c.DeclineDraw: _decline_draw,
    c.Pause: _pause,
    c.Resume: _resume,
    c.Rematch: _rematch,
    c.Succeed: _succeed,
    c.Say: _say,
    c.Drop: _drop,
    c.Return: _return,
    c.Tick: _tick,
    c.Wake: _wake,
}
