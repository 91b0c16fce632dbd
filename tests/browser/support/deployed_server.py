"""The server with a page that lies beside its data, where tests put one version of it after the other."""

import sys
from pathlib import Path

from gamut.games.registry import all_games

if __name__ == "__main__":
    from tests.browser.support import serving

    serving.serve(all_games, Path(sys.argv[sys.argv.index("--data") + 1]).parent / "page")
