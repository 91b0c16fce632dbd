"""Lost connections, returns, and whatever is due when time passes."""

from collections.abc import Collection

from gamut.hall.ids import Millis, PersonId
from gamut.hall.table import clock as clocks
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.deciding.beginning import start_if_due
from gamut.hall.table.deciding.draft import Draft, Timeouts
from gamut.hall.table.deciding.play import flag_falls
from gamut.hall.table.deciding.seating import heir, stand
from gamut.hall.table.seats import Away, Sitter
from gamut.hall.table.state import Table


def may_be_due(table: Table) -> bool:
    """Whether there may be a deadline at all. Most tables have none, most of the time."""
    return bool(table.clock.running or table.away)


def next_deadline(table: Table, timeouts: Timeouts) -> Millis | None:
    """When Tick will have something to do, if nothing happens before."""
    if table.phase == "over":
        return None
    flag = clocks.next_flag(table.clock)
    if not table.away:
        return None if flag is None else flag[0]
    due = [] if flag is None else [flag[0]]
    for gone in table.away:
        if gone.person == table.host and heir(table) is not None:
            due.append(Millis(gone.since + timeouts.host_grace))
        seat_due = _waited_out_at(table, gone, timeouts) or _given_up_at(table, gone, timeouts)
        if seat_due is not None:
            due.append(seat_due)
    abandoned = _abandoned_at(table, timeouts)
    if abandoned is not None:
        due.append(abandoned)
    return min(due, default=None)


def _given_up_at(table: Table, gone: Away, timeouts: Timeouts) -> Millis | None:
    """When the seat of somebody without a connection is free again."""
    seat = table.seat_of(gone.person)
    if seat is None:
        return None
    holder = table.seats[seat]
    if isinstance(holder, Sitter):
        if holder.kept_for is not None:
            kept = kept_for(gone, holder.kept_for, timeouts)
            return None if _clock_decides(table, holder) else Millis(gone.since + kept)
        if holder.rests and holder.returns and seat in table.waiting and not _clock_decides(table, holder):
            # One millisecond later than the table closes: if nobody comes back at all, there is no result.
            return Millis(gone.since + timeouts.room_grace + 1)
    return Millis(gone.since + timeouts.setup_grace) if table.phase == "setup" else None


def kept_for(gone: Away, agreed: Millis, timeouts: Timeouts) -> Millis:
    """How long a seat is kept. After a stop of the server at least `room_grace`:
    the client may not have noticed it."""
    return max(agreed, timeouts.room_grace) if gone.cut_off else agreed


def _is_kept_longer(table: Table, gone: Away, timeouts: Timeouts) -> bool:
    """Whether this seat is kept for longer because a stop of the server cut its person off."""
    seat = table.seat_of(gone.person)
    holder = None if seat is None else table.seats[seat]
    if not isinstance(holder, Sitter) or holder.kept_for is None:
        return False
    return kept_for(gone, holder.kept_for, timeouts) > holder.kept_for


def _clock_decides(table: Table, sitter: Sitter) -> bool:
    """Whether this person's clock decides if they do not come back: there is one, and play rests for them."""
    timed = not isinstance(table.clock_setting, clocks.NoClock)
    return timed and bool(sitter.rests) and sitter.returns and table.phase == "playing"


def _waited_out_at(table: Table, gone: Away, timeouts: Timeouts) -> Millis | None:
    """When play stops waiting for this person, or their clock runs again; None: neither waits for them."""
    return Millis(gone.since + timeouts.room_grace) if _is_waited_for(table, gone) else None


def _is_waited_for(table: Table, gone: Away) -> bool:
    """Whether play, or this person's clock, waits for their return until `room_grace` is over."""
    seat = table.seat_of(gone.person)
    if seat is None or table.phase != "playing" or isinstance(table.clock_setting, clocks.NoClock):
        return False
    if seat not in table.waiting:
        return gone.clock_stands
    holder = table.seats[seat]
    # If everybody is away and play rests for all of them, it does not go on: the table closes.
    return isinstance(holder, Sitter) and _clock_decides(table, holder) and not _all_rest(table)


def _all_rest(table: Table) -> bool:
    """Nobody of this table has a connection, and play rests for every one of them."""
    return _deserted(table) and all(sitter.rests for _, sitter in table.sitters())


def clock_decides(table: Table) -> bool:
    """Whether the game goes on by itself: somebody's clock runs, or will when they have been waited for."""
    return bool(table.clock.running) or any(_is_waited_for(table, gone) for gone in table.away)


def _deserted(table: Table) -> bool:
    """Nobody of this table has a connection."""
    return bool(table.away) and all(table.is_away(sitter.person) for _, sitter in table.sitters())


def _abandoned_at(table: Table, timeouts: Timeouts) -> Millis | None:
    """When the table is closed since nobody came back to it; None: somebody is there."""
    if not _deserted(table):
        return None
    patience = timeouts.setup_grace
    if table.phase == "setup":
        if any(_is_kept_longer(table, gone, timeouts) for gone in table.away):
            patience = max(patience, timeouts.room_grace)
    elif clock_decides(table):
        # The clock ends the game. The limit is for clocks that are refilled every turn:
        # they would run for years.
        patience = Millis(max(clocks.LONGEST + timeouts.room_grace, timeouts.abandoned_after))
    elif _all_rest(table):
        patience = timeouts.room_grace
    else:
        # No clock runs in a free first turn, but players may take as long for it as
        # the clock would give them.
        given = clocks.first_span(table.clock_setting) if table.untimed else 0
        patience = Millis(max(timeouts.abandoned_after, given))
    return Millis(max(gone.since for gone in table.away) + patience)


