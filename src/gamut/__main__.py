"""The installed command, and `python -m gamut`."""

import sys


def main() -> int:
    # Not above: every process in which bots think imports the command that started the server, and would have the
    # web server and the database in its memory, and wait for them, before the first thought.
    from gamut import cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
