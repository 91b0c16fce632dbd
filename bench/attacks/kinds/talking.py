"""Much talk, and whoever has to hear all of it."""

import asyncio

from bench.attacks import frames
from bench.attacks.guest import Guest
from bench.attacks.requests import DELETED, post
from bench.attacks.target import Target, address, anybody, together

_RATE = 45
"""Just under what a connection may say in a second."""
_MOUTHS = 6
_TALK_SECONDS = 12.0
_WATCHES = 90
_LINE = "\U0001f5ff" * 480
"""Four bytes for each character: as long as a line of talk may be."""


async def talk(target: Target, guest: Guest, table: str, seconds: float) -> int:
    """Grow a table's log: one person speaks with several mouths. Bytes said."""
    mouths = [guest, *[await guest.again(address=address(100 + each)) for each in range(_MOUTHS - 1)]]
    for mouth in mouths:
        # Who does not follow a table does not speak there.
        await mouth.must("watch", table=table, since=0)
    lines = 0
    for _ in range(int(seconds * _RATE)):
        for mouth in mouths:
            if not mouth.closed.is_set():
                mouth.tell("say", table=table, text=_LINE)
                lines += 1
        await asyncio.sleep(1 / _RATE)
    for mouth in mouths[1:]:
        mouth.abort()
    target.note(f"{lines} lines of talk said")
    return lines * len(_LINE.encode())


async def talk_then_watch(target: Target) -> None:
    """A table with much talk; then one write of a word and 90 times `watch since:0`."""
    host = await Guest.come(target, address=address())
    table, _key = await host.opens("tower")
    await talk(target, host, table, _TALK_SECONDS)
    word = frames.text(b'{"type":"say","table":"%s","text":"now"}' % table.encode())
    watch = frames.text(b'{"type":"watch","table":"%s","since":0}' % table.encode())
    await target.prepared()
    rounds = 0
    async for _ in target.ticks(2):
        try:
            reader = await host.again(address=address(1))
            await reader.must("watch", table=table)
        except (OSError, TimeoutError):
            continue
        rounds += 1
        reader.send(word + watch * _WATCHES)
        await asyncio.sleep(0.4)
        reader.abort()
    target.note(f"{rounds} writes of {len(word + watch * _WATCHES)} bytes")


async def return_after_talk(target: Target) -> None:
    """A player comes back to a table at which much was said meanwhile, and must not be dropped."""
    host = await Guest.come(target, address=address())
    player = await Guest.come(target, address=address(1))
    table, key = await host.opens("tower")
    await player.must("sit", table=table, key=key)
    player.abort()
    said = await talk(target, host, table, _TALK_SECONDS)
    target.note(f"{said >> 20} MB of words")
    await target.prepared()
    back = 0
    async for _ in target.ticks(1):
        again = await player.again(address=address(1))
        answer = asyncio.ensure_future(again.ask("watch", table=table, since=0))
        done, _pending = await asyncio.wait((answer,), timeout=min(10.0, target.left + 3))
        came_back = bool(done) and not answer.cancelled() and answer.exception() is None
        back += came_back
        target.expect(came_back, "a player who returns after much talk hears all of it")
        target.expect(not again.closed.is_set(), "a player who returns after much talk is not dropped")
        answer.cancel()
        again.abort()
    target.note(f"came back {back} times")


async def lobby_talk_and_deletion(target: Target) -> None:
    """Talk in the lobby while somebody who has said much there deletes an account."""
    password = "a long password"
    name = anybody()
    account = await post(target, "/api/register", {"name": name, "password": password}, address=address())
    cookie = account.cookie
    guest = await Guest.come(target, cookie=cookie, address=address())
    talkers = [await Guest.come(target, address=address(each)) for each in range(1, 21)]
    for _ in range(int(_TALK_SECONDS * _RATE)):
        for talker in (guest, *talkers):
            talker.tell("say", text=_LINE)
        await asyncio.sleep(1 / _RATE)
    guest.abort()
    await target.prepared()

    async def speak(talker: Guest) -> None:
        async for number in target.ticks(10):
            talker.tell("say", text=f"{number} {_LINE[:400]}")

    async def delete() -> None:
        await asyncio.sleep(0.5)
        answer = await post(
            target, "/api/me", {"password": password}, cookie=cookie, address=address(), method="DELETE"
        )
        deleted.append(answer.status)

    deleted: list[int] = []
    deleting = asyncio.ensure_future(delete())
    await together([speak(talker) for talker in talkers])
    await asyncio.wait((deleting,), timeout=1)
    target.expect(bool(DELETED.intersection(deleted)), "a deletion ends while others talk in the lobby")
    deleting.cancel()
