"""The door for clients of Acquire: JSON over WebSocket, at a path of the main port."""

from gamut.doors.acquire.door import GAME, AcquireDoor
from gamut.doors.acquire.naming import GameNumbers
from gamut.doors.acquire.session import MOST_BYTES, AcquireSession
from gamut.doors.offer import DoorKind, Newcomer, NoSettings, Offer, Premises, WebSockets
from gamut.hall.store.journal import Wire


async def _open(premises: Premises, settings: NoSettings) -> Offer | None:
    if GAME not in premises.hall.games:
        return None
    await premises.hall.naming.use(GAME, GameNumbers())
    door = AcquireDoor(premises.hall, premises.people)
    # Now, so that nobody has to wait for it when the first client comes.
    door.lobby.look()

    def session(wire: Wire, newcomer: Newcomer) -> AcquireSession:
        return AcquireSession(door, wire, newcomer.address)

    return Offer(
        name=GAME,
        door=door,
        paths=("/acquire",),
        # Of what is too large by less, the door has something to say before it closes.
        sockets=WebSockets(session=session, largest=4 * MOST_BYTES),
        renamed=door.renamed,
        logged_out=door.logged_out,
        deleted=door.logged_out,
    )


ACQUIRE = DoorKind(GAME, NoSettings, _open)
