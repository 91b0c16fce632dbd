"""The figures as a table for people and as a file for programs."""

import platform
from collections.abc import Callable

import msgspec

from bench import machine
from bench.doors.relay import Beside
from bench.doors.tafl import TaflFigures
from bench.doors.tafl_logins import CROWD, PATIENCE, LoginFigures, Waits
from bench.doors.topple import ToppleFigures
from bench.doors.tower import MOVES_PER_SECOND, Throughput
from bench.games.acquire_games import TARGET as ACQUIRE_TARGET
from bench.games.acquire_games import Playing
from bench.games.powerchess_perft import TARGET as POSITIONS_PER_SECOND
from bench.games.powerchess_perft import Rates
from bench.games.tafl_search import TARGETS, Searching
from bench.instructions import TABLES, Instructions
from bench.load import Figures
from bench.memory import Memory
from bench.rows import Row, in_columns
from bench.scripts.recorded import Messages
from bench.scripts.topple import MOVES
from bench.servers.node import Node
from bench.startup import Startup

_HALF_LOAD_P99_MS = 20
_IDLE_CONNECTION_KB = 40
# The price of a move may differ this much between two sizes by chance alone.
_NOISE = 1.10

# A move comes in and two messages go out to each of three, or of two; an echo comes in and goes out.
_TOWER_MESSAGES, _TOPPLE_MESSAGES = Messages(said=1, heard=6), Messages(said=1, heard=4)
_MESSAGES_PER_ECHO = 2

# From here on a figure says more about the machine than about the server.
_DISTURBED = 0.05
_GENERATOR_FULL = 0.9

_TOPPLE_MOVES_PER_SECOND = 20_000

# CPU of a move beside that of a plain Node server that passes on the same messages.
_RELAYS = {"Tower": 0.75, "Topple": 1.0, "Tafl": 1.3, "Power Chess": 1.3, "Acquire": 2.0}

_TAFL_MOVES_PER_SECOND = 10_000
_TAFL_ONE_GAME_MS = 2.0
_LOGIN_MS = 300

# A table plays 24 moves between two reconnects: with reconnects longer than all of these, most tables only wait.
_MOVES_BETWEEN = 24


class Results(msgspec.Struct, kw_only=True):
    machine: str
    throughput: Throughput | None = None
    memory: Memory | None = None
    startup: Startup | None = None
    node: Node | None = None
    topple: ToppleFigures | None = None
    tafl: TaflFigures | None = None
    tafl_logins: LoginFigures | None = None
    tafl_search: list[Searching] | None = None
    acquire_games: list[Playing] | None = None
    acquire: Beside | None = None
    powerchess_perft: Rates | None = None
    powerchess: Beside | None = None
    instructions: Instructions | None = None
    skipped: dict[str, str] = {}
    """Parts that could not be measured, and why."""

    def loads(self) -> list[tuple[str, Figures]]:
        found: list[tuple[str, Figures]] = []
        if self.throughput is not None:
            found += [(f"{_tables(size)}", figures) for size, figures in self.throughput.at.items()]
            found += [("short games", self.throughput.short), ("half load", self.throughput.half)]
            found.append(("Tower relay", self.throughput.relay))
        if self.node is not None:
            found.append(("Node echo", self.node.echo))
        if self.topple is not None:
            found += [(f"Topple, {_rooms(size)}", figures) for size, figures in self.topple.at.items()]
            found += [
                (f"Topple relay, {_rooms(size)}", figures) for size, figures in self.topple.relay.items()
            ]
        for door, beside, sized in self.besides():
            found += [(f"{door}, {sized(size)}", figures) for size, figures in beside.at.items()]
            found += [(f"{door} relay, {sized(size)}", figures) for size, figures in beside.relay.items()]
        if self.tafl is not None:
            found.append(("Tafl with clocks", self.tafl.timed))
        return found

    def besides(self) -> list[tuple[str, Beside, Callable[[int], str]]]:
        """The doors whose games are recorded for a relay, and how their tables are called."""
        doors = (
            ("Tafl", None if self.tafl is None else self.tafl.beside, _games),
            ("Power Chess", self.powerchess, _games),
            ("Acquire", self.acquire, _tables),
        )
        return [(door, beside, sized) for door, beside, sized in doors if beside is not None]

    @property
    def failures(self) -> int:
        return sum(figures.failures for _, figures in self.loads())


