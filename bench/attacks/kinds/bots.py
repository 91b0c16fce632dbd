"""Bots asked for by one guest until nobody else's has time."""

import asyncio
from time import perf_counter

from bench.attacks.guest import Guest
from bench.attacks.sockets import Message
from bench.attacks.target import Target, address

_TABLES = 20
_PATIENCE = 10.0


def _bot_has_moved(message: Message, table: str) -> bool:
    return (
        message["type"] == "events"
        and message["table"] == table
        and any(event["type"] == "played" and event.get("seat") for event in message["events"])
    )


async def _asked(target: Target, game: str, bots: list[str], **fields: object) -> None:
    """Twenty tables at which every seat but one is a strong bot's; then somebody else plays one."""
    greedy = await Guest.come(target, address=address())
    other = await Guest.come(target, address=address(1))
    tables = []
    for _ in range(_TABLES):
        answer = await greedy.ask("open", game=game, bots=bots, **fields)
        if answer["type"] == "opened":
            tables.append(answer["table"])
    await target.prepared()

    async def keep_busy(table: str, at: int) -> None:
        """Move, and open another one as soon as this one has ended."""
        tile = at
        async for _ in target.ticks(2):
            await greedy.ask("act", table=table, action={"type": "place", "tile": tile % 24})
            tile += 1

    async def ask_somebody_else() -> None:
        await asyncio.sleep(target.left / 3)
        table, _key = await other.opens("tower", bots=["casual", "casual"])
        began = perf_counter()
        moved = other.next(lambda message: _bot_has_moved(message, table), _PATIENCE)
        other.tell("act", table=table, action={"type": "place", "tile": 12})
        try:
            await moved
            target.note(f"somebody else's casual bot answered after {perf_counter() - began:.1f} s")
            target.expect(perf_counter() - began < 3, "somebody else's bot answers within three seconds")
        except (TimeoutError, OSError):
            target.expect(
                False, f"somebody else's bot answers at all (waited {perf_counter() - began:.0f} s)"
            )

    work = [keep_busy(table, number) for number, table in enumerate(tables)]
    await asyncio.gather(ask_somebody_else(), *work, return_exceptions=True)


async def many_bots(target: Target) -> None:
    """Twenty tables of Tower with two strong bots each, by one guest: does somebody else's bot still answer?"""
    await _asked(target, "tower", ["strong", "strong"])


async def bots_on_large_boards(target: Target) -> None:
    """Twenty tables of Topple on the largest board with nine strong bots each, by one guest."""
    options = {"topology": "bwrap", "x": 15, "y": 15}
    await _asked(target, "topple", ["strong"] * 9, seats=10, start="full", options=options)


async def bots_among_themselves(target: Target) -> None:
    """Tables where the only person leaves, and the bots go on alone: they must not think for nobody for ever."""
    greedy = await Guest.come(target, address=address())
    await target.prepared()
    opened = 0
    async for _ in target.ticks(10):
        answer = await greedy.ask(
            "open", game="topple", seats=10, bots=["strong"] * 9, options={"x": 15, "y": 15}, start="full"
        )
        if answer["type"] != "opened":
            continue
        opened += 1
        greedy.tell("act", table=answer["table"], action={"type": "place", "tile": 0})
        greedy.tell("leave", table=answer["table"])
    target.note(f"{opened} tables opened and left to the bots")
