"""Run a module whose games draw the same in each run: `python bench/seeded.py MODULE ARGUMENTS`."""

import random
import runpy
import sys


def main() -> None:
    # Before anything of the server is imported, which may keep the class under a name of its own.
    random.SystemRandom = lambda: random.Random(1)  # type: ignore[assignment, misc]
    # The folder of this file is no package's; its names must not hide those of others.
    del sys.path[0], sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
