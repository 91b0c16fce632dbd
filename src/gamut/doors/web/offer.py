"""The web door: what the page and bots speak."""

from gamut.doors.offer import DoorKind, Newcomer, NoSettings, Offer, Premises, WebSockets
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import WebSession
from gamut.hall.store.journal import Wire


async def _open(premises: Premises, settings: NoSettings) -> Offer:
    door = WebDoor(premises.hall, premises.people)

    def session(wire: Wire, newcomer: Newcomer) -> WebSession:
        return WebSession.new(door, wire, newcomer.person, newcomer.address)

    return Offer(
        name=door.name,
        door=door,
        paths=("/hall",),
        sockets=WebSockets(session=session, largest=WebSession.most_bytes, by_cookie=True),
        renamed=door.renamed,
        logged_out=door.logged_out,
        deleted=door.logged_out,
    )


WEB = DoorKind("web", NoSettings, _open)
