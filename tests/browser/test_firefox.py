"""The page in Debian's Firefox: one game of each kind to its end, without a complaint of the browser's."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright
from tests.browser.conftest import Meet
from tests.browser.support import firefox_bridge
from tests.browser.support.acquire import City
from tests.browser.support.browsers import Browsers
from tests.browser.support.powerchess import ChessBoard
from tests.browser.support.table import OVER
from tests.browser.support.tafl import Board
from tests.browser.support.topple import Board as ToppleBoard


@pytest.fixture(scope="module")
def browsers(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browsers]:
    firefox = shutil.which("firefox-esr")
    assert firefox is not None, "the page is tested in Firefox, too: apt-get install firefox-esr"
    bridge: Path = tmp_path_factory.mktemp("firefox") / "bridge"
    bridge.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{firefox_bridge.__file__}" "{firefox}" "$@"\n')
    bridge.chmod(0o700)
    browser = playwright.firefox.launch(channel="moz-firefox", executable_path=bridge)
    # It knows none of the permissions for which Chromium asks.
    yield Browsers(browser, permissions=[])
    browser.close()


def test_a_game_of_tower(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tower", bots=2)
    ann.table.play_to_the_end()
    ann.table.says(OVER)


def test_a_game_of_topple(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("topple", options={"x": 3, "y": 3})
    ToppleBoard(ann, 3).play_to_the_end()
    ann.table.says(OVER)


def test_a_game_of_brandub(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tafl", options={"variant": "brandub"})
    Board(ann).play_to_the_end(7)
    ann.table.says(OVER)


def test_a_game_of_acquire(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("acquire", options={"mode": "singles_2"})
    assert {"tile", "chain", "purchase"} <= set(City(ann).play_to_the_end())
    ann.table.says(OVER)


def test_a_game_of_power_chess(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("powerchess", "sensible")
    ChessBoard(ann).play_out()
    ann.table.says(OVER)
