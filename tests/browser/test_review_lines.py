"""Lines and comments in a review: what was not played can be tried, written about, and found again."""

import re

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall
from tests.browser.support.person import Person
from tests.browser.support.tower import SHORT_GAME, short


@pytest.fixture
def game(hall: Hall) -> str:
    return hall.finished_game()


@pytest.fixture
def reviewer(meet: Meet, game: str) -> Person:
    person = meet("Rita").open(f"/t/{game}")
    person.table.shows(SHORT_GAME)
    return person


FREE = [tile for tile in range(24) if tile not in SHORT_GAME]


def tools(person: Person) -> Locator:
    return person.page.get_by_role("group", name="Lines and comments")


def use(person: Person, name: str) -> None:
    tools(person).get_by_role("button", name=name, exact=True).click()


def step(person: Person, number: int, tile: int) -> Locator:
    """A move of a line, in the list of moves."""
    lines = person.table.moves.get_by_role("list", name="Other lines")
    return lines.get_by_role("button", name=re.compile(rf"^{number} .*{short(tile)}$"))


def try_line(person: Person, after: int, *tiles: int) -> None:
    person.table.slider.fill(str(after))
    person.table.shows(SHORT_GAME[:after])
    for count, tile in enumerate(tiles, start=1):
        person.table.tile(tile).click()
        person.table.shows([*SHORT_GAME[:after], *tiles[:count]])


def test_a_line_that_was_not_played_can_be_tried_on_the_board(reviewer: Person) -> None:
    first, second, third = FREE[:3]
    try_line(reviewer, 3, first, second)
    expect(reviewer.page.get_by_text("A line of your own: 2 moves after move 3")).to_have_count(1)
    expect(step(reviewer, 5, second)).to_have_attribute("aria-current", "step")
    # Another move at the same point is another line.
    reviewer.page.get_by_role("button", name="One move back").click()
    reviewer.table.shows([*SHORT_GAME[:3], first])
    reviewer.table.tile(third).click()
    expect(step(reviewer, 5, third)).to_have_attribute("aria-current", "step")
    expect(step(reviewer, 5, second)).to_be_visible()
    # The game itself is as it was.
    use(reviewer, "To the game")
    reviewer.table.shows(SHORT_GAME[:3])
    expect(reviewer.table.slider).to_have_value("3")
    played = reviewer.table.moves.locator(":scope > li > button")
    expect(played).to_have_text([re.compile(f"{short(tile)}$") for tile in SHORT_GAME])


def test_the_move_that_was_played_is_no_line_of_its_own(reviewer: Person) -> None:
    try_line(reviewer, 2, SHORT_GAME[2])
    expect(reviewer.table.slider).to_have_value("3")
    expect(reviewer.page.get_by_role("list", name="Other lines")).to_have_count(0)


def test_the_keyboard_goes_along_lines_and_from_one_to_the_other(reviewer: Person) -> None:
    first, second, third = FREE[:3]
    page, table = reviewer.page, reviewer.table
    try_line(reviewer, 3, first, second)
    use(reviewer, "To the game")
    try_line(reviewer, 3, third)
    table.headline.click()
    page.keyboard.press("ArrowUp")
    table.shows([*SHORT_GAME[:3], first])
    page.keyboard.press("End")
    table.shows([*SHORT_GAME[:3], first, second])
    page.keyboard.press("ArrowRight")
    table.shows([*SHORT_GAME[:3], first, second])
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    table.shows(SHORT_GAME[:4])
    page.keyboard.press("ArrowUp")
    table.shows(SHORT_GAME[:4])
    page.keyboard.press("ArrowDown")
    table.shows([*SHORT_GAME[:3], first])
    page.keyboard.press("Escape")
    table.shows(SHORT_GAME[:3])
    page.keyboard.press("End")
    table.shows(SHORT_GAME)


