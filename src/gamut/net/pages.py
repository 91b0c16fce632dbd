"""Pages and what every page carries: the headers that keep other sites out of it."""

from aiohttp import web

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


async def add_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)


_FRONT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>gamut</title>
<style>
body { font: 18px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem;
       color: oklch(0.24 0.02 265); background: oklch(0.985 0.006 85); }
code { font-size: 0.9em; }
@media (prefers-color-scheme: dark) {
  body { color: oklch(0.93 0.008 85); background: oklch(0.185 0.012 265); }
  a { color: inherit; }
}
</style>
<h1>gamut</h1>
<p>A board-game server. Clients and bots come in here:</p>
<ul>
<li>the hall: WebSocket <code>/hall</code></li>
<li>Tower clients: WebSocket <code>/tower</code></li>
<li>open tables: <a href="/api/tables">/api/tables</a>, finished games:
<a href="/api/tables?state=finished">/api/tables?state=finished</a>, games:
<a href="/api/games">/api/games</a></li>
</ul>
</html>
"""


async def front(request: web.Request) -> web.Response:
    return web.Response(text=_FRONT, content_type="text/html")
