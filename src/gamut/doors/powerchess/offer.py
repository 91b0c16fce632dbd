"""The doors for clients of Power Chess, at paths of the main port: one to play, one for the list of games."""

from typing import Annotated

import msgspec

from gamut.doors.offer import DoorKind, Newcomer, Offer, Premises, WebSockets
from gamut.doors.powerchess.door import GAME, PowerChessDoor
from gamut.doors.powerchess.home import HomeDoor, HomeSession
from gamut.doors.powerchess.naming import Numbers
from gamut.doors.powerchess.session import PowerChessSession
from gamut.hall.store.journal import Wire


class PowerChessSettings(msgspec.Struct, frozen=True, kw_only=True):
    powerchess_debug: Annotated[
        bool, "let Power Chess clients place boxes and give powers, to try a client"
    ] = False


class HomeSettings(msgspec.Struct, frozen=True, kw_only=True):
    powerchess_bots: Annotated[bool, "bots wait in the list of games that Power Chess clients are shown"] = (
        True
    )


async def _open(premises: Premises, settings: PowerChessSettings) -> Offer | None:
    hall = premises.hall
    if GAME not in hall.games:
        return None
    door = PowerChessDoor(
        hall, premises.secret, premises.people.check_unregistered, debug=settings.powerchess_debug
    )
    await hall.naming.use(GAME, Numbers())

    def session(wire: Wire, newcomer: Newcomer) -> PowerChessSession:
        return PowerChessSession.new(door, wire, newcomer.address)

    return Offer(
        name=door.name,
        door=door,
        paths=("/play", "/powerchess/play"),
        sockets=WebSockets(session=session, largest=PowerChessSession.most_bytes),
    )


async def _open_home(premises: Premises, settings: HomeSettings) -> Offer | None:
    if GAME not in premises.hall.games:
        return None
    door = HomeDoor(premises.hall, bots=settings.powerchess_bots)

    def session(wire: Wire, newcomer: Newcomer) -> HomeSession:
        return HomeSession.new(door, wire, newcomer.address)

    return Offer(
        name=door.name,
        door=door,
        paths=("/home", "/powerchess/home"),
        sockets=WebSockets(session=session, largest=PowerChessSession.most_bytes),
    )


POWERCHESS = DoorKind(GAME, PowerChessSettings, _open)
POWERCHESS_HOME = DoorKind(HomeDoor.name, HomeSettings, _open_home)
