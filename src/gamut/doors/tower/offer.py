"""The door for clients of Tower: at a path of the main port, and on the port that is all they know."""

from typing import Annotated

import msgspec

from gamut.doors.offer import DoorKind, Newcomer, Offer, Port, PortNumber, Premises, WebSockets
from gamut.doors.tower.door import TowerDoor
from gamut.doors.tower.session import TowerSession
from gamut.hall.store.journal import Wire


class TowerSettings(msgspec.Struct, frozen=True, kw_only=True):
    tower_port: Annotated[PortNumber, "port of its own for Tower clients; 0 turns it off"] = 46467


async def _open(premises: Premises, settings: TowerSettings) -> Offer | None:
    if TowerDoor.name not in premises.hall.games:
        return None
    door = TowerDoor(premises.hall, premises.people.check_unregistered)

    def session(wire: Wire, newcomer: Newcomer) -> TowerSession:
        return TowerSession.new(door, wire, newcomer.address)

    sockets = WebSockets(session=session, largest=TowerSession.most_bytes)
    return Offer(
        name=door.name,
        door=door,
        paths=("/tower",),
        sockets=sockets,
        ports=(Port(name=door.name, title="Tower clients", number=settings.tower_port, speaks=sockets),),
    )


TOWER = DoorKind(TowerDoor.name, TowerSettings, _open)
