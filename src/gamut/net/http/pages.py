"""The page: its built files from memory.

Built files under /assets/ have their content's hash in their name, so they are cached for ever; whatever else is
asked for gets the page itself, in the language of whoever asks. It finds out from the address what to show.
"""

import re
from collections.abc import Awaitable, Callable
from importlib.resources import files
from importlib.resources.abc import Traversable

from aiohttp import web

from gamut.net.http import languages
from gamut.net.http.prepared import Prepared

_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "txt": "text/plain; charset=utf-8",
    "woff2": "font/woff2",
    "webmanifest": "application/manifest+json",
}
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_EACH_TIME = "no-cache"
_OF_ONE_TABLE = "private, no-cache"
"""It may be a link that only some have."""
_SHELL = re.compile(r"/index(?:\.(?P<language>\w+))?\.html")
"""The page itself in one language: index.html is English, index.de.html German."""
_SUFFIXES = {"br": ".br", "gzip": ".gz"}
"""Of files that the build has compressed, at its own pace."""


Head = Callable[[web.Request], Awaitable[str | None]]
"""What the head of the page says at an address beside the rest; None: nothing."""


class Page:
    """Every file of the built page, by its path."""

    def __init__(self, folder: Traversable) -> None:
        """Reads them all."""
        self._files = dict(_read(folder, "/")) if folder.is_dir() else {}
        shells = [path for path, file in self._files.items() if file.language is not None]
        self._shells = {str(file.language): file for file in map(self._files.pop, shells)}
        """The page itself, by language."""

    async def serve(self, request: web.Request, head: Head | None = None) -> web.StreamResponse:
        path = request.path
        found = self._files.get(path)
        if found is None:
            if path.startswith("/assets/") or not self._shells:
                return _nothing_there(built=bool(self._shells))
            found = self._shells[self._language(request)]
            said = None if head is None else await head(request)
            if said is not None:
                bodies = {"identity": _with_head(found.plain, said)}
                found = Prepared(_TYPES["html"], _OF_ONE_TABLE, bodies, found.language)
        return found.answer(request)

    def _language(self, request: web.Request) -> str:
        accepted = ",".join(request.headers.getall("Accept-Language", []))
        return languages.preferred(request.cookies.get(languages.COOKIE), accepted, self._shells)


def built_page(folder: Traversable | None = None) -> Page:
    return Page(files("gamut") / "page" if folder is None else folder)


def _with_head(page: bytes, said: str) -> bytes:
    return page.replace(b"</head>", said.encode() + b"</head>", 1)


def _read(folder: Traversable, path: str) -> list[tuple[str, Prepared]]:
    found: list[tuple[str, Prepared]] = []
    inside = {entry.name: entry for entry in folder.iterdir()}
    for name, entry in sorted(inside.items()):
        if entry.is_dir():
            found += _read(entry, f"{path}{name}/")
            continue
        content_type = _TYPES.get(name.rpartition(".")[2])
        if content_type is None:
            continue  # the compressed twins, and what is not for the public
        body = entry.read_bytes()
        bodies = {"identity": body}
        for encoding, suffix in _SUFFIXES.items():
            twin = inside.get(name + suffix)
            if twin is not None:
                bodies[encoding] = twin.read_bytes()
        cached = _FOR_EVER if path == "/assets/" else _ASK_EACH_TIME
        shell = _SHELL.fullmatch(path + name)
        language = None if shell is None else shell["language"] or languages.FIRST
        found.append((path + name, Prepared(content_type, cached, bodies, language)))
    return found


def _nothing_there(*, built: bool) -> web.Response:
    if built:
        return web.Response(status=404, text="There is no such file.\n")
    return web.Response(
        status=503, text="The page has not been built: run `python web/build.py`. The doors are open.\n"
    )
