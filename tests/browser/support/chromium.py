"""Debian's Chromium, which finds no other machine than this one."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Playwright
from tests.browser.support.browsers import Browsers

CLUB = "gamut.club"
"""A name for the server, as in the network of a club: over plain http, browsers trust it less than localhost."""

WITHOUT_WINDOWS = "chromium-headless-shell"
"""The same engine without all that is around a page. Pages take a quarter less time in it."""

_FLAGS = [
    f"--host-resolver-rules=MAP {CLUB} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium(playwright: Playwright, name: str) -> Iterator[Browsers]:
    found = shutil.which(name)
    assert found is not None, f"the page is tested in Chromium: apt-get install {name}"
    browser: Browser = playwright.chromium.launch(executable_path=found, args=_FLAGS)
    yield Browsers(browser, permissions=["clipboard-read", "clipboard-write"])
    browser.close()
