"""`gamut arena`: how strong the bots are, and how long they think, by letting them play each other."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import sqrt
from multiprocessing import get_context
from random import Random
from time import thread_time
from typing import Any, TextIO

import msgspec

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import AnyGame, Seat
from gamut.games.registry import all_games

_DESCRIPTION = """\
Let the bots of a game play each other, and print how often each level wins and how long it thinks.

Without options every level of every game meets each weaker one: one bot of the stronger level, all other
seats taken by the weaker. The seats rotate from game to game, so that going first favours nobody. The same
seed gives the same games on any machine and with any number of jobs.
"""


@dataclass(frozen=True)
class LineUp:
    """Who plays in a series of games: a level for each seat, before the seats rotate."""

    game: AnyGame
    levels: tuple[str, ...]
    options: Any = field(default=None, compare=False)
    """What the games are played with; None: what the game has by itself."""

    def __str__(self) -> str:
        first, *others = self.levels
        if len(others) > 1 and len(set(others)) == 1:
            return f"{first} vs {len(others)} {others[0]}"
        return " vs ".join(self.levels)


@dataclass
class Thinking:
    """The CPU seconds that bots of one level spent on their moves."""

    moves: int = 0
    total: float = 0.0
    longest: float = 0.0

    def add(self, moves: int, total: float, longest: float) -> None:
        self.moves += moves
        self.total += total
        self.longest = max(self.longest, longest)


@dataclass(frozen=True)
class Fixture:
    """One game that is to be played; its number decides who sits where and, with the seed, all of chance."""

    line_up: LineUp
    number: int
    seed: int
    budget: Budget = UNLIMITED
    """Of time only if that was asked for: without it equal seeds give equal games."""


@dataclass(frozen=True)
class Played:
    """What came of a fixture."""

    winners: frozenset[str]
    """The levels that won; none in a draw, several if the win is shared."""
    thinking: dict[str, Thinking]


@dataclass
class Record:
    """What one level did in one line-up."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    thinking: Thinking = field(default_factory=Thinking)


def play(fixture: Fixture) -> Played:
    """Play one game. Each bot sees no more than a person in its seat would."""
    line_up = fixture.line_up
    game, count = line_up.game, len(line_up.levels)
    levels = [line_up.levels[(seat + fixture.number) % count] for seat in range(count)]
    chance = Random(f"{fixture.seed} {game.traits.name} {line_up} {fixture.number}")
    thinking = {level: Thinking() for level in levels}

    options = game.options_type() if line_up.options is None else line_up.options
    log = list(game.begin(options, count, chance))
    state = game.replay(log)
    seen = [game.replay(_views(game, log, Seat(seat))) for seat in range(count)]
    while awaited := game.awaited(state):
        seat = awaited[0]
        started = thread_time()
        action = game.choose(seen[seat], seat, levels[seat], chance, fixture.budget)
        spent = thread_time() - started
        thinking[levels[seat]].add(1, spent, spent)
        for event in game.decide(state, seat, action, chance):
            state = game.evolve(state, event)
            for viewer in range(count):
                for view in _views(game, [event], Seat(viewer)):
                    seen[viewer] = game.evolve(seen[viewer], view)

    outcome = game.outcome(state)
    assert outcome is not None
    return Played(frozenset(levels[winner] for winner in outcome.winners), thinking)


def _views(game: AnyGame, events: Iterable[object], viewer: Seat) -> Iterator[object]:
    for event in events:
        view = game.view(event, viewer)
        if view is not None:
            yield view


Results = dict[LineUp, dict[str, Record]]


def tournament(
    line_ups: Sequence[LineUp],
    games: int,
    seed: int,
    jobs: int,
    bar: "Bar",
    budget: Budget = UNLIMITED,
) -> Results:
    """Play every line-up that many times."""
    fixtures = [Fixture(line_up, number, seed, budget) for line_up in line_ups for number in range(games)]
    results: Results = {
        line_up: {level: Record() for level in dict.fromkeys(line_up.levels)} for line_up in line_ups
    }
    with _players(fixtures, jobs) as finished:
        for done, (fixture, played) in enumerate(zip(fixtures, finished, strict=True), start=1):
            for level, record in results[fixture.line_up].items():
                record.games += 1
                record.wins += level in played.winners
                record.draws += not played.winners
                spent = played.thinking[level]
                record.thinking.add(spent.moves, spent.total, spent.longest)
            bar.show(done, len(fixtures))
    return results


@contextmanager
def _players(fixtures: Sequence[Fixture], jobs: int) -> Iterator[Iterable[Played]]:
    if jobs == 1:
        yield map(play, fixtures)
        return
    # Fresh processes, not forks: the same on every platform, and no copied threads.
    with get_context("spawn").Pool(min(jobs, len(fixtures))) as pool:
        yield pool.imap(play, fixtures)


class Bar:
    """How far we are, drawn over itself on a terminal; nothing at all elsewhere."""

    WIDTH = 40

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._quiet = not stream.isatty()

    def show(self, done: int, total: int) -> None:
        if self._quiet:
            return
        filled = self.WIDTH * done // total
        end = "\n" if done == total else ""
        bar = "#" * filled + "." * (self.WIDTH - filled)
        self._stream.write(f"\r[{bar}] {done} of {total} games{end}")
        self._stream.flush()


