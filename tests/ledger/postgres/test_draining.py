"""`gamut drain` asks the nodes that are meant, and no other, and says what has become of each."""

import threading
from typing import Any, Self

import psycopg
import pytest
from tests.ledger.postgres.conftest import registered

from gamut.cli import main
from gamut.hall.ids import Millis
from gamut.ledger.postgres import draining
from gamut.ledger.postgres import node as nodes
from gamut.ledger.postgres.connecting import Source

Sql = psycopg.Connection[Any]
Captured = pytest.CaptureFixture[str]


def begin(source: Source, *names: str) -> list[int]:
    """Nodes of these names, one in each wing; their numbers."""
    found = []
    for wing, name in enumerate(names):
        node = registered(source, None, name, wing, len(names))
        assert node is not None
        found.append(node.number)
    return found


_ASKED = f"SELECT id, wing FROM nodes WHERE (draining OR {nodes.IS_MOVING}) AND ended IS NULL"


class Succession:
    """Each node that is asked to hand over ends, and is followed by one of this name."""

    def __init__(self, source: Source, by: str | None, wings: int) -> None:
        self._source = source
        self._by = by
        self._wings = wings
        self.moved: list[int] = []
        """Those whose process was to go on."""
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _work(self) -> None:
        with self._source.connect() as sql:
            while not self._stopped.wait(0.01):
                for number, wing in sql.execute(_ASKED).fetchall():
                    self.moved += [number] if is_moving(sql, number) else []
                    nodes.end(sql, number, Millis(1))
                    if self._by is not None:
                        registered(self._source, None, self._by, wing, self._wings)


@pytest.fixture
def drain(database_url: str, capsys: Captured) -> Any:
    def run(*arguments: str) -> tuple[int, list[str], str]:
        code = main(["drain", *arguments, "--store", database_url])
        told = capsys.readouterr()
        return code, told.out.splitlines(), told.err

    return run


def is_moving(sql: Sql, number: int) -> bool:
    return bool(sql.execute(f"SELECT 1 FROM nodes WHERE id = %s AND {nodes.IS_MOVING}", (number,)).fetchall())


def asked(sql: Sql) -> list[int]:
    return [id for (id,) in sql.execute("SELECT id FROM nodes WHERE draining ORDER BY id")]


@pytest.mark.parametrize("arguments", [(), ("alpha",), ("--wing", "0"), ("alpha", "--wing", "0")])
def test_of_a_hall_of_one_wing_no_wing_is_spoken_of(
    source: Source, drain: Any, arguments: tuple[str, ...]
) -> None:
    (number,) = begin(source, "alpha")
    with Succession(source, "beta", 1):
        code, (line,), error = drain(*arguments)
    assert (code, error) == (0, "")
    assert line.startswith(f"Node {number} (alpha) has handed over to beta in 0.")
    assert line.endswith(" s.")


@pytest.mark.parametrize("arguments", [(), ("alpha",)])
def test_a_process_with_several_wings_hands_over_all(
    source: Source, drain: Any, arguments: tuple[str, ...]
) -> None:
    numbers = begin(source, "alpha", "alpha", "alpha")
    with Succession(source, "beta", 3):
        code, lines, error = drain(*arguments)
    assert (code, error) == (0, "")
    assert sorted(line.rsplit(" in ", 1)[0] for line in lines) == [
        f"Node {number} (alpha), wing {wing}, has handed over to beta" for wing, number in enumerate(numbers)
    ]


def test_of_several_processes_one_is_to_be_named(source: Source, sql: Sql, drain: Any) -> None:
    begin(source, "beta", "alpha", "beta")
    code, lines, error = drain()
    assert (code, lines) == (1, [])
    assert error.endswith(": alpha and beta. Say which one is to hand over: gamut drain NAME.\n")
    assert "\n" not in error.strip()
    assert asked(sql) == []


def test_only_wings_of_the_process_that_is_named_are_handed_over(
    source: Source, sql: Sql, drain: Any
) -> None:
    main_wing, other, third = begin(source, "beta", "alpha", "beta")
    with Succession(source, "gamma", 3):
        code, lines, _ = drain("beta")
    assert code == 0
    assert len(lines) == 2
    assert asked(sql) == [main_wing, third]
    assert nodes.InWing(1, other, "alpha") in nodes.active(sql)


