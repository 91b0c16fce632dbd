"""A node that stands by asks the active one to hand over if gateways do not hear it: once, and only the right one."""

import asyncio
import logging
from typing import Any

import psycopg
import pytest
from tests.ledger.postgres.conftest import registered

from gamut.hall.ids import Millis
from gamut.ledger.postgres import node as nodes
from gamut.ledger.postgres import standby
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.lease import Lease
from gamut.ledger.postgres.node import Node, ask, drain, look
from gamut.ledger.postgres.standby import Turn
from gamut.ledger.store import Watcher

Sql = psycopg.Connection[Any]


@pytest.fixture
def active(source: Source, sql: Sql) -> Node:
    """It has had the hall for an hour."""
    node = registered(source, name="active")
    assert node is not None
    sql.execute("UPDATE nodes SET started = clock_timestamp() - interval '1 hour'")
    return node


def asked(source: Source, node: int) -> bool:
    async def asking() -> bool:
        async with await source.connect_soon() as connection:
            return await ask(connection, node)

    return asyncio.run(asking())


def requests(sql: Sql) -> list[Any]:
    return sql.execute("SELECT name, node FROM claims WHERE kind = 'unheard'").fetchall()


def test_a_request_is_stored_once(source: Source, active: Node, sql: Sql) -> None:
    assert asked(source, active.number)
    assert not asked(source, active.number)
    assert requests(sql) == [(str(active.number), active.number)]


def test_a_node_that_is_not_active_is_not_asked(source: Source, active: Node, sql: Sql) -> None:
    second = registered(source, active.number)
    assert second is not None
    sql.execute("UPDATE nodes SET started = clock_timestamp() - interval '1 hour'")
    assert not asked(source, active.number)
    assert not asked(source, second.number + 1)
    assert asked(source, second.number)
    assert requests(sql) == [(str(second.number), second.number)]


def test_of_a_node_that_has_ended_no_request_is_left(source: Source, active: Node, sql: Sql) -> None:
    assert asked(source, active.number)
    nodes.end(sql, active.number, Millis(1))
    assert requests(sql) == []


def test_a_node_that_has_just_become_active_is_not_asked(source: Source, active: Node, sql: Sql) -> None:
    sql.execute("UPDATE nodes SET started = clock_timestamp() - interval '9 seconds'")
    assert not asked(source, active.number)
    sql.execute("UPDATE nodes SET started = clock_timestamp() - interval '11 seconds'")
    assert asked(source, active.number)


def test_a_node_that_does_not_renew_its_lease_is_not_asked(source: Source, active: Node, sql: Sql) -> None:
    sql.execute("UPDATE leases SET until = clock_timestamp()")
    assert not asked(source, active.number)


def test_a_node_that_is_handing_over_is_not_asked(source: Source, active: Node, sql: Sql) -> None:
    assert drain(sql)
    assert not asked(source, active.number)


def run(story: Any) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(30):
            await story

    asyncio.run(in_time())


class Said:
    """What is heard of the active node, and by whom."""

    def __init__(self, *, missed: bool = True, alone: bool = False) -> None:
        self.missed = missed
        self.reaches_nobody = alone
        self.about: asyncio.Queue[int] = asyncio.Queue()

    def misses(self, node: int) -> bool:
        self.about.put_nowait(node)
        return self.missed


def watcher(drained: asyncio.Event, *, cut_off: bool) -> Watcher:
    def failed(error: BaseException) -> None:
        raise error

    return Watcher(lambda: None, lambda: None, drained.set, failed, lambda: cut_off)


async def second_turn(source: Source, said: Said, stopped: asyncio.Event) -> Node | None:
    return await Turn(source, "second", "0", hearing=said, standby=True).wait(stopped, lambda _: None)


def test_a_standby_takes_over_from_a_node_that_is_cut_off(
    source: Source, active: Node, sql: Sql, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        drained = asyncio.Event()
        lease = Lease(source, active.number, 1.0, no_check, lambda: Millis(77))
        keeping = asyncio.ensure_future(lease.keep(watcher(drained, cut_off=True)))
        turn = asyncio.ensure_future(second_turn(source, Said(), asyncio.Event()))
        await drained.wait()
        keeping.cancel()
        await asyncio.wait((keeping,))
        nodes.end(sql, active.number, Millis(78))
        second = await turn
        assert second is not None
        assert second.number > active.number

    with caplog.at_level(logging.WARNING, "gamut.ledger"):
        run(story())
    assert caplog.messages.count("gateways do not hear the active node: it is asked to hand over") == 1


def test_a_node_that_gateways_hear_keeps_the_hall_and_can_be_asked_again(
    source: Source, active: Node, sql: Sql, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        drained = asyncio.Event()
        assert sql.execute("SELECT 1 FROM claims WHERE kind = 'unheard'").fetchone() is None
        lease = Lease(source, active.number, 1.0, no_check, lambda: Millis(77))
        keeping = asyncio.ensure_future(lease.keep(watcher(drained, cut_off=False)))
        async with await source.connect_soon() as connection:
            while (found := await look(connection)) is None or found.lock_free:
                pass
            assert await ask(connection, active.number)
            while requests(sql):
                await look(connection)
            assert not drained.is_set()
            assert await ask(connection, active.number)
        keeping.cancel()
        await asyncio.wait((keeping,))

    with caplog.at_level(logging.WARNING, "gamut.ledger"):
        run(story())
    assert "another node says that gateways do not hear this one, and some do" in caplog.messages


def test_nothing_is_asked_of_a_node_that_is_not_missed(source: Source, active: Node, sql: Sql) -> None:
    async def story() -> None:
        sql.execute("UPDATE leases SET until = 'infinity'")
        said, stopped = Said(missed=False), asyncio.Event()
        turn = asyncio.ensure_future(second_turn(source, said, stopped))
        assert [await said.about.get() for _ in range(3)] == [active.number] * 3
        stopped.set()
        await turn

    run(story())
    assert requests(sql) == []


def test_whoever_was_answered_that_gateways_hear_it_does_not_ask_again_at_once(
    source: Source, active: Node, sql: Sql
) -> None:
    async def story() -> None:
        sql.execute("UPDATE leases SET until = 'infinity'")
        said, stopped = Said(), asyncio.Event()
        turn = asyncio.ensure_future(second_turn(source, said, stopped))
        async with await source.connect_soon() as connection:
            while not requests(sql):
                await said.about.get()
            await nodes.is_heard(connection, active.number)
        while not said.about.empty():
            said.about.get_nowait()
        for _ in range(3):
            await said.about.get()
        assert requests(sql) == []
        stopped.set()
        await turn

    run(story())


def test_a_node_that_reaches_nobody_lets_others_take_over_but_not_for_long(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        alone, well = Said(alone=True), Said()
        stopped = asyncio.Event()
        monkeypatch.setattr(standby, "_OTHERS_FIRST", float("inf"))
        turn = asyncio.ensure_future(second_turn(source, alone, stopped))
        await asyncio.wait((turn,), timeout=0.3)
        assert not turn.done()
        faster = await second_turn(source, well, stopped)
        assert faster is not None
        stopped.set()
        assert await turn is None

    run(story())


def test_a_node_that_reaches_nobody_takes_over_if_nobody_else_does(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standby, "_OTHERS_FIRST", 0.2)

    async def story() -> None:
        assert await second_turn(source, Said(alone=True), asyncio.Event()) is not None

    run(story())


async def no_check() -> None:
    """The store has all that it had."""
