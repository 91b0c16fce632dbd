"""The door for clients of Tower: at a path of the main port, and on the port that is all they know."""

from typing import Annotated

import msgspec

from gamut.doors.offer import DoorKind, Entrances, Offer, Port, PortNumber, Premises, WebSockets
from gamut.doors.tower.door import TowerDoor
from gamut.doors.tower.session import TowerSession


class TowerSettings(msgspec.Struct, frozen=True, kw_only=True):
    tower_port: Annotated[PortNumber, "port of its own for Tower clients; 0 turns it off"] = 46467


def _entrances(settings: TowerSettings) -> Entrances:
    sockets = WebSockets(largest=TowerSession.most_bytes)
    port = Port(name=TowerDoor.name, title="Tower clients", number=settings.tower_port, speaks=sockets)
    return Entrances(paths=("/tower",), sockets=sockets, ports=(port,))


async def _open(premises: Premises, settings: TowerSettings) -> Offer:
    door = TowerDoor(premises.hall, premises.people.check_unregistered)
    return Offer(name=door.name, door=door, session_type=TowerSession)


TOWER = DoorKind(TowerDoor.name, TowerSettings, _entrances, _open, game=TowerDoor.name)
