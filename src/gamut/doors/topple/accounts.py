"""What clients ask of accounts, which this protocol has none of here: whoever comes is a guest, and has a portrait."""

import hashlib

from gamut.doors.http import Answer, Handler, Request, Route, json_answer, text_answer

_SVG = "image/svg+xml"
_KEPT = {"Cache-Control": "public, max-age=86400"}
_SIDE = 5
_COLUMNS = 3
"""The others mirror these."""


_NOBODY = "Nobody is logged in here.\n"


def _always(answer: Answer) -> Handler:
    async def handle(request: Request) -> Answer:
        return answer

    return handle


async def _portrait(request: Request) -> Answer:
    # Older clients have the name in the query.
    name = request.names.get("name") or request.query.get("tar", "")
    return Answer(portrait_of(name), _SVG, 200, _KEPT)


def portrait_of(name: str) -> bytes:
    """Five by five tiles in SVG, left and right alike, in a colour of its own: the same for the same name.

    It is drawn from the name's digest alone, so nothing that somebody calls themselves gets into it.
    """
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    hue = int.from_bytes(digest[:2], "big") % 360
    chosen = int.from_bytes(digest[2:], "big")
    tiles = "".join(
        f"M{x} {y}h1v1h-1z"
        for y in range(_SIDE)
        for x in range(_SIDE)
        if chosen >> (y * _COLUMNS + min(x, _SIDE - 1 - x)) & 1
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {_SIDE + 2} {_SIDE + 2}" width="128" height="128">'
        f'<rect x="-1" y="-1" width="{_SIDE + 2}" height="{_SIDE + 2}" fill="hsl({hue} 45% 92%)"/>'
        f'<path d="{tiles}" fill="hsl({hue} 60% 38%)"/></svg>'
    ).encode()


# An account that is not found: to a log-in, too, another status would mean a wrong password or a fault.
_UNKNOWN = _always(text_answer("There are no such accounts here.\n", 404))

ROUTES = (
    # Clients count what is in the body, whatever the status is.
    Route(path="/acc/pub/@self/sanction", handler=_always(json_answer([], 403))),
    Route(path="/acc/pub/@self/{what}", handler=_always(text_answer(_NOBODY, 403))),
    # Clients look only at the status, and this is the one for guests.
    Route(path="/acc/pub/logged-in", handler=_always(text_answer(_NOBODY, 400))),
    Route(path="/acc/pub/logout", handler=_always(text_answer(_NOBODY))),
    Route(path="/acc/pub/list", handler=_always(json_answer([]))),
    Route(path="/acc/pfp/get", handler=_portrait),
    Route(path="/acc/pfp/get/{name:.*}", handler=_portrait),
    # Clients ask only whether there is one, and show it then.
    Route(path="/acc/pfp/info/{name:.*}", handler=_portrait),
    Route(path="/acc/{rest:.*}", handler=_UNKNOWN),
    Route(method="POST", path="/acc/{rest:.*}", handler=_UNKNOWN),
)
