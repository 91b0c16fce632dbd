"""How many seats a table has, where that follows from its options, and who sits where when that changes."""

from typing import Any

from gamut.games.game import AnyGame, Refused
from gamut.hall.table.seats import Holder


def seat_count(game: AnyGame, options: Any, wanted: int | None) -> int:
    """How many seats a new table will have, or Refused."""
    allowed = game.seats_for(options)
    count = allowed[-1] if wanted is None else wanted
    if count not in allowed:
        raise bad_seats(game, allowed)
    return count


def bad_seats(game: AnyGame, allowed: Any) -> Refused:
    numbers = ", ".join(map(str, allowed))
    like_that = "" if tuple(allowed) == game.traits.seats else " like that"
    return Refused("bad_seats", f"{game.traits.title}{like_that} is for {numbers} players.")


def holders_with(
    game: AnyGame, options: Any, seats: tuple[Holder | None, ...], wanted: int | None = None
) -> tuple[Holder | None, ...] | None:
    """Who sits where with these options, and with as many seats as are wanted; None: all as before."""
    if wanted is not None:
        return _with_as_many(seats, seat_count(game, options, wanted))
    allowed = game.seats_for(options)
    if len(seats) in allowed:
        return None
    # The next larger table, or else the largest there is: nobody should have to go.
    count = min((number for number in allowed if number > len(seats)), default=max(allowed))
    people = sum(holder is not None for holder in seats)
    if people > count:
        raise Refused("too_many_seated", f"That is for {count} players, and {people} sit here already.")
    return resized(seats, count)


def _with_as_many(seats: tuple[Holder | None, ...], count: int) -> tuple[Holder | None, ...] | None:
    """Whoever sits keeps their seat: people find their colour and their turn where they were."""
    if count == len(seats):
        return None
    if any(holder is not None for holder in seats[count:]):
        raise Refused("too_many_seated", "Only empty seats can go, and somebody sits on one of those.")
    return (*seats[:count], *(None,) * (count - len(seats)))


def resized(seats: tuple[Holder | None, ...], count: int) -> tuple[Holder | None, ...]:
    """More seats come at the end. Of seats that go, the highest first, whoever sits there gets the highest free one."""
    kept = [*seats[:count], *(None,) * (count - len(seats))]
    for holder in reversed(seats[count:]):
        if holder is not None:
            kept[_highest_free(kept)] = holder
    return tuple(kept)


def _highest_free(seats: list[Holder | None]) -> int:
    return max(number for number, holder in enumerate(seats) if holder is None)
