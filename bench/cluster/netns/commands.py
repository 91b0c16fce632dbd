"""The programs of iproute2, which make and change namespaces and links."""

import os
import shutil
import subprocess
from pathlib import Path

from bench.pace import BenchFailed

FOLDER = Path("/run/netns")
"""Where named namespaces are."""


class Refused(BenchFailed):
    """The kernel, or somebody who may, has said no."""


def check() -> None:
    missing = [program for program in ("ip", "tc") if shutil.which(program) is None]
    if missing:
        raise BenchFailed(f"{' and '.join(missing)} not found: install Debian's package iproute2")
    if os.geteuid():
        raise BenchFailed("network namespaces can only be made by root")


def ip(*words: str) -> str:
    return _run("ip", *words)


def tc(*words: str) -> str:
    return _run("tc", *words)


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())
        raise Refused(f"{' '.join(command)}: {said or f'exit code {done.returncode}'}")
    return done.stdout
