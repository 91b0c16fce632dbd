"""What the servers of the tests draw (tiles, boxes, what bots make of them) follows from the name of the test.

With `--seed` it follows from that, too: a test that assumes a draw fails with one seed or another.

    python -m tests.support.draws FILE MODULE ARGUMENTS

runs a module whose server draws from the seed in that file.
"""

import os
import runpy
import sys
from functools import partial
from pathlib import Path
from random import Random
from tempfile import gettempdir

SEED_FILE = Path(gettempdir(), f"gamut-tests-{os.getpid()}.seed")
"""For all servers of this process of tests: some of them serve one test after the other."""


def draw_from(seed: str) -> None:
    """Every server draws from this seed from now on."""
    # A server that draws at this very moment reads one seed or the other, and never half of one.
    written = SEED_FILE.with_suffix(".new")
    written.write_text(seed)
    written.replace(SEED_FILE)


class Draws(Random):
    """Begins anew when there is another seed in its file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seed = ""
        super().__init__()

    def random(self) -> float:
        self._look()
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        self._look()
        return super().getrandbits(k)

    def _look(self) -> None:
        seed = self._file.read_text()
        if seed != self._seed:
            self._seed = seed
            self.seed(seed)


def _main() -> None:
    from gamut.net import server

    # Only where the hall's chance is made: what must not be guessed, such as keys, stays the system's.
    server.SystemRandom = partial(Draws, Path(sys.argv[1]))  # type: ignore[assignment, attr-defined]
    del sys.argv[:2]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _main()
