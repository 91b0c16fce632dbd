"""The web door: what the page and bots speak."""

from functools import partial

from gamut.doors.offer import DoorKind, NoSettings, Offer, Premises, WebSockets
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import WebSession


async def _open(premises: Premises, settings: NoSettings) -> Offer:
    door = WebDoor(premises.hall, premises.people)
    return Offer(
        name=door.name,
        door=door,
        paths=("/hall",),
        sockets=WebSockets(
            session=partial(WebSession.new, door), largest=WebSession.most_bytes, by_cookie=True
        ),
        renamed=door.renamed,
        logged_out=door.logged_out,
        deleted=door.logged_out,
    )


WEB = DoorKind("web", NoSettings, _open)
