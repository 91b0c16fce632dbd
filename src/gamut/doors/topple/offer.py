"""The door for clients of Topple: at paths of the main port, with the addresses that they read by HTTP."""

from typing import Annotated

import msgspec
from msgspec import Meta

from gamut.doors.offer import DoorKind, Entrances, Offer, Premises, WebSockets
from gamut.doors.topple.door import GAME, ToppleDoor, ToppleSettings
from gamut.doors.topple.http import routes
from gamut.doors.topple.session import ToppleSession
from gamut.hall.ids import Millis, PersonId


class ToppleOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator can set of the door's settings."""

    topple_rejoin: Annotated[
        float, Meta(gt=0), "seconds for which a seat of a Topple client waits for it"
    ] = 30.0
    topple_compat: Annotated[
        bool, "tell Topple clients colours under the name of older browser clients as well"
    ] = True


def _entrances(options: ToppleOptions) -> Entrances:
    # Of what is too large by less, the door has something to say before it closes.
    sockets = WebSockets(largest=2 * ToppleSession.most_bytes)
    return Entrances(paths=("/ws/", "/ws", "/topple"), sockets=sockets)


async def _open(premises: Premises, options: ToppleOptions) -> Offer:
    settings = ToppleSettings(
        rejoin_window=Millis(int(options.topple_rejoin * 1000)), compat=options.topple_compat
    )
    people = premises.people

    def account_of(id: PersonId) -> str | None:
        person = people.person(id)
        return None if person is None or person.guest else person.name

    door = ToppleDoor(premises.hall, premises.secret, people.check_unregistered, settings, account_of)
    return Offer(
        name=door.name,
        door=door,
        session_type=ToppleSession,
        routes=routes(door),
        new_room=door.new_room,
        before_stopping=door.start_draining,
    )


TOPPLE = DoorKind(GAME, ToppleOptions, _entrances, _open, game=GAME)
