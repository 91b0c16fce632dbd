"""Answers that are ready before anybody asks, in several encodings, and are not sent again to whoever has them."""

import gzip
import hashlib
from collections.abc import Mapping

import msgspec
from aiohttp import web

from gamut.doors.http import JSON

_ENCODINGS = ("br", "gzip")
"""Best first."""


class Prepared:
    def __init__(
        self, content_type: str, cached: str, bodies: Mapping[str, bytes], language: str | None = None
    ) -> None:
        self._content_type = content_type
        self._cached = cached
        self.language = language
        """Of what others get in another one at the same address."""
        self._bodies = bodies
        """By content encoding; `identity` is always there."""
        self._etag = hashlib.sha256(bodies["identity"]).hexdigest()[:20]

    @property
    def plain(self) -> bytes:
        """The content as it is, in no encoding."""
        return self._bodies["identity"]

    def answer(self, request: web.Request) -> web.Response:
        encoding = _chosen(request.headers.get("Accept-Encoding", ""), self._bodies)
        # The same content in another encoding is another representation.
        etag = f'"{self._etag}"' if encoding == "identity" else f'"{self._etag}-{encoding}"'
        headers = {"Cache-Control": self._cached, "ETag": etag, "Vary": "Accept-Encoding"}
        if self.language is not None:
            headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
            headers["Content-Language"] = self.language
        if _matches(request.headers.get("If-None-Match", ""), etag):
            return web.Response(status=304, headers=headers)
        if encoding != "identity":
            headers["Content-Encoding"] = encoding
        headers["Content-Type"] = self._content_type
        return web.Response(body=self._bodies[encoding], headers=headers)


def prepared_json(content: object) -> Prepared:
    """What stays the same while the server runs."""
    body = msgspec.json.encode(content)
    return Prepared(JSON, "no-store", {"identity": body, "gzip": gzip.compress(body, mtime=0)})


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
