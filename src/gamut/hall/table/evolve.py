"""What each event does to a table. No checks, no chance: folding a log gives the table back."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from gamut.games.game import AnyGame, Seat
from gamut.hall.ids import Millis, PersonId, Seq
from gamut.hall.table import clock as clocks
from gamut.hall.table import events as e
from gamut.hall.table.seats import Away, BotSitter, Holder, Sitter, person_in
from gamut.hall.table.standing import returns
from gamut.hall.table.state import Table


def opened(game: AnyGame, event: e.Opened) -> Table:
    seats = event.holders or (None,) * event.seats
    return Table(
        id=event.table,
        game=event.game,
        options=msgspec.convert(event.options, game.options_type),
        clock_setting=event.clock,
        start=event.start,
        private=event.private,
        key=event.key,
        room=event.room,
        before=event.before,
        opened=event.at,
        seats=seats,
        persons=tuple(map(person_in, seats)),
        host=event.host,
        clock=clocks.fresh(event.clock, event.seats, event.times),
        password=event.password,
        watchable=event.watchable,
        guards_watching=event.guards_watching,
        one_chat=event.one_chat,
        decor=event.decor,
        barred=event.barred,
        vacated=event.vacated,
        seq=Seq(1),
        at=event.at,
    )


def evolve(game: AnyGame, table: Table, event: Any) -> Table:
    """The table after any event but `taken_back`, for which the log is needed: see `taken_back`."""
    return EVOLVE[type(event)](game, table, event)


def replayed(game: AnyGame, log: Iterable[Any]) -> Table:
    """The table that a log makes; its first event opens it.

    Only the positions to which the game went back are remembered on the way: no move is folded twice.
    """
    events = list(log)
    went_back = returns(events)
    positions = dict.fromkeys(went_back.values())
    table = opened(game, events[0])
    for place, event in enumerate(events[1:], 1):
        if place in went_back:
            table = taken_back(game, table, event, positions[went_back[place]])
        else:
            table = evolve(game, table, event)
        if place in positions:
            positions[place] = table.state
    return table


def _step(table: Table, event: e.Happening, **changes: Any) -> Table:
    return replace(table, seq=table.seq + 1, at=event.at, **changes)


def _put(values: tuple[Any, ...], seat: Seat, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _without(values: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    return tuple(v for v in values if v != value) if value in values else values


def _with(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(sorted({*seats, seat}))


def _arranged(values: tuple[Any, ...], order: Iterable[Seat]) -> tuple[Any, ...]:
    return tuple(values[seat] for seat in order)


def _still_ready(table: Table, ready: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Who is still ready after people changed. An approval was for the table with its
    people of then: it is void."""
    return () if table.start == "approval" else ready


def _configured(game: AnyGame, table: Table, event: e.Configured) -> Table:
    if event.holders:
        table = replace(table, seats=event.holders, persons=tuple(map(person_in, event.holders)))
    return _step(
        table,
        event,
        options=msgspec.convert(event.options, game.options_type),
        clock_setting=event.clock,
        clock=clocks.fresh(event.clock, len(table.seats), event.times),
        start=event.start,
        private=event.private,
        decor=table.decor if event.decor is None else event.decor,
        ready=(),
    )


def _decorated(game: AnyGame, table: Table, event: e.Decorated) -> Table:
    return _step(table, event, decor=event.decor)


def _taken(game: AnyGame, table: Table, event: e.Sat | e.BotSat, holder: Holder) -> Table:
    displaced = table.seats[event.seat]
    if isinstance(displaced, Sitter):
        table = replace(table, away=_without_person(table.away, displaced.person))
    return _step(
        table,
        event,
        seats=_put(table.seats, event.seat, holder),
        persons=_put(table.persons, event.seat, person_in(holder)),
        players=_put(table.players, event.seat, holder) if table.players else (),
        # Whoever takes the seat over has not agreed to what its former holder agreed to.
        ready=_still_ready(table, _without(table.ready, event.seat)),
        draw_offers=_without(table.draw_offers, event.seat),
        turned_down=_without(table.turned_down, event.seat),
        **_no_longer_waiting(game, table, event.seat, event.at),
    )


def _no_longer_waiting(game: AnyGame, table: Table, seat: Seat, at: Millis) -> dict[str, Any]:
    """Play goes on with the clocks as they were, once no seat is waited for any more."""
    waiting = _without(table.waiting, seat)
    clock = table.clock
    if table.phase == "playing" and table.waiting and not waiting and not table.untimed:
        clock = clocks.started(clock, _running(table, game.awaited(table.state)), at)
    return {"waiting": waiting, "clock": clock}