def about_machine() -> str:
    cores = (
        "ONE CORE for server and generator alike: the rates below are far too low"
        if machine.ONE_CORE
        else f"server on core {machine.SERVER_CORE}, generator on core {machine.GENERATOR_CORE}"
    )
    return f"{platform.python_implementation()} {platform.python_version()}, {platform.system()}; {cores}"


def _tables(number: int) -> str:
    return "1 table" if number == 1 else f"{number:,} tables"


def _rooms(number: int) -> str:
    return "1 room" if number == 1 else f"{number:,} rooms"


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number:,} games"


def table(results: Results) -> str:
    rows: list[Row] = []
    if results.throughput is not None:
        rows += _throughput(results.throughput)
    if results.memory is not None:
        rows += _memory(results.memory)
    if results.startup is not None:
        rows += _startup(results.startup)
    if results.node is not None:
        rows += _node(results.node, results.throughput)
    if results.topple is not None:
        rows += _topple(results.topple)
    if results.tafl is not None:
        rows += _tafl(results.tafl)
    if results.tafl_logins is not None:
        rows += _tafl_logins(results.tafl_logins)
    if results.tafl_search is not None:
        rows += _tafl_search(results.tafl_search)
    if results.acquire_games is not None:
        rows += _acquire_games(results.acquire_games)
    if results.acquire is not None:
        rows += _acquire(results.acquire)
    if results.powerchess_perft is not None:
        rows += _powerchess_perft(results.powerchess_perft)
    if results.powerchess is not None:
        rows += _powerchess(results.powerchess)
    rows += _beside_relays(results)
    if results.instructions is not None:
        rows += _instructions(results.instructions)
    return "\n".join([f"Gamut bench: {results.machine}", *in_columns(rows), "", *_notes(results)])


def _throughput(figures: Throughput) -> list[Row]:
    smallest, largest = min(figures.alone), max(figures.alone)
    at = figures.at
    most = figures.alone[smallest].cpu_us_per_move * _NOISE
    rows = [Row("Tower for three, every move on the disk before anyone is told")]
    rows += [
        Row(
            f"moves per second at {_tables(size)}, while games run",
            f"{alone.moves_per_second:,.0f}",
            f">= {MOVES_PER_SECOND:,}" if size == largest else "",
            alone.moves_per_second >= MOVES_PER_SECOND if size == largest else None,
        )
        for size, alone in figures.alone.items()
    ]
    rows += [
        Row(
            f"CPU per move at {_tables(size)}, while games run",
            f"{alone.cpu_us_per_move:.1f} us",
            f"<= {most:.1f} us (as at {smallest}, and {_NOISE - 1:.0%} for noise)" if size == largest else "",
            alone.cpu_us_per_move <= most if size == largest else None,
        )
        for size, alone in figures.alone.items()
    ]
    rows += [
        Row(
            f"moves per second at {_tables(size)}, reconnects included",
            f"{load.moves_per_second:,.0f}",
        )
        for size, load in at.items()
    ]
    rows += [
        Row(
            f"moves per second of CPU at {_tables(size)}, reconnects included",
            f"{load.moves_per_cpu_second:,.0f}",
        )
        for size, load in at.items()
    ]
    rows += [
        Row(f"CPU per move at {_tables(size)}, reconnects included", f"{load.cpu_us_per_move:.1f} us")
        for size, load in at.items()
    ]
    rows += [
        Row(
            f"reconnects per second at {_tables(largest)}",
            f"{at[largest].reconnects / at[largest].seconds:,.0f}",
        ),
        Row(
            "CPU per reconnect (leave, connect, join, next game)",
            f"{figures.cpu_us_per_reconnect:,.0f} us",
        ),
    ]
    rows += [
        Row(
            f"reconnect at {_tables(size)} in full flight, p50 / p99",
            f"{load.reconnect_p50_ms:,.0f} / {load.reconnect_p99_ms:,.0f} ms",
        )
        for size, load in at.items()
    ]
    rows += [
        Row(
            f"delay at {_tables(size)} in full flight, p50 / p99", f"{load.p50_ms:.1f} / {load.p99_ms:.1f} ms"
        )
        for size, load in at.items()
    ]
    half = figures.half
    rows.append(
        Row(
            f"delay at {_tables(half.tables)} and half load ({half.moves_per_second:,.0f}/s), p50 / p99",
            f"{half.p50_ms:.1f} / {half.p99_ms:.1f} ms",
            f"p99 < {_HALF_LOAD_P99_MS} ms",
            half.p99_ms < _HALF_LOAD_P99_MS,
        )
    )
    return rows


