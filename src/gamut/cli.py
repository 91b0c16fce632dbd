"""The command line: `gamut serve` and friends."""

import argparse
import asyncio
import gc
import os
import resource
import signal
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from socket import gethostname
from typing import Any, Literal, get_args, get_origin

import msgspec
import uvloop

from gamut import arena, replay
from gamut.cluster.bus import BusError
from gamut.cluster.nats_address import NatsAddress
from gamut.cluster.nodes import nodes_at, table
from gamut.doors.registry import all_doors
from gamut.engines import command as engine
from gamut.engines.bots import with_engines
from gamut.engines.settings import Described, all_engines, read_engines
from gamut.games.registry import all_games
from gamut.hall.ids import SLOTS
from gamut.hall.store.storage import Fenced, LedgerError
from gamut.ledger.moving.places import move_store
from gamut.ledger.moving.progress import ProgressBar
from gamut.ledger.opening import POSTGRES, require_postgres
from gamut.ledger.sqlite.backup import back_up
from gamut.net import logs
from gamut.net.lines.tls import BadCertificate
from gamut.net.node import Node
from gamut.net.port.address import networks
from gamut.net.port.open_files import OpenFiles
from gamut.net.server import CannotListen, Server
from gamut.net.settings import Setting, Settings, all_settings

_PREFIX = "GAMUT_"
_DAY = 86_400
ENDED = 3
"""The exit code of a node in whose place another one has become active."""


_A = {"owner": "an owner", "gateway": "a gateway"}


class BadSetting(Exception):
    """A setting has a value that cannot be. The message is one clear line."""


class CannotStart(Exception):
    """The system does not give what a server needs. The message is one clear line."""


def _settings() -> dict[str, Setting]:
    return {setting.name: setting for setting in all_settings(all_doors())}


def _flag(setting: Setting) -> str:
    return f"--{setting.name.replace('_', '-')}"


def _variable(setting: Setting) -> str:
    return _PREFIX + setting.name.upper()


def _help(setting: Setting) -> str:
    return f"{setting.description} (default {setting.default!s}; {_variable(setting)})".replace("%", "%%")


def _add_settings(parser: argparse.ArgumentParser) -> None:
    for setting in _settings().values():
        metavar = "DIR" if setting.name == "data" else "VALUE"
        # What is on or off is on when it is named; a value is possible, too.
        given: dict[str, Any] = {"nargs": "?", "const": "true"} if isinstance(setting.default, bool) else {}
        parser.add_argument(_flag(setting), dest=setting.name, metavar=metavar, help=_help(setting), **given)


def given_settings(flags: Mapping[str, str | None], environment: Mapping[str, str]) -> Settings:
    """Each is one that can be. A flag wins over an environment variable, which wins over the default."""
    values: dict[str | None, dict[str, Any]] = {}
    for setting in _settings().values():
        text, source = flags.get(setting.name), _flag(setting)
        if text is None:
            text, source = environment.get(_variable(setting)), _variable(setting)
        if text is None:
            continue
        try:
            values.setdefault(setting.door, {})[setting.name] = _converted(text, setting.type)
            if setting.name == "trusted_proxies":
                networks(text.split(","))
            elif setting.name == "engines":
                with_engines(all_games, read_engines(text))
            elif setting.name == "store" and text and not text.startswith(POSTGRES):
                raise ValueError(f"the address of a database begins with {POSTGRES[0]}")
            elif setting.name == "cluster" and text:
                NatsAddress.read(text)
        except (msgspec.ValidationError, ValueError) as error:
            secret = setting.name.endswith("_token") or setting.name in ("store", "cluster")
            shown = "that" if secret else repr(text)
            raise BadSetting(f"{source}: {shown} will not do: {error}.") from None
    doors = {kind.name: kind.settings(**values.get(kind.name, {})) for kind in all_doors()}
    return Settings(**values.get(None, {}), doors=doors)


def read_settings(flags: Mapping[str, str | None], environment: Mapping[str, str]) -> Settings:
    """All that a server needs, in a combination that can be."""
    settings = given_settings(flags, environment)
    if settings.cluster and settings.role != "gateway" and not settings.store:
        raise BadSetting(
            "--cluster: its nodes share a PostgreSQL database, and not a folder; say which one with --store."
        )
    if settings.role != "both" and not settings.cluster:
        raise BadSetting(
            f"--role: a node that is only {_A[settings.role]} needs others; name them with --cluster."
        )
    if settings.wings > 1 and not settings.cluster:
        raise BadSetting("--wings: a hall in several wings needs a cluster; name its nodes with --cluster.")
    if settings.standby and not settings.store:
        raise BadSetting(
            "--standby: SQLite in a folder has one server; say with --store which database is shared."
        )
    if not settings.node_name:
        settings = msgspec.structs.replace(settings, node_name=f"{gethostname()}:{os.getpid()}")
    if settings.proxy_protocol and not networks(settings.trusted_proxies.split(",")):
        raise BadSetting("--proxy-protocol: say with --trusted-proxies which proxies are believed.")
    return settings


