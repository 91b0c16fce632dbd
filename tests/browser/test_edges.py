"""No word passes the edge of its dialog, menu, sheet or button, however narrow the window and long the words."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import ViewportSize, expect
from tests.browser.conftest import Meet
from tests.browser.support.browsers import ask
from tests.browser.support.elsewhere import Hall
from tests.browser.support.names import Names
from tests.browser.support.person import Person
from tests.browser.support.phone import fits

SMALL: ViewportSize = {"width": 320, "height": 568}
NARROW: tuple[ViewportSize, ...] = (SMALL, {"width": 390, "height": 844}, {"width": 820, "height": 1180})
LARGE: ViewportSize = {"width": 1440, "height": 900}
LOW: ViewportSize = {"width": 720, "height": 450}

GAMES = 5
LANGUAGES = {"en-GB": ("New table", "Table"), "de-DE": ("Neuer Tisch", "Tisch")}
"""Of the browser, and what is asked for by its words: the button of a card in the lobby, and a tab."""
LONG = "de-DE"

_OPEN = "dialog[open], [role=menu]:popover-open, [role=tabpanel]:not([hidden])"
_PAST_THE_EDGE = """async opened => {
    // The layout follows a change of the window in the next frame.
    for (let picture = 0; picture < 2; picture += 1) await new Promise(requestAnimationFrame);
    const open = [...document.querySelectorAll(opened)];
    const found = [], range = document.createRange();
    for (const box of open) {
        if (box.scrollWidth > box.clientWidth) found.push(`${box.textContent.trim().slice(0, 40)} is scrolled`);
        const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const text = walker.currentNode, around = text.parentElement;
            if (text.data.trim() === "" || around.closest(".unseen, select, svg") !== null) continue;
            const edge = around.closest("button, a, label, td, th") ?? box;
            const { left, right, top, bottom } = edge.getBoundingClientRect();
            range.selectNodeContents(text);
            for (const one of range.getClientRects())
                if (one.width > 0 && (one.left < left - 1 || one.right > right + 1
                        || around.closest("button") && (one.top < top - 2 || one.bottom > bottom + 2)))
                    found.push(text.data.slice(0, 40));
        }
    }
    return [open.length, [...new Set(found)]];
}"""


class Edges:
    """What was found past an edge, by where: long words in windows of all sizes, shorter ones in those at both ends."""

    def __init__(self, locale: str) -> None:
        self.found: list[str] = []
        self._sizes = (*NARROW, LOW, LARGE) if locale == LONG else (SMALL, LARGE)

    def look(
        self,
        person: Person,
        what: str,
        sizes: Sequence[ViewportSize] = (*NARROW, LARGE),
        *,
        fetched: bool = False,
    ) -> None:
        """At what has just been opened, in windows of these sizes; then it is closed. Some is fetched first."""
        person.page.locator(_OPEN).first.wait_for()
        if fetched:
            person.page.wait_for_load_state("networkidle")
        for size in self._sizes:
            if size not in sizes:
                continue
            person.page.set_viewport_size(size)
            count, past = person.page.evaluate(_PAST_THE_EDGE, _OPEN)
            assert count > 0, f"{what} is not open at {size['width']}"
            self.found += [f"{what} at {size['width']}: {text}" for text in past]
            fits(person.page)
        person.page.keyboard.press("Escape")


@pytest.fixture(params=LANGUAGES)
def locale(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_in_the_lobby_and_at_home(meet: Meet, names: Names, locale: str) -> None:
    ann = meet("Ann", locale=locale)
    page, edges = ann.page, Edges(locale)
    ask(ann.context, "/api/register", {"name": names.unique("Ann"), "password": "correct horse"})
    ann.open("/")
    cards = page.get_by_role("article").filter(has=page.get_by_role("heading"))
    new = cards.get_by_role("button", name=LANGUAGES[locale][0])
    expect(new).to_have_count(GAMES)
    for game in range(GAMES):
        new.nth(game).click()
        dialog = page.get_by_role("dialog")
        for more in dialog.locator("summary").all():
            more.click()
        edges.look(ann, f"form {game + 1}", fetched=True)
        cards.nth(game).locator("[aria-haspopup=menu]").click()
        edges.look(ann, f"strengths {game + 1}")
    ann.open("/me")
    dialogs = page.locator("main section .row button")
    expect(dialogs).to_have_count(5)
    for place in (2, 3, 4):
        dialogs.nth(place).click()
        # With all that is said about fields that are not filled in.
        page.get_by_role("dialog").get_by_role("textbox").last.press("Enter")
        edges.look(ann, f"account {place}")
    assert edges.found == []


def test_at_a_table(meet: Meet, hall: Hall, locale: str) -> None:
    ann, newcomer = meet("Ann", locale=locale), meet(None, locale=locale)
    page, edges = ann.page, Edges(locale)
    table = LANGUAGES[locale][1]
    opened = ann.opens("topple", seats=4)
    newcomer.open(opened.invitation)
    edges.look(newcomer, "arrival")
    for place, settings in enumerate(("settings", "colours")):
        page.set_viewport_size(LARGE)
        page.locator(".settings button").nth(place).click()
        edges.look(ann, settings, [LARGE])
        page.set_viewport_size(SMALL)
        page.get_by_role("tab", name=table).click()
        page.get_by_role("tabpanel").get_by_role("button").nth(place).click()
        edges.look(ann, settings, NARROW)
        page.keyboard.press("Escape")
    page.set_viewport_size(SMALL)
    page.locator(".actions button").nth(1).click()
    edges.look(ann, "code", NARROW, fetched=True)
    menus = page.locator(".seat [aria-haspopup=menu]")
    for seat in (menus.first, menus.last):
        seat.click()
        edges.look(ann, "seat before the start", NARROW)

    for game in ("powerchess", "acquire"):
        page.set_viewport_size(SMALL)
        ann.plays_bots(game, bots=1 if game == "powerchess" else 3)
        page.get_by_role("tab").first.wait_for()
        assert page.get_by_role("tablist").evaluate("tabs => tabs.scrollWidth <= tabs.clientWidth")
        for tab in page.get_by_role("tab").all():
            tab.click()
            edges.look(ann, f"{game}: tab", (*NARROW, LOW), fetched=True)
            page.set_viewport_size(SMALL)
        page.locator(".tools button").last.click()
        edges.look(ann, f"{game}: how it goes", (*NARROW, LOW, LARGE), fetched=True)
        page.set_viewport_size(SMALL)
        page.keyboard.press("?")
        edges.look(ann, f"{game}: keys", (*NARROW, LOW, LARGE))
        page.set_viewport_size(SMALL)
        mine = page.locator(".mine [aria-haspopup=menu]")
        mine.click()
        edges.look(ann, f"{game}: own seat", NARROW)
        page.set_viewport_size(SMALL)
        mine.click()
        page.get_by_role("menuitem").last.click()
        edges.look(ann, f"{game}: question", NARROW)
        if game == "powerchess":
            # What comes after a game against a bot is one row.
            hall.without_page(ann).ask("resign", table=ann.table.id)
            expect(page.get_by_role("slider")).to_be_visible()
            page.set_viewport_size(SMALL)
            fits(page)
    assert edges.found == []
