"""Becomes another program that may have no more memory than this: `memory_cap.py BYTES COMMAND...`.

A script of its own, run without the rest of the package: what a process may do is best said by itself.
"""

import os
import resource
import sys


def main(arguments: list[str]) -> None:
    most = int(arguments[0])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    # A crash leaves no file as large as its memory.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        os.execvp(arguments[1], arguments[1:])  # noqa: S606 - named by the operator
    except OSError as error:
        sys.exit(f"{arguments[1]} cannot be run: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
