"""The doors for clients of Power Chess, at paths of the main port: one to play, one for the list of games."""

from typing import Annotated

import msgspec

from gamut.doors.offer import DoorKind, Entrances, Offer, Premises, WebSockets
from gamut.doors.powerchess.door import GAME, PowerChessDoor
from gamut.doors.powerchess.home import HomeDoor, HomeSession
from gamut.doors.powerchess.naming import Numbers
from gamut.doors.powerchess.session import PowerChessSession


class PowerChessSettings(msgspec.Struct, frozen=True, kw_only=True):
    powerchess_debug: Annotated[
        bool, "let Power Chess clients place boxes and give powers, to try a client"
    ] = False


class HomeSettings(msgspec.Struct, frozen=True, kw_only=True):
    powerchess_bots: Annotated[bool, "bots wait in the list of games that Power Chess clients are shown"] = (
        True
    )


def _entrances(settings: PowerChessSettings) -> Entrances:
    sockets = WebSockets(largest=PowerChessSession.most_bytes)
    return Entrances(paths=("/play", "/powerchess/play"), sockets=sockets)


def _entrances_of_home(settings: HomeSettings) -> Entrances:
    sockets = WebSockets(largest=PowerChessSession.most_bytes)
    return Entrances(paths=("/home", "/powerchess/home"), sockets=sockets)


async def _open(premises: Premises, settings: PowerChessSettings) -> Offer:
    hall = premises.hall
    door = PowerChessDoor(
        hall, premises.secret, premises.people.check_unregistered, debug=settings.powerchess_debug
    )
    await hall.naming.use(GAME, Numbers())
    return Offer(name=door.name, door=door, session_type=PowerChessSession)


async def _open_home(premises: Premises, settings: HomeSettings) -> Offer:
    door = HomeDoor(premises.hall, bots=settings.powerchess_bots)
    return Offer(name=door.name, door=door, session_type=HomeSession)


POWERCHESS = DoorKind(GAME, PowerChessSettings, _entrances, _open, game=GAME)
POWERCHESS_HOME = DoorKind(
    HomeDoor.name, HomeSettings, _entrances_of_home, _open_home, game=GAME, is_list=True
)
