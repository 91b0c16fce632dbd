"""The files are cleaned after those who were deleted: once for many, and again until it has succeeded."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.hall.support.inmemory import ManualTime

from gamut.hall.store.scrubbing import AGAIN, EVERY, PATIENCE, Scrubbing
from gamut.hall.store.storage import LedgerError


class Files:
    """Can be cleaned while nobody reads them."""

    def __init__(self) -> None:
        self.read = self.broken = False
        self.tries = 0
        self.cleaned = 0

    async def scrub(self) -> bool:
        self.tries += 1
        if self.broken:
            raise LedgerError("the disk is gone")
        self.cleaned += not self.read
        return not self.read


def scene(story: Callable[[Files, ManualTime, Scrubbing], Awaitable[None]]) -> None:
    async def run() -> None:
        files, time = Files(), ManualTime()
        await story(files, time, Scrubbing(time, files.scrub))

    asyncio.run(run())


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_files_that_nobody_reads_are_clean_at_once_and_then_once_for_all_who_ask() -> None:
    async def story(files: Files, time: ManualTime, scrubbing: Scrubbing) -> None:
        assert await scrubbing.done()
        several = [asyncio.ensure_future(scrubbing.done()) for _ in range(5)]
        await settle()
        assert files.tries == 1
        time.advance(EVERY)
        assert await asyncio.gather(*several) == [True] * 5
        assert files.tries == 2
        assert not time.pending, "nothing is waited for any more"

    scene(story)


def test_files_that_somebody_reads_are_tried_again_until_they_are_clean() -> None:
    async def story(files: Files, time: ManualTime, scrubbing: Scrubbing) -> None:
        files.read = True
        asked = asyncio.ensure_future(scrubbing.done())
        await settle()
        for _ in range(PATIENCE // AGAIN):
            time.advance(AGAIN)
            await settle()
        assert await asked is False, "nobody waits for a backup that takes an hour"
        assert files.tries >= PATIENCE // AGAIN
        files.read = False
        time.advance(AGAIN)
        await settle()
        assert files.cleaned == 1
        time.advance(EVERY)
        await settle()
        assert files.cleaned == 1

    scene(story)


def test_whoever_asks_while_it_is_tried_again_gets_a_try_of_their_own() -> None:
    async def story(files: Files, time: ManualTime, scrubbing: Scrubbing) -> None:
        files.read = True
        first = asyncio.ensure_future(scrubbing.done())
        await settle()
        second = asyncio.ensure_future(scrubbing.done())
        await settle()
        files.read = False
        tries = files.tries
        time.advance(AGAIN)
        assert all(await asyncio.gather(first, second))
        assert files.tries == tries + 1

    scene(story)


def test_a_disk_that_fails_is_tried_again() -> None:
    async def story(files: Files, time: ManualTime, scrubbing: Scrubbing) -> None:
        files.broken = True
        scrubbing.begin()
        await settle()
        assert (files.tries, files.cleaned) == (1, 0)
        files.broken = False
        time.advance(AGAIN)
        await settle()
        assert files.cleaned == 1

    scene(story)


def test_nobody_waits_because_the_files_were_cleaned_at_the_start() -> None:
    async def story(files: Files, time: ManualTime, scrubbing: Scrubbing) -> None:
        scrubbing.begin()
        await settle()
        assert await scrubbing.done()
        assert files.cleaned == 2

    scene(story)


def test_when_the_server_stops_nobody_is_left_waiting() -> None:
    async def story(files: Files, time: ManualTime, scrubbing: Scrubbing) -> None:
        assert await scrubbing.done()
        waiting = asyncio.ensure_future(scrubbing.done())
        await settle()
        scrubbing.end()
        assert await waiting is False
        assert await scrubbing.done() is False

    scene(story)
