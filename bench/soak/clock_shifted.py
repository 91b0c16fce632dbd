"""Run a module with a wall clock that is wrong: `python -m bench.soak.clock_shifted SECONDS MODULE ARGUMENTS`."""

import runpy
import sys
import time


def main() -> None:
    offset, right = float(sys.argv[1]), time.time
    # Before anything of the server is imported, which may keep the function under a name of its own.
    time.time = lambda: right() + offset
    del sys.argv[:2]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
