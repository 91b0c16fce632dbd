"""What every answer over HTTP says beside its content: what other sites may not do with it, and nothing about us."""

from urllib.parse import urlsplit

from aiohttp import web

from gamut.net.port.address import is_loopback

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

SERVER = {"Server": "gamut"}
"""Without this the HTTP library would name itself, Python and their versions."""


_SECURE_ONLY = "Cross-Origin-Opener-Policy"


async def add_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in SECURITY_HEADERS.items():
        if name != _SECURE_ONLY or _is_secure(request):
            response.headers.setdefault(name, value)
    response.headers.update(SERVER)


def came_by_https(request: web.Request) -> bool:
    """Whether the browser speaks https, to us or to a proxy before us."""
    return request.secure or request.headers.get("X-Forwarded-Proto", "").strip().lower() == "https"


def _is_secure(request: web.Request) -> bool:
    """Whether a browser takes the page for secure. Elsewhere it ignores some of what it is told, and complains."""
    if came_by_https(request):
        return True
    try:
        name = urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        return False
    return is_loopback(name) or name == "localhost" or name.endswith(".localhost")
