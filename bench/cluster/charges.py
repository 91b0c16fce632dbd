"""What clocks were charged where a table went from one node to another, by the stored logs and the nodes' own rows."""

from collections.abc import Iterator, Mapping

from tests.simulation.log import Log

from gamut.hall.ids import TableId
from gamut.hall.table import events as e


def beyond_owners(
    logs: Mapping[TableId, Log],
    stored_by: Mapping[tuple[TableId, int], int],
    there_until: Mapping[int, float],
) -> float | None:
    """The most, in milliseconds, that any clock ran on in a hand-over although the node that had the table was gone.
    `stored_by`: the node of each event. `there_until`: when each node that has ended did. None: no clock ran."""
    found: list[float] = []
    for table, log in logs.items():
        for at, event in enumerate(log.events):
            # Event `at` is the one before, as they are counted from 1.
            owner = stored_by.get((table, at))
            if type(event) is e.Handed and owner is not None and owner in there_until:
                found += _beyond(log, at, there_until[owner])
    return max(found, default=None)


def lost(log: Log, at: int) -> Iterator[tuple[float, float]]:
    """Of each clock that ran at this event: what was taken from it, and since when it had been running."""
    before, after = log.states[at - 1].clock, log.states[at].clock
    for seat in before.running:
        yield before.times[seat].main - after.times[seat].main, before.since


def _beyond(log: Log, at: int, until: float) -> Iterator[float]:
    for taken, since in lost(log, at):
        yield max(0.0, taken - max(0.0, until - since))
