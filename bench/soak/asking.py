"""Whole answers over HTTP: one that was cut off tells nothing."""

from typing import Any

import msgspec

from bench.attacks.requests import exchange, written
from bench.attacks.target import Target

_OK = 200
_SECONDS = 60.0


async def body(target: Target, path: str) -> bytes | None:
    """What is there, or None."""
    # However long the evening is: what is not answered in time would look as if it were lost.
    answer = await exchange(target, written(target, "GET", path), _SECONDS)
    if answer.status != _OK:
        return None
    head = answer.head.lower()
    if "transfer-encoding: chunked" in head:
        return _joined(answer.body)
    _, _, rest = head.partition("content-length:")
    return answer.body if rest and int(rest.split("\r\n", 1)[0]) == len(answer.body) else None


async def fetch(target: Target, path: str) -> Any:
    """The same of JSON."""
    found = await body(target, path)
    return None if found is None else msgspec.json.decode(found)


def _joined(chunks: bytes) -> bytes | None:
    whole = bytearray()
    while True:
        size, end, rest = chunks.partition(b"\r\n")
        if not end:
            return None
        length = int(size, 16)
        if not length:
            return bytes(whole)
        if len(rest) < length + 2:
            return None
        whole += rest[:length]
        chunks = rest[length + 2 :]
