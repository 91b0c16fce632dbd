"""Frames that say nothing, and frames that are none."""

import os

from bench.attacks import frames
from bench.attacks.flood import flood
from bench.attacks.guest import Guest
from bench.attacks.sockets import Socket
from bench.attacks.target import Target, address

_BLOCK = 1 << 16
_BIG = 60_000


async def _flood(target: Target, block: bytes, first: bytes = b"", path: str = "/hall") -> None:
    await flood(target, lambda: Socket.open(target, path, address=address()), block, first)


def _many(frame: bytes) -> bytes:
    return frame * (_BLOCK // len(frame))


async def pings(target: Target) -> None:
    """Pings without end, never a word."""
    await target.prepared()
    await _flood(target, _many(frames.frame(frames.PING)))


async def long_pings(target: Target) -> None:
    """Pings of 125 bytes, each of which wants to be echoed."""
    await target.prepared()
    await _flood(target, _many(frames.frame(frames.PING, os.urandom(125))))


async def pongs(target: Target) -> None:
    """Pongs that nobody asked for."""
    await target.prepared()
    await _flood(target, _many(frames.frame(frames.PONG)))


async def empty_texts(target: Target) -> None:
    """Text messages with nothing in them."""
    await target.prepared()
    await _flood(target, _many(frames.frame(frames.TEXT)))


async def empty_texts_at_the_tower_port(target: Target) -> None:
    """The same at /tower, a door with an answer of its own."""
    await target.prepared()
    await _flood(target, _many(frames.frame(frames.TEXT)), path="/tower")


async def empty_continuations(target: Target) -> None:
    """A message that goes on and on with empty parts."""
    await target.prepared()
    first = frames.frame(frames.TEXT, b"{", final=False)
    await _flood(target, _many(frames.frame(frames.CONTINUATION, final=False)), first)


async def one_byte_fragments(target: Target) -> None:
    """Messages of 60,000 bytes, one byte in each frame."""
    await target.prepared()
    whole = b'{"type":"ping"' + b" " * _BIG + b"}"
    parts = [frames.frame(frames.TEXT, whole[:1], final=False)]
    parts += [
        frames.frame(frames.CONTINUATION, whole[at : at + 1], final=False) for at in range(1, len(whole) - 1)
    ]
    parts.append(frames.frame(frames.CONTINUATION, whole[-1:]))
    await _flood(target, b"".join(parts))


async def garbage_frames(target: Target) -> None:
    """Random bytes where frames should be."""
    await target.prepared()
    await _flood(target, os.urandom(_BLOCK))


async def garbage_json(target: Target) -> None:
    """Texts that are no JSON, or JSON that is no message, as fast as is allowed."""
    await target.prepared()
    wrong = (
        b"{",
        b'"' + b"\\ud800" * 8000 + b'"',
        b"[" * 30_000,
        b'{"type":"act","table":' + b"[" * 20_000 + b"]" * 20_000 + b"}",
        b'{"type":"watch","table":"x","since":' + b"9" * 5000 + b"}",
        b'{"type":"say","text":"' + b"\xcc\x81" * 10_000 + b'"}',
        b'{"type":"open","game":"topple","options":{"teams":[' + b"1," * 20_000 + b"1]}}",
        b'{"a":' * 8000 + b"1" + b"}" * 8000,
        b"1e" + b"9" * 60_000,
        b"\xff" * 100,
    )
    guest = await Guest.come(target, address=address())
    async for number in target.ticks(45):
        if guest.closed.is_set():
            guest = await Guest.come(target, address=address())
        guest.text(wrong[number % len(wrong)])


async def deep_json(target: Target) -> None:
    """Bodies and messages that are nested as deep as they may be long."""
    await target.prepared()
    deep = b'{"type":"act","table":"x","action":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"}"
    guest = await Guest.come(target, address=address())
    async for _ in target.ticks(45):
        if guest.closed.is_set():
            guest = await Guest.come(target, address=address())
        guest.text(deep)
