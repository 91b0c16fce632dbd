"""The page speaks the browser's language, and another one if somebody wishes for it."""

import re

from playwright.sync_api import Page, expect
from tests.browser.conftest import Meet
from tests.browser.support.phone import fits

TITLE = {"en": "Settings", "de": "Einstellungen"}


def speaks(page: Page, language: str) -> None:
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_role("link", name=TITLE[language])).to_be_visible()


def test_the_language_is_chosen_by_hand_on_every_page_and_in_the_settings(meet: Meet) -> None:
    ann = meet("Ann")
    ann.comes_to_the_lobby()
    speaks(ann.page, "en")
    # Whoever cannot read the page finds their language by its own name.
    ann.page.get_by_role("contentinfo").get_by_role("button", name="Deutsch").click()
    speaks(ann.page, "de")
    ann.open("/settings")
    speaks(ann.page, "de")
    expect(ann.page.get_by_role("radio", name="Deutsch")).to_be_checked()
    ann.page.get_by_role("radio", name="English").check()
    speaks(ann.page, "en")
    expect(ann.page.get_by_role("radio", name="English")).to_be_checked()


def test_the_language_is_changed_in_the_middle_of_a_game_and_another_tab_keeps_its_own(meet: Meet) -> None:
    ann = meet("Ann")
    table = ann.plays_bots("tower", bots=2)
    ann.table.place(0)
    ann.table.my_turn()
    other = ann.another_tab().open("/settings")
    speaks(other.page, "en")
    ann.open("/settings").page.get_by_role("radio", name="Deutsch").check()
    speaks(ann.page, "de")
    ann.open(table.path).table.says("Dein Zug")
    expect(ann.table.board.locator("[data-square='0']")).to_have_accessible_name(re.compile(": X$"))
    # There it is English still, and whoever chooses that there has chosen it.
    other.goes_to("/play/tower")
    expect(other.page.get_by_role("heading", name="How to play Tower")).to_be_visible()
    other.page.get_by_role("contentinfo").get_by_role("button", name="English").click()
    ann.page.reload()
    ann.table.my_turn()


def test_the_browser_asks_for_the_language_and_a_game_is_played_in_it(meet: Meet) -> None:
    ann = meet("Ann", locale="de-AT", viewport={"width": 320, "height": 640}, touch=True)
    ann.open("/login")
    speaks(ann.page, "de")
    ann.page.get_by_label("Name").fill("Nobody of that name")
    ann.page.get_by_label("Passwort").fill("not their password")
    with ann.troubles.excused("status of 401"):
        ann.page.get_by_role("main").get_by_role("button", name="Anmelden").click()
        # The server speaks English; the page knows what it means.
        expect(ann.page.get_by_text("Name oder Passwort stimmt nicht.")).to_be_visible()
    ann.plays_bots("powerchess", private=False)
    ann.table.says("Dein Zug")
    fits(ann.page)
    expect(ann.page.get_by_role("gridcell", name=re.compile("^e2: weißer Bauer"))).to_be_visible()
    ann.goes_to("/play/acquire")
    expect(ann.page.get_by_role("heading", name="So spielt man Acquire")).to_be_visible()
    expect(ann.page.get_by_text("Jeder beginnt mit 6.000 $ und sechs Steinen.")).to_be_visible()
    expect(ann.page.get_by_role("link", name="Dein Zug: Power Chess")).to_be_visible()
    fits(ann.page)
    ann.goes_to("/")
    expect(ann.page.get_by_role("heading", name="Offene Tische")).to_be_visible()
    expect(
        ann.page.get_by_role("button", name=re.compile(rf"{ann.name}; .*, Lockerer Bot\. "))
    ).to_be_visible()
    fits(ann.page)


IN_THE_FACE = """async letters => {
    const face = '600 100px "Bricolage Grotesque"';
    await document.fonts.load(face, letters);
    const pen = document.createElement("canvas").getContext("2d");
    const width = (letter, instead) => { pen.font = `${face}, ${instead}`; return pen.measureText(letter).width; };
    return [...letters].filter(letter => width(letter, "monospace") === width(letter, "serif")).join("");
}"""
"""A letter that a face does not have is as wide as in whatever is taken in its place."""


def test_headings_are_of_one_face_in_every_language_and_with_every_name(meet: Meet) -> None:
    ann = meet("Ann").open("/")
    letters = "aäöüßÄÖÜéñçøåœłšžőğ„“…"
    assert ann.page.evaluate(IN_THE_FACE, letters) == letters
