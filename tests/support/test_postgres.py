"""What tests and benchmarks rely on where they use PostgreSQL."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from tests.support.databases import Databases
from tests.support.postgres import Postgres, is_running


@pytest.fixture
def own() -> Iterator[Postgres]:
    with Postgres() as postgres:
        yield postgres


def _numbers(postgres: Postgres) -> list[int]:
    with postgres.connect() as connection:
        return [number for (number,) in connection.execute("SELECT * FROM numbers ORDER BY 1")]


def test_two_databases_of_a_test_share_nothing(new_database: Callable[[], str]) -> None:
    with psycopg.connect(new_database()) as one, psycopg.connect(new_database()) as other:
        one.execute("CREATE TABLE numbers (number integer)")
        one.commit()
        with pytest.raises(psycopg.errors.UndefinedTable):
            other.execute("SELECT * FROM numbers")


def test_a_database_is_empty_again_for_the_next_test(postgres: Postgres, databases: Databases) -> None:
    name = databases.take()
    with postgres.connect(name) as left_open:
        left_open.execute("CREATE TABLE numbers (number integer)")
        databases.give_back(name)
        with pytest.raises(psycopg.OperationalError):
            left_open.execute("SELECT 1")
    assert databases.take() == name
    with postgres.connect(name) as connection, pytest.raises(psycopg.errors.UndefinedTable):
        connection.execute("SELECT * FROM numbers")
    databases.give_back(name)


def test_what_was_committed_is_there_after_a_crash_at_the_same_address(own: Postgres) -> None:
    url = own.url()
    with own.connect() as connection:
        connection.execute("CREATE TABLE numbers (number integer)")
        connection.execute("INSERT INTO numbers VALUES (1)")
        own.restart(immediate=True)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    assert own.url() == url
    assert _numbers(own) == [1]
    own.kill()
    own.start()
    assert _numbers(own) == [1]


def test_a_standby_has_what_was_committed_and_takes_over(own: Postgres) -> None:
    with own.connect() as connection:
        connection.execute("CREATE TABLE numbers (number integer)")
    with own.standby() as standby:
        with own.connect() as connection:
            connection.execute("INSERT INTO numbers VALUES (1)")
        own.kill()
        standby.promote()
        with standby.connect() as connection:
            connection.execute("INSERT INTO numbers VALUES (2)")
        assert _numbers(standby) == [1, 2]


def test_nothing_is_left_when_the_tests_are_killed() -> None:
    start = "from tests.support.postgres import Postgres; p = Postgres(); print(p.folder, p.pid, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as tests:
        assert tests.stdout is not None
        folder, pid = tests.stdout.readline().split()
        assert Path(folder).is_dir()
        tests.send_signal(signal.SIGKILL)
        assert tests.stdout.read() == ""  # the watcher, which has this end of it, too, is done
    assert not Path(folder).exists()
    assert not is_running(int(pid))
