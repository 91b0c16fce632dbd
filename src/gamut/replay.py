"""`gamut replay`: look at recorded games, and turn them from one kind of file into another."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

import msgspec

from gamut.games.files import JSON, AnyFiles, BadFile, only
from gamut.games.game import AnyGame
from gamut.games.registry import Games, all_games

_PIPE = "-"
_LONGEST = 1 << 25
"""Bytes; the JSON of the longest game that a file can hold is smaller."""

_DESCRIPTION = """\
Look at recorded games, and turn them from one kind of file into another.

Files are
{kinds}
  .json (all of them for people and programs; nothing is lost)
Which of them a file is that is read shows by itself; "-" is standard input or output.
"""
_EXAMPLES = """\
examples:
  gamut replay show game.{ending}
  gamut replay states game.{ending} | jq .awaited
  gamut replay convert game.{ending} game.json
  gamut replay convert game.json game.{ending} --force
  curl -s http://127.0.0.1:8080/api/tables/TABLE/{name} | gamut replay convert - - --to json
"""
_STATES = """\
Print every position of a recorded game, for programs that analyse games: one JSON object on each line, written as the
game is played through.

  game     in a file of several games, which of them it is, counted from 1
  number   of the position, counted from 0: the one in which the game begins
  event    what led to it, as the server stores it
  seat     who did that, counted from 0; null if nobody did
  at       when that was, in milliseconds since 1970; left out where the file does not say
  awaited  the seats that are to act now
  state    the position
  ...      whatever else a game says of a step
  outcome  in the last position only: winners, reason and perhaps scores; null if the game was not played to its end

If something in the game is against the rules, the positions before it are printed; then there is one line on
standard error, and the exit code is 1.
"""


class BadRequest(Exception):
    """What was asked for cannot be done. The message is one clear line."""


class Found(NamedTuple):
    """What is in a file: one game, or several where they were written one after the other."""

    game: AnyGame
    files: AnyFiles
    records: Sequence[Any]


class Replay:
    """The games whose files can be read, and what can be done with them."""

    def __init__(self, games: Games) -> None:
        self.games = [(game, game.files) for game in games().values() if game.files is not None]

    @property
    def endings(self) -> list[str]:
        own = dict.fromkeys(kind.ending for _, files in self.games for kind in files.kinds)
        return [*(ending for ending in own if ending != JSON), JSON]

    # Reading

    def _found(self, name: str) -> Found:
        data = _read(name)
        game, files = self._whose(name, data)
        return Found(game, files, files.load(data))

    def _whose(self, name: str, data: bytes) -> tuple[AnyGame, AnyFiles]:
        for game, files in self.games:
            if files.recognises(data):
                return game, files
        if len(self.games) == 1:
            # It knows best why it does not know this one.
            return self.games[0]
        titles = _listed([game.traits.title for game, _ in self.games])
        raise BadRequest(f"{_named(name)}: This is not a game of {titles}, or it is damaged.")

    # Commands

    def show(self, options: argparse.Namespace) -> None:
        found = self._found(options.file)
        games = ["\n".join(found.files.tell(record)) for record in found.records]
        text = "\n\n".join(games) + "\n"
        _print(text.encode(sys.stdout.encoding or "utf-8", "replace"))

    def states(self, options: argparse.Namespace) -> None:
        found = self._found(options.file)
        for number, record in enumerate(found.records, 1):
            for line in _positions(found, record, number if len(found.records) > 1 else None):
                _print(msgspec.json.encode(line) + b"\n")

    def convert(self, options: argparse.Namespace) -> None:
        ending = options.to or Path(options.out).suffix.removeprefix(".").lower()
        if ending not in self.endings:
            endings = _listed([f".{known}" for known in self.endings])
            raise BadRequest(
                f"{options.out} does not say what kind of file it is to be: end it with {endings}, or say --to."
            )
        found = self._found(options.file)
        record = only(found.records)
        if ending not in found.files.endings:
            endings = _listed([f".{known}" for known in found.files.endings])
            title = found.game.traits.title
            raise BadRequest(f"{_named(options.file)}: A game of {title} is written as {endings}.")
        # Nobody is given a file that no program can play through.
        for _ in found.files.replay(record):
            pass
        data = found.files.save(record, ending)
        if options.out == _PIPE:
            _print(data)
        else:
            _save(data, options.out, force=options.force)


def _positions(found: Found, record: Any, number: int | None) -> Iterator[dict[str, Any]]:
    """Line by line; each waits for the next one, because only the last says how the game ended."""
    line: dict[str, Any] | None = None
    state: Any = None
    try:
        for place, step in enumerate(found.files.replay(record)):
            if line is not None:
                yield line
            state = step.state
            line = {} if number is None else {"game": number}
            line |= {"number": place, "event": step.event, "seat": step.seat}
            if step.at is not None:
                line["at"] = step.at
            line |= found.files.beside(step)
            line |= {"awaited": found.game.awaited(state), "state": found.files.shown(state)}
    except BadFile:
        if line is not None:
            yield line
        raise
    if line is not None:
        yield line | {"outcome": found.game.outcome(state)}


def _read(name: str) -> bytes:
    try:
        if name == _PIPE:
            data = sys.stdin.buffer.read(_LONGEST + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(_LONGEST + 1)
    except OSError as error:
        raise BadRequest(f"{name}: {error.strerror or error}.") from None
    if len(data) > _LONGEST:
        raise BadRequest(f"{_named(name)}: The file is too long: at most {_LONGEST} bytes are read.")
    return data


def _named(name: str) -> str:
    return "standard input" if name == _PIPE else name


def _listed(words: Sequence[str]) -> str:
    """As people say it: a, b or c."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


