"""What clients ask of accounts, which this protocol has none of here: whoever comes is a guest, and has a picture."""

from gamut.doors.http import Answer, Request, Route, json_answer, text_answer
from gamut.doors.topple.picture import picture_of

_SVG = "image/svg+xml"
_KEPT = {"Cache-Control": "public, max-age=86400"}


async def _unknown(request: Request) -> Answer:
    """Also to a log-in: an account that is not found, where another status would be a wrong password or a fault."""
    return text_answer("There are no such accounts here.\n", 404)


async def _own(request: Request) -> Answer:
    return text_answer("Nobody is logged in here.\n", 403)


async def _sanctions(request: Request) -> Answer:
    """Clients count what is in the body, whatever the status is."""
    return json_answer([], 403)


async def _logged_in(request: Request) -> Answer:
    """Clients look only at the status, and this is the one for guests."""
    return text_answer("Nobody is logged in here.\n", 400)


async def _logged_out(request: Request) -> Answer:
    return text_answer("Nobody is logged in here.\n")


async def _everybody(request: Request) -> Answer:
    return json_answer([])


async def _picture(request: Request) -> Answer:
    # Older clients have the name in the query.
    name = request.names.get("name") or request.query.get("tar", "")
    return Answer(picture_of(name), _SVG, 200, _KEPT)


ROUTES = (
    Route(path="/acc/pub/@self/sanction", handler=_sanctions),
    Route(path="/acc/pub/@self/{what}", handler=_own),
    Route(path="/acc/pub/logged-in", handler=_logged_in),
    Route(path="/acc/pub/logout", handler=_logged_out),
    Route(path="/acc/pub/list", handler=_everybody),
    Route(path="/acc/pfp/get", handler=_picture),
    Route(path="/acc/pfp/get/{name:.*}", handler=_picture),
    # Clients ask only whether there is one, and show it then.
    Route(path="/acc/pfp/info/{name:.*}", handler=_picture),
    Route(path="/acc/{rest:.*}", handler=_unknown),
    Route(method="POST", path="/acc/{rest:.*}", handler=_unknown),
)
