"""The door for clients of Acquire: JSON over WebSocket, at a path of the main port."""

from functools import partial

from gamut.doors.acquire.door import AcquireDoor
from gamut.doors.acquire.naming import GameNumbers
from gamut.doors.acquire.session import AcquireSession
from gamut.doors.offer import DoorKind, NoSettings, Offer, Premises, WebSockets


async def _open(premises: Premises, settings: NoSettings) -> Offer:
    await premises.hall.naming.use(AcquireDoor.name, GameNumbers())
    door = AcquireDoor(premises.hall, premises.people)
    return Offer(
        name=door.name,
        door=door,
        paths=("/acquire",),
        # Of what is too large by less, the door has something to say before it closes.
        sockets=WebSockets(session=partial(AcquireSession.new, door), largest=4 * AcquireSession.most_bytes),
        renamed=door.renamed,
        logged_out=door.logged_out,
        deleted=door.logged_out,
    )


ACQUIRE = DoorKind(AcquireDoor.name, NoSettings, _open, game=AcquireDoor.name)
