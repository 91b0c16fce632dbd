"""What was measured of both stores and of an owner with a gateway, and the table of it."""

from collections.abc import Callable, Sequence
from statistics import median

import msgspec

from bench import machine
from bench.rows import Row, in_columns

SQLITE, POSTGRES = "SQLite", "PostgreSQL"
GATEWAY = "owner and gateway"
_RATIO = 0.8
"""Of SQLite's moves so many are wanted of PostgreSQL."""
_CPU_RATIO = 1.3
"""Of the CPU of a single node on PostgreSQL so much may an owner and a gateway need together."""
_LONE_P99_MS = 5.0
_DISTURBED = 0.05
_FULL = 0.9


class Slice(msgspec.Struct, kw_only=True):
    """Moves in the middle of games, at one node or at an owner behind a gateway."""

    moves: int
    seconds: float
    node_cpu: float
    """Seconds of the node's process with all its threads."""
    database_cpu: float
    """Of all of PostgreSQL's processes."""
    generator_cpu: float
    gateway_cpu: float = 0.0
    """Of a gateway in front of the node."""
    nats_cpu: float = 0.0
    node_core: float
    """For how long the node's core was busy, with whatever."""
    generator_core: float

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def node_us(self) -> float:
        """CPU of the node per move; of the owner alone, where there is a gateway."""
        return 1e6 * self.node_cpu / self.moves

    @property
    def gateway_us(self) -> float:
        return 1e6 * self.gateway_cpu / self.moves

    @property
    def nats_us(self) -> float:
        return 1e6 * self.nats_cpu / self.moves

    @property
    def nodes_us(self) -> float:
        """Of both together."""
        return self.node_us + self.gateway_us

    @property
    def database_us(self) -> float:
        return 1e6 * self.database_cpu / self.moves

    @property
    def carried(self) -> float:
        """Moves a second of nodes that have all of their core, and never wait."""
        return self.moves / (self.node_cpu + self.gateway_cpu)

    @property
    def node_busy(self) -> float:
        return (self.node_cpu + self.gateway_cpu) / self.seconds

    @property
    def others_busy(self) -> float:
        return max(0.0, self.node_core - self.node_cpu - self.gateway_cpu) / self.seconds

    @property
    def generator_core_busy(self) -> float:
        return self.generator_core / self.seconds

    @property
    def told(self) -> str:
        gateway = (
            f", gateway {self.gateway_us:.1f} us, NATS {self.nats_us:.1f} us" if self.gateway_cpu else ""
        )
        return (
            f"{self.moves_per_second:,.0f} moves/s, CPU per move: node {self.node_us:.1f} us{gateway}, PostgreSQL"
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
    """By store, or of owner and gateway, in the order in which they took turns."""
    lone: dict[str, list[Delays]]


def table(figures: Figures) -> str:
    head = f"Gamut in turns, {', '.join(figures.slices)}: {figures.machine}"
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
        ("CPU of the node per move", lambda each: each.nodes_us, _microseconds),
        ("moves per second of the node's CPU: what its core carries", _carried, _whole),
        ("node's core busy with the node", lambda each: each.node_busy, _part),
        ("node's core busy with something else", lambda each: each.others_busy, _part),
        ("core of the load busy", lambda each: each.generator_core_busy, _part),
    ):
        rows += [
            Row(f"{what}, {side}", shown(median(map(figure, slices))))
            for side, slices in figures.slices.items()
        ]
    database = median(each.database_us for each in figures.slices[POSTGRES])
    rows.append(Row("CPU of PostgreSQL itself per move", _microseconds(database)))
    if GATEWAY in figures.slices:
        rows += _with_gateway(figures)
    for what, figure in (("moves per second", _moves_per_second), ("what the node's core carries", _carried)):
        ratio = _ratio(figures, figure, POSTGRES, SQLITE)
        rows.append(Row(f"{what}, PostgreSQL : SQLite", f"{ratio:.2f}", f">= {_RATIO}", ratio >= _RATIO))
    return rows


def _with_gateway(figures: Figures) -> list[Row]:
    """What each of those costs that a move passes through."""
    slices = figures.slices[GATEWAY]
    rows = [
        Row(f"CPU per move behind a gateway, {what}", _microseconds(median(map(figure, slices))))
        for what, figure in _PARTS
    ]
    ratio = _ratio(figures, lambda each: each.nodes_us, GATEWAY, POSTGRES)
    rows.append(
        Row(
            "CPU of the nodes per move, owner and gateway : PostgreSQL",
            f"{ratio:.2f}",
            f"<= {_CPU_RATIO}",
            ratio <= _CPU_RATIO,
        )
    )
    return rows


_PARTS: tuple[tuple[str, Callable[[Slice], float]], ...] = (
    ("owner", lambda each: each.node_us),
    ("gateway", lambda each: each.gateway_us),
    ("NATS", lambda each: each.nats_us),
    ("PostgreSQL", lambda each: each.database_us),
)


def _ratio(figures: Figures, figure: Callable[[Slice], float], of: str, to: str) -> float:
    """The middle of what neighbours make: both met the machine in the same mood."""
    pairs = zip(figures.slices[of], figures.slices[to], strict=True)
    return median(figure(one) / figure(other) for one, other in pairs)


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
