"""kill -9 at any instant loses nothing that anyone was told: fifty tables through both doors, twenty times over."""

import asyncio
import signal
from pathlib import Path
from random import Random, randrange

import uvloop
from tests.net.support.clients import Callers, calling
from tests.net.support.crowd import Group, WebPlayer, crowd, in_a_finished_game, in_the_log
from tests.net.support.process import PATIENCE, ServerProcess

CRASHES = 20


async def come_back(callers: Callers, people: list[WebPlayer], groups: list[Group]) -> None:
    """Everybody returns; whatever they were told before is still so."""
    for player in people:
        await in_the_log(callers, player)
    # Resuming checks itself: what comes must go on exactly behind the last event that was received.
    await asyncio.gather(*(player.come(callers) for player in people))
    await asyncio.gather(*(back_in_the_room(callers, group) for group in groups))


async def back_in_the_room(callers: Callers, group: Group) -> None:
    if group.tower and group.table is not None:
        table = await callers.json(f"/api/tables/{group.table}")
        if table["phase"] == "over":
            # Whatever they saw of it is in its log; they go on at another table.
            for player in group.tower:
                assert await in_a_finished_game(callers, group.table, player.marks)
            await group.begin(callers)
            return
    for player in group.tower:
        known, id = dict(player.marks), player.id
        new_id, board = await player.come(callers)
        if board is not None and known.items() <= board.items():
            assert new_id == id, "the seat is theirs"
        else:
            assert not known or await in_a_finished_game(callers, player.room, known), (
                player.room,
                known,
                board,
            )


async def everybody_gone(people: list[WebPlayer], groups: list[Group]) -> None:
    await asyncio.gather(
        *(player.gone() for player in people), *(player.gone() for group in groups for player in group.tower)
    )


async def some_finish(groups: list[Group]) -> None:
    """Play goes on to the end of a game, at tables of each kind."""
    rooms = [group.tower[1] for group in groups if not group.web]
    before = [player.games for player in rooms]
    web = [(player, set(player.tables)) for group in groups if not group.tower for player in group.web[:1]]
    async with asyncio.timeout(PATIENCE):
        while True:
            in_rooms = sum(player.games > games for player, games in zip(rooms, before, strict=True))
            on_the_page = sum(bool(set(player.tables) - known) for player, known in web)
            if in_rooms >= 3 and on_the_page >= 3:
                return
            await asyncio.sleep(0.01)


def test_nothing_that_anyone_was_told_is_lost(tmp_path: Path) -> None:
    seed = randrange(2**32)
    print(f"seed {seed}")  # noqa: T201 - shown when it fails
    chance = Random(seed)
    people, groups = crowd(chance)

    async def run() -> None:
        for crash in range(CRASHES + 1):
            await asyncio.to_thread(server.start)
            async with calling(server.url) as callers:
                if crash == 0:
                    for player in people:
                        await player.come(callers)
                    await asyncio.gather(*(group.begin(callers) for group in groups))
                else:
                    await come_back(callers, people, groups)
                if crash == CRASHES:
                    await some_finish(groups)
                else:
                    await asyncio.sleep(chance.uniform(0.1, 0.6))
                server.signal(signal.SIGKILL)
                await everybody_gone(people, groups)
            server.kill()

    server = ServerProcess(
        tmp_path / "data", tables_per_person=100, message_rate=0, talk_burst=1_000_000, stored_per_second=0
    )
    try:
        uvloop.run(run())
    finally:
        server.kill()
    assert sum(player.games for group in groups for player in group.tower) > 0
    # Python's own helpers also complain there when they lose their server, but not in JSON.
    assert not [line for line in server.logged.splitlines() if b'"level":"error"' in line]
