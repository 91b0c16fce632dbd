"""A hall may have several wings, each with an active node of its own: what happens to one is nothing to the others."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from time import monotonic
from typing import Any

import psycopg
import pytest
from tests.ledger.postgres.conftest import registered
from tests.ledger.support.logbook import chain, entry
from tests.ledger.support.people import ANNA

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.store.storage import Fenced, LedgerError
from gamut.ledger.postgres import node as nodes
from gamut.ledger.postgres import standby
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.node import Active, InWing, Node, ask, look, successor, wings_of
from gamut.ledger.postgres.standby import Turn
from gamut.ledger.postgres.store import PostgresStore, open_postgres
from gamut.ledger.store import Place

OpenNode = Callable[..., PostgresStore]
Sql = psycopg.Connection[Any]


def run(story: Coroutine[Any, Any, Any]) -> Any:
    async def in_time() -> Any:
        async with asyncio.timeout(30):
            return await story

    return asyncio.run(in_time())


def active_in(source: Source, wing: int) -> Active | None:
    async def looked() -> Active | None:
        async with await source.connect_soon() as connection:
            return await look(connection, wing)

    found: Active | None = run(looked())
    return found


def turn(source: Source, wing: int = 0, wings: int = 1, **more: Any) -> Turn:
    return Turn(source, "second", "0", standby=True, wing=wing, wings=wings, **more)


async def had(turn: Turn) -> Node | None:
    return await turn.wait(asyncio.Event(), lambda _: None)


# Several at once


def test_nodes_are_active_at_once_and_each_stores_its_own(open_node: OpenNode, sql: Sql) -> None:
    stores = [open_node(wing=wing, wings=3) for wing in range(3)]
    for number, store in enumerate(stores):
        table = f"T{number}"
        store.ledger.append(chain(table, [b"one"]), [entry(table, people=["anna"])])
        store.ledger.append(chain(table, [b"one", b"two"])[1:], [])
    assert [store.batches() for store in stores] == [2, 2, 2]
    assert [len(stores[0].ledger.log(TableId(f"T{number}"))) for number in range(3)] == [2, 2, 2]
    stored = sql.execute("SELECT node, count(*) FROM events GROUP BY node ORDER BY node").fetchall()
    assert stored == [(store.node, 2) for store in stores]


def test_the_end_of_one_leaves_the_others(open_node: OpenNode, source: Source, sql: Sql) -> None:
    main, annex = open_node(wing=0, wings=2), open_node(wing=1, wings=2)
    next_annex = open_node(dead=annex, wing=1, wings=2)
    with pytest.raises(Fenced):
        annex.ledger.append(chain("T", [b"one"]), [])
    for store, table in ((main, "U"), (next_annex, "V")):
        store.ledger.append(chain(table, [b"one"]), [])
    main.people.add(ANNA)
    nodes.end(sql, next_annex.node, Millis(1))
    main.ledger.append(chain("U", [b"one", b"two"])[1:], [])
    main.ledger.check()
    assert active_in(source, 1) is None
    found = active_in(source, 0)
    assert found is not None
    assert found.number == main.node


def test_a_standby_of_one_wing_takes_no_other(
    source: Source, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standby, "_SURE_AFTER", 0.0)
    first, second = registered(source, wing=0, wings=2), registered(source, wing=1, wings=2)
    assert first is not None
    assert second is not None
    # Main is gone, and the other wing is not.
    sql.execute("UPDATE leases SET until = 'epoch' WHERE node = %s", (first.number,))
    sql.execute("UPDATE leases SET until = 'infinity' WHERE node = %s", (second.number,))

    async def story() -> None:
        stopped = asyncio.Event()
        waiting = asyncio.ensure_future(turn(source, 1, 2).wait(stopped, lambda _: None))
        await asyncio.wait((waiting,), timeout=0.3)
        assert not waiting.done()
        third = await had(turn(source, 0, 2))
        assert third is not None
        assert (third.wing, third.before) == (0, first.number)
        stopped.set()
        assert await waiting is None

    run(story())
    assert sql.execute("SELECT ended IS NULL FROM nodes WHERE id = %s", (second.number,)).fetchone() == (
        True,
    )


def test_what_is_known_of_the_node_before_is_of_the_same_wing(open_node: OpenNode, sql: Sql) -> None:
    main, annex = open_node(wing=0, wings=2), open_node(wing=1, wings=2)
    assert (annex.before, annex.stopped_at) == ((0, 0), None)
    main.ledger.append(chain("T", [b'{"at":9000}']), [])
    for number in range(3):
        annex.ledger.append(chain(f"U{number}", [b'{"at":5000}']), [])
    second = open_node(dead=annex, wing=1, wings=2)
    assert second.before == (annex.node, 3)
    assert (second.stopped_at, second.opened_before) == (5000, 0)
    third = open_node(dead=second, wing=1, wings=2)
    assert third.before == (second.node, 0)
    assert third.opened_before == 5001
    assert third.ledger.latest() == 9000, "time is the same in all wings"


def test_of_each_wing_the_last_thousand_nodes_are_kept(source: Source, sql: Sql) -> None:
    annex = registered(source, wing=1, wings=2)
    assert annex is not None
    sql.execute(
        "INSERT INTO nodes (name, version, at, ended)"
        " SELECT 'ended', '0', number, clock_timestamp() FROM generate_series(1, 1500) AS number"
    )
    main = registered(source, wing=0, wings=2)
    assert main is not None
    assert sql.execute("SELECT count(*) FROM nodes WHERE wing = 0").fetchone() == (1001,)
    following = registered(source, annex.number, wing=1, wings=2)
    assert following is not None
    assert following.before == annex.number, "it is not forgotten because another wing had so many"


def test_one_that_is_not_heard_is_asked_and_no_other(source: Source, sql: Sql) -> None:
    main, annex = registered(source, wing=0, wings=2), registered(source, wing=1, wings=2)
    assert main is not None
    assert annex is not None
    sql.execute("UPDATE nodes SET started = clock_timestamp() - interval '1 hour'")

    async def asked() -> bool:
        async with await source.connect_soon() as connection:
            return await ask(connection, annex.number)

    assert run(asked())
    assert sql.execute("SELECT node FROM claims WHERE kind = 'unheard'").fetchall() == [(annex.number,)]


def test_only_the_main_wing_changes_people(open_node: OpenNode, sql: Sql) -> None:
    main, annex = open_node(wing=0, wings=2), open_node(wing=1, wings=2)
    main.people.add(ANNA)
    assert [row.id for row in annex.people.load()] == [ANNA.id]
    assert annex.people.secret() == main.people.secret()
    before = sql.execute("SELECT * FROM people").fetchall()
    with pytest.raises(LedgerError, match="main wing"):
        annex.people.add(ANNA)
    with pytest.raises(LedgerError, match="main wing"):
        annex.people.change(ANNA)
    with pytest.raises(LedgerError, match="main wing"):
        annex.people.delete(ANNA.id)
    annex.people.saw({ANNA.id: Millis(9_999_999_999_999)})
    assert annex.people.expire_guests(Millis(9_999_999_999_999)) == ()
    assert sql.execute("SELECT * FROM people").fetchall() == before
    annex.ledger.forget(PersonId("anna"))  # it has games of hers, too


# The number of wings


def test_another_number_of_wings_is_refused_while_a_node_of_another_wing_is_active(
    source: Source, sql: Sql
) -> None:
    first = registered(source, wing=1, wings=3)
    assert first is not None
    before = sql.execute("SELECT * FROM nodes").fetchall()
    for wings in (1, 2, 4):
        with pytest.raises(LedgerError) as refused:
            registered(source, wing=0, wings=wings)
        assert str(refused.value) == "This hall has 3 wings (--wings 3); nodes of it are active"
    assert sql.execute("SELECT * FROM nodes").fetchall() == before
    assert wings_of(sql) == 3
    nodes.end(sql, first.number, Millis(1))
    assert registered(source, wing=0, wings=1) is not None
    assert wings_of(sql) == 1


def test_the_only_node_there_is_can_be_followed_by_one_of_a_larger_hall(source: Source, sql: Sql) -> None:
    first = registered(source)
    assert first is not None
    second = registered(source, first.number, wing=0, wings=2)
    assert second is not None
    assert successor(sql, first.number) == (True, "node")
    with pytest.raises(LedgerError, match=r"^This hall has 2 wings \(--wings 2\); nodes of it are active$"):
        registered(source, wing=1, wings=3)


def test_a_node_that_waits_for_a_hall_of_another_number_says_so_at_once(source: Source, sql: Sql) -> None:
    assert registered(source) is not None
    sql.execute("UPDATE leases SET until = 'infinity'")
    with pytest.raises(LedgerError, match=r"^This hall has 1 wing \(--wings 1\); nodes of it are active$"):
        run(had(turn(source, 0, 2)))


def test_of_a_hall_that_has_crashed_all_nodes_are_ended_when_the_next_one_has_fewer_wings(
    source: Source, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed = [registered(source, wing=wing, wings=3) for wing in range(3)]
    assert all(crashed)
    sql.execute("UPDATE leases SET until = 'epoch'")
    monkeypatch.setattr(standby, "_SURE_AFTER", 0.5)

    async def story() -> None:
        began = monotonic()
        # That all leases are over can be the store's doing: it may just have come back.
        next_one = await had(turn(source))
        assert next_one is not None
        assert monotonic() - began >= 0.5
        assert sql.execute("SELECT id FROM nodes WHERE ended IS NULL").fetchall() == [(next_one.number,)]
        assert sql.execute("SELECT node FROM claims").fetchall() == [(next_one.number,)]
        assert sql.execute("SELECT node FROM leases").fetchall() == [(next_one.number,)]
        ended_by = sql.execute("SELECT ended_by FROM nodes WHERE id = ANY (%s)", ([1, 2, 3],)).fetchall()
        assert ended_by == [(next_one.number,)] * 3

    run(story())
    assert wings_of(sql) == 1


def test_of_those_who_would_have_different_numbers_at_once_one_has(source: Source, sql: Sql) -> None:
    here = Barrier(6)

    def begin(wing: int) -> Node | str | None:
        here.wait()
        try:
            return registered(source, wing=wing, wings=wing + 2)
        except LedgerError as refused:
            return str(refused)

    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(begin, range(6)))
    (winner,) = (node for node in found if isinstance(node, Node))
    said = {line for line in found if isinstance(line, str)}
    number = winner.wing + 2
    assert said == {f"This hall has {number} wings (--wings {number}); nodes of it are active"}
    assert wings_of(sql) == number
    assert sql.execute("SELECT name FROM claims").fetchall() == [(str(winner.wing),)]


def test_with_another_number_nobody_is_charged_for_a_time_when_a_wing_was_gone(
    source: Source, sql: Sql
) -> None:
    """Tables of any wing before are in each of them now."""
    ended = {0: (2000, 8000), 1: (3000, 7000), 2: (0, 9000)}
    for wing, moments in ended.items():
        for at in filter(None, moments):
            node = registered(source, wing=wing, wings=3)
            assert node is not None
            nodes.end(sql, node.number, Millis(at))
    main, annex = registered(source, wing=0, wings=2), registered(source, wing=1, wings=2)
    assert main is not None
    assert annex is not None
    assert [(node.charged, node.opened_before) for node in (main, annex)] == [(7000, 3001)] * 2
    following = registered(source, annex.number, wing=1, wings=2)
    assert following is not None
    assert following.before == annex.number


def test_a_hall_that_is_new_has_any_number_of_wings_and_no_nodes_before(source: Source) -> None:
    for wing in range(3):
        node = registered(source, wing=wing, wings=3)
        assert node is not None
        assert (node.charged, node.opened_before, node.before) == (None, 0, 0)


# Who takes a free wing


def test_a_process_with_wings_lets_others_take_a_free_one_first(source: Source) -> None:
    async def story() -> None:
        loaded, free = turn(source, 1, 2, burden=lambda: 30), turn(source, 1, 2, burden=lambda: 0)
        began = monotonic()
        stopped = asyncio.Event()
        slow = asyncio.ensure_future(loaded.wait(stopped, lambda _: None))
        await asyncio.wait((slow,), timeout=0.2)
        assert not slow.done()
        assert await had(free) is not None
        assert monotonic() - began < 0.6
        stopped.set()
        assert await slow is None

    run(story())


def test_a_process_with_wings_takes_a_free_one_if_nobody_else_does(source: Source) -> None:
    async def story() -> None:
        began = monotonic()
        assert await had(turn(source, 1, 2, burden=lambda: 1)) is not None
        assert monotonic() - began >= 0.9, "at the start of a hall others may be about to come"

    run(story())


def test_a_wing_is_free_anew_each_time_it_becomes_so(source: Source, sql: Sql) -> None:
    async def story() -> None:
        await asyncio.to_thread(ended_soon)
        waiting = asyncio.ensure_future(had(turn(source, 0, 1, burden=lambda: 30)))
        await asyncio.sleep(0.4)  # it has seen that it is free
        assert not waiting.done()
        async with await source.connect_soon() as connection:
            other = await nodes.take_over(connection, None, "other", "0")
        assert other is not None
        await asyncio.sleep(0.3)
        began = monotonic()
        nodes.end(sql, other.number, Millis(1))
        assert await waiting is not None
        assert monotonic() - began >= 0.5

    def ended_soon() -> None:
        assert wings_of(sql) == 1

    run(story())


# As a server opens it


def test_a_store_is_opened_for_the_wing_that_is_named(source: Source, database_url: str, sql: Sql) -> None:
    async def story() -> None:
        stores = []
        for wing in range(2):
            place = Place(
                url=database_url, folder=Path(), name="one process", version="1", wing=wing, wings=2
            )
            store = await open_postgres(place, asyncio.Event(), lambda _: None)
            assert store is not None
            stores.append(store)
        assert [(found.wing, found.name) for found in nodes.active(sql)] == [
            (0, "one process"),
            (1, "one process"),
        ]
        await stores[1].stop(Millis(5))
        assert nodes.active(sql) == [InWing(0, stores[0].node, "one process")]
        for store in stores:
            await store.close()

    run(story())
