"""The HTTP addresses of doors, answered by the HTTP library as every other one is."""

from collections.abc import Collection

from aiohttp import web

from gamut.doors.http import Request, Route
from gamut.hall.people.people import People
from gamut.net.api.accounts import visitor
from gamut.net.http.answers import Handler, answering, response
from gamut.net.http.body import body
from gamut.net.http.guard import request_address
from gamut.net.port.address import Network

_STATUS = {"slow_request": 408, "too_large": 413, "too_many_tries": 429}


def routes(
    wanted: Collection[Route], people: People, trusted_proxies: Collection[Network]
) -> list[web.RouteDef]:
    def handling(route: Route) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            return response(await route.handler(await _seen(request, route, people, trusted_proxies)))

        return answering(handle, {**_STATUS, **route.statuses})

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
        content = await body(request, route.largest_body, route.body_seconds)
    return Request(
        address=request_address(request, trusted_proxies),
        names=request.match_info,
        query=request.query,
        headers=request.headers,
        body=content,
        person=visitor(request, people),
    )
