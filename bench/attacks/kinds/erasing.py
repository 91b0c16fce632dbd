"""Exports and deletions of somebody who has played much."""

import asyncio

from bench.attacks.guest import Guest
from bench.attacks.requests import DELETED, post, request
from bench.attacks.target import Target, address, anybody, together

_PASSWORD = "a long password"
_HANDS = 8
_GAMES = 2000
_PLAYING_SECONDS = 45.0
_ONE_TILE = {"x": 1, "y": 1}
"""A board on which the first move wins: the quickest way to a long history."""


async def somebody_with_many_games(target: Target) -> tuple[str, int]:
    """An account that has played thousands of games: its cookie, and how many."""
    made = await post(target, "/api/register", {"name": anybody(), "password": _PASSWORD}, address=address())
    hands = [await Guest.come(target, cookie=made.cookie, address=address()) for _ in range(_HANDS)]
    played = 0

    async def play(hand: Guest) -> None:
        nonlocal played
        while played < _GAMES:
            answer = await hand.ask("open", game="topple", seats=2, bots=["casual"], options=_ONE_TILE)
            if answer["type"] != "opened":
                # Nobody may do more of it now.
                await asyncio.sleep(0.5)
                continue
            hand.tell("say", table=answer["table"], text="well played " * 20)
            over = await hand.ask("act", table=answer["table"], action={"type": "place", "tile": 0})
            hand.tell("unwatch", table=answer["table"])
            played += over["type"] != "error"
            # 50 messages a second are allowed.
            await asyncio.sleep(0.08)

    playing = asyncio.ensure_future(together([play(hand) for hand in hands]))
    await asyncio.wait((playing,), timeout=_PLAYING_SECONDS)
    playing.cancel()
    for hand in hands:
        hand.abort()
    target.note(f"{played} games played")
    return made.cookie, played


async def exports(target: Target) -> None:
    """Exports of somebody who has played much, four at once, again and again."""
    cookie, _games = await somebody_with_many_games(target)
    await target.prepared()
    sizes = []

    async def export() -> None:
        while target.going:
            answer = await request(
                target, "GET", "/api/me/export", headers={"Cookie": cookie}, address=address()
            )
            sizes.append(len(answer.body))

    await together([export() for _ in range(4)])
    target.note(f"{len(sizes)} exports of up to {max(sizes, default=0) >> 10} KB")


async def deletion(target: Target) -> None:
    """The deletion of somebody who has played much."""
    cookie, _games = await somebody_with_many_games(target)
    await target.prepared()
    answer = await post(
        target, "/api/me", {"password": _PASSWORD}, cookie=cookie, address=address(), method="DELETE"
    )
    target.expect(answer.status in DELETED, f"a deletion is answered (got {answer.status or 'no answer'})")
    target.note(f"deleted with {target.left:.1f} s to spare")
    await target.rest()