def _memory(figures: Memory) -> list[Row]:
    idle = figures.idle_connection / 1000
    return [
        Row("Memory"),
        Row("server with nobody there", f"{figures.server / 1e6:.1f} MB"),
        Row(
            f"idle connection ({figures.connections:,})",
            f"{idle:.1f} KB",
            f"<= {_IDLE_CONNECTION_KB} KB",
            idle <= _IDLE_CONNECTION_KB,
        ),
        Row("seated connection with its third of a table", f"{figures.seated_connection / 1000:.1f} KB"),
        Row(
            f"table in setup ({figures.tables_in_setup:,}), without its connection",
            f"{figures.table_in_setup / 1000:.1f} KB",
        ),
        Row(
            f"table in play ({figures.tables:,}), without its connections",
            f"{figures.table_in_play / 1000:.1f} KB",
        ),
    ]


def _startup(figures: Startup) -> list[Row]:
    tables = figures.finished + figures.unfinished
    return [
        Row("Start, until the server says that it is open"),
        Row("empty data folder", f"{figures.empty_seconds:.2f} s"),
        Row(
            f"{tables:,} tables in the ledger, {figures.unfinished:,} of them unfinished",
            f"{figures.full_seconds:.2f} s",
        ),
    ]


def _node(figures: Node, throughput: Throughput | None) -> list[Row]:
    echo = figures.echo.cpu_us_per_move
    rows = [
        Row(f"A plain Node server on the same core (Node {figures.version}, ws; no rules, no storage)"),
        Row("echo, CPU per message in and out again", f"{echo:.1f} us"),
    ]
    if throughput is None:
        return rows
    largest = max(throughput.alone)
    included, alone = throughput.at[largest].cpu_us_per_move, throughput.alone[largest].cpu_us_per_move
    for what, move in (("while games run", alone), ("reconnects included", included)):
        messages = move / (_TOWER_MESSAGES.said + _TOWER_MESSAGES.heard) / (echo / _MESSAGES_PER_ECHO)
        rows.append(Row(f"Gamut per message : echo per message, {what}", f"{messages:.2f}"))
    return rows


def _beside_relays(results: Results) -> list[Row]:
    """Door by door what a move costs, and what it costs a plain Node server to pass on the same messages."""
    found: list[tuple[str, str, float, float, Messages]] = []
    if results.throughput is not None:
        alone, relay = results.throughput.alone, results.throughput.relay
        largest = max(alone)
        cpu = alone[largest].cpu_us_per_move
        found.append(("Tower", _tables(largest), cpu, relay.cpu_us_per_move, _TOWER_MESSAGES))
    if results.topple is not None:
        found += [
            (
                "Topple",
                _rooms(size),
                results.topple.at[size].cpu_us_per_move,
                relay.cpu_us_per_move,
                _TOPPLE_MESSAGES,
            )
            for size, relay in results.topple.relay.items()
        ]
    for door, beside, sized in results.besides():
        found += [
            (door, sized(size), beside.at[size].cpu_us_per_move, relay.cpu_us_per_move, beside.messages)
            for size, relay in beside.relay.items()
        ]
    rows = [
        Row(
            f"{door}, {size}: {messages.said:.2f} messages in and {messages.heard:.2f} out per move; "
            f"CPU {move:.1f} us, of a relay {relay:.1f} us, ratio",
            f"{move / relay:.2f}",
            f"<= {_RELAYS[door]}",
            move / relay <= _RELAYS[door],
        )
        for door, size, move, relay, messages in found
    ]
    title = "Beside plain Node servers that pass on the same messages (by ws or TCP; no rules, no storage)"
    return [Row(title), *rows] if rows else []


def _instructions(figures: Instructions) -> list[Row]:
    rows = [
        Row(f"Instructions of the server per move, {TABLES} tables in step, counted by {figures.counted_by}")
    ]
    return rows + [Row(door, f"{count:,.0f}") for door, count in figures.per_move.items()]


