"""The door for clients of Acquire: JSON over WebSocket, at a path of the main port."""

from gamut.doors.acquire.door import AcquireDoor
from gamut.doors.acquire.naming import GameNumbers
from gamut.doors.acquire.session import AcquireSession
from gamut.doors.offer import DoorKind, Newcomer, NoSettings, Offer, Premises, WebSockets
from gamut.hall.store.journal import Wire


async def _open(premises: Premises, settings: NoSettings) -> Offer | None:
    if AcquireDoor.name not in premises.hall.games:
        return None
    await premises.hall.naming.use(AcquireDoor.name, GameNumbers())
    door = AcquireDoor(premises.hall, premises.people)

    def session(wire: Wire, newcomer: Newcomer) -> AcquireSession:
        return AcquireSession.new(door, wire, newcomer.address)

    return Offer(
        name=door.name,
        door=door,
        paths=("/acquire",),
        # Of what is too large by less, the door has something to say before it closes.
        sockets=WebSockets(session=session, largest=4 * AcquireSession.most_bytes),
        renamed=door.renamed,
        logged_out=door.logged_out,
        deleted=door.logged_out,
    )


ACQUIRE = DoorKind(AcquireDoor.name, NoSettings, _open)
