"""What came of the attacks: a row for each, and below it what was said."""

from bench.attacks.footprint import Level
from bench.attacks.siege import Delays, Result

_HEAD = (
    "attack",
    "verdict",
    "before ms",
    "during ms",
    "slowest door",
    "moves",
    "lost",
    "in",
    "memory MB",
    "files",
    "disk",
    "log",
    "CPU s",
    "bots",
    "database",
    "NATS",
    "others",
)
_MOST_TOLD = 8


def table(results: list[Result], skipped: dict[str, str]) -> str:
    rows = [_HEAD, *map(_row, results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    said = [line for result in results for line in _said(result)]
    missing = [f"{name}: NOT MEASURED, {why}" for name, why in skipped.items()]
    explained = (
        "ms: p50/p99/worst from sending a move to hearing it; of the slowest door p99. lost: quiet players who were"
        " dropped. in: newcomers who got in, and the slowest in ms. memory and files: before/peak/after,"
        " in a cluster of the owner + of the gateway, where there are wings of the owner of each."
    )
    return "\n".join([*lines, "", explained, "", *said, *missing])


def row(result: Result) -> str:
    """In one line, for the impatient."""
    return "  ".join(_row(result))


def _row(result: Result) -> tuple[str, ...]:
    took = result.footprint
    nodes = took.nodes.values()
    return (
        result.attack,
        " ".join(result.verdicts) or "ok",
        _delays(result.before),
        _delays(result.during),
        _slowest(result.doors),
        f"{result.before.moves}+{result.during.moves}",
        str(result.dropped),
        f"{result.came_in}/{result.newcomers} {result.slowest_newcomer_ms:.0f}",
        " + ".join(_level(node.memory, 1 << 20) for node in nodes),
        " + ".join(_level(node.files, 1) for node in nodes),
        _bytes(took.disk),
        _bytes(took.log),
        " + ".join(f"{node.cpu:.1f}" for node in nodes),
        f"{took.bots_cpu:.1f}",
        f"{took.database_cpu:.1f}",
        f"{took.nats_cpu:.1f}",
        f"{took.others:.0%}",
    )


def _delays(delays: Delays) -> str:
    return f"{delays.p50:.0f}/{delays.p99:.0f}/{delays.worst:.0f}"


def _slowest(doors: dict[str, Delays]) -> str:
    door = max(doors, key=lambda name: doors[name].p99)
    return f"{door} {doors[door].p99:.0f}"


def _level(level: Level, unit: int) -> str:
    return f"{level.before // unit}/{level.peak // unit}/{level.after // unit}"


def _bytes(count: int) -> str:
    return f"{count / (1 << 20):.1f}M" if count >= 1 << 20 else f"{max(0, count) >> 10}K"


def _said(result: Result) -> list[str]:
    told = sorted(result.told.told.items(), key=lambda item: -item[1])
    heard = ", ".join(f"{what} x{count}" for what, count in told[:_MOST_TOLD]) or "nothing"
    lines = [f"{result.attack}: told {heard}"]
    lines += [f"  {note}" for note in result.told.notes]
    lines += [f"  BROKE: {promise}" for promise in result.told.broken]
    if result.told.failed:
        lines.append(f"  the attack ended early: {result.told.failed}")
    lines += [f"  a quiet table stopped, {why}" for why in result.lost]
    if result.kept_out:
        lines.append(f"  newcomers were kept out: {', '.join(result.kept_out[:4])}")
    if result.last_words:
        lines.append(f"  the server's last words: {result.last_words}")
    return lines
