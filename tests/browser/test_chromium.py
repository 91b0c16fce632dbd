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


HIDDEN = """hidden => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
CALLS = """async expected => {
    const registration = await navigator.serviceWorker.ready;
    const late = performance.now() + 30_000;
    for (;;) {
        const shown = await registration.getNotifications();
        if (shown.length === expected || performance.now() > late)
            return shown.map(({ title, body, tag }) => ({ title, body, tag }));
        await new Promise(again => requestAnimationFrame(again));
    }
}"""
"""What is shown beside the page, once there are so many of them, or after half a minute."""
CLICK = """async () => {
    const [notification] = await registration.getNotifications();
    dispatchEvent(new NotificationEvent("notificationclick", { notification }));
}"""


def test_whoever_looks_elsewhere_is_called_to_their_turn_once_and_led_to_the_table(meet: Meet) -> None:
    ann = meet("Ann", worker=True)
    ann.context.grant_permissions(["notifications"])
    ann.open("/settings")
    ann.page.get_by_role("switch", name="Notifications when it is your turn").check()
    table = ann.plays_bots("tower", bots=2).id
    ann.table.my_turn()
    assert ann.page.evaluate(CALLS, 0) == [], "whoever sees it need not be called"
    ann.page.evaluate(HIDDEN, True)
    ann.table.place(ann.table.free_tile())
    ann.table.my_turn()
    ann.goes_to("/")
    expect(ann.page.get_by_role("link", name="Your turn in Tower")).to_be_visible()
    call = {"title": "Your turn", "body": "It is your turn in Tower.", "tag": table}
    assert ann.page.evaluate(CALLS, 1) == [call]
    (worker,) = ann.context.service_workers
    worker.evaluate(CLICK)
    ann.page.wait_for_url(f"**/t/{table}")
    ann.table.place(ann.table.free_tile())
    assert ann.page.evaluate(CALLS, 1) == [call]
    ann.page.evaluate(HIDDEN, False)
    assert ann.page.evaluate(CALLS, 0) == [], "it has been seen"


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
