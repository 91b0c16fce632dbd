"""The page speaks the browser's language, and another one if somebody wishes for it."""

from playwright.sync_api import Page, expect
from tests.browser.conftest import Meet


def speaks(page: Page, language: str) -> None:
    expect(page.locator("html")).to_have_attribute("lang", language)


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


def test_the_browser_asks_for_the_language(meet: Meet) -> None:
    ann = meet("Ann", locale="de-AT")
    ann.open("/settings")
    speaks(ann.page, "de")
    expect(ann.page.get_by_role("radio", name="Deutsch")).to_be_checked()
