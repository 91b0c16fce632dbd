"""Lines at the port of Tafl clients: too long, without an end, none at all, and more than anybody reads."""

import asyncio
import os

from bench.attacks.flood import flood, guesses, wrong_messages
from bench.attacks.lines import Lines, proxied
from bench.attacks.stream import Refused
from bench.attacks.target import Target, address, anybody, together
from gamut.hall.people.prehash import prehashed

_BLOCK = 1 << 16
_LONG = 60_000
_SILENT = 1700
_ACROSS = 300
_SLOW = 60
_PASSWORD = "a long password"
_HOME = "198.51.100.30"


def _log_in(name: str, password: str = _PASSWORD, kind: str = "ext") -> str:
    return f'login "{name}" {prehashed(name, password)} {kind}'


async def _player(target: Target, where: str, *, receive_buffer: int | None = None) -> Lines:
    line = await Lines.open(target, address=where, receive_buffer=receive_buffer)
    await line.must(_log_in(anybody()))
    return line


async def _flood(target: Target, block: bytes) -> None:
    await flood(target, lambda: Lines.open(target, address=address()), block)


async def tafl_without_line_feeds(target: Target) -> None:
    """A line at the Tafl port that never ends."""
    await target.prepared()
    await _flood(target, b"x" * _BLOCK)


async def tafl_binary(target: Target) -> None:
    """Random bytes at the Tafl port, line feeds among them."""
    await target.prepared()
    await _flood(target, os.urandom(_BLOCK))


async def tafl_empty_lines(target: Target) -> None:
    """Line feeds at the Tafl port, and nothing between them."""
    await target.prepared()
    await _flood(target, b"\n" * _BLOCK)


async def tafl_long_lines(target: Target) -> None:
    """Lines of 60,000 bytes from somebody who is logged in, as fast as is allowed."""
    await target.prepared()
    long = "9" * _LONG
    wrong = (
        f'lobby-chat "x" {long}',
        f"create-game 00000000-0000-4000-8000-000000000000 attackers open {long}",
        f"join-game {long}",
        f"move {long}",
        "history 7 " + "a1-a2 0||" * (_LONG // 9),
        f'login "{long}" {long}',
    )
    await wrong_messages(
        target, lambda: _player(target, address()), lambda line, number: line.say(wrong[number % len(wrong)])
    )


async def tafl_half_open(target: Target) -> None:
    """1,700 connections to the Tafl port that say half a word, to a server with 1,500 descriptors."""
    await target.prepared()

    async def hold(each: int) -> None:
        while target.going:
            line = await Lines.open(target, address=address(each % 3))
            line.send(b"logi")
            try:
                async with asyncio.timeout(target.left):
                    await line.closed.wait()
                await asyncio.sleep(0.5)
            except TimeoutError:
                return
            finally:
                line.abort()

    await together([hold(each) for each in range(_SILENT)])


async def tafl_come_and_go(target: Target) -> None:
    """Connections to the Tafl port that go at once, 300 at a time, some in the middle of the proxy's header."""
    await target.prepared()
    comings = 0

    async def knock(each: int) -> None:
        nonlocal comings
        header = proxied(address(each))
        while target.going:
            _reader, writer = await asyncio.open_connection("127.0.0.1", target.tafl_port)
            writer.write(header[: len(header) // (1 + each % 3)])
            comings += 1
            writer.transport.abort()
            await asyncio.sleep(0.02)

    await together([knock(each) for each in range(_ACROSS)])
    target.note(f"{comings} came and went")


async def tafl_log_ins(target: Target) -> None:
    """Log-ins at the Tafl port, from many addresses, with new names and wrong hashes; somebody else still gets in."""
    name = anybody()
    first = await Lines.open(target, address=_HOME)
    await first.must(_log_in(name))
    first.abort()
    await target.prepared()

    async def guess(line: Lines, number: int) -> None:
        await line.must(_log_in(name if number % 2 else anybody(), f"wrong {number}"))

    async def owner() -> None:
        await asyncio.sleep(target.left / 2)
        for _ in range(20):
            line = await Lines.open(target, address=_HOME)
            try:
                await line.must(_log_in(name))
                return
            except Refused:
                # Too many log in just now: the protocol says so, and that the next try is quicker.
                await asyncio.sleep(0.2)
            finally:
                line.abort()
        target.expect(False, "others log in meanwhile")

    await guesses(target, lambda where: Lines.open(target, address=where), guess, owner())


async def tafl_slow_readers(target: Target) -> None:
    """Sixty Tafl clients who ask for lists, while others talk, and never read."""
    people = [await _player(target, address(each % 5), receive_buffer=4096) for each in range(_SLOW)]
    mouths = [await _player(target, address(each)) for each in range(3)]
    for one in people:
        one.stop_reading()
    await target.prepared()

    async def speak(mouth: Lines) -> None:
        async for number in target.ticks(20):
            mouth.say(f'lobby-chat "x" {number} {"y" * 450}')

    async def ask() -> None:
        async for _ in target.ticks(10):
            for one in people:
                one.say("get-game-list")
                one.say("client-list")

    await together([*(speak(mouth) for mouth in mouths), ask()])
    target.note(f"{sum(one.closed.is_set() for one in people)} of {_SLOW} noticed that they were let go")
