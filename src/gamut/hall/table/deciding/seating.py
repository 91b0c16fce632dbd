"""Taking seats and giving them up, and who is host."""

from contextlib import suppress
from typing import Any

from gamut.games.game import AnyGame, Refused, Seat
from gamut.hall.ids import PersonId
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.deciding.beginning import start_if_due
from gamut.hall.table.deciding.bot_names import level_named, name_for
from gamut.hall.table.deciding.draft import Draft
from gamut.hall.table.deciding.play import quit_game, taken_out
from gamut.hall.table.deciding.rights import check_password, holder_of, host_only, not_over, own_seat
from gamut.hall.table.seats import Sitter
from gamut.hall.table.state import Table


def sit(draft: Draft, command: c.Sit) -> None:
    table, sitter = draft.table, command.sitter
    not_over(table)
    if sitter.person in table.barred:
        raise Refused("barred", "The host has asked you to leave this table.")
    if table.seat_of(sitter.person) is not None:
        raise Refused("seated", "You already have a seat at this table.")
    invited = command.key == table.key or sitter.person == table.host
    if table.private and not invited:
        raise Refused("private", "This table is private: open the link its host gave you.")
    if not invited:
        check_password(table, "sits down", command.password, command.password_hash)
    seat = _free_seat(draft.game, table, command.seat, sitter.name)
    lost = table.seats[seat]
    draft.add(e.Sat(at=draft.now, seat=seat, sitter=sitter))
    if table.host is None or (isinstance(lost, Sitter) and lost.person == table.host):
        draft.add(e.HostChanged(at=draft.now, host=sitter.person))
    start_if_due(draft)


def _free_seat(game: AnyGame, table: Table, wanted: Seat | None, name: str | None = None) -> Seat:
    filled = {seat for seat, _ in table.present()}
    places = game.open_seats(table.options, len(table.seats)) if table.phase == "setup" else table.waiting
    free = [seat for seat in places if seat not in filled]
    if not free:
        raise Refused("full", "Every seat is taken; you can watch.")
    if wanted is None:
        # A player who lost the seat when the server stopped gets it back by name;
        # others take empty seats first.
        for seat in free:
            holder = table.seats[seat]
            if holder is not None and holder.name == name:
                return seat
        return min(free, key=lambda seat: (table.seats[seat] is not None, seat))
    if wanted not in free:
        raise Refused("taken", "That seat is taken.")
    return wanted


def seat_bot(draft: Draft, command: c.SeatBot) -> None:
    table = draft.table
    host_only(table, command.by)
    not_over(table)
    level = level_named(draft.game, command.level)
    seat = _free_seat(draft.game, table, command.seat)
    draft.add(e.BotSat(at=draft.now, seat=seat, level=level.name, name=name_for(level, table)))
    start_if_due(draft)


def unseat(draft: Draft, command: c.Unseat) -> None:
    table = draft.table
    host_only(table, command.by)
    holder = holder_of(table, command.seat)
    not_over(table)
    if isinstance(holder, Sitter):
        if holder.person == command.by:
            raise Refused("own_seat", "You cannot kick yourself; leave instead.")
        stand(draft, command.seat, holder.person, "kicked", bar=command.bar)
    else:
        stand(draft, command.seat, None, "removed")


def leave(draft: Draft, command: c.Leave) -> None:
    table = draft.table
    if table.host == command.person and table.seat_of(command.person) is None and table.phase != "over":
        _host_goes(draft)
        return
    seat = own_seat(table, command.person)
    stand(draft, seat, command.person, "left")


def _host_goes(draft: Draft) -> None:
    """A host who only watched gives the table up; without anybody to take over there is none any more."""
    if next(draft.table.sitters(), None) is None:
        draft.add(e.Closed(at=draft.now, why="empty"))
    else:
        draft.add(e.HostChanged(at=draft.now, host=heir(draft.table)))
        start_if_due(draft)


def stand(draft: Draft, seat: Seat, person: PersonId | None, why: Any, *, bar: bool = True) -> None:
    """Empty a seat, with all that follows from it."""
    game, table = draft.game, draft.table
    goes_on = True
    if table.phase in ("playing", "paused") and game.traits.leaver == "quits":
        with suppress(Refused):  # whoever resigned before is out of the game already
            if why in ("kicked", "removed"):
                goes_on = taken_out(draft, seat)
            else:
                quit_game(draft, seat)
    draft.add(e.Stood(at=draft.now, seat=seat, person=person, why=why, bar=bar))
    if not goes_on:
        draft.add(e.Closed(at=draft.now, why="removed"))
    table = draft.table
    if table.phase != "over" and next(table.sitters(), None) is None:
        draft.add(e.Closed(at=draft.now, why="empty"))
    elif person is not None and person == table.host:
        draft.add(e.HostChanged(at=draft.now, host=heir(table)))


def rename(draft: Draft, command: c.Rename) -> None:
    """Who played a game that is over stays in it under the name of that time."""
    table = draft.table
    seat = table.seat_of(command.person)
    if seat is None or table.phase == "over":
        return
    holder = holder_of(table, seat)
    if isinstance(holder, Sitter) and (holder.name, holder.guest) != (command.name, command.guest):
        draft.add(e.Renamed(at=draft.now, person=command.person, name=command.name, guest=command.guest))


def heir(table: Table) -> PersonId | None:
    """The first person in seat order who is there, other than the host."""
    for _, sitter in table.sitters():
        if sitter.person != table.host and not table.is_away(sitter.person):
            return sitter.person
    return None


def promote(draft: Draft, command: c.Promote) -> None:
    host_only(draft.table, command.by)
    holder = holder_of(draft.table, command.seat)
    not_over(draft.table)
    if not isinstance(holder, Sitter):
        raise Refused("bot", "A bot cannot be host.")
    if holder.person == command.by:
        raise Refused("own_seat", "You are the host already.")
    draft.add(e.HostChanged(at=draft.now, host=holder.person))
    start_if_due(draft)
