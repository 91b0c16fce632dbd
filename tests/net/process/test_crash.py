"""kill -9 at any instant loses nothing that anyone was told: fifty tables through both doors, time and again."""

import asyncio
import signal
from pathlib import Path
from random import Random

import pytest
import uvloop
from tests.net.support.clients import Callers, calling
from tests.net.support.crowd import Books, Group, WebPlayer, crowd, in_the_log
from tests.net.support.process import PATIENCE, ServerProcess

HEARD = (50, 2_000)
"""Messages before each crash."""


async def come_back(callers: Callers, people: list[WebPlayer], groups: list[Group]) -> None:
    """Everybody returns; whatever they were told before is still so."""
    books = Books(callers)
    for player in people:
        await in_the_log(books, player)
    # Resuming checks itself: what comes must go on exactly behind the last event that was received.
    await asyncio.gather(*(player.come(callers) for player in people))
    await asyncio.gather(*(back_in_the_room(callers, books, group) for group in groups))


async def back_in_the_room(callers: Callers, books: Books, group: Group) -> None:
    if group.tower and group.table is not None:
        table = await callers.json(f"/api/tables/{group.table}")
        if table["phase"] == "over":
            # Whatever they saw of it is in its log; they go on at another table.
            for player in group.tower:
                assert await books.in_a_finished_game(group.table, player.marks)
            await group.begin(callers)
            return
    for player in group.tower:
        known, id = dict(player.marks), player.id
        new_id, board = await player.come(callers)
        if board is not None and known.items() <= board.items():
            assert new_id == id, "the seat is theirs"
        else:
            assert not known or await books.in_a_finished_game(player.room, known), (
                player.room,
                known,
                board,
            )


async def everybody_gone(people: list[WebPlayer], groups: list[Group]) -> None:
    await asyncio.gather(
        *(player.gone() for player in people), *(player.gone() for group in groups for player in group.tower)
    )


async def so_many_are_heard(count: int, people: list[WebPlayer], groups: list[Group]) -> None:
    """All of them play, until they have heard so many messages together."""

    def heard() -> int:
        in_rooms = sum(player.heard for group in groups for player in group.tower)
        return in_rooms + sum(player.heard for player in people)

    until = heard() + count
    async with asyncio.timeout(PATIENCE):
        while heard() < until:  # noqa: ASYNC110 - nobody hears of all of them
            await asyncio.sleep(0.001)


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


@pytest.mark.parametrize("crashes", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_nothing_that_anyone_was_told_is_lost(tmp_path: Path, seed: int, crashes: int) -> None:
    chance = Random(seed)
    people, groups = crowd(chance)

    async def run() -> None:
        for crash in range(crashes + 1):
            await asyncio.to_thread(server.start)
            async with calling(server.url) as callers:
                if crash == 0:
                    for player in people:
                        await player.come(callers)
                    await asyncio.gather(*(group.begin(callers) for group in groups))
                else:
                    await come_back(callers, people, groups)
                if crash == crashes:
                    await some_finish(groups)
                else:
                    await so_many_are_heard(chance.randint(*HEARD), people, groups)
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
