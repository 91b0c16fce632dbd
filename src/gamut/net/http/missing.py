"""Addresses of the API at which there is nothing, or nothing for this method: refused as everything else there is."""

from aiohttp import web
from aiohttp.typedefs import Handler

from gamut.net.http.answers import error_answer

API = "/api/"


@web.middleware
async def refusing_what_is_not_there(request: web.Request, handler: Handler) -> web.StreamResponse:
    if not request.path.startswith(API):
        return await handler(request)
    try:
        return await handler(request)
    except web.HTTPNotFound:
        return error_answer(404, "no_such_address", "There is nothing at this address.")
    except web.HTTPMethodNotAllowed as refused:
        methods = sorted(refused.allowed_methods)
        answer = error_answer(405, "wrong_method", f"This address takes only {', '.join(methods)}.")
        answer.headers["Allow"] = ", ".join(methods)
        return answer