def _topple(figures: ToppleFigures) -> list[Row]:
    at = figures.at
    rows = [Row(f"Topple for two, {MOVES} moves on 15x15, every move on the disk before anyone is told")]
    rows += [
        Row(
            f"moves per second at {_rooms(size)}",
            f"{load.moves_per_second:,.0f}",
            f">= {_TOPPLE_MOVES_PER_SECOND:,}" if size > 1 else "",
            load.moves_per_second >= _TOPPLE_MOVES_PER_SECOND if size > 1 else None,
        )
        for size, load in at.items()
    ]
    rows += [
        Row(f"CPU per move at {_rooms(size)}", f"{load.cpu_us_per_move:.1f} us") for size, load in at.items()
    ]
    rows += [
        Row(f"delay at {_rooms(size)} in full flight, p50 / p99", f"{load.p50_ms:.1f} / {load.p99_ms:.1f} ms")
        for size, load in at.items()
    ]
    rows.append(Row("rooms created and joined per second", f"{figures.rooms_opened_per_second:,.0f}"))
    rows.append(Row("Cascades of Topple: one toppling move each on random dense boards"))
    rows += [
        Row(
            f"cascades per second of CPU on {each.board} ({each.topples_each} topples each)",
            f"{each.per_second:,}",
        )
        for each in figures.cascades
    ]
    return rows


def _tafl(figures: TaflFigures) -> list[Row]:
    at, timed = figures.beside.at, figures.timed
    length = figures.beside.moves_in_a_game
    rows = [
        Row(f"Tafl over TCP, whole games of {length} moves, every move on the disk before anyone is told")
    ]
    for size, load in at.items():
        crowd = size > 1
        rows.append(
            Row(
                f"moves per second at {_games(size)}",
                f"{load.moves_per_second:,.0f}",
                f">= {_TAFL_MOVES_PER_SECOND:,}" if crowd else "",
                load.moves_per_second >= _TAFL_MOVES_PER_SECOND if crowd else None,
            )
        )
    rows += [
        Row(f"moves per second of CPU at {_games(size)}", f"{load.moves_per_cpu_second:,.0f}")
        for size, load in at.items()
        if size > 1
    ]
    rows += [
        Row(f"CPU per move at {_games(size)}", f"{load.cpu_us_per_move:.1f} us") for size, load in at.items()
    ]
    rows += [
        Row(
            f"delay at {_games(size)}, p50 / p99",
            f"{load.p50_ms:.1f} / {load.p99_ms:.1f} ms",
            f"p50 < {_TAFL_ONE_GAME_MS:.0f} ms" if size == 1 else "",
            load.p50_ms < _TAFL_ONE_GAME_MS if size == 1 else None,
        )
        for size, load in at.items()
    ]
    rows += [
        Row(f"moves per second at {_games(timed.tables)} with clocks", f"{timed.moves_per_second:,.0f}"),
        Row(f"CPU per move at {_games(timed.tables)} with clocks", f"{timed.cpu_us_per_move:.1f} us"),
    ]
    return rows


def _tafl_logins(figures: LoginFigures) -> list[Row]:
    rows = [Row(f"Log-ins of Tafl: {CROWD} at the same moment and one more, server on {figures.cores} cores")]
    kinds = {
        "to new accounts": figures.new,
        "the first since the start": figures.first_since_start,
        "of those who were in before": figures.known,
    }
    for kind, waits in kinds.items():
        rows += _waits(kind, waits, nobody_gives_up=waits is not figures.first_since_start)
    return rows


def _waits(kind: str, waits: Waits, *, nobody_gives_up: bool) -> list[Row]:
    return [
        Row(
            f"log-ins {kind}: the one more",
            f"{waits.one_more:.0f} ms",
            f"<= {_LOGIN_MS} ms",
            waits.one_more <= _LOGIN_MS,
        ),
        Row(
            f"log-ins {kind}: of the {CROWD} the middle / the slowest",
            f"{waits.middle:.0f} / {waits.slowest:.0f} ms",
        ),
        Row(
            f"log-ins {kind}: of the {CROWD} beyond {PATIENCE} s",
            f"{waits.given_up}",
            "0" if nobody_gives_up else "",
            not waits.given_up if nobody_gives_up else None,
        ),
        Row(f"log-ins {kind}: CPU each", f"{waits.cpu_each:.1f} ms"),
    ]


