"""What was measured of both stores, and the table of it."""

from collections.abc import Callable, Sequence
from statistics import median

import msgspec

from bench import machine
from bench.rows import Row, in_columns

SQLITE, POSTGRES = "SQLite", "PostgreSQL"
STORES = SQLITE, POSTGRES
_RATIO = 0.8
"""Of SQLite's moves so many are wanted of PostgreSQL."""
_LONE_P99_MS = 5.0
_DISTURBED = 0.05
_FULL = 0.9


class Slice(msgspec.Struct, kw_only=True):
    """Moves in the middle of games, at one of the two nodes."""

    moves: int
    seconds: float
    node_cpu: float
    """Seconds of the node's process with all its threads."""
    database_cpu: float
    """Of all of PostgreSQL's processes."""
    generator_cpu: float
    node_core: float
    """For how long the node's core was busy, with whatever."""
    generator_core: float

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def node_us(self) -> float:
        """CPU of the node per move."""
        return 1e6 * self.node_cpu / self.moves

    @property
    def database_us(self) -> float:
        return 1e6 * self.database_cpu / self.moves

    @property
    def carried(self) -> float:
        """Moves a second of a node that has all of its core, and never waits."""
        return self.moves / self.node_cpu

    @property
    def node_busy(self) -> float:
        return self.node_cpu / self.seconds

    @property
    def others_busy(self) -> float:
        return max(0.0, self.node_core - self.node_cpu) / self.seconds

    @property
    def generator_core_busy(self) -> float:
        return self.generator_core / self.seconds

    @property
    def told(self) -> str:
        return (
            f"{self.moves_per_second:,.0f} moves/s, CPU per move: node {self.node_us:.1f} us, PostgreSQL"
            f" {self.database_us:.1f} us; node's core: node {self.node_busy:.0%}, others {self.others_busy:.0%};"
            f" the other core {self.generator_core_busy:.0%}"
        )


class Delays(msgspec.Struct, kw_only=True):
    """Milliseconds from sending a mark until the last opponent has it, at a node with nothing else to do."""

    each: list[float]

    def at(self, quantile: float) -> float:
        ordered = sorted(self.each)
        return ordered[min(len(ordered) - 1, int(len(ordered) * quantile))]

    @property
    def told(self) -> str:
        return f"p50 {self.at(0.5):.2f} ms, p99 {self.at(0.99):.2f} ms, worst {self.at(1.0):.1f} ms"


class Figures(msgspec.Struct, kw_only=True):
    machine: str
    tables: int
    lone_rate: float
    same_disk: bool
    """Both stores are on one file system."""
    slices: dict[str, list[Slice]]
    """By store, in the order in which they took turns."""
    lone: dict[str, list[Delays]]


def table(figures: Figures) -> str:
    head = f"Gamut on SQLite and on PostgreSQL, in turns: {figures.machine}"
    return "\n".join([head, *in_columns([*_rates(figures), *_lone(figures)]), "", *_notes(figures)])


def _rates(figures: Figures) -> list[Row]:
    turns = len(figures.slices[SQLITE])
    rows = [
        Row(
            f"Tower for three at {figures.tables:,} tables while games run, fsync on; the middle of {turns} turns each"
        )
    ]
    for what, figure, shown in (
        ("moves per second", _moves_per_second, _whole),
        ("CPU of the node per move", lambda each: each.node_us, _microseconds),
        ("moves per second of the node's CPU: what its core carries", _carried, _whole),
        ("node's core busy with the node", lambda each: each.node_busy, _part),
        ("node's core busy with something else", lambda each: each.others_busy, _part),
        ("core of the load busy", lambda each: each.generator_core_busy, _part),
    ):
        rows += [
            Row(f"{what}, {store}", shown(median(map(figure, figures.slices[store])))) for store in STORES
        ]
    database = median(each.database_us for each in figures.slices[POSTGRES])
    rows.append(Row("CPU of PostgreSQL itself per move", _microseconds(database)))
    for what, figure in (("moves per second", _moves_per_second), ("what the node's core carries", _carried)):
        ratio = _ratio(figures, figure)
        rows.append(Row(f"{what}, PostgreSQL : SQLite", f"{ratio:.2f}", f">= {_RATIO}", ratio >= _RATIO))
    return rows


def _ratio(figures: Figures, figure: Callable[[Slice], float]) -> float:
    """The middle of what neighbours make: both met the machine in the same mood."""
    pairs = zip(figures.slices[SQLITE], figures.slices[POSTGRES], strict=True)
    return median(figure(postgres) / figure(sqlite) for sqlite, postgres in pairs)


def _lone(figures: Figures) -> list[Row]:
    rows = [
        Row(f"A lone table, {figures.lone_rate:.0f} moves a second; from sending a mark to the last opponent")
    ]
    for store, turns in figures.lone.items():
        delays = _all(turns)
        rows.append(
            Row(
                f"delay of {len(delays.each):,} moves, {store}, p50 / p99",
                f"{delays.at(0.5):.2f} / {delays.at(0.99):.2f} ms",
                f"p99 < {_LONE_P99_MS:.0f} ms",
                delays.at(0.99) < _LONE_P99_MS,
            )
        )
        calmest, wildest = (choose(turn.at(0.99) for turn in turns) for choose in (min, max))
        rows.append(Row(f"p99 of the best / the worst turn, {store}", f"{calmest:.2f} / {wildest:.2f} ms"))
    return rows


def _all(turns: Sequence[Delays]) -> Delays:
    return Delays(each=[delay for turn in turns for delay in turn.each])


def _notes(figures: Figures) -> list[str]:
    notes = []
    if machine.DATABASE_CORES == [machine.GENERATOR_CORE]:
        notes.append(
            "There is no third core: PostgreSQL and the load share one, which slows PostgreSQL's node only."
        )
    if not figures.same_disk:
        notes.append(
            "The stores are on different file systems, which may differ in what they take for a write."
        )
    for store, slices in figures.slices.items():
        others = median(each.others_busy for each in slices)
        if others > _DISTURBED:
            notes.append(
                f"Disturbed: {store}: something else, or this machine's host, had {others:.0%} of the node's core."
            )
        if (
            median(each.generator_core_busy for each in slices)
            > _FULL
            > median(each.node_busy for each in slices)
        ):
            notes.append(
                f"Limited: {store}: the other core was full and the node's was not: the node may do better."
            )
    return notes


def _moves_per_second(slice: Slice) -> float:
    return slice.moves_per_second


def _carried(slice: Slice) -> float:
    return slice.carried


def _whole(value: float) -> str:
    return f"{value:,.0f}"


def _microseconds(value: float) -> str:
    return f"{value:.1f} us"


def _part(value: float) -> str:
    return f"{value:.0%}"
