"""The clock of the machine is set back an hour while the server is away: nobody notices."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.net.support.closed_ports import CLOSED
from tests.net.support.inside import new_server

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.clock import PerTurn
from gamut.hall.table.seats import Sitter
from gamut.ledger.sqlite.ledger import SqliteLedger
from gamut.net import timekeeper
from gamut.net.server import Server
from gamut.net.settings import Settings

HOUR = 3_600


def with_server(data: Path, story: Callable[[Server], Awaitable[None]]) -> None:
    async def run() -> None:
        server = new_server(Settings(data=data, port=0, doors=CLOSED))
        await server.start()
        try:
            await story(server)
        finally:
            await server.stop()

    asyncio.run(run())


def test_the_ledger_is_asked_once_how_late_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Millis] = []
    latest = SqliteLedger.latest

    def counted(ledger: SqliteLedger) -> Millis:
        asked.append(latest(ledger))
        return asked[-1]

    async def nothing(server: Server) -> None:
        assert len(asked) == 1

    monkeypatch.setattr(SqliteLedger, "latest", counted)
    with_server(tmp_path / "data", nothing)


def test_tokens_flags_and_ids_go_on_when_the_clock_was_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, tables, times = "", list[TableId](), list[Millis]()

    async def before(server: Server) -> None:
        nonlocal token
        token = server.people.issue(await server.people.guest("Ann"))
        live = server.hall.open(Opening(game="tower", clock=PerTurn(60_000)), PersonId("ann"))
        for name in ("ann", "bob", "cid"):
            server.hall.do(live, c.Sit(Sitter(PersonId(name), name)))
        await server.hall.durable()
        tables.append(live.id)
        times.append(live.table.at)

    async def after(server: Server) -> None:
        assert server.people.by_token(token) is not None
        assert server.hall.time.now() > times[0]
        live = await server.hall.load(tables[0])
        assert live is not None
        assert live.table.at >= times[0]
        # The clock of somebody who is not back stands.
        server.hall.do(live, c.Return(PersonId("ann")))
        assert live.deadline is not None
        assert live.deadline - server.hall.time.now() <= 60_000, "the flag falls in time"
        assert server.hall.open(Opening(game="tower"), None).id > tables[0], "ids ascend"

    with_server(tmp_path / "data", before)
    real = time.time
    monkeypatch.setattr(timekeeper, "time", lambda: real() - HOUR)
    with_server(tmp_path / "data", after)