def test_one_wing_can_be_named_with_a_process_or_without(source: Source, sql: Sql, drain: Any) -> None:
    _, other, third = begin(source, "beta", "alpha", "beta")
    with Succession(source, "gamma", 3) as succession:
        for wing, arguments in ((1, ["--wing", "1"]), (2, ["beta", "--wing", "2"])):
            code, (line,), _ = drain(*arguments)
            assert code == 0
            assert f"wing {wing}, has handed over to gamma" in line
    assert succession.moved == [other, third]
    assert asked(sql) == [], "their processes go on"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["gamma"],
            "gamma is not active in the store {}: node 1 (alpha) in wing 0 and node 2 (beta) in wing 1 are.",
        ),
        (
            ["beta", "--wing", "0"],
            "beta is not active in wing 0 of the store {}: node 1 (alpha) in wing 0 is.",
        ),
        (["--wing", "7"], "There is no wing 7 in the store {}: its wings are 0 to 1."),
    ],
)
def test_who_is_not_there_is_not_asked_and_nobody_else_is(
    source: Source, sql: Sql, drain: Any, arguments: list[str], said: str
) -> None:
    begin(source, "alpha", "beta")
    code, lines, error = drain(*arguments)
    assert (code, lines) == (1, [])
    assert said.format(source.shown) in error
    assert asked(sql) == []
    assert not any(is_moving(sql, node.number) for node in nodes.active(sql))


def test_a_wing_that_is_asked_for_twice_goes_once(source: Source, sql: Sql) -> None:
    _, other = begin(source, "alpha", "alpha")
    assert nodes.move(sql, 1) == nodes.move(sql, 1, "alpha") == [nodes.InWing(1, other, "alpha")]
    assert is_moving(sql, other)
    nodes.end(sql, other, Millis(1))
    assert not is_moving(sql, other)
    assert nodes.move(sql, 1) == []


def test_a_wing_that_is_just_going_from_one_to_another_is_waited_for(
    source: Source, sql: Sql, drain: Any
) -> None:
    _, other = begin(source, "alpha", "alpha")
    nodes.end(sql, other, Millis(1))
    taking = threading.Timer(0.2, lambda: registered(source, None, "beta", 1, 2))
    taking.start()
    with Succession(source, "gamma", 2) as succession:
        code, (line,), _ = drain("--wing", "1")
    assert code == 0
    assert "(beta), wing 1, has handed over to gamma" in line
    assert len(succession.moved) == 1


def test_a_wing_that_nobody_has_is_not_waited_for_for_long(
    source: Source, sql: Sql, drain: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draining, "_FOR_A_STANDBY", 0.1)
    _, other = begin(source, "alpha", "alpha")
    nodes.end(sql, other, Millis(1))
    code, lines, error = drain("--wing", "1")
    assert (code, lines) == (1, [])
    assert f"No node is active in wing 1 of the store {source.shown}." in error


def test_a_wing_that_nobody_takes_is_said_to_have_stopped(
    source: Source, drain: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draining, "_FOR_A_STANDBY", 0.1)
    numbers = begin(source, "alpha", "alpha")
    with Succession(source, None, 2):
        code, lines, _ = drain()
    assert code == 0
    assert sorted(lines) == [
        f"Node {number} (alpha), wing {wing}, has stopped; no standby has taken over."
        for wing, number in enumerate(numbers)
    ]


def test_who_does_not_end_in_time_is_named_after_those_who_have(
    source: Source, sql: Sql, drain: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draining, "_FOR_A_STANDBY", 0.0)
    first, second, third = begin(source, "alpha", "alpha", "alpha")
    nodes_end = threading.Timer(0.1, lambda: end_in_time(source, second))
    nodes_end.start()
    code, lines, error = drain("--seconds", "0.6")
    nodes_end.join()
    assert code == 1
    assert lines == [f"Node {second} (alpha), wing 1, has stopped; no standby has taken over."]
    assert error == (
        f"gamut: Node {first} (alpha), wing 0, and node {third} (alpha), wing 2, were asked to hand over "
        "and have not done so yet.\n"
    )


def end_in_time(source: Source, number: int) -> None:
    with source.connect() as sql:
        nodes.end(sql, number, Millis(1))


def test_a_number_that_no_wing_has_is_refused(capsys: Captured) -> None:
    for wrong in ("-1", "256", "main"):
        with pytest.raises(SystemExit):
            main(["drain", f"--wing={wrong}"])
        assert "--wing" in capsys.readouterr().err
