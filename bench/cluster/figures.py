"""What became of each fault, and the table of it."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from bench.cluster.consumption import Consumption
from bench.cluster.consumption import table as consumption_table
from bench.cluster.sockets import Sockets, added
from bench.cluster.sockets import table as sockets_table
from bench.cluster.spread import Spread

HANDING_OVER = 250.0
"""Milliseconds: no clock may run for longer while a table that is handed over has no owner."""
MOVE = 100.0
"""Milliseconds: 99 of 100 moves are wanted within that while nothing is struck."""
LEASE = 1000.0
"""Milliseconds: a node that has not been heard of for so long is ended."""
_SLACK = 250.0
"""By how much our own view of the server's clock may be wrong."""


class Fault(msgspec.Struct, kw_only=True):
    kind: str
    open_after: float
    """Seconds until somebody new was served."""
    back_after: float
    """Until everybody was where they had been."""
    doors_back_after: dict[str, float]
    """The same for those of each door."""
    flows_after: float
    """Until there was another move at every table."""
    moves_per_second: float
    """Until then."""
    moves_before: float
    """A second, in peace."""
    charged: float | None
    """Milliseconds that were taken from clocks while nobody could move; None: nobody's clock ran."""
    takeover: bool
    beyond: float | None = None
    """Of a hand-over: milliseconds that a clock was charged beyond what its table's owner was there; None: no clock
    ran."""
    sockets: dict[str, Sockets] = {}
    """By door."""
    longest_pause: float = 0.0
    """Seconds, of anybody who said something meanwhile."""
    wings: list[int] = []
    """Those that were struck, of a hall that has several."""

    @property
    def told(self) -> str:
        sockets = added(self.sockets.values())
        return (
            f"open again after {self.open_after:.2f} s, everybody back after {self.back_after:.2f} s,"
            f" {sockets.stayed} of {sockets.of} sockets stayed, the longest pause was"
            f" {self.longest_pause:.2f} s, {self.moves_before:.0f} moves/s before"
            + (f", wings {', '.join(map(str, self.wings))} were struck" if self.wings else "")
            + ("" if self.beyond is None else f", {self.beyond:.0f} ms charged without an owner")
        )


class PausesByWing(msgspec.Struct):
    """The longest pause of each player around the faults of a kind, by where they played when it struck."""

    struck: Spread = msgspec.field(default_factory=Spread)
    others: Spread = msgspec.field(default_factory=Spread)


class Figures(msgspec.Struct, kw_only=True):
    seed: int
    games: int
    players: int
    seconds: float = 0.0
    faults: list[Fault] = msgspec.field(default_factory=list)
    pauses: dict[str, Spread] = msgspec.field(default_factory=dict)
    """By kind of fault, in seconds: of each who said something meanwhile the longest time from there to the first thing
    heard after it."""
    pauses_before: dict[str, Spread] = msgspec.field(default_factory=dict)
    """The same in peace."""
    pauses_by_wing: dict[str, PausesByWing] = msgspec.field(default_factory=dict)
    """By kind of fault, where the hall has several wings."""
    wings: list[int] = msgspec.field(default_factory=list)
    """How many of the tables there were in each at the most; none: the hall is not divided."""
    moves_in_peace: dict[str, Spread] = msgspec.field(default_factory=dict)
    """By door, in seconds: from saying a move until whoever made it heard of it, while nothing was struck."""
    consumption: Consumption = msgspec.field(default_factory=Consumption)
    chaos: float = 0.0
    """Minutes in which chance chose the faults."""
    memory: int = 0
    """Megabytes: the most that the process of the players ever had."""
    heard: Counter[str] = msgspec.field(default_factory=Counter)
    compared: Counter[str] = msgspec.field(default_factory=Counter)
    connections: int = 0
    closes: Counter[str] = msgspec.field(default_factory=Counter)
    """How connections were ended by the other side, by door and code."""
    gateways: int = 0
    refusals: Counter[str] = msgspec.field(default_factory=Counter)
    """Of those who came back: they tried again, or their game was over meanwhile."""
    moves: int = 0
    finished: int = 0
    stored: int = 0
    """Events in the store at the end."""
    nodes: int = 0
    """That were active, one after the other."""
    lost: list[str] = msgspec.field(default_factory=list)
    given_up: list[str] = msgspec.field(default_factory=list)
    wrong: list[str] = msgspec.field(default_factory=list)

    @property
    def overcharged(self) -> list[str]:
        return [
            f"{fault.kind}: {fault.charged:.0f} ms were charged"
            for fault in self.faults
            if fault.charged is not None and fault.charged > LEASE + _SLACK
        ] + [
            f"{fault.kind}: {fault.beyond:.0f} ms were charged while a table had no owner"
            for fault in self.faults
            if fault.beyond is not None and fault.beyond > HANDING_OVER
        ]

    @property
    def broken(self) -> list[str]:
        return [
            *(f"LOST {each}" for each in self.lost),
            *(f"GIVEN UP {each}" for each in self.given_up),
            *(f"OVERCHARGED {each}" for each in self.overcharged),
            *(f"WRONG {each}" for each in self.wrong),
        ]


_SHOWN = 40
_LONGEST = 5000


