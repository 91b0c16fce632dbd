"""The door for clients of Acquire: JSON over WebSocket, at a path of the main port."""

from gamut.doors.acquire.door import AcquireDoor
from gamut.doors.acquire.naming import GameNumbers
from gamut.doors.acquire.session import AcquireSession
from gamut.doors.offer import DoorKind, Entrances, NoSettings, Offer, Premises, WebSockets


def _entrances(settings: NoSettings) -> Entrances:
    # Of what is too large by less, the door has something to say before it closes.
    return Entrances(paths=("/acquire",), sockets=WebSockets(largest=4 * AcquireSession.most_bytes))


async def _open(premises: Premises, settings: NoSettings) -> Offer:
    await premises.hall.naming.use(AcquireDoor.name, GameNumbers())
    door = AcquireDoor(premises.hall, premises.people)
    return Offer(
        name=door.name,
        door=door,
        session_type=AcquireSession,
        renamed=door.renamed,
        logged_out=door.logged_out,
        deleted=door.logged_out,
    )


ACQUIRE = DoorKind(
    AcquireDoor.name, NoSettings, _entrances, _open, game=AcquireDoor.name, sees_all_tables=True
)
