"""Setting a table up, and how play begins."""

from typing import Any

import msgspec

from gamut.games.game import AnyGame, Refused, Seat
from gamut.hall import clock as clocks
from gamut.hall.clock import ClockSetting
from gamut.hall.ids import Millis
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.draft import Draft
from gamut.hall.table.rights import host_only, in_setup, own_seat
from gamut.hall.table.state import Table

_LONGEST_REASON = 300


def configure(draft: Draft, command: c.Configure) -> None:
    table = draft.table
    host_only(table, command.by)
    in_setup(table)
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
            decor=None if command.decor is None else {**table.decor, **command.decor},
            times=_own_times(table, command.clock),
        )
    )
    start_if_due(draft)


def _own_times(table: Table, wanted: ClockSetting | None) -> tuple[Millis, ...]:
    """A game that goes on has times of its own, which stay unless another clock is wanted."""
    if wanted not in (None, table.clock_setting):
        return ()
    usual = clocks.fresh(table.clock_setting, len(table.seats))
    return () if table.clock == usual else tuple(Millis(time.main) for time in table.clock.times)


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
        return game.checked(options)
    except ValueError as error:
        raise _bad_options(game, error) from None


def _bad_options(game: AnyGame, error: Exception) -> Refused:
    # It may repeat what was sent, however long that was.
    why = str(error)[:_LONGEST_REASON].removesuffix(".")
    return Refused("bad_options", f"{game.traits.title} cannot be played like that: {why}.")


def ready(draft: Draft, command: c.Ready) -> None:
    in_setup(draft.table)
    seat = own_seat(draft.table, command.person)
    if (seat in draft.table.ready) != command.ready:
        draft.add(e.Readied(at=draft.now, seat=seat, ready=command.ready))
        start_if_due(draft)


def start(draft: Draft, command: c.Start) -> None:
    host_only(draft.table, command.by)
    in_setup(draft.table)
    fewest = draft.game.traits.fewest
    if not draft.table.full:
        if fewest is None:
            raise Refused("not_full", "Every seat must be taken first; a bot will do.")
        if len(draft.table.present()) < fewest:
            raise Refused("not_full", f"At least {fewest} must sit here; a bot will do.")
    _begin(draft)


def start_if_due(draft: Draft) -> None:
    table = draft.table
    if table.phase != "setup" or not table.full or table.start == "host":
        return
    if table.start == "ready" and any(seat not in table.ready for seat, _ in table.sitters()):
        return
    _begin(draft)


def _begin(draft: Draft) -> None:
    table = draft.table
    if not table.full:
        taken = {seat for seat, _ in table.present()}
        empty = [Seat(number) for number in range(len(table.seats)) if number not in taken]
        events = draft.game.begin_with_empty_seats(table.options, len(table.seats), empty, draft.chance)
    else:
        events = draft.game.begin(table.options, len(table.seats), draft.chance)
    draft.add(e.Started(at=draft.now, events=tuple(events)))