def _closes_first(table: Table, timeouts: Timeouts, now: Millis) -> bool:
    """Whether the table is due to close, and was so before any seat was given up: where nobody came back,
    nobody has lost, however late the server looks."""
    if table.phase == "over":
        return False
    closes = _abandoned_at(table, timeouts)
    if closes is None or closes > now:
        return False
    given_up = (_given_up_at(table, gone, timeouts) for gone in table.away)
    return all(at is None or closes < at for at in given_up)


def drop(draft: Draft, command: c.Drop) -> None:
    table = draft.table
    if table.phase != "over" and table.inside(command.person) and not table.is_away(command.person):
        draft.add(e.Dropped(at=draft.now, person=command.person))


def come_back(draft: Draft, command: c.Return) -> None:
    table = draft.table
    if not table.is_away(command.person):
        return
    draft.add(e.Returned(at=draft.now, person=command.person, key=command.key))
    if table.phase != "over" and table.host is None:
        draft.add(e.HostChanged(at=draft.now, host=command.person))
    start_if_due(draft)


def wake(draft: Draft, command: c.Wake) -> None:
    if draft.table.phase == "over":
        return
    stopped_at = command.charged
    if command.node is not None:
        _hand_over(draft, command.node, command.charged)
        stopped_at = None
    table = draft.table
    if table.phase == "over":
        return
    for away in table.away:
        if away.person in command.here:
            come_back(draft, c.Return(away.person))
    table = draft.table
    gone = _without_connection(table, command.here)
    nobody_is_here = command.here.isdisjoint(table.people)
    clocks_go_on = bool(table.clock.running) and (command.node is None or nobody_is_here)
    waits_for_some = bool(table.away) and command.away > 0
    if clocks_go_on or waits_for_some or gone:
        draft.add(
            e.Woken(
                at=draft.now,
                away=command.away,
                clocks_stand=True,
                stopped_at=stopped_at,
                cut_off=None if nobody_is_here else gone,
            )
        )


def cut_off(draft: Draft, command: c.CutOff) -> None:
    """Clocks run until whoever was cut off was heard last, and nobody gets time back: they had theirs until then. Where
    it is the turn of somebody who is here, they run on."""
    table, now = draft.table, draft.now
    gone = _without_connection(table, command.here)
    if gone and table.phase != "over":
        acting = {table.persons[seat] for seat in table.clock.running}
        heard = now if command.heard is None or acting & command.here else min(command.heard, now)
        draft.add(e.Woken(at=now, away=Millis(0), clocks_stand=True, stopped_at=heard, cut_off=gone))


def _without_connection(table: Table, here: Collection[PersonId]) -> tuple[PersonId, ...]:
    """Who of the table is not here, though the table does not know them to be away."""
    return tuple(person for person in table.people if person not in here and not table.is_away(person))


def _hand_over(draft: Draft, node: int, charged: Millis | None) -> None:
    """This node has the table from now on. Whoever had no time left up to `charged` was late already."""
    table, now = draft.table, draft.now
    until = table.at if charged is None else Millis(min(max(table.at, charged), now))
    draft.add(e.Handed(at=now, charged=until, node=node))
    for _ in draft.table.clock.running:
        _fall_if_due(draft)


def tick(draft: Draft, command: c.Tick) -> None:
    """Do whatever is due, the earliest first; at most one flag, so that everyone sees the game move on."""
    timeouts, now = draft.timeouts, draft.now
    _fall_if_due(draft)
    if _closes_first(draft.table, timeouts, now):
        draft.add(e.Closed(at=now, why="abandoned"))
    for gone in draft.table.away:
        table = draft.table
        if table.phase == "over":
            return
        seat_gone = table.seat_of(gone.person)
        waited_out = _waited_out_at(table, gone, timeouts)
        if waited_out is not None and waited_out <= now and seat_gone is not None:
            draft.add(e.WaitedOut(at=now, seat=seat_gone))
        given_up = _given_up_at(table, gone, timeouts)
        if given_up is not None and given_up <= now and seat_gone is not None:
            stand(draft, seat_gone, gone.person, "gone")
            continue
        if gone.person == table.host and gone.since + timeouts.host_grace <= now:
            successor = heir(table)
            if successor is not None:
                draft.add(e.HostChanged(at=now, host=successor))
                start_if_due(draft)
    table = draft.table
    if table.phase != "over":
        abandoned = _abandoned_at(table, timeouts)
        if abandoned is not None and abandoned <= now:
            draft.add(e.Closed(at=now, why="abandoned"))


def _fall_if_due(draft: Draft) -> None:
    flag = clocks.next_flag(draft.table.clock)
    if flag is not None and flag[0] <= draft.now:
        flag_falls(draft, flag[1])