def _tafl_search(figures: list[Searching]) -> list[Row]:
    rows = [Row("Tafl on one core: positions that the rules play (perft) and that the strong bot looks at")]
    for each in figures:
        target = TARGETS.get(each.variant)
        rows += [
            Row(f"perft positions per second of CPU, {each.variant}", f"{each.perft_per_second:,}"),
            Row(
                f"search nodes per second of CPU, {each.variant} (about {each.depth} moves ahead)",
                f"{each.nodes_per_second:,}",
                "" if target is None else f">= {target:,}",
                None if target is None else each.nodes_per_second >= target,
            ),
        ]
    return rows


def _acquire_games(figures: list[Playing]) -> list[Row]:
    rows = [Row("Acquire on one core: complete games of random players by the rules, without a server")]
    return rows + [
        Row(
            f"actions per second of CPU, {each.mode} ({each.games_per_second} games of {each.actions_each})",
            f"{each.actions_per_second:,}",
            f">= {ACQUIRE_TARGET:,}",
            each.actions_per_second >= ACQUIRE_TARGET,
        )
        for each in figures
    ]


def _acquire(figures: Beside) -> list[Row]:
    at = figures.at
    rows = [Row("Acquire for four, whole random games, every action on the disk before anyone is told")]
    rows += [
        Row(f"actions per second at {_tables(size)}", f"{load.moves_per_second:,.0f}")
        for size, load in at.items()
    ]
    rows += [
        Row(f"CPU per action at {_tables(size)}", f"{load.cpu_us_per_move:.1f} us")
        for size, load in at.items()
    ]
    rows += [
        Row(
            f"delay at {_tables(size)} in full flight, p50 / p99", f"{load.p50_ms:.1f} / {load.p99_ms:.1f} ms"
        )
        for size, load in at.items()
    ]
    return rows


def _powerchess_perft(rates: Rates) -> list[Row]:
    target = POSITIONS_PER_SECOND
    return [
        Row("Power Chess on one core: positions that the rules play, one by one (perft)"),
        Row(
            "perft positions per second of CPU, base rules",
            f"{rates.base:,}",
            f">= {target:,}",
            rates.base >= target,
        ),
        Row("perft positions per second of CPU, with powers", f"{rates.with_powers:,}"),
    ]


def _powerchess(figures: Beside) -> list[Row]:
    rows = [
        Row(
            "Power Chess over its door, whole games with boxes, every action on the disk before anyone is told"
        )
    ]
    for size, load in figures.at.items():
        rows += [
            Row(f"moves and powers per second at {_games(size)}", f"{load.moves_per_second:,.0f}"),
            Row(f"CPU per move or power at {_games(size)}", f"{load.cpu_us_per_move:.1f} us"),
            Row(f"delay at {_games(size)}, p50 / p99", f"{load.p50_ms:.1f} / {load.p99_ms:.1f} ms"),
        ]
    largest = max(figures.at)
    ended = figures.at[largest].moves_per_second / figures.moves_in_a_game
    return [
        *rows,
        Row(f"games from creation to their end per second at {_games(largest)}", f"{ended:,.1f}"),
    ]


def _notes(results: Results) -> list[str]:
    notes = [f"NOT MEASURED: {part}: {why}" for part, why in results.skipped.items()]
    if results.failures:
        notes.append(
            f"FAILED: {results.failures} connections heard something wrong or were cut off; see above."
        )
    if results.tafl_logins is not None:
        others = max(results.tafl_logins.new.others_busy, results.tafl_logins.first_since_start.others_busy)
        if others > _DISTURBED:
            notes.append(f"Disturbed: log-ins: something else had {others:.0%} of all cores.")
    for name, figures in results.loads():
        if figures.others_busy > _DISTURBED:
            notes.append(
                f"Disturbed: {name}: something else, or this machine's host, had {figures.others_busy:.0%} of the "
                "server's core. Rates and delays are worse for it; CPU per move less so."
            )
        if figures.generator_busy > _GENERATOR_FULL:
            notes.append(f"Limited: {name}: the generator itself was busy, so the server may do better.")
        if figures.reconnect_p50_ms > _MOVES_BETWEEN * figures.p50_ms > 0:
            notes.append(
                f"Held up: {name}: a reconnect took longer than a game, so fewer than half of the tables were playing."
            )
    return notes