def interval(wins: int, games: int) -> tuple[float, float]:
    """Where the true share of wins lies, with 95 % confidence (Wilson's score interval)."""
    z = 1.959964
    share = wins / games
    centre = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


_HEADINGS = ("game", "line-up", "level", "games", "wins", "draws", "win share", "95 %", "ms/move", "longest")
_WORDS = 3
"""The first columns are words and stand to the left; the others are numbers and stand to the right."""


def table(results: Results) -> str:
    """The results as aligned text."""
    rows = [_HEADINGS]
    for line_up, records in results.items():
        for level, record in records.items():
            low, high = interval(record.wins, record.games)
            spent = record.thinking
            rows.append(
                (
                    line_up.game.traits.name,
                    str(line_up),
                    level,
                    str(record.games),
                    str(record.wins),
                    str(record.draws),
                    f"{record.wins / record.games:.1%}",
                    f"{low:.1%} - {high:.1%}",
                    f"{1000 * spent.total / max(1, spent.moves):.2f}",
                    f"{1000 * spent.longest:.1f}",
                )
            )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < _WORDS else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def every_pairing(game: AnyGame, options: Any = None) -> list[LineUp]:
    """Each level against every weaker one, which fills the other seats; levels are declared weakest first."""
    names = [level.name for level in game.traits.levels]
    others = min(_seats(game, options)) - 1
    return [
        LineUp(game, (strong,) + (weak,) * others, options)
        for place, strong in enumerate(names)
        for weak in names[:place]
    ]


def _seats(game: AnyGame, options: Any) -> Sequence[int]:
    return game.seats_for(game.options_type() if options is None else options)


def chosen_line_up(game: AnyGame, levels: Sequence[str], options: Any = None) -> LineUp:
    """The line-up asked for; the last level named takes the seats that are left. ValueError if impossible."""
    title, seats = game.traits.title, _seats(game, options)
    known = [level.name for level in game.traits.levels]
    for level in levels:
        if level not in known:
            raise ValueError(f"{title} has no level {level!r}; it has {', '.join(known)}")
    count = len(levels) if len(levels) in seats else min(seats)
    if len(levels) > count:
        allowed = " or ".join(map(str, seats))
        raise ValueError(f"{title} is played by {allowed}, but {len(levels)} levels are named")
    return LineUp(game, (*levels, *(levels[-1] for _ in range(count - len(levels)))), options)


def chosen_options(game: AnyGame, text: str) -> Any:
    """The options in a line of JSON. ValueError if the game cannot be played with them."""
    try:
        return game.checked(msgspec.json.decode(text, type=game.options_type))
    except msgspec.DecodeError as error:
        raise ValueError(f"{game.traits.title} has no such options: {error}") from None


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more, not {number}")
    return number


def _parser(games: Mapping[str, AnyGame]) -> argparse.ArgumentParser:
    game = next(iter(games.values())).traits
    line_up = ",".join(level.name for level in game.levels[-min(game.seats) :])
    parser = argparse.ArgumentParser(
        prog="gamut arena",
        description=_DESCRIPTION,
        epilog=f"example: gamut arena --game {game.name} --levels {line_up} --games 300",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", choices=sorted(games), help="play only this game (default: all of them)")
    parser.add_argument(
        "--games", type=_number, default=100, metavar="N", help="games per line-up (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="what all chance comes from (default: %(default)s)"
    )
    parser.add_argument(
        "--levels",
        metavar="A,B,...",
        help="one line-up instead of all pairings: a level per seat; the last one named takes the seats left",
    )
    parser.add_argument(
        "--nodes",
        type=_number,
        metavar="N",
        help="steps that a bot may take for a move, in the bot's own measure (default: what its level takes)",
    )
    parser.add_argument(
        "--millis",
        type=_number,
        metavar="N",
        help="of real time that a bot may take for a move; then games depend on the machine, so give it few jobs",
    )
    parser.add_argument(
        "--options",
        metavar="JSON",
        help="what the game is played with, such as '{\"x\":7}'; needs --game (default: what the game has by itself)",
    )
    parser.add_argument(
        "--jobs",
        type=_number,
        default=os.cpu_count() or 1,
        metavar="N",
        help="games played at once (default: one per core, here %(default)s)",
    )
    return parser


def main(argv: list[str]) -> int:
    """Run the arena with these arguments."""
    games = all_games()
    parser = _parser(games)
    asked = parser.parse_args(argv)
    chosen = [games[asked.game]] if asked.game else list(games.values())
    if asked.options and not asked.game:
        parser.error("--options are those of one game: name it with --game")
    try:
        options = chosen_options(chosen[0], asked.options) if asked.options else None
        if asked.levels:
            names = [name.strip() for name in asked.levels.split(",")]
            line_ups = [chosen_line_up(game, names, options) for game in chosen]
        else:
            line_ups = [line_up for game in chosen for line_up in every_pairing(game, options)]
    except ValueError as problem:
        parser.error(str(problem))
    if not line_ups:
        parser.error("there are no two levels to compare; name a line-up with --levels")
    budget = Budget(millis=asked.millis, nodes=asked.nodes)
    results = tournament(line_ups, asked.games, asked.seed, asked.jobs, Bar(sys.stderr), budget)
    print(table(results))
    print("\nA level with several seats wins when any of them does. Times are milliseconds of CPU.")
    return 0
