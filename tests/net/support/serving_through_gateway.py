"""`gamut`, whose servers have their sockets at a gateway; to be run as a module with the words of `gamut`."""

import sys


def main() -> int:
    # Not above: processes in which bots think import this module.
    from tests.net.support.through_gateway import ServerThroughGateway

    from gamut import cli

    setattr(cli, "Server", ServerThroughGateway)  # noqa: B010 - the type checker need not know
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
