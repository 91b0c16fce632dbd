"""The page in Chromium as people have it, with its windows and menus; the other tests do without those."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Playwright, expect
from tests.browser.conftest import Meet
from tests.browser.support.browsers import Browsers
from tests.browser.support.chromium import chromium
from tests.browser.support.table import OVER


@pytest.fixture(scope="module")
def browsers(playwright: Playwright) -> Iterator[Browsers]:
    with chromium(playwright, "chromium") as browsers:
        yield browsers


def test_a_game_of_tower(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tower", bots=2)
    ann.table.play_to_the_end()
    ann.table.says(OVER)


def test_browsers_offer_to_install_the_page(meet: Meet) -> None:
    ann = meet("Ann", fresh=True)
    ann.comes_to_the_lobby()
    devtools = ann.context.new_cdp_session(ann.page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["url"] == f"{ann.home}/manifest.webmanifest"
    assert manifest["errors"] == []
    # A window that keeps nothing cannot install anything; that is not the page's doing.
    faults = {
        fault["errorId"] for fault in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    }
    assert faults <= {"in-incognito"}
    for icon in ("icon-192.png", "icon-512.png", "icon-maskable-512.png", "apple-touch-icon.png"):
        answer = ann.asks(f"/{icon}")
        assert answer.headers["content-type"] == "image/png"
    expect(ann.page.locator('link[rel="apple-touch-icon"]')).to_have_attribute(
        "href", "/apple-touch-icon.png"
    )
