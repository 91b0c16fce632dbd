"""Who may do what, and when."""

from gamut.games.game import Refused, Seat
from gamut.hall.ids import PersonId
from gamut.hall.table.seats import BotSitter, Sitter
from gamut.hall.table.state import Table


def host_only(table: Table, person: PersonId) -> None:
    if table.host != person:
        raise Refused("not_host", "Only the host of the table can do that.")


def own_seat(table: Table, person: PersonId) -> Seat:
    seat = table.seat_of(person)
    if seat is None:
        raise Refused("not_seated", "You have no seat at this table.")
    return seat


def holder_of(table: Table, seat: Seat) -> Sitter | BotSitter:
    holder = table.seats[seat] if 0 <= seat < len(table.seats) else None
    if holder is None:
        raise Refused("empty_seat", "Nobody sits there.")
    return holder


def in_setup(table: Table) -> None:
    if table.phase != "setup":
        raise Refused("started", "The game has begun.")


def in_play(table: Table) -> None:
    if table.phase == "playing" and not table.waiting:
        return
    if table.phase == "setup":
        raise Refused("not_started", "The game has not begun.")
    if table.phase == "over":
        raise Refused("over", "This game is over.")
    if table.phase == "paused":
        raise Refused("paused", "The game is paused.")
    raise Refused("waiting", "The game waits for somebody to take the empty seat.")
