"""Setting a table up, and how play begins."""

from typing import Any

import msgspec
from msgspec.structs import replace

from gamut.games.game import AnyGame, Refused, Seat
from gamut.hall.ids import Millis
from gamut.hall.table import clock as clocks
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import ClockSetting, Time
from gamut.hall.table.deciding.draft import Draft
from gamut.hall.table.deciding.resizing import holders_with
from gamut.hall.table.deciding.rights import host_only, in_setup, own_seat
from gamut.hall.table.seats import Sitter
from gamut.hall.table.state import Table

_LONGEST_REASON = 300


def configure(draft: Draft, command: c.Configure) -> None:
    table = draft.table
    host_only(table, command.by)
    in_setup(table)
    options, holders = table.options, None
    if command.options is not None:
        options = parsed_options(draft.game, command.options)
    if command.options is not None or command.seats is not None:
        holders = holders_with(draft.game, options, table.seats, command.seats)
    clock = table.clock_setting if command.clock is None else command.clock
    seats = len(table.seats if holders is None else holders)
    event = e.Configured(
        at=draft.now,
        options=msgspec.to_builtins(options),
        clock=clock,
        start=table.start if command.start is None else command.start,
        private=table.private if command.private is None else command.private,
        decor=None if command.decor is None else {**table.decor, **command.decor},
        times=_own_times(table, clock, seats)
        if command.times is None
        else _given(clock, command.times, seats),
        holders=() if holders is None else holders,
    )
    if _changes(table, options, event):
        draft.add(event)
        # The checked object itself, and not an equal one: what took long to work out is kept with it.
        draft.table = replace(draft.table, options=options)
        start_if_due(draft)


def _changes(table: Table, options: Any, event: e.Configured) -> bool:
    """Whether it says anything new: if not, nothing is stored, and who was ready still is."""
    known = (table.options, table.clock_setting, table.start, table.private)
    if (options, event.clock, event.start, event.private) != known or event.holders:
        return True
    if event.decor not in (None, table.decor):
        return True
    return bool(event.times) and clocks.fresh(event.clock, len(table.seats), event.times) != table.clock


def _own_times(table: Table, clock: ClockSetting, seats: int) -> tuple[Millis | Time, ...]:
    """A game that goes on has times of its own. They stay unless another clock or number of seats is wanted."""
    usual = clocks.fresh(clock, seats)
    if clock != table.clock_setting or seats != len(table.seats) or table.clock == usual:
        return ()
    times = tuple(Millis(time.main) for time in table.clock.times)
    return times if table.clock == clocks.fresh(clock, seats, times) else table.clock.times


def _given(clock: ClockSetting, times: tuple[Time, ...], seats: int) -> tuple[Time, ...]:
    if len(times) != seats or not all(clocks.can_begin(clock, time) for time in times):
        raise Refused("bad_times", "Each player needs some time on the clock that is chosen.")
    return times


def decorate(draft: Draft, command: c.Decorate) -> None:
    table = draft.table
    host_only(table, command.by)
    in_setup(table)
    decor = {**table.decor, **command.decor}
    if decor != table.decor:
        draft.add(e.Decorated(at=draft.now, decor=decor))


def parsed_options(game: AnyGame, options: Any) -> Any:
    """Options as the game has them, checked. Those that were checked before come as the game's own type."""
    if isinstance(options, game.options_type):
        return options
    return checked_options(game, converted_options(game, options))


def converted_options(game: AnyGame, options: dict[str, Any]) -> Any:
    """Options of the game's own type, of which no more is known."""
    try:
        return msgspec.convert(options, game.options_type)
    except msgspec.ValidationError as error:
        raise _bad_options(game, error) from None


def checked_options(game: AnyGame, options: Any) -> Any:
    """The same as a table keeps them. With some options this takes long (`Game.takes_long`)."""
    try:
        checked = game.checked(options)
        # Options that a door puts together have not met the limits of their type, by which a table is read again.
        msgspec.convert(msgspec.to_builtins(checked), game.options_type)
    except ValueError as error:
        raise _bad_options(game, error) from None
    return checked


def _bad_options(game: AnyGame, error: Exception) -> Refused:
    # It may repeat what was sent, however long that was.
    why = str(error)[:_LONGEST_REASON].removesuffix(".")
    return Refused("bad_options", f"{game.traits.title} cannot be played like that: {why}.")