def _converted(text: str, kind: Any) -> Any:
    if kind is Path or getattr(kind, "__origin__", None) is Path:
        return Path(text)
    choices = get_args(kind.__origin__) if get_origin(getattr(kind, "__origin__", None)) is Literal else ()
    if choices and text not in choices:
        raise ValueError(f"it is one of {', '.join(choices)}")
    return msgspec.convert(text, kind, strict=False)


def _waits(node: str) -> None:
    print(f"Gamut stands by: {node} is active", flush=True)


async def _serve(settings: Settings) -> int:
    server = Node(settings) if settings.cluster else Server(settings)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, server.stopped.set)
    try:
        try:
            if not await server.start(_waits):
                return 0
        except OSError as error:
            raise CannotStart(f"The server cannot start: {error.strerror or error}.") from None
        # Modules and everything else that is here now stays: the collector need not look at it again.
        gc.collect()
        gc.freeze()
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::", "") else host  # noqa: S104 - compared, not bound
        also = "".join(
            f", {port.title}: {port.scheme}://{shown}:{port.number}" for port in server.ports_of_doors
        )
        print(f"Gamut is open at http://{shown}:{server.ports['main']}{also}", flush=True)
        await server.stopped.wait()
    finally:
        await server.stop()
    code = _what_ended(server)
    if server.stuck:
        # Threads that wait for the store would keep the process for as long as the store keeps them.
        sys.stderr.flush()
        os._exit(code)
    return code


def _what_ended(server: Server | Node) -> int:
    """The exit code, and one line for whoever started the server if it did not end as it was asked to."""
    failure = server.failure
    if isinstance(failure, Fenced):
        return _ended(str(failure), ENDED)
    if isinstance(failure, (BadCertificate, CannotListen)):
        return _ended(str(failure))
    if isinstance(failure, LedgerError):
        if isinstance(server, Node) and server.has_not_begun:
            return _ended(f"{failure}.")
        return _ended(f"The ledger could not be written, so the server stopped: {failure}.")
    if failure is not None:
        kind = type(failure).__name__
        return _ended(f"A fault could not be contained, so the server stopped ({kind}); the log says where.")
    if server.stuck:
        return _ended(
            "The store did not answer; what happened last is not stored, and nobody was told of it."
        )
    return 0


def _ended(why: str, code: int = 1) -> int:
    print(f"gamut: {why}", file=sys.stderr)
    return code


