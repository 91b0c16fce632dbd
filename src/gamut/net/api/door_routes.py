"""The HTTP addresses of doors, answered by the HTTP library as every other one is."""

from collections.abc import Awaitable, Callable, Collection

from aiohttp import web

from gamut.doors.http import Request, Route
from gamut.games.game import Refused
from gamut.hall.people.people import People
from gamut.net.api.accounts import visitor
from gamut.net.http.answers import refusal, response
from gamut.net.http.body import body
from gamut.net.http.guard import request_address
from gamut.net.port.address import Network

_STATUS = {"slow_request": 408, "too_large": 413, "too_many_tries": 429}


def routes(
    wanted: Collection[Route], people: People, trusted_proxies: Collection[Network]
) -> list[web.RouteDef]:
    def handling(route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        statuses = {**_STATUS, **route.statuses}

        async def handle(request: web.Request) -> web.StreamResponse:
            try:
                return response(await route.handler(await _seen(request, route, people, trusted_proxies)))
            except Refused as refused:
                return refusal(refused, statuses)

        return handle

    return [
        # What may be got may also be asked about with HEAD.
        web.get(route.path, handling(route))
        if route.method == "GET"
        else web.route(route.method, route.path, handling(route))
        for route in wanted
    ]


async def _seen(
    request: web.Request, route: Route, people: People, trusted_proxies: Collection[Network]
) -> Request:
    content = b""
    if route.largest_body:
        too_large = f"A request has at most {route.largest_body} bytes."
        content = await body(
            request, route.largest_body, route.body_seconds, what="request", too_large=too_large
        )
    return Request(
        address=request_address(request, trusted_proxies),
        names=request.match_info,
        query=request.query,
        headers=request.headers,
        body=content,
        person=visitor(request, people),
    )