def ready(draft: Draft, command: c.Ready) -> None:
    table = draft.table
    seat = own_seat(table, command.person)
    in_setup(table)
    if table.start == "approval":
        if not command.ready:
            raise Refused("approved", "Whoever has approved has approved, until something is changed.")
        if not table.full:
            raise Refused("not_full", "Every seat must be taken before anybody can approve.")
    if (seat in table.ready) != command.ready:
        draft.add(e.Readied(at=draft.now, seat=seat, ready=command.ready))
        start_if_due(draft)


def start(draft: Draft, command: c.Start) -> None:
    host_only(draft.table, command.by)
    in_setup(draft.table)
    if not enough_sit(draft.game, draft.table):
        fewest = _fewest(draft.game, draft.table)
        who = "Every seat must be taken first" if fewest is None else f"At least {fewest} must sit here"
        raise Refused("not_full", f"{who}; a bot will do.")
    if draft.table.start == "approval" and not _all_ready(draft.table):
        raise Refused("not_approved", "Everybody who sits here must approve first.")
    _begin(draft)


def enough_sit(game: AnyGame, table: Table) -> bool:
    """Whether play can begin with those who sit here, if that is wanted."""
    fewest = _fewest(game, table)
    return table.full or (fewest is not None and len(table.present()) >= fewest)


def _fewest(game: AnyGame, table: Table) -> int | None:
    """How many must sit here; None: every seat must be taken, as whoever approves does so of a full table."""
    return None if table.start == "approval" else game.traits.fewest


def start_if_due(draft: Draft) -> None:
    table = draft.table
    if table.phase == "setup" and table.full and (table.start == "full" or _agreed(table)):
        _begin(draft)


def _agreed(table: Table) -> bool:
    """Whether those who have a say in it want play to begin."""
    if table.start == "host":
        # A host whose client has no word for it begins by being ready.
        return any(
            sitter.person == table.host and not sitter.can("start") and _is_ready(table, seat, sitter)
            for seat, sitter in table.sitters()
        )
    if table.start == "approval" and next(table.sitters(), None) is None:
        return False  # bots alone begin nothing
    return _all_ready(table)


def _all_ready(table: Table) -> bool:
    return all(_is_ready(table, seat, sitter) for seat, sitter in table.sitters())


def _is_ready(table: Table, seat: Seat, sitter: Sitter) -> bool:
    return seat in table.ready or not sitter.can("ready")


def _begin(draft: Draft) -> None:
    game, table = draft.game, draft.table
    seats = len(table.seats)
    taken = [seat for seat, _ in table.present()]
    order = tuple(game.arrange(table.options, seats, taken, draft.chance))
    assert sorted(order) == list(range(seats)), "everybody gets a seat, and nobody two"
    if len(taken) < seats:
        empty = [Seat(seat) for seat, before in enumerate(order) if before not in taken]
        events = game.begin_with_empty_seats(table.options, seats, empty, draft.chance)
    else:
        host = None if table.host is None else table.seat_of(table.host)
        events = game.begin_hosted(
            table.options, seats, None if host is None else Seat(order.index(host)), draft.chance
        )
    stays = order == tuple(range(seats))
    draft.add(e.Started(at=draft.now, events=tuple(events), order=() if stays else order))


def swap(draft: Draft, command: c.Swap) -> None:
    table = draft.table
    host_only(table, command.by)
    in_setup(table)
    if not draft.game.traits.arrangeable:
        raise Refused(
            "not_arrangeable", f"In {draft.game.traits.title} everybody chooses a seat for themselves."
        )
    places = draft.game.open_seats(table.options, len(table.seats))
    if command.a not in places or command.b not in places:
        raise Refused("no_such_seat", "There is no such seat.")
    if command.a == command.b:
        raise Refused("same_seat", "Two different seats can be swapped.")
    if table.seats[command.a] is None and table.seats[command.b] is None:
        raise Refused("empty_seat", "Nobody sits there.")
    for seat in (command.a, command.b):
        holder = table.seats[seat]
        if isinstance(holder, Sitter) and not holder.can("swap"):
            raise Refused(
                "keeps_seat", f"{holder.name} plays with a program that cannot be told of another seat."
            )
    draft.add(e.Swapped(at=draft.now, a=command.a, b=command.b))


def call_off(draft: Draft, command: c.CallOff) -> None:
    host_only(draft.table, command.by)
    in_setup(draft.table)
    draft.add(e.Closed(at=draft.now, why="called_off"))
