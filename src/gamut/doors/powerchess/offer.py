"""The doors for clients of Power Chess, at paths of the main port: one to play, one for the list of games."""

from functools import partial
from typing import Annotated

import msgspec

from gamut.doors.offer import DoorKind, Offer, Premises, WebSockets
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


async def _open(premises: Premises, settings: PowerChessSettings) -> Offer:
    hall = premises.hall
    door = PowerChessDoor(
        hall, premises.secret, premises.people.check_unregistered, debug=settings.powerchess_debug
    )
    await hall.naming.use(GAME, Numbers())
    return Offer(
        name=door.name,
        door=door,
        paths=("/play", "/powerchess/play"),
        sockets=WebSockets(
            session=partial(PowerChessSession.new, door), largest=PowerChessSession.most_bytes
        ),
    )


async def _open_home(premises: Premises, settings: HomeSettings) -> Offer:
    door = HomeDoor(premises.hall, bots=settings.powerchess_bots)
    return Offer(
        name=door.name,
        door=door,
        paths=("/home", "/powerchess/home"),
        sockets=WebSockets(session=partial(HomeSession.new, door), largest=PowerChessSession.most_bytes),
    )


POWERCHESS = DoorKind(GAME, PowerChessSettings, _open, game=GAME)
POWERCHESS_HOME = DoorKind(HomeDoor.name, HomeSettings, _open_home, game=GAME)
