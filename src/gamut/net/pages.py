"""The page: its built files from memory.

Built files under /assets/ have their content's hash in their name, so they are cached for ever; whatever else is
asked for gets the page itself, which finds out from the address what to show.
"""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec
from aiohttp import web

from gamut.net.answers import error_answer

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
# Best first. Each has been compressed by the build, at its own pace.
_ENCODINGS = {"br": ".br", "gzip": ".gz"}


class BuiltFile(msgspec.Struct, frozen=True):
    content_type: str
    cached: str
    etag: str
    bodies: Mapping[str, bytes]
    """By content encoding; `identity` is always there."""


class Page:
    """Every file of the built page, by its path."""

    def __init__(self, folder: Traversable) -> None:
        self._files = dict(_read(folder, "/")) if folder.is_dir() else {}

    async def serve(self, request: web.Request) -> web.StreamResponse:
        path = request.path
        found = self._files.get(path)
        if found is None:
            if path.startswith(("/api/", "/assets/")) or not self._files:
                return _nothing_there(path, built=bool(self._files))
            found = self._files["/index.html"]
        return _answer(request, found)


def built_page(folder: Traversable | None = None) -> Page:
    return Page(files("gamut") / "page" if folder is None else folder)


def _read(folder: Traversable, path: str) -> list[tuple[str, BuiltFile]]:
    found: list[tuple[str, BuiltFile]] = []
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
        for encoding, suffix in _ENCODINGS.items():
            twin = inside.get(name + suffix)
            if twin is not None:
                bodies[encoding] = twin.read_bytes()
        digest = hashlib.sha256(body).hexdigest()[:20]
        cached = _FOR_EVER if path == "/assets/" else _ASK_EACH_TIME
        found.append((path + name, BuiltFile(content_type, cached, f'"{digest}"', bodies)))
    return found


def _answer(request: web.Request, file: BuiltFile) -> web.Response:
    encoding = _chosen(request.headers.get("Accept-Encoding", ""), file.bodies)
    # The same content in another encoding is another representation.
    etag = file.etag if encoding == "identity" else f'{file.etag[:-1]}-{encoding}"'
    headers = {"Cache-Control": file.cached, "ETag": etag, "Vary": "Accept-Encoding"}
    if _matches(request.headers.get("If-None-Match", ""), etag):
        return web.Response(status=304, headers=headers)
    if encoding != "identity":
        headers["Content-Encoding"] = encoding
    headers["Content-Type"] = file.content_type
    return web.Response(body=file.bodies[encoding], headers=headers)


def _chosen(accepted: str, bodies: Mapping[str, bytes]) -> str:
    wishes = {}
    for wish in accepted.lower().split(","):
        name, _, quality = wish.partition(";")
        wishes[name.strip()] = quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    for encoding in _ENCODINGS:
        if encoding in bodies and wishes.get(encoding, wishes.get("*", False)):
            return encoding
    return "identity"


def _matches(known: str, etag: str) -> bool:
    tags = {tag.strip().removeprefix("W/") for tag in known.split(",")}
    return etag in tags or "*" in tags


def _nothing_there(path: str, *, built: bool) -> web.Response:
    if path.startswith("/api/"):
        return error_answer(404, "no_such_address", "There is nothing at this address.")
    if built:
        return web.Response(status=404, text="There is no such file.\n")
    return web.Response(
        status=503, text="The page has not been built: run `python web/build.py`. The doors are open.\n"
    )
