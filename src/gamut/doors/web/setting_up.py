"""Opening tables and changing their settings. What takes long to check comes last, and then all is asked again."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from gamut.doors.web import from_client as f
from gamut.doors.web import to_client as t
from gamut.games.game import AnyGame, Refused
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.beginning import converted_options, parsed_options
from gamut.hall.table.deciding.lock import locked
from gamut.hall.table.deciding.resizing import seat_count
from gamut.hall.table.deciding.rights import host_only, in_setup

if TYPE_CHECKING:
    from gamut.doors.web.session import WebSession


def open_table(session: "WebSession", message: f.Open) -> bool | Awaitable[bool]:
    opening = Opening(
        game=message.game,
        options=message.options,
        seats=message.seats,
        clock=message.clock,
        start=message.start,
        private=message.private,
        watchable=message.watchable,
        guards_watching=message.guards_watching,
        one_chat=message.one_chat,
    )
    if message.guards_watching and message.password is None:
        raise Refused("no_password", "Only a table that has a password can ask watchers for it.")
    game = session.hall.may_open(opening, session.person)
    known = {level.name for level in game.traits.levels}
    if not known.issuperset(message.bots):
        raise Refused("no_such_level", f"There is no such bot; choose one of {', '.join(sorted(known))}.")
    session.check_follow_limit()
    options = converted_options(game, message.options)
    if len(message.bots) >= seat_count(game, options, message.seats):
        raise Refused("bad_seats", "That leaves no seat for you.")
    if message.password is None and not game.takes_long(options):
        return _open_now(session, message, opening)
    return _open_later(session, message, opening, game, options)


async def _open_later(
    session: "WebSession", message: f.Open, opening: Opening, game: AnyGame, options: Any
) -> bool:
    hall = session.hall
    options = await hall.option_checks.check(game, options, session.person, session.address)
    password = None
    if message.password is not None:
        password = await hall.run_blocking(locked, message.password)
    if session.is_deaf:
        return True
    session.check_follow_limit()
    return _open_now(session, message, replace(opening, options=options, password=password))


def _open_now(session: "WebSession", message: f.Open, opening: Opening) -> bool:
    hall, person, seat = session.hall, session.person, message.seat
    if seat is not None:
        game = hall.games[message.game]
        options = parsed_options(game, opening.options)
        if seat not in game.open_seats(options, seat_count(game, options, opening.seats)):
            raise Refused("no_such_seat", "There is no such seat.")
        opening = replace(opening, options=options)
    live = hall.open(opening, person)
    session.send(t.Opened(table=live.id, key=live.table.key, id=message.id))
    session.follow(live)
    # Whoever was allowed to open it is allowed to sit down there.
    hall.do(live, c.Sit(session.sitter(), seat, key=live.table.key), granted=True)
    for level in message.bots:
        hall.do(live, c.SeatBot(person, level), granted=True)
    return True


def configure(session: "WebSession", message: f.Configure) -> Awaitable[None] | None:
    live = session.known_table(message.table)
    if message.options is not None:
        host_only(live.table, session.person)
        in_setup(live.table)
        options = converted_options(live.game, message.options)
        if live.game.takes_long(options):
            return _configure_later(session, message, live.game, options)
    _configure_now(session, message, live, message.options)
    return None


async def _configure_later(session: "WebSession", message: f.Configure, game: AnyGame, options: Any) -> None:
    options = await session.hall.option_checks.check(game, options, session.person, session.address)
    live = await session.hall.load(TableId(message.table))
    if live is None:
        raise Refused("no_such_table", "There is no such table.")
    if not session.is_deaf:
        _configure_now(session, message, session.known_table(message.table), options)


def _configure_now(session: "WebSession", message: f.Configure, live: LiveTable, options: Any) -> None:
    command = c.Configure(
        session.person, options, message.clock, message.start, message.private, seats=message.seats
    )
    session.hall.do(live, command)
