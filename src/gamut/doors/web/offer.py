"""The web door: what the page and bots speak."""

from gamut.doors.offer import DoorKind, Entrances, NoSettings, Offer, Premises, WebSockets
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import WebSession


def _entrances(settings: NoSettings) -> Entrances:
    return Entrances(paths=("/hall",), sockets=WebSockets(largest=WebSession.most_bytes, by_cookie=True))


async def _open(premises: Premises, settings: NoSettings) -> Offer:
    door = WebDoor(premises.hall, premises.people)
    return Offer(
        name=door.name,
        door=door,
        session_type=WebSession,
        renamed=door.renamed,
        logged_out=door.logged_out,
        deleted=door.logged_out,
    )


WEB = DoorKind("web", NoSettings, _entrances, _open)
