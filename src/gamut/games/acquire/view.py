"""What a viewer may see of an event: everything but the tiles that somebody else drew, and the bag."""

from msgspec.structs import replace

from gamut.games.acquire.evolve import hidden
from gamut.games.acquire.kinds import Rack
from gamut.games.acquire.state import Acted, Began, Event, Message
from gamut.games.game import Seat


def view(event: Event, viewer: Seat | None) -> Event:
    """The same object where nothing of it is hidden. Partners see no more of each other than anybody else."""
    if type(event) is Acted:
        # Whoever draws has another rack: where no rack is told, no tile was drawn.
        if not event.rest and (not event.racks or [seat for seat, _ in event.racks] == [viewer]):
            return event
        return replace(
            event,
            history=_heard(event.history, viewer),
            racks=tuple([(seat, rack if seat == viewer else _covered(rack)) for seat, rack in event.racks]),
            # It is told with all else once the game is over.
            rest=(),
        )
    if isinstance(event, Began):
        racks = tuple(rack if seat == viewer else _covered(rack) for seat, rack in enumerate(event.racks))
        return replace(event, history=_heard(event.history, viewer), racks=racks)
    return event


def _covered(rack: Rack) -> Rack:
    return hidden(len(rack) - rack.count(None))


def _heard(history: tuple[Message, ...], viewer: Seat | None) -> tuple[Message, ...]:
    return tuple([message for message in history if message[0] != "DrewTile" or message[1] == viewer])