def _open_files(connections: int, files: OpenFiles) -> None:
    """Every connection is an open file, and the usual limit of a process is lower than what it may be raised to."""
    wanted = connections + files.reserved
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if most < files.fewest:
        raise CannotStart(
            f"The limit of open files is {most}, and a server needs {files.fewest} at the least, better "
            f"{wanted}: raise it (ulimit -n)."
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _checked_engines(settings: Settings) -> Described:
    try:
        described = all_engines(settings.engines, settings.data)
        with_engines(all_games, described)
    except ValueError as error:
        raise BadSetting(f"The engines will not do: {error}.") from None
    return described


def serve(options: argparse.Namespace) -> int:
    settings = read_settings(vars(options), os.environ)
    engines = sum(map(len, _checked_engines(settings).values()))
    logs.set_up(settings.log_level)
    files = OpenFiles(settings.bot_workers, engines, settings.wings)
    _open_files(settings.connections + settings.visitors, files)
    # The thread that commits asks for the interpreter a thousand times a second at most, but never waits long for it.
    sys.setswitchinterval(0.001)
    # Most of what is allocated stays: tables, logs, connections. Looking through all of it often finds nothing.
    gc.set_threshold(200_000, 20, 50)
    return uvloop.run(_serve(settings))


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < _DAY:
        raise ValueError
    return seconds


def _wing(text: str) -> int:
    if not text.isdecimal() or int(text) >= SLOTS:
        raise argparse.ArgumentTypeError(f"{text!r} is no wing: 0 is the main one")
    return int(text)


def _data(given: str | None) -> Path:
    return given_settings({"data": given}, os.environ).data


def backup(options: argparse.Namespace) -> int:
    settings = given_settings({"data": options.data}, os.environ)
    if settings.store:
        raise LedgerError("The store is PostgreSQL, which has its own program for that: pg_dump.")
    data = settings.data
    back_up(data, options.file)
    print(f"The data in {data} is now also in {options.file}.")
    return 0


def drain(options: argparse.Namespace) -> int:
    store = given_settings({"store": options.store}, os.environ).store
    if not store:
        raise BadSetting("--store: say which database the node uses.")
    with require_postgres():
        from gamut.ledger.postgres.draining import drain_active
    for line in drain_active(store, options.seconds, options.name, options.wing):
        print(line, flush=True)
    return 0


def nodes(options: argparse.Namespace) -> int:
    cluster = given_settings({"cluster": options.cluster}, os.environ).cluster
    if not cluster:
        raise BadSetting("--cluster: say over which NATS the nodes speak.")
    logs.set_up("warning")
    seen = uvloop.run(nodes_at(cluster))
    if options.json:
        print(msgspec.json.encode(seen).decode())
    elif seen:
        print(table(seen))
    if not seen:
        return _ended(f"No node of the cluster {NatsAddress.read(cluster).shown} is there.")
    return 0


def move(options: argparse.Namespace) -> int:
    with closing(ProgressBar(sys.stderr)) as progress:
        try:
            done = move_store(options.origin, options.destination, progress)
        except KeyboardInterrupt:
            raise LedgerError(
                "The move was stopped before it was complete; the source is as it was."
            ) from None
    print(done)
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="gamut",
        description="An online board-game server: several games, one hall, every protocol a door.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serving = commands.add_parser(
        "serve",
        help="run the server",
        description="Run the server until Ctrl-C or SIGTERM. Every flag can also be given as the environment "
        "variable named in its help; a flag wins over a variable.",
    )
    _add_settings(serving)
    copying = commands.add_parser(
        "backup",
        help="copy the database, also while the server runs",
        description="Copy the database into a new file that only you may read, also while the server runs. "
        "To go back to it, start the server on a folder that has nothing but this file, as gamut.db.",
    )
    copying.add_argument("file", type=Path, metavar="FILE", help="the new file; it must not exist yet")
    copying.add_argument("--data", metavar="DIR", help=_help(_settings()["data"]))
    draining = commands.add_parser(
        "drain",
        help="have the active node of a store hand over to its standby",
        description="Ask the active node of a store to stop in good order, so that its standby takes over at once, and "
        "wait until that is done. Everybody finds everything as it was: those at gateways keep their connections, "
        "all others are told, and come back. A node that has several wings of the hall hands over all of them, unless "
        "one is named. A standby or a gateway is stopped with SIGTERM.",
        epilog="Example: gamut drain alpha --store postgresql://gamut@db.example/gamut",
    )
    draining.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="of the node; if another one is active, nothing is done (default: whichever is active, if it is one)",
    )
    draining.add_argument(
        "--wing",
        type=_wing,
        metavar="N",
        help="hand over this wing of the hall alone; its process goes on (default: all that it has, and it ends)",
    )
    draining.add_argument("--store", metavar="URL", help=_help(_settings()["store"]))
    draining.add_argument(
        "--seconds", type=_seconds, default=30.0, metavar="N", help="how long to wait for it (default 30)"
    )
    showing = commands.add_parser(
        "nodes",
        help="show the nodes of a cluster",
        description="Show which nodes of a cluster are there, as they say themselves over NATS: the owner, which has "
        "the hall, nodes that stand by to take over, and gateways. Exit code 1 if there are none.",
        epilog="Example: gamut nodes --cluster nats://nats.example:4222/gamut",
    )
    showing.add_argument("--cluster", metavar="URL", help=_help(_settings()["cluster"]))
    showing.add_argument(
        "--json", action="store_true", help="as JSON: one list, with an object for each node"
    )
    moving = commands.add_parser(
        "move-store",
        help="copy a hall from one store to another: from SQLite to PostgreSQL, or back",
        description="Copy everything from one store to another in which there is no hall yet. Both are a data folder "
        "or the URL of a PostgreSQL database, and no server uses them. The first is left as it is.",
    )
    moving.add_argument("origin", metavar="FROM", help="a data folder, or postgresql://...")
    moving.add_argument("destination", metavar="TO", help="the same; there must be no hall in it yet")
    commands.add_parser("arena", help="let bots play against each other", add_help=False)
    commands.add_parser("replay", help="show and convert recorded games", add_help=False)
    commands.add_parser(
        "engine", help="external programs that play seats, and our bots as such", add_help=False
    )
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["arena"]:
        return arena.main(given[1:])
    if given[:1] == ["replay"]:
        return replay.main(given[1:])
    try:
        if given[:1] == ["engine"]:
            return engine.main(given[1:], _data)
        options = parser.parse_args(given)
        commanded = {"serve": serve, "backup": backup, "drain": drain, "nodes": nodes, "move-store": move}
        return commanded[options.command](options)
    except Fenced as fenced:
        return _ended(str(fenced), ENDED)
    except (BadSetting, BadCertificate, LedgerError, CannotListen, CannotStart, BusError) as error:
        return _ended(str(error))


if __name__ == "__main__":
    sys.exit(main())
