"""One node is active at a time; ending it is always safe, and the next one knows how far it had come."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
from tests.ledger.postgres.conftest import registered
from tests.ledger.support.logbook import chain

from gamut.hall.ids import Millis, TableId
from gamut.ledger.postgres import node as nodes
from gamut.ledger.postgres.commit import Commit, prepare
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.store import PostgresStore

OpenNode = Callable[..., PostgresStore]
Sql = psycopg.Connection[Any]


def test_of_many_who_would_take_over_at_once_one_does(source: Source, sql: Sql) -> None:
    first = registered(source)
    assert first is not None
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: registered(source, first.number), range(8)))
    winners = [node for node in found if node is not None]
    assert len(winners) == 1
    assert sql.execute("SELECT node FROM claims").fetchall() == [(winners[0].number,)]
    assert sql.execute("SELECT count(*) FROM nodes WHERE ended IS NULL").fetchone() == (1,)
    assert sql.execute("SELECT ended_by FROM nodes WHERE id = %s", (first.number,)).fetchone() == (
        winners[0].number,
    )


def test_nobody_takes_over_from_a_node_that_was_not_looked_at(source: Source) -> None:
    assert registered(source) is not None
    assert registered(source) is None


def test_numbers_are_never_used_again(source: Source) -> None:
    first = registered(source)
    assert first is not None
    second = registered(source, first.number)
    assert second is not None
    third = registered(source, second.number)
    assert third is not None
    assert first.number < second.number < third.number


def test_of_nodes_of_long_ago_nothing_is_kept(source: Source, sql: Sql) -> None:
    sql.execute(
        "INSERT INTO nodes (name, version, at, ended)"
        " SELECT 'ended', '0', 1000 + number, clock_timestamp() FROM generate_series(1, 1500) AS number"
    )
    node = registered(source)
    assert node is not None
    assert sql.execute("SELECT count(*), min(id) FROM nodes").fetchone() == (1001, node.number - 1000)
    assert (node.charged, node.opened_before) == (2500, 2500)


def test_a_commit_under_way_is_either_before_the_end_or_refused(
    source: Source, open_node: OpenNode, sql: Sql
) -> None:
    old = open_node()
    log = chain("T", [b"one"])
    with source.connect() as slow:
        prepare(slow)
        with slow.transaction():
            assert Commit(old.node, log, ())(slow, 1)
            taking_over = threading.Thread(target=open_node, args=(old,))
            taking_over.start()
            while not sql.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchall():
                assert taking_over.is_alive(), "the end does not wait for the commit"
        taking_over.join()
    assert old.ledger.log(TableId("T")) == log


def test_the_next_node_knows_until_when_clocks_ran(source: Source, open_node: OpenNode, sql: Sql) -> None:
    first = open_node()
    assert first.stopped_at is None
    sql.execute("UPDATE leases SET at = 5000")
    second = open_node(dead=first)
    assert second.stopped_at == 5000
    second.ledger.append(chain("T", [b'{"at":7000}']), [])
    third = open_node(dead=second)
    assert third.stopped_at == 7000
    assert third.ledger.latest() == 7000
    nodes.end(sql, third.node, Millis(9000))
    fourth = registered(source)
    assert fourth is not None
    assert fourth.charged == 9000