def _waited_for_no_longer(
    game: AnyGame, table: Table, seat: Seat | None, away: tuple[Away, ...], at: Millis
) -> dict[str, Any]:
    """The changes when somebody is back, or play goes on without them; `away`: who is away from now on."""
    stood = bool(_standing(table))
    table = replace(table, away=away)
    changes = {} if seat is None else _no_longer_waiting(game, table, seat, at)
    if stood and table.phase == "playing" and not table.waiting and not table.untimed:
        clock = clocks.charge(table.clock, at)
        changes["clock"] = clocks.started(clock, _running(table, game.awaited(table.state)), at)
    return {"away": away, **changes}


def _standing(table: Table) -> list[PersonId]:
    """People for whom no time passes until they are back."""
    return [gone.person for gone in table.away if gone.clock_stands] if table.away else []


def _running(table: Table, awaited: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Those of the awaited seats whose clocks run."""
    standing = _standing(table)
    return tuple(seat for seat in awaited if table.persons[seat] not in standing) if standing else awaited


def _sat(game: AnyGame, table: Table, event: e.Sat) -> Table:
    table = replace(table, away=_without_person(table.away, event.sitter.person))
    return _taken(game, table, event, event.sitter)


def _bot_sat(game: AnyGame, table: Table, event: e.BotSat) -> Table:
    return _taken(game, table, event, BotSitter(event.level, event.name))


def _without_person(away: tuple[Away, ...], person: PersonId | None) -> tuple[Away, ...]:
    return tuple(gone for gone in away if gone.person != person) if away else away


def _stood(game: AnyGame, table: Table, event: e.Stood) -> Table:
    waits = table.phase in ("playing", "paused") and game.traits.leaver == "waits"
    barred = table.barred
    if event.why == "kicked" and event.bar and event.person is not None:
        barred = (*barred, event.person)
    changes = _no_longer_waiting(game, table, event.seat, event.at)
    if waits:
        changes = {
            "waiting": _with(table.waiting, event.seat),
            "clock": clocks.stopped(table.clock, event.at),
        }
    return _step(
        table,
        event,
        seats=_put(table.seats, event.seat, None),
        persons=_put(table.persons, event.seat, None),
        ready=_still_ready(table, _without(table.ready, event.seat)),
        draw_offers=_without(table.draw_offers, event.seat),
        rematch=_without(table.rematch, event.seat),
        away=_without_person(table.away, event.person),
        barred=barred,
        vacated=True,
        **changes,
    )


def _host_changed(game: AnyGame, table: Table, event: e.HostChanged) -> Table:
    away = table.away
    if table.host is not None and table.seat_of(table.host) is None:
        away = _without_person(away, table.host)
    return _step(table, event, host=event.host, away=away)


def _readied(game: AnyGame, table: Table, event: e.Readied) -> Table:
    ready = _with(table.ready, event.seat) if event.ready else _without(table.ready, event.seat)
    return _step(table, event, ready=ready)


def _swapped(game: AnyGame, table: Table, event: e.Swapped) -> Table:
    order = list(map(Seat, range(len(table.seats))))
    order[event.a], order[event.b] = event.b, event.a
    return _step(
        table,
        event,
        seats=_arranged(table.seats, order),
        persons=_arranged(table.persons, order),
        ready=_still_ready(table, tuple(sorted(order[seat] for seat in table.ready))),
    )


def _after_play(
    game: AnyGame, table: Table, event: e.Started[Any] | e.Played[Any], state: Any, actor: Seat | None
) -> Table:
    seq = table.seq + 1
    if table.last_turns or (table.state is None and game.traits.simultaneous):
        table = replace(table, last_turns=_turns(game, table, event, state))
    outcome = game.outcome(state)
    if outcome is not None:
        return _step(
            table,
            event,
            state=state,
            phase="over",
            outcome=outcome,
            clock=clocks.stopped(table.clock, event.at),
            waiting=(),
            draw_offers=(),
            last_play=seq,
        )
    if table.turned_down:
        table = replace(table, turned_down=_without(table.turned_down, actor))
    offers = table.draw_offers
    if offers and actor is not None and not game.keeps_offers(state, actor, event.events):
        # An offer lapses when somebody it was made to plays on.
        offers = tuple(seat for seat in offers if seat == actor)
    if table.untimed and actor is None and game.awaited(state) == game.awaited(table.state):
        # Somebody else quit in the untimed first turn, which goes on.
        return _step(table, event, state=state, draw_offers=offers, last_play=seq)
    clock = table.clock
    if type(clock.setting) is not clocks.NoClock:
        clock = _pressed(game, table, event, state, actor)
    # Not through `_step`: this is the most frequent change of all, and has to be quick.
    return replace(
        table,
        seq=seq,
        at=event.at,
        state=state,
        clock=clock,
        draw_offers=offers,
        last_play=seq,
        untimed=False,
    )


def _turns(game: AnyGame, table: Table, event: Any, state: Any) -> tuple[Seq, ...]:
    """For each seat the event with which its turn last changed: it acted, became awaited,
    or is awaited no longer."""
    seq = Seq(table.seq + 1)
    if table.state is None:
        return (seq,) * len(table.seats)
    before, after = game.awaited(table.state), game.awaited(state)
    return tuple(
        seq if seat == event.seat or (seat in before) != (seat in after) else table.last_turn(Seat(seat))
        for seat in range(len(table.seats))
    )


def _pressed(
    game: AnyGame, table: Table, event: e.Started[Any] | e.Played[Any], state: Any, actor: Seat | None
) -> clocks.Clock:
    clock, at, standing = table.clock, event.at, _standing(table)
    if table.halted or (standing and table.state is not None and not table.untimed):
        # Turns begin and end also while play rests, or somebody's clock stands, but no time passes for them.
        clock = clocks.started(clocks.charge(clock, at), game.awaited(table.state), at)
    clock = clocks.pressed(clock, actor, game.awaited(state), at)
    if len(event.events) > 1:
        clock = clocks.added(clock, game.played_for(event.events))
    if table.halted:
        return clocks.stopped(clock, at)
    return replace(clock, running=_running(table, clock.running)) if standing else clock


def _started(game: AnyGame, table: Table, event: e.Started[Any]) -> Table:
    if event.order:
        table = replace(
            table,
            seats=_arranged(table.seats, event.order),
            persons=_arranged(table.persons, event.order),
            # The times stay where they are: they belong to the seat, whoever has it.
            ready=tuple(Seat(seat) for seat, before in enumerate(event.order) if before in table.ready),
        )
    table = replace(table, players=table.seats)
    if game.traits.first_turn_free:
        state = game.replay(event.events)
        return _step(table, event, phase="playing", state=state, last_play=table.seq + 1, untimed=True)
    return _after_play(game, replace(table, phase="playing"), event, game.replay(event.events), None)


def _played(game: AnyGame, table: Table, event: e.Played[Any]) -> Table:
    state = table.state
    for happened in event.events:
        state = game.evolve(state, happened)
    actor = event.seat if event.why in ("acted", "flagged") else None
    return _after_play(game, table, event, state, actor)


def taken_back(game: AnyGame, table: Table, event: e.TakenBack, state: Any) -> Table:
    """The table after a move was taken back, with the position to which the game returns.

    No time comes back with it: whoever is to act goes on with what their clock shows, and no turn begins.
    """
    untimed = game.traits.first_turn_free and event.moves == 0
    clock = clocks.charge(table.clock, event.at)
    if untimed:
        clock = clocks.stopped(clock, event.at)
    else:
        clock = clocks.started(clock, _running(table, game.awaited(state)), event.at)
    seq = Seq(table.seq + 1)
    return _step(
        table,
        event,
        state=state,
        clock=clock,
        draw_offers=(),
        untimed=untimed,
        # Nothing that somebody, or a bot, has thought of for another position counts in this one.
        last_play=seq,
        last_turns=(seq,) * len(table.last_turns),
    )


def _paused(game: AnyGame, table: Table, event: e.Paused) -> Table:
    return _step(table, event, phase="paused", clock=clocks.stopped(table.clock, event.at))


def _resumed(game: AnyGame, table: Table, event: e.Resumed) -> Table:
    clock = table.clock
    if not table.waiting and not table.untimed:
        clock = clocks.started(clock, _running(table, game.awaited(table.state)), event.at)
    return _step(table, event, phase="playing", clock=clock)


def _draw_offered(game: AnyGame, table: Table, event: e.DrawOffered) -> Table:
    return _step(table, event, draw_offers=_with(table.draw_offers, event.seat))


def _draw_declined(game: AnyGame, table: Table, event: e.DrawDeclined) -> Table:
    return _step(table, event, draw_offers=(), turned_down=table.turned_down + table.draw_offers)


def _rematch_wanted(game: AnyGame, table: Table, event: e.RematchWanted) -> Table:
    return _step(table, event, rematch=_with(table.rematch, event.seat), rematch_level=event.level)


def _succeeded(game: AnyGame, table: Table, event: e.Succeeded) -> Table:
    return _step(table, event, successor=event.next)


def _said(game: AnyGame, table: Table, event: e.Said) -> Table:
    return _step(table, event, said=table.said + 1)


def _dropped(game: AnyGame, table: Table, event: e.Dropped) -> Table:
    return _step(
        table, event, away=(*_without_person(table.away, event.person), Away(event.person, event.at))
    )


def _returned(game: AnyGame, table: Table, event: e.Returned) -> Table:
    away = _without_person(table.away, event.person)
    seat = table.seat_of(event.person)
    return _step(table, event, **_waited_for_no_longer(game, table, seat, away, event.at))


def _renamed(game: AnyGame, table: Table, event: e.Renamed) -> Table:
    def called(holder: Holder | None) -> Holder | None:
        if type(holder) is not Sitter or holder.person != event.person:
            return holder
        return replace(holder, name=event.name, guest=event.guest)

    return _step(
        table, event, seats=tuple(map(called, table.seats)), players=tuple(map(called, table.players))
    )


def _waited_out(game: AnyGame, table: Table, event: e.WaitedOut) -> Table:
    person = table.persons[event.seat]
    away = tuple(replace(gone, clock_stands=False) if gone.person == person else gone for gone in table.away)
    return _step(table, event, **_waited_for_no_longer(game, table, event.seat, away, event.at))


def _woken(game: AnyGame, table: Table, event: e.Woken) -> Table:
    gone = table.people if event.cut_off is None else event.cut_off
    resting = [seat for seat, sitter in table.sitters() if sitter.rests and sitter.person in gone]
    lost = any(not sitter.returns and sitter.person in gone for _, sitter in table.sitters())
    # Clocks ran until the server stopped: otherwise a restart every night would give everybody their time
    # back. After a crash that moment is not known, but the server was there at the last event of this table.
    until = table.at if event.stopped_at is None else max(table.at, event.stopped_at)
    clock = clocks.handed(table.clock, until, event.at)
    away = tuple(_away(table, event, gone))
    clock = replace(clock, running=_running(replace(table, away=away), clock.running))
    waiting = table.waiting
    if resting and table.phase != "setup":
        waiting = tuple(sorted({*waiting, *resting}))
        clock = clocks.stopped(clock, event.at)
    return _step(
        table,
        event,
        away=away,
        clock=clock,
        waiting=waiting,
        vacated=table.vacated or lost,
    )


def _handed(game: AnyGame, table: Table, event: e.Handed) -> Table:
    return _step(table, event, clock=clocks.handed(table.clock, event.charged, event.at))


def _away(table: Table, event: e.Woken, gone: Collection[PersonId]) -> Iterator[Away]:
    """Who is away by then, and since when: the time in which there was no server to come back to is left out."""
    before = {away.person: away for away in table.away}
    for person in table.people:
        if person in before:
            since = event.at if event.away is None else min(before[person].since + event.away, event.at)
            yield replace(before[person], since=Millis(since))
        elif person in gone:
            yield Away(person, event.at, cut_off=True, clock_stands=event.clocks_stand)


def _closed(game: AnyGame, table: Table, event: e.Closed) -> Table:
    return _step(
        table, event, phase="over", waiting=(), draw_offers=(), clock=clocks.stopped(table.clock, event.at)
    )


EVOLVE: dict[type, Callable[[AnyGame, Table, Any], Table]] = {
    e.Configured: _configured,
    e.Decorated: _decorated,
    e.Sat: _sat,
    e.BotSat: _bot_sat,
    e.Stood: _stood,
    e.HostChanged: _host_changed,
    e.Readied: _readied,
    e.Swapped: _swapped,
    e.Started: _started,
    e.Played: _played,
    e.Paused: _paused,
    e.Resumed: _resumed,
    e.DrawOffered: _draw_offered,
    e.DrawDeclined: _draw_declined,
    e.RematchWanted: _rematch_wanted,
    e.Succeeded: _succeeded,
    e.Said: _said,
    e.Dropped: _dropped,
    e.Returned: _returned,
    e.Renamed: _renamed,
    e.WaitedOut: _waited_out,
    e.Woken: _woken,
    e.Handed: _handed,
    e.Closed: _closed,
}
