"""The page's service worker: it opens without a network, and a new version is offered, never forced."""

import re
import shutil
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Meet, new_server
from tests.browser.support.elsewhere import Hall
from tests.browser.support.names import Names
from tests.browser.support.troubles import CONNECTION_FAILED
from tests.net.support.process import ServerProcess

AWAY = rf"{CONNECTION_FAILED}|Failed to fetch|Coming in failed"
KEEPS = """async language => {
    await navigator.serviceWorker.ready;
    const keeps = async () => {
        const shell = await caches.match("/", { ignoreVary: true });
        return navigator.serviceWorker.controller && shell?.headers.get("Content-Language") === language;
    };
    while (!(await keeps())) await new Promise(again => requestAnimationFrame(again));
}"""
"""Comes back when the worker has the page in this language, and answers for it."""
IS_OURS = """() => new Promise(answer => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => answer(data);
    const script = new URL(document.querySelector("script[src]").src).pathname;
    navigator.serviceWorker.controller.postMessage({ type: "whose", script }, [port2]);
})"""
"""Whether the worker at work is of the page's version."""


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of which the page is exchanged."""
    server = new_server(tmp_path_factory, ("tests.browser.support.deployed_server",))
    deploy(server)
    with server:
        yield server


@pytest.fixture
def home(deployed: ServerProcess) -> str:
    return deployed.url


@pytest.fixture
def hall(deployed: ServerProcess, names: Names) -> Iterator[Hall]:
    with Hall(deployed.url, names) as hall:
        yield hall


def page_of(server: ServerProcess) -> Path:
    return server.data.parent / "page"


def deploy(server: ServerProcess, prefix: str = "") -> None:
    """Puts the page there as it was built; or another version of it, in which every part has another name."""
    folder = page_of(server)
    shutil.rmtree(folder, ignore_errors=True)
    with as_file(files("gamut") / "page") as built:
        shutil.copytree(built, folder, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    if prefix:
        parts = [path.rename(path.with_name(prefix + path.name)) for path in (folder / "assets").iterdir()]
        version = re.compile(r"version:.([0-9a-f]{16})").search((folder / "worker.js").read_text())
        assert version is not None
        named = [version[1], *(part.name.removeprefix(prefix) for part in parts)]
        names = re.compile("|".join(re.escape(name) for name in named))
        for path in folder.rglob("*"):
            if path.suffix in (".css", ".html", ".js"):
                path.write_text(names.sub(lambda name: prefix + name[0], path.read_text()))


def first_script(page: Page) -> str:
    return str(page.evaluate("document.querySelector('script[src]').src")).rpartition("/")[2]


def test_the_page_opens_without_a_server_in_the_chosen_language(meet: Meet, deployed: ServerProcess) -> None:
    ann = meet("Ann", worker=True)
    ann.comes_to_the_lobby()
    ann.page.evaluate(KEEPS, "en")
    with ann.troubles.excused(AWAY):
        deployed.kill()
        ann.page.reload()
        expect(ann.page.get_by_role("status").get_by_text("The server is away.")).to_be_visible()
        # A part of the page that was not fetched before, and what it shows.
        ann.page.get_by_role("link", name="How to play").first.click()
        expect(ann.page.get_by_role("heading", name="In short")).to_be_visible()
        expect(ann.page.get_by_role("button", name="Try it against bots")).to_be_disabled()
        deployed.start()
        expect(ann.page.get_by_role("button", name="Try it against bots")).to_be_enabled()
    assert not ann.page.evaluate(
        "caches.keys().then(names => names.some(name => !name.startsWith('gamut ')))"
    )
    kept = ann.page.evaluate(
        "caches.keys().then(async ([name]) => (await (await caches.open(name)).keys()).map(r => r.url))"
    )
    assert not [url for url in kept if "/assets/" not in url and url.count("/") > 3]
    ann.page.get_by_role("contentinfo").get_by_role("button", name="Deutsch").click()
    expect(ann.page.locator("html")).to_have_attribute("lang", "de")
    ann.page.evaluate(KEEPS, "de")
    with ann.troubles.excused(AWAY):
        deployed.kill()
        ann.open("/settings")
        expect(ann.page.locator("html")).to_have_attribute("lang", "de")
        expect(ann.page.get_by_role("radio", name="Deutsch")).to_be_checked()
        deployed.start()
        expect(ann.page.get_by_role("link", name=re.compile(ann.name))).to_be_visible()


def test_a_new_version_is_offered_and_the_old_one_stays_whole_until_it_is_taken(
    meet: Meet, deployed: ServerProcess
) -> None:
    ann = meet("Ann", worker=True)
    ann.comes_to_the_lobby()
    ann.page.evaluate(KEEPS, "en")
    old = first_script(ann.page)
    offer = ann.page.get_by_role("status").get_by_text("A new version is here.")
    with ann.troubles.excused(AWAY):
        deployed.kill()
        deploy(deployed, "newer-")
        deployed.start()
        expect(offer).to_be_visible()
    assert first_script(ann.page) == old
    # The server has this part no more; the worker kept it.
    ann.page.get_by_role("link", name="Settings").click()
    expect(ann.page.get_by_role("heading", name="Settings")).to_be_visible()
    # A new tab has the new version, and nothing to be offered.
    another = ann.another_tab()
    another.comes_to_the_lobby()
    assert first_script(another.page) == f"newer-{old}"
    expect(another.page.get_by_text("A new version is here.")).to_have_count(0)
    # At the same moment the first one takes it, too.
    ann.page.get_by_role("button", name="Reload").click()
    expect(offer).to_have_count(0)
    expect(ann.page.get_by_role("heading", name="Settings")).to_be_visible()
    assert first_script(ann.page) == f"newer-{old}"
    # Nobody's worker was exchanged under an open page.
    assert not another.page.evaluate(IS_OURS)
    another.page.close()
    # What was deployed can be taken back.
    with ann.troubles.excused(AWAY):
        deployed.kill()
        deploy(deployed)
        deployed.start()
        expect(offer).to_be_visible()
    ann.page.reload()
    ann.comes_to_the_lobby()
    assert first_script(ann.page) == old
    assert len(ann.page.evaluate("caches.keys()")) <= 2