def test_lines_are_put_in_order_and_deleted(reviewer: Person) -> None:
    first, second, third = FREE[:3]
    try_line(reviewer, 3, first, second)
    use(reviewer, "To the game")
    try_line(reviewer, 3, third)
    lines = reviewer.table.moves.get_by_role("list", name="Other lines").get_by_role("button")
    expect(lines).to_have_count(3)
    expect(lines.first).to_have_accessible_name(re.compile(f"{short(first)}$"))
    use(reviewer, "Move up")
    expect(lines.first).to_have_accessible_name(re.compile(f"{short(third)}$"))
    expect(tools(reviewer).get_by_role("button", name="Move up")).to_have_count(0)
    step(reviewer, 4, first).click()
    use(reviewer, "Delete")
    reviewer.table.confirm("Delete")
    expect(lines).to_have_count(1)
    reviewer.table.shows(SHORT_GAME[:3])


def test_comments_and_lines_are_there_again_in_this_browser_and_nowhere_else(
    reviewer: Person, meet: Meet, game: str
) -> None:
    page = reviewer.page
    try_line(reviewer, 3, FREE[0])
    page.keyboard.press("Escape")
    reviewer.table.shows(SHORT_GAME[:3])
    page.keyboard.press("c")
    page.get_by_role("textbox", name="Comment").fill("Here it turned.")
    page.keyboard.press("Control+Enter")
    step(reviewer, 4, FREE[0]).click()
    use(reviewer, "Comment")
    page.get_by_role("textbox", name="Comment").fill("This would have held.")
    page.get_by_role("button", name="Save", exact=True).click()
    page.reload()
    expect(reviewer.table.moves).to_contain_text("Here it turned.")
    expect(reviewer.table.moves).to_contain_text("This would have held.")
    step(reviewer, 4, FREE[0]).click()
    reviewer.table.shows([*SHORT_GAME[:3], FREE[0]])
    use(reviewer, "Comment")
    expect(page.get_by_role("textbox", name="Comment")).to_have_value("This would have held.")
    page.keyboard.press("Escape")
    other = meet("Tom").open(f"/t/{game}")
    other.table.shows(SHORT_GAME)
    expect(other.table.moves).not_to_contain_text("Here it turned.")


def test_what_this_browser_kept_in_another_form_does_not_break_the_review(meet: Meet, game: str) -> None:
    person = meet("Rita")
    person.comes_to_the_lobby()
    nonsense = {"steps": [{"id": 1, "at": 3, "parent": None, "seat": 0, "events": [None], "comment": ""}]}
    person.page.evaluate(
        "([table, notes]) => localStorage.setItem(`gamut.notes.${table}`, JSON.stringify(notes))",
        [game, nonsense],
    )
    with person.troubles.excused("a line that was kept"):
        person.open(f"/t/{game}")
        person.table.shows(SHORT_GAME)
        expect(person.table.move(1)).to_be_visible()


def test_nobody_tries_lines_in_a_game_that_is_being_played(meet: Meet) -> None:
    person = meet("Rita")
    person.plays_bots("tower", bots=2)
    person.table.place(0)
    person.table.my_turn()
    person.table.move(1).click()
    person.page.get_by_text("You look at move 1").wait_for()
    expect(tools(person)).to_have_count(0)
    expect(person.table.board.get_by_role("gridcell", name=re.compile("you can play here"))).to_have_count(0)


def test_on_a_phone_lines_are_with_the_moves(meet: Meet, game: str) -> None:
    person = meet("Rita", viewport={"width": 390, "height": 844}, touch=True).open(f"/t/{game}")
    person.table.shows(SHORT_GAME)
    expect(tools(person)).to_have_count(0)
    person.table.slider.fill("3")
    person.table.tile(FREE[0]).tap()
    person.table.shows([*SHORT_GAME[:3], FREE[0]])
    person.table.tab("Moves").click()
    expect(step(person, 4, FREE[0])).to_have_attribute("aria-current", "step")
    use(person, "Comment")
    person.page.get_by_role("textbox", name="Comment").fill("Here.")
    person.page.get_by_role("button", name="Save", exact=True).click()
    expect(person.table.moves).to_contain_text("Here.")
    use(person, "To the game")
    person.table.shows(SHORT_GAME[:3])