# Writing


def _save(data: bytes, name: str, *, force: bool) -> None:
    """All of it or nothing: a file that is there stays as it was until the new one is complete."""
    path = Path(name)
    if not force and path.exists():
        raise BadRequest(f"{name} is there already; --force overwrites it.")
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            try:
                file.write(data)
                file.flush()
                # As readable as any file that is made in the usual way.
                mask = os.umask(0)
                os.umask(mask)
                os.chmod(file.name, 0o666 & ~mask)
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink()
                raise
    except OSError as error:
        raise BadRequest(f"{name}: {error.strerror or error}.") from None


def _print(data: bytes) -> None:
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BadRequest(f"standard output: {error.strerror or error}.") from None


# The command line


def _parser(replay: Replay) -> argparse.ArgumentParser:
    first = next(kind for _, files in replay.games for kind in files.kinds)
    endings = _listed([f".{ending}" for ending in replay.endings])
    parser = argparse.ArgumentParser(
        prog="gamut replay",
        description=_DESCRIPTION.format(kinds="\n".join(_described(replay))),
        epilog=_EXAMPLES.format(ending=first.ending, name=f"{first.name or 'game'}.{first.ending}"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    file_help = f'a {endings} file; "-" for standard input'
    show = commands.add_parser(
        "show",
        help="print a game",
        description="Print a game: who played on what, every move with what it did, the last position, the result.",
    )
    show.add_argument("file", metavar="FILE", help=file_help)
    show.set_defaults(run=replay.show)
    states = commands.add_parser(
        "states",
        help="print every position of a game as a line of JSON",
        description=_STATES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    states.add_argument("file", metavar="FILE", help=file_help)
    states.set_defaults(run=replay.states)
    convert = commands.add_parser(
        "convert",
        help="turn a file into JSON, or back",
        description=f"Turn a {endings} file into another kind; by way of JSON nothing is lost. What is written is "
        "always of the latest version, so this also makes new files of old ones.",
    )
    convert.add_argument("file", metavar="IN", help='the game; "-" for standard input')
    convert.add_argument("out", metavar="OUT", help='the new file; "-" for standard output')
    convert.add_argument(
        "--to", choices=replay.endings, help="what to write (usually the ending of OUT says so)"
    )
    convert.add_argument("--force", action="store_true", help="overwrite OUT if it is there")
    convert.set_defaults(run=replay.convert)
    return parser


def _described(replay: Replay) -> Iterator[str]:
    for game, files in replay.games:
        for kind in files.kinds:
            yield f"  .{kind.ending} ({game.traits.title}: {kind.title})"


def main(arguments: Sequence[str], games: Games = all_games) -> int:
    options = _parser(Replay(games)).parse_args(arguments)
    try:
        options.run(options)
    except BadFile as bad:
        print(f"gamut: {_named(options.file)}: {bad}", file=sys.stderr)
        return 1
    except BadRequest as bad:
        print(f"gamut: {bad}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever reads has seen enough. What is still buffered goes nowhere, or Python would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
