"""Nothing is told over HTTP before it is durable, whatever the address."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from tests.net.support.inside import running

from gamut.hall.ids import PersonId
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter
from gamut.net.server import Server

PATHS = (
    "/api/tables",
    "/api/tables/{table}",
    "/api/tables/{table}/log",
    "/serverlist",
    "/d/isres?id={room}",
)


@pytest.mark.parametrize("path", PATHS)
def test_an_answer_waits_for_the_commit_of_what_it_tells(path: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with running(tmp_path / "data") as server:
            await told_after_the_commit(server, path)

    asyncio.run(story())


async def told_after_the_commit(server: Server, path: str) -> None:
    held, happened = threading.Event(), list[str]()
    append, durable = server._ledger.append, server.hall.durable

    def slowly(rows: Any, entries: Any) -> None:
        assert held.wait(20)
        append(rows, entries)
        happened.append("stored")

    async def asked() -> None:
        """Somebody waits for the commit: only now does the disk answer."""
        held.set()
        await durable()

    live = server.hall.open(Opening(game="topple", room="AAAAAAAA"), PersonId("ann"))
    await durable()
    server._ledger.append = slowly  # type: ignore[method-assign]
    server.hall.durable = asked  # type: ignore[method-assign]
    server.hall.do(live, c.Sit(Sitter(PersonId("ann"), "Ann")))
    address = path.format(table=live.id, room="AAAAAAAA")
    async with (
        ClientSession(f"http://127.0.0.1:{server.ports['main']}") as http,
        http.get(address) as response,
    ):
        await response.read()
        happened.append("told")
        assert response.status == 200
    assert happened == ["stored", "told"]
