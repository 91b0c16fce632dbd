"""What `make cluster ARGS="--speed"` makes of what it has seen."""

from bench.cluster.speed.figures import GATEWAY, POSTGRES, SQLITE, Delays, Figures, Slice, table


def slice_of(moves_per_second: float, cpu_us_per_move: float = 10.0, gateway_us: float = 0.0) -> Slice:
    return Slice(
        moves=1000,
        seconds=1000 / moves_per_second,
        node_cpu=1000 * cpu_us_per_move / 1e6,
        gateway_cpu=1000 * gateway_us / 1e6,
        database_cpu=0.002,
        generator_cpu=0.01,
        node_core=0.02,
        generator_core=0.02,
    )


def figures(sqlite: list[Slice], postgres: list[Slice], lone: list[float]) -> Figures:
    delays = [Delays(each=lone) for _ in sqlite]
    return Figures(
        machine="any",
        tables=1000,
        lone_rate=50.0,
        same_disk=True,
        slices={SQLITE: sqlite, POSTGRES: postgres},
        lone={SQLITE: [Delays(each=[1.0])] * len(sqlite), POSTGRES: delays},
    )


def row(found: Figures, beginning: str) -> str:
    return next(line for line in table(found).splitlines() if line.startswith(beginning))


def test_each_turn_is_measured_by_its_neighbour_so_that_a_busy_machine_changes_no_ratio() -> None:
    quiet, busy = (15_000.0, 13_500.0), (1_500.0, 1_350.0)
    turns = [quiet, busy, busy]
    found = figures([slice_of(sqlite) for sqlite, _ in turns], [slice_of(pg) for _, pg in turns], [1.0])
    assert row(found, "moves per second, PostgreSQL : SQLite").split()[-4:] == ["0.90", ">=", "0.8", "ok"]


def test_a_core_carries_what_its_cpu_per_move_allows_however_long_the_node_waited() -> None:
    found = figures([slice_of(15_000.0, 20.0)], [slice_of(5_000.0, 40.0)], [1.0])
    assert row(found, "moves per second of the node's CPU: what its core carries, Post").endswith("25,000")
    assert row(found, "what the node's core carries, PostgreSQL : SQLite").endswith("missed")


def test_one_move_in_fifty_that_is_late_misses_the_target_of_a_lone_move() -> None:
    found = figures([slice_of(1.0)], [slice_of(1.0)], [1.0] * 49 + [6.0])
    assert row(found, "delay of 1 moves, SQLite").endswith("ok")
    assert row(found, "delay of 50 moves, PostgreSQL").endswith("missed")


def test_owner_and_gateway_are_measured_together_by_the_single_node_beside_them() -> None:
    found = figures([slice_of(1.0)] * 2, [slice_of(1.0, 20.0), slice_of(1.0, 40.0)], [1.0])
    found.slices[GATEWAY] = [slice_of(1.0, 16.0, 14.0), slice_of(1.0, 32.0, 28.0)]
    ratio = row(found, "CPU of the nodes per move, owner and gateway : PostgreSQL")
    assert ratio.split()[-4:] == ["1.50", "<=", "1.3", "missed"]
    assert row(found, "CPU per move behind a gateway, gateway").endswith("21.0 us")