def table(figures: Figures) -> str:
    lines = [
        f"seed {figures.seed}: {figures.games} games at once over all six doors, {figures.players} players,"
        f" {figures.seconds / 60:.1f} minutes{f', chaos for {figures.chaos:g} of them' if figures.chaos else ''}",
        *_wings(figures),
        f"{figures.moves:,} moves heard at the first seats, {sum(figures.heard.values()):,} messages"
        f" ({_counted(figures.heard)}), {figures.connections:,} connections, {figures.nodes} nodes",
        f"compared with the store: {_counted(figures.compared)}; {figures.stored:,} events are stored,"
        f" {figures.finished} games were finished",
        f"refused at first on the way back: {_counted(figures.refusals)};"
        f" players, proxy and comparison had {figures.memory} MB at the most",
        "",
        f"{'fault':<14}{'times':>6}  {'open again, s':<24}{'everybody back, s':<24}{'moves at every table, s':<25}"
        f"{'moves/s':>9}{'before':>8}{'charged, ms':>13}{'handing over, ms':>18}{'takeovers':>11}",
        f"{'':<20}  {'p50    p99    worst':<24}{'p50    p99    worst':<24}{'p50    p99    worst':<25}",
    ]
    kinds = dict.fromkeys(fault.kind for fault in figures.faults)
    lines += [_row(kind, [fault for fault in figures.faults if fault.kind == kind]) for kind in kinds]
    lines += ["", f"{'back by door, s':<20}  {'p50    p99    worst'}"]
    by_door: dict[str, list[float]] = {}
    for fault in figures.faults:
        for door, seconds in fault.doors_back_after.items():
            by_door.setdefault(door, []).append(seconds)
    lines += [f"{door:<20}  {_spread(seconds)}" for door, seconds in by_door.items()]
    lines += _pauses(figures, kinds)
    lines += _pauses_by_wing(figures)
    lines += _moves_in_peace(figures)
    lines += consumption_table(figures.consumption)
    if figures.gateways:
        lines += ["", *sockets_table({kind: _sockets(figures, kind) for kind in kinds})]
    lines.append(f"closed by the other side: {_counted(figures.closes)}")
    broken = figures.broken
    lines += [
        "",
        f"lost {len(figures.lost)}, games given up {len(figures.given_up)},"
        f" charged too much {len(figures.overcharged)}, otherwise wrong {len(figures.wrong)}",
        *(each[:_LONGEST] for each in broken[:_SHOWN]),
    ]
    if broken:
        lines.append(f"FAILED; the same choices again with --seed {figures.seed}")
    return "\n".join(lines)


def _row(kind: str, faults: Sequence[Fault]) -> str:
    charged = [fault.charged for fault in faults if fault.charged is not None]
    beyond = [fault.beyond for fault in faults if fault.beyond is not None]
    return (
        f"{kind:<14}{len(faults):>6}  {_spread([fault.open_after for fault in faults]):<24}"
        f"{_spread([fault.back_after for fault in faults]):<24}"
        f"{_spread([fault.flows_after for fault in faults]):<25}"
        f"{_mean([fault.moves_per_second for fault in faults]):>9.0f}"
        f"{_mean([fault.moves_before for fault in faults]):>8.0f}"
        f"{_most(charged):>13}{_most(beyond):>18}{sum(fault.takeover for fault in faults):>11}"
    )


def _most(charged: Sequence[float]) -> str:
    return f"{max(charged):.0f}" if charged else "-"


def _pauses(figures: Figures, kinds: Iterable[str]) -> list[str]:
    """The longest of each player around each fault."""
    lines = [
        "",
        f"{'longest pauses, s':<20}  {'p50    p99    worst':<24}{'of players':>11}  {'in peace':<24}",
    ]
    for kind in kinds:
        pauses, before = figures.pauses[kind], figures.pauses_before[kind]
        lines.append(f"{kind:<20}  {pauses!s:<24}{pauses.number:>11}  {before!s:<24}")
    return lines


def _wings(figures: Figures) -> list[str]:
    if not figures.wings:
        return []
    tables = ", ".join(map(str, figures.wings))
    return [f"{len(figures.wings)} wings, with {tables} of the tables at the most"]


def _pauses_by_wing(figures: Figures) -> list[str]:
    if not figures.pauses_by_wing:
        return []
    lines = [
        "",
        f"{'pauses by wing, s':<20}  {'struck: p50, p99, worst':<24}{'of players':>11}"
        f"  {'others: p50, p99, worst':<24}{'of players':>11}",
    ]
    for kind, found in figures.pauses_by_wing.items():
        struck, others = found.struck, found.others
        lines.append(f"{kind:<20}  {struck!s:<24}{struck.number:>11}  {others!s:<24}{others.number:>11}")
    return lines


def _moves_in_peace(figures: Figures) -> list[str]:
    every = Spread()
    lines = ["", f"{'moves in peace, s':<20}  {'p50    p99    worst':<24}{'moves':>9}"]
    for door, taken in sorted(figures.moves_in_peace.items()):
        every.merge(taken)
        lines.append(f"{door:<20}  {taken!s:<24}{taken.number:>9}")
    p99 = 1000 * every.part(0.99)
    lines.append(
        f"{'all doors':<20}  {every!s:<24}{every.number:>9}  p99 {p99:.0f} ms,"
        f" wanted < {MOVE:.0f} ms: {'ok' if every.number and p99 < MOVE else 'missed'}"
    )
    return lines


def _sockets(figures: Figures, kind: str) -> dict[str, Sockets]:
    """Of all faults of this kind, by door."""
    doors: dict[str, Sockets] = {}
    for fault in figures.faults:
        if fault.kind == kind:
            for door, sockets in fault.sockets.items():
                doors.setdefault(door, Sockets()).add(sockets)
    return doors


def _spread(seconds: Sequence[float]) -> str:
    if not seconds:
        return "-"
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return f"{ordered[last // 2]:<7.2f}{ordered[round(last * 0.99)]:<7.2f}{ordered[-1]:.2f}"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())) or "nothing"
