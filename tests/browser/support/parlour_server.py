"""The server with Parlour, the card game of the tests, and the page that can show it."""

from pathlib import Path

from tests.games.support.parlour import Parlour

from gamut.games.game import AnyGame
from gamut.games.registry import all_games

PAGE = Path(__file__).parents[3] / "build" / "page-with-test-games"
"""Where `web/build.py` puts the page with the games of the tests."""


def games() -> dict[str, AnyGame]:
    return {**all_games(), "parlour": Parlour()}


if __name__ == "__main__":
    from tests.browser.support import parlour_server, serving

    serving.serve(parlour_server.games, PAGE)
