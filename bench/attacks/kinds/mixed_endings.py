"""Games between a guest of the page and a client of the game's own door, whose ends come together."""

import asyncio
from random import Random

from bench.attacks.mixed_tables import AcquireTable, MixedTable, PowerChessTable, TaflTable, ToppleTable
from bench.attacks.target import Target, together

_TABLES = 6
_MOVES = 6


async def _ends_together(target: Target, kind: type[MixedTable]) -> None:
    await target.prepared()
    games = 0

    async def evening(each: int) -> None:
        nonlocal games
        chance = Random(each)
        while target.going:
            table = kind(target)
            try:
                await table.sit()
                for _ in range(chance.randrange(_MOVES)):
                    await table.move()
                for leave in chance.sample(table.ways_to_end(), k=len(table.ways_to_end())):
                    leave()
                    if chance.randrange(2):
                        await asyncio.sleep(0)
                games += 1
            except OSError:
                await asyncio.sleep(0.05)
            finally:
                table.close()

    await together([evening(each) for each in range(_TABLES)])
    target.note(f"{games} games")


async def mixed_tafl_games_end(target: Target) -> None:
    """A Tafl client and a guest give up, leave and hang up in the same moment, game after game."""
    await _ends_together(target, TaflTable)


async def mixed_power_chess_games_end(target: Target) -> None:
    """The same with a client of Power Chess."""
    await _ends_together(target, PowerChessTable)


async def mixed_topple_games_end(target: Target) -> None:
    """The same with a Topple client."""
    await _ends_together(target, ToppleTable)


async def mixed_acquire_games_end(target: Target) -> None:
    """An Acquire client leaves a game in the moment in which whoever watches it turns away."""
    await _ends_together(target, AcquireTable)
