"""The moves of a game so far."""

from collections.abc import Iterator

from gamut.games.tafl.state import Moved
from gamut.hall.live import LiveTable


def records(live: LiveTable) -> Iterator[str]:
    """Every move from the start, those of a saved game that goes on included."""
    for happening in live.log:
        for event in getattr(happening, "events", ()):
            if type(event) is Moved:
                yield event.record
