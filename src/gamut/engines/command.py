"""`gamut engine`: external programs that play seats of this server, and our own bots as such programs."""

import argparse
import shlex
import sys
from collections.abc import Callable, Mapping
from configparser import ConfigParser
from configparser import Error as BadIni
from pathlib import Path
from shutil import which

import msgspec

from gamut.engines.bots import with_engines
from gamut.engines.protocols import has_its_own, protocols_of
from gamut.engines.settings import EngineSettings, read_stored, write_stored
from gamut.games.game import AnyGame
from gamut.games.registry import all_games

_DESCRIPTION = """\
External engines: programs that play a seat as a bot does. They run with the server's rights, in processes of
their own, so add only those that you trust. A server that runs knows of a change when it is started anew.
"""


def main(argv: list[str], data: Callable[[str | None], Path]) -> int:
    """`data`: where the data is, by what was said of it on the command line."""
    games = all_games()
    asked = _parser(games).parse_args(argv)
    if asked.what == "run":
        return _run(games[asked.name], asked.level, asked.protocol)
    try:
        folder = data(asked.data)
        if asked.what == "add":
            return _add(games, folder, asked)
        return _list(folder) if asked.what == "list" else _remove(folder, asked.game, asked.name)
    except (ValueError, OSError, BadIni) as error:
        print(f"gamut engine: {error}", file=sys.stderr)
        return 1


def _parser(games: Mapping[str, AnyGame]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gamut engine", description=_DESCRIPTION)
    commands = parser.add_subparsers(dest="what", required=True, metavar="COMMAND")
    # Where nothing else is said, an engine is for the game that has a language for them.
    usual = next(filter(has_its_own, games), None)

    adding = commands.add_parser(
        "add",
        help="let a program play seats",
        description="Let a program play seats. Options come before NAME: all after it is the command.",
    )
    adding.add_argument(
        "--game", choices=sorted(games), default=usual, help="what it plays (default: %(default)s)"
    )
    adding.add_argument("--protocol", help="the language it speaks (default: that of its game, else json)")
    adding.add_argument("--title", help="what people see (default: the name)")
    adding.add_argument(
        "--seconds",
        type=float,
        default=5.0,
        help="without a move for so long, it hangs (default: %(default)s)",
    )
    adding.add_argument(
        "--memory",
        type=int,
        default=2048,
        metavar="MB",
        help="address space it may have (default: %(default)s)",
    )
    adding.add_argument("name", metavar="NAME", help="small letters, digits, - and _")
    adding.add_argument(
        "command",
        metavar="COMMAND",
        nargs=argparse.REMAINDER,
        help="the program and its arguments, or an engine's .ini file",
    )
    removing = commands.add_parser("remove", help="do so no more; games in which it plays go on without it")
    removing.add_argument(
        "--game", choices=sorted(games), help="needed if engines of two games have this name"
    )
    removing.add_argument("name", metavar="NAME")
    listing = commands.add_parser("list", help="say which there are")
    for command in (adding, removing, listing):
        command.add_argument("--data", metavar="DIR", help="the server's data folder (as for gamut serve)")

    running = commands.add_parser(
        "run", help="play a bot of ours as an engine, over standard input and output"
    )
    running.add_argument("name", metavar="GAME", choices=sorted(games), help=", ".join(sorted(games)))
    running.add_argument("--level", help="the bot's (default: the strongest)")
    running.add_argument("--protocol", help="the language it speaks (default: that of its game, else json)")
    return parser


def _add(games: Mapping[str, AnyGame], folder: Path, asked: argparse.Namespace) -> int:
    game = games[asked.game]
    command, directory, title = _command(asked.command)
    protocol = asked.protocol or next(iter(protocols_of(asked.game)))
    try:
        settings = msgspec.convert(
            {
                "command": command,
                "title": asked.title or title or asked.name.replace("_", " ").capitalize(),
                "seconds": asked.seconds,
                "protocol": protocol,
                "memory": asked.memory,
                "directory": directory,
            },
            EngineSettings,
        )
        stored = read_stored(folder)
        if asked.name in stored.get(asked.game, {}):
            raise ValueError(f"there is an engine {asked.name} for {asked.game} already; remove it first")
        stored.setdefault(asked.game, {})[asked.name] = settings
        with_engines(lambda: games, stored)
        write_stored(folder, stored)
    except msgspec.ValidationError as error:
        raise ValueError(f"that will not do: {error}") from None
    print(f"{settings.title} plays {game.traits.title} from the next start of the server.")
    return 0


def _command(words: list[str]) -> tuple[list[str], str, str]:
    """A command, the folder it runs in and its title, where they are known."""
    if len(words) == 1 and words[0].endswith(".ini"):
        return _described(Path(words[0]))
    command = shlex.split(words[0]) if len(words) == 1 else words
    if not command:
        raise ValueError("say which program is to be run")
    if "/" in command[0]:
        # The server may be started elsewhere. Links stay: a program may be another by its name.
        command[0] = str(Path(command[0]).absolute())
    if which(command[0]) is None:
        raise ValueError(f"there is no program {command[0]} that can be run")
    return command, "", ""


def _described(file: Path) -> tuple[list[str], str, str]:
    """What an engine's description says: `[engine]` with directory, filename, command, arguments and name."""
    ini = ConfigParser(interpolation=None)
    with file.open(encoding="utf-8") as text:
        ini.read_file(text)
    if not ini.has_option("engine", "command"):
        raise ValueError(f"{file} has no command in a section [engine]")
    directory = (file.parent / ini.get("engine", "directory", fallback=".")).resolve()
    needed = directory / ini.get("engine", "filename", fallback=".")
    if not needed.exists():
        raise ValueError(f"{file} names {needed}, which is not there")
    arguments = ini.get("engine", "arguments", fallback="").split()
    return (
        [*shlex.split(ini.get("engine", "command")), *arguments],
        str(directory),
        ini.get("engine", "name", fallback=""),
    )


def _list(folder: Path) -> int:
    for game, engines in sorted(read_stored(folder).items()):
        for name, settings in sorted(engines.items()):
            print(
                f"{name}: {settings.title}, for {game}, {settings.protocol}, {settings.seconds:g} s, "
                f"{settings.memory} MB: {shlex.join(settings.command)}"
            )
    return 0


def _remove(folder: Path, game: str | None, name: str) -> int:
    stored = read_stored(folder)
    where = [each for each, engines in stored.items() if name in engines and game in (None, each)]
    if not where:
        raise ValueError(f"there is no engine {name}")
    if len(where) > 1:
        raise ValueError(f"engines of {' and '.join(where)} have this name: say --game")
    del stored[where[0]][name]
    write_stored(folder, {each: engines for each, engines in stored.items() if engines})
    print(f"{name} plays no more from the next start of the server.")
    return 0


def _run(game: AnyGame, level: str | None, protocol: str | None) -> int:
    levels = [each.name for each in game.traits.levels]
    spoken = protocols_of(game.traits.name)
    level, protocol = level or levels[-1], protocol or next(iter(spoken))
    for chosen, known in ((level, levels), (protocol, spoken)):
        if chosen not in known:
            print(f"gamut engine: there is no {chosen}; there are {', '.join(known)}", file=sys.stderr)
            return 1
    spoken[protocol].run(game, sys.stdin, sys.stdout, level)
    return 0
