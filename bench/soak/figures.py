"""What is counted over an evening, and the table of it."""

from collections import Counter
from statistics import median

import msgspec

from bench.soak.attacks import CUT_SHORT, KEPT_OUT, OK

_LONGEST = 400
_USUAL = {CUT_SHORT, KEPT_OUT, OK}


class Figures(msgspec.Struct, kw_only=True):
    seed: int
    seconds: float = 0.0
    starts: int = 0
    clock_steps: int = 0
    faults: Counter[str] = msgspec.field(default_factory=Counter)
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    told: int = 0
    compared: int = 0
    tables: int = 0
    told_at: Counter[str] = msgspec.field(default_factory=Counter)
    """Messages, by door."""
    compared_at: Counter[str] = msgspec.field(default_factory=Counter)
    lost_at: Counter[str] = msgspec.field(default_factory=Counter)
    mixed: dict[str, int] = msgspec.field(default_factory=dict)
    """Tables of each game with people of two doors."""
    lost: list[str] = msgspec.field(default_factory=list)
    more_lost: int = 0
    delays: dict[str, list[float]] = msgspec.field(default_factory=dict)
    delays_at: dict[str, list[float]] = msgspec.field(default_factory=dict)
    """The same without faults, by door."""
    memory: list[int] = msgspec.field(default_factory=list)
    files: list[int] = msgspec.field(default_factory=list)
    errors: list[str] = msgspec.field(default_factory=list)
    tracebacks: list[str] = msgspec.field(default_factory=list)
    wrong: list[str] = msgspec.field(default_factory=list)
    """The server died by itself, or did not end as it should; or we failed ourselves."""
    attacks: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """Verdicts, by the attack's name."""

    @property
    def failed(self) -> bool:
        return bool(self.lost or self.wrong or self.tracebacks)


def table(figures: Figures) -> str:
    verdicts = Counter(verdict for each in figures.attacks.values() for verdict in each)
    rows = {
        "seed": str(figures.seed),
        "minutes": f"{figures.seconds / 60:.1f}",
        "starts": f"{figures.starts}, {figures.clock_steps} of them with another wall clock",
        "faults": _counted(figures.faults),
        "people": _counted(figures.counts),
        "told": f"{figures.told:,} things, of {figures.tables:,} tables; {figures.compared:,} comparisons",
        **{f"door of {door}": _at_door(figures, door) for door in sorted(figures.told_at)},
        "tables of two doors": _counted(figures.mixed),
        "lost": str(len(figures.lost) + figures.more_lost),
        **{f"quiet tables, {when}": _delays(delays) for when, delays in figures.delays.items()},
        **{f"quiet table, {door}": _delays(delays) for door, delays in figures.delays_at.items()},
        "memory, MB": _levels([value >> 20 for value in figures.memory]),
        "descriptors": _levels(figures.files),
        "errors in the log": f"{len(figures.errors)}, tracebacks {len(figures.tracebacks)}",
        "attacks": f"{sum(verdicts.values())} runs of {len(figures.attacks)}: {_counted(verdicts)}",
    }
    width = max(map(len, rows))
    lines = [f"{name.ljust(width)}  {value}" for name, value in rows.items()]
    lines += [f"LOST {each}" for each in figures.lost]
    if figures.more_lost:
        lines.append(f"LOST and {figures.more_lost} more")
    lines += [f"WRONG {each}" for each in figures.wrong]
    lines += [f"TRACEBACK {each}" for each in figures.tracebacks[:5]]
    lines += [
        f"logged {count}x {line}" for line, count in Counter(_short(e) for e in figures.errors).most_common(8)
    ]
    unusual = {name: set(each) - _USUAL for name, each in figures.attacks.items()}
    lines += [f"attack {name}: {', '.join(sorted(each))}" for name, each in unusual.items() if each]
    if figures.failed:
        lines.append(f"FAILED; the same people and faults again with --seed {figures.seed}")
    return "\n".join(lines)


def _short(line: str) -> str:
    try:
        fields = msgspec.json.decode(line)
        return f"{fields.get('event', line)} {fields.get('trace', '')}".strip()[-_LONGEST:]
    except (msgspec.DecodeError, AttributeError):
        return line[:_LONGEST]


def _at_door(figures: Figures, door: str) -> str:
    return (
        f"{figures.told_at[door]:,} messages told, {figures.compared_at[door]:,} games, seats and tables compared"
        f" with the ledger, {figures.lost_at[door]} lost"
    )


def _counted(counts: Counter[str] | dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"


def _delays(found: list[float]) -> str:
    if not found:
        return "no moves"
    ordered = sorted(delay * 1000 for delay in found)
    last = len(ordered) - 1
    return (
        f"p50 {ordered[last // 2]:.1f} ms, p99 {ordered[round(last * 0.99)]:.1f} ms,"
        f" worst {ordered[-1]:.0f} ms of {len(ordered)} moves"
    )


def _levels(values: list[int]) -> str:
    if not values:
        return "never seen"
    return f"min {min(values)}, median {median(values):.0f}, max {max(values)}, last {values[-1]}"
