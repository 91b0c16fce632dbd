"""Whoever is told that they are erased is in no file of the server any more."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.net.support.clients import Callers, calling
from tests.net.support.process import PATIENCE, ServerProcess

NAME, PASSWORD, WORDS = "Ann Ominous", "correct horse battery", "my number is 12345"


def found(data: Path) -> list[str]:
    """The files in which something of her is left."""
    return [
        file.name
        for file in data.iterdir()
        if any(word in file.read_bytes() for word in (NAME.encode(), NAME.lower().encode(), WORDS.encode()))
    ]


@contextmanager
def reading(data: Path) -> Iterator[None]:
    """Another program reads the database as it is now, and goes on reading it."""
    database = sqlite3.connect(f"{(data / 'gamut.db').as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        database.execute("BEGIN")
        database.execute("SELECT count(*) FROM people").fetchone()
        yield
    finally:
        database.close()


async def ann_plays(callers: Callers) -> None:
    async with callers.http.post("/api/register", json={"name": NAME, "password": PASSWORD}) as response:
        assert response.status == 201
    ann = await callers.web()
    await ann.until("welcome")
    table = (await ann.sure("open", game="tower", bots=["casual"]))["table"]
    await ann.sure("say", table=table, text=WORDS)


async def ann_goes(callers: Callers) -> tuple[int, dict[str, object]]:
    async with callers.http.delete("/api/me", json={"password": PASSWORD}) as response:
        return response.status, await response.json()


async def until_gone(data: Path) -> None:
    async with asyncio.timeout(PATIENCE):
        while found(data):  # noqa: ASYNC110 - it is about the files
            await asyncio.sleep(0.05)


def test_nothing_of_somebody_erased_is_in_any_file(tmp_path: Path) -> None:
    data = tmp_path / "data"

    async def run() -> None:
        async with calling(server.url) as callers:
            await ann_plays(callers)
            assert found(data)
            assert await ann_goes(callers) == (200, {"erased": True})
            assert found(data) == []

    with ServerProcess(data) as server:
        asyncio.run(run())
        assert server.stop() == 0
    assert found(data) == []


def test_while_another_program_reads_everybody_goes_on_and_afterwards_the_files_are_clean(
    tmp_path: Path,
) -> None:
    async def run(server: ServerProcess, data: Path, crash: bool) -> None:
        async with calling(server.url) as callers, calling(server.url) as others:
            ben = await others.web("Ben")
            table = (await ben.sure("open", game="tower"))["table"]
            await ann_plays(callers)
            with reading(data):
                asked = time.monotonic()
                going = asyncio.ensure_future(ann_goes(callers))
                longest = 0.0
                while not going.done():
                    began = time.monotonic()
                    await ben.sure("say", table=table, text="and so on")
                    await asyncio.sleep(0.05)
                    longest = max(longest, time.monotonic() - began)
                status, answer = await going
                assert status == 202
                assert answer["erased"] is False
                assert "as soon as it has finished" in str(answer["message"])
                assert longest < (time.monotonic() - asked) / 2, (
                    "nobody else waits for whoever reads, as Ann does"
                )
                assert found(data)
                if crash:
                    server.process.kill()
                    server.process.wait()
            if crash:
                assert found(data)
                server.kill()
                server.start()
            await until_gone(data)

    async def both() -> None:
        # At the same time, because Ann waits for ten seconds.
        await asyncio.gather(run(stays, tmp_path / "stays", False), run(crashes, tmp_path / "crashes", True))

    with (
        ServerProcess(tmp_path / "stays", message_rate=0, talk_burst=10_000) as stays,
        ServerProcess(tmp_path / "crashes", message_rate=0, talk_burst=10_000) as crashes,
    ):
        asyncio.run(both())


def test_a_damaged_copy_is_told_of(tmp_path: Path) -> None:
    data = tmp_path / "data"

    async def run() -> None:
        async with calling(server.url) as callers:
            await ann_plays(callers)
            (data / "gamut.db.damaged-1").write_bytes(b"what is left")
            status, answer = await ann_goes(callers)
            assert (status, answer["erased"]) == (202, False)
            assert "damaged copy" in str(answer["message"])

    with ServerProcess(data) as server:
        asyncio.run(run())
