"""HTTP requests made by hand, one connection each, or as many in a row on one as one likes."""

import asyncio
from typing import Any, NamedTuple

import msgspec

from bench.attacks.target import Target

_SECONDS = 30.0
_CHUNK = 1 << 16
JSON = {"Content-Type": "application/json"}
DELETED = frozenset((200, 202))
"""Somebody is; the second one says so and what is in the files of PostgreSQL for a while."""


class Answer(NamedTuple):
    status: int
    """0 if there was none."""
    head: str
    body: bytes

    @property
    def cookie(self) -> str:
        """The session that was given out."""
        for line in self.head.split("\r\n"):
            if line.lower().startswith("set-cookie:"):
                return line.partition(":")[2].partition(";")[0].strip()
        return ""

    @property
    def code(self) -> str:
        try:
            return str(msgspec.json.decode(self.body)["error"]["code"])
        except (msgspec.DecodeError, KeyError, TypeError):
            return ""


def written(
    target: Target,
    method: str,
    path: str,
    *,
    body: bytes = b"",
    headers: dict[str, str] | None = None,
    address: str | None = None,
    keep: bool = False,
) -> bytes:
    fields = {"Host": f"127.0.0.1:{target.page_port}", **({} if keep else {"Connection": "close"})}
    if address is not None:
        fields["X-Forwarded-For"] = address
    if body or method != "GET":
        fields["Content-Length"] = str(len(body))
    fields.update(headers or {})
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body


async def request(
    target: Target,
    method: str,
    path: str,
    *,
    body: bytes = b"",
    headers: dict[str, str] | None = None,
    address: str | None = None,
    seconds: float = _SECONDS,
    count: bool = True,
) -> Answer:
    """The whole answer; status 0 if the server hung up or did not answer in time."""
    data = written(target, method, path, body=body, headers=headers, address=address)
    answer = await exchange(target, data, target.at_most(seconds))
    if count:
        told = f"HTTP {answer.status} {answer.code}".strip() if answer.status else "no answer"
        target.told[told] += 1
    return answer


async def exchange(target: Target, data: bytes, seconds: float = _SECONDS) -> Answer:
    """Send this to the port that it is for, and read until the server hangs up."""
    return await exchange_at(target.port_for(data), data, seconds)


async def exchange_at(port: int, data: bytes, seconds: float = _SECONDS) -> Answer:
    heard = bytearray()
    writer = None
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(data)
            while more := await reader.read(_CHUNK):
                heard += more
    except (OSError, TimeoutError):
        pass
    finally:
        if writer is not None:
            writer.transport.abort()
    head, _, body = bytes(heard).partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    return Answer(status, head.decode("latin-1"), body)


async def post(
    target: Target,
    path: str,
    message: Any,
    *,
    cookie: str = "",
    address: str | None = None,
    method: str = "POST",
) -> Answer:
    """JSON, as the page would send it."""
    headers = {**JSON, **({"Cookie": cookie} if cookie else {})}
    return await request(
        target, method, path, body=msgspec.json.encode(message), headers=headers, address=address
    )
