"""`gamut replay`: look at recorded games, and turn them from one kind of file into another."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from gamut.games.topple.files.reader import read_all
from gamut.games.topple.files.record import BadFile, Record
from gamut.games.topple.files.telling import told
from gamut.games.topple.files.text import as_json, from_json
from gamut.games.topple.files.writer import write

_PIPE = "-"
_LONGEST = 1 << 25
"""Bytes; the JSON of the longest game that a `.topl` file can hold is smaller."""

_DESCRIPTION = """\
Look at recorded games of Topple, and turn them from one kind of file into another.

Files are .topl (recorded games, versions 1 to 6), .stpl (suspended games) and .json. Which of them a file is that is
read shows by itself; "-" is standard input or output.
"""
_EXAMPLES = """\
examples:
  gamut replay show game.topl
  gamut replay convert game.topl game.json
  gamut replay convert game.json game.topl --force
  curl -s http://127.0.0.1:8080/replays/AM8AT79P.topl | gamut replay convert - - --to json
"""


class BadRequest(Exception):
    """What was asked for cannot be done. The message is one clear line."""


# Reading


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


def _games(name: str) -> Sequence[Record]:
    """What is in a file: one game, or several where they were written one after the other."""
    data = _read(name)
    try:
        # No other kind of file begins like that.
        return (from_json(data),) if data.lstrip()[:1] == b"{" else read_all(data)
    except BadFile as bad:
        raise BadRequest(f"{_named(name)}: {bad}") from None


def _named(name: str) -> str:
    return "standard input" if name == _PIPE else name


# Writing


def _as_topl(record: Record) -> bytes:
    if record.suspended:
        raise BadFile("unsupported", "This game is suspended; its file is an .stpl one.")
    return write(record)


def _as_stpl(record: Record) -> bytes:
    if not record.suspended:
        raise BadFile("not_suspended", "This game is not suspended; its file is a .topl one.")
    return write(record)


_KINDS: dict[str, Callable[[Record], bytes]] = {"topl": _as_topl, "stpl": _as_stpl, "json": as_json}


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
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


# Commands


def _show(options: argparse.Namespace) -> None:
    try:
        games = ["\n".join(told(record)) for record in _games(options.file)]
    except BadFile as bad:
        raise BadRequest(f"{_named(options.file)}: {bad}") from None
    text = "\n\n".join(games) + "\n"
    _print(text.encode(sys.stdout.encoding or "utf-8", "replace"))


def _convert(options: argparse.Namespace) -> None:
    kind = options.to or Path(options.out).suffix.removeprefix(".").lower()
    if kind not in _KINDS:
        raise BadRequest(
            f"{options.out} does not say what kind of file it is to be: end it with .topl, .stpl or .json, "
            "or say --to."
        )
    games = _games(options.file)
    if len(games) > 1:
        raise BadRequest(f"{_named(options.file)}: There are {len(games)} games in this file, not one.")
    try:
        data = _KINDS[kind](games[0])
    except BadFile as bad:
        raise BadRequest(f"{_named(options.file)}: {bad}") from None
    if options.out == _PIPE:
        _print(data)
    else:
        _save(data, options.out, force=options.force)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gamut replay",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    show = commands.add_parser(
        "show",
        help="print a game",
        description="Print a game: who played on what, every move with what it did, the last position, the result.",
    )
    show.add_argument("file", metavar="FILE", help='a .topl, .stpl or .json file; "-" for standard input')
    show.set_defaults(run=_show)
    convert = commands.add_parser(
        "convert",
        help="turn a .topl or .stpl file into JSON, or back",
        description="Turn a .topl or .stpl file into JSON, or back; by way of JSON nothing is lost. What is written "
        "is always of version 6, so this also makes new files of old ones.",
    )
    convert.add_argument("file", metavar="IN", help='the game; "-" for standard input')
    convert.add_argument("out", metavar="OUT", help='the new file; "-" for standard output')
    convert.add_argument(
        "--to", choices=list(_KINDS), help="what to write (usually the ending of OUT says so)"
    )
    convert.add_argument("--force", action="store_true", help="overwrite OUT if it is there")
    convert.set_defaults(run=_convert)
    return parser


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except BadRequest as bad:
        print(f"gamut: {bad}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever reads has seen enough. What is still buffered goes nowhere, or Python would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
