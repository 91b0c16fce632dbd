"""Who may do what, and when."""

from gamut.games.game import Refused, Seat
from gamut.hall.ids import PersonId
from gamut.hall.table.deciding.lock import opens, opens_hashed
from gamut.hall.table.seats import BotSitter, Sitter
from gamut.hall.table.state import Table


class WrongTablePassword(Refused):
    def __init__(self) -> None:
        super().__init__("wrong_password", "This table has a password, and that is not it.")


def check_password(table: Table, does: str, password: str | None, hash: str | None = None) -> None:
    """Raise unless the table has no password, or this is it; a client may have sent only its hash."""
    stored = table.password
    if stored is None:
        return
    if password is None and hash is None:
        raise Refused("locked", f"This table has a password: who {does} must know it.")
    if (password is None or not opens(stored, password)) and (hash is None or not opens_hashed(stored, hash)):
        raise WrongTablePassword


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


def not_over(table: Table) -> None:
    if table.phase == "over":
        raise Refused("over", "This game is over.")


def in_play(table: Table) -> None:
    if table.phase == "playing" and not table.waiting:
        return
    if table.phase == "setup":
        raise Refused("not_started", "The game has not begun.")
    not_over(table)
    if table.phase == "paused":
        raise Refused("paused", "The game is paused.")
    raise Refused("waiting", "The game waits for somebody to take the empty seat.")
