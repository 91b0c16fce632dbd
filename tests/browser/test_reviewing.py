"""A finished game at its permanent link."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall
from tests.browser.support.person import Person
from tests.browser.support.tower import LINE, SHORT_GAME, short

LAST = len(SHORT_GAME)


@pytest.fixture
def game(hall: Hall) -> str:
    return hall.finished_game()


@pytest.fixture
def reviewer(meet: Meet, game: str) -> Person:
    """Somebody who had no part in it."""
    person = meet("Rita").open(f"/t/{game}")
    person.table.shows(SHORT_GAME)
    return person


def test_a_finished_game_opens_at_its_end_for_everyone(reviewer: Person) -> None:
    reviewer.table.says(re.compile("^Xaver .* wins$"))
    assert reviewer.table.winning_line() == set(LINE)
    for number, tile in enumerate(SHORT_GAME, start=1):
        expect(reviewer.table.move(number)).to_have_accessible_name(re.compile(f"{short(tile)}$"))


def test_buttons_keys_slider_and_list_step_through_the_game(reviewer: Person) -> None:
    table, page = reviewer.table, reviewer.page
    page.get_by_role("button", name="One move back").click()
    table.shows(SHORT_GAME[:-1])
    page.get_by_role("button", name="First position").click()
    table.shows([])
    expect(table.slider).to_have_value("0")
    page.get_by_role("button", name="One move on").click()
    table.shows(SHORT_GAME[:1])
    page.get_by_role("button", name="Last position").click()
    table.shows(SHORT_GAME)

    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    table.shows(SHORT_GAME[: LAST - 2])
    page.keyboard.press("ArrowRight")
    table.shows(SHORT_GAME[: LAST - 1])
    page.keyboard.press("Home")
    table.shows([])
    page.keyboard.press("End")
    table.shows(SHORT_GAME)

    table.slider.fill("3")
    table.shows(SHORT_GAME[:3])
    expect(table.slider).to_have_attribute("aria-valuetext", f"3 of {LAST}")
    table.move(5).click()
    table.shows(SHORT_GAME[:5])
    expect(table.move(5)).to_have_attribute("aria-current", "step")
    expect(table.slider).to_have_value("5")


def test_a_game_plays_itself_and_stops_when_told(reviewer: Person) -> None:
    table, page = reviewer.table, reviewer.page
    play, stop = page.get_by_role("button", name="Play", exact=True), page.get_by_role("button", name="Stop")
    table.slider.fill("0")
    play.click()
    expect(table.slider).not_to_have_value("0")
    stop.click()
    expect(play).to_be_visible()
    table.shows(SHORT_GAME[: int(table.slider.input_value())])
    table.slider.fill(str(LAST - 1))
    page.keyboard.press("Space")
    table.shows(SHORT_GAME)
    expect(play).to_be_visible()


def test_a_link_to_a_position_opens_there(meet: Meet, reviewer: Person, game: str) -> None:
    reviewer.table.move(4).click()
    reviewer.page.get_by_role("button", name="Copy link").first.click()
    reviewer.sees_toast("Link copied")
    link = reviewer.clipboard()
    assert link.endswith(f"/t/{game}/4")
    other = meet("Otto").open(link)
    other.table.shows(SHORT_GAME[:4])
    expect(other.table.slider).to_have_value("4")
    other.page.keyboard.press("ArrowRight")
    other.table.shows(SHORT_GAME[:5])


def test_the_game_can_be_downloaded(reviewer: Person, game: str) -> None:
    # In one place, whatever else is open.
    reviewer.table.tab("Table").click()
    with reviewer.page.expect_download() as downloading:
        reviewer.page.get_by_role("link", name="Download .json").click()
    download = downloading.value
    assert download.suggested_filename == f"gamut-{game}.json"
    text = download.path().read_text()
    assert text.count('"placed"') == LAST
