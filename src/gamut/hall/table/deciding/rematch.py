"""Playing again: who has to be asked, and who cannot be."""

from collections.abc import Iterator

from gamut.games.game import Refused, Seat
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import NoClock
from gamut.hall.table.deciding.bot_names import level_named
from gamut.hall.table.deciding.draft import Draft
from gamut.hall.table.deciding.rights import own_seat
from gamut.hall.table.seats import Sitter
from gamut.hall.table.state import Table
from gamut.hall.table.without import is_nobody


def rematch(draft: Draft, command: c.Rematch) -> None:
    table = draft.table
    seat = own_seat(table, command.person)
    if table.phase != "over" or table.outcome is None:
        raise Refused("not_over", "This game is not over.")
    if table.successor is not None:
        raise Refused("succeeded", "The rematch has begun already.")
    if seat in table.rematch:
        raise Refused("asked", "You have asked for a rematch already.")
    for other, sitter in unasked(table):
        if other != seat:
            _check_may_be_moved(table, sitter)
    if command.level is not None:
        level_named(draft.game, command.level)
        if any(other != seat for other, _ in table.sitters()):
            raise Refused(
                "other_people", "How strong the bots are is chosen only by whoever plays with bots alone."
            )
    draft.add(e.RematchWanted(at=draft.now, seat=seat, level=command.level))


def unasked(table: Table) -> Iterator[tuple[Seat, Sitter]]:
    """Those whose client has no word for a rematch, unless they have asked for one in another way."""
    for seat, sitter in table.sitters():
        if seat not in table.rematch and not sitter.can("rematch"):
            yield seat, sitter


def _check_may_be_moved(table: Table, sitter: Sitter) -> None:
    """Nobody is taken to a game that their client cannot show, or in which their clock runs before they agree."""
    if not sitter.can("follow"):
        raise Refused(
            "no_rematch",
            f"{sitter.name} plays with another program, which knows no rematch. Open a new table to play again.",
        )
    if not sitter.can("ready") and type(table.clock_setting) is not NoClock:
        raise Refused(
            "no_rematch",
            f"{sitter.name} plays with another program, which cannot be asked for a rematch, and the clock would run. "
            "Open a new table to play again.",
        )


def rematch_agreed(table: Table) -> bool:
    """Somebody who still sits here wants to play again, and so does everybody who can be asked. Bots always do, and
    whoever was deleted is not waited for."""
    if not table.rematch:
        return False
    return all(
        seat in table.rematch or not sitter.can("rematch") or is_nobody(sitter)
        for seat, sitter in table.sitters()
    )


def succeed(draft: Draft, command: c.Succeed) -> None:
    if draft.table.successor is not None:
        raise Refused("succeeded", "The rematch has begun already.")
    draft.add(e.Succeeded(at=draft.now, next=command.next))
