"""How somebody learns a game: pictures of what matters, and a first lesson."""

import re
from collections.abc import Sequence

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.axe import violations
from tests.browser.support.person import Person
from tests.browser.support.phone import PHONE, fits, too_small

MOST = 320
"""Pixels that a picture of the rules is wide, and high."""


def test_pictures_of_the_rules_show_what_matters_before_and_after(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True).open("/play/tafl")
    page = ann.page
    boards = page.get_by_role("figure").get_by_role("img")
    expect(boards).not_to_have_count(0)
    sizes = [box for board in boards.all() if (box := board.bounding_box())]
    assert all(box["width"] <= MOST and box["height"] <= MOST for box in sizes)
    captured = page.get_by_role("figure").filter(has_text="is between two attackers now")
    expect(captured.get_by_role("img", name="Before that")).to_be_visible()
    before, after = captured.get_by_role("img").all()
    expect(before.locator(".last")).to_have_count(0)
    expect(after.locator(".last path")).to_have_count(2)
    # One corner of the board is enough for that, and who has no keyboard is not told of its keys.
    assert after.get_attribute("viewBox") != page.get_by_role("img").last.get_attribute("viewBox")
    expect(page.get_by_role("heading", name="With the keyboard", include_hidden=True)).to_be_hidden()
    fits(page)


LESSONS: dict[str, tuple[Sequence[str | re.Pattern[str]], ...]] = {
    "topple": (["0"], ["0"], ["5"], ["5"], ["4"]),
    "tafl": (["3", "2"], ["40", "19"], ["16", "44"], ["4", "6"], ["4", "25"]),
    "acquire": (
        ["10"],
        ["39"],
        ["Luxor"],
        [re.compile("^Luxor .* left"), re.compile("^Buy 1 Luxor")],
        ["49"],
    ),
    "powerchess": (
        ["33", "60"],
        ["21", "27"],
        ["Shield", "Use Shield"],
        ["11", "8"],
        ["Second Effort", "60"],
    ),
}
"""What is right in each position: squares by their numbers, and buttons by what they say."""


def pick(person: Person, what: str | re.Pattern[str]) -> None:
    if isinstance(what, str) and what.isdigit():
        person.page.locator(f'[role="gridcell"][data-square="{what}"]').click()
    else:
        person.page.get_by_role("button", name=what).click()


def test_the_first_lesson_of_each_game_is_played_through(meet: Meet) -> None:
    ann = meet("Ann").open("/play/tower")
    page = ann.page
    page.get_by_role("link", name="First lesson").click()
    expect(page.get_by_role("heading", name="First lesson: Tower")).to_be_visible()
    said = page.locator(".said")
    expect(said).to_contain_text("Put your mark on any tile")
    # By keyboard one is led from the board to what is next, and back to the board.
    page.locator('[data-square="3"]').focus()
    page.keyboard.press("Enter")
    expect(said).to_contain_text("That was a turn.")
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(said).to_contain_text("fill the gap")
    pick(ann, "4")
    expect(said).to_contain_text("Try again")
    expect(page.locator(".piece")).to_have_count(6)
    pick(ann, "6")
    expect(said).to_contain_text("you have won")
    # What was done is known after the page was loaded anew; any step can be gone to, and skipped.
    page.reload()
    expect(said).to_contain_text("straight down")
    expect(page.get_by_role("button", name="Step 2 of 5, done")).to_be_visible()
    page.get_by_role("button", name="Skip this one").click()
    expect(said).to_contain_text("outer face")
    page.get_by_role("button", name="Step 3 of 5").click()
    for tile in ("10", "14", "5"):
        pick(ann, tile)
        page.get_by_role("button", name=re.compile("Next|Finish")).click()
    expect(page.get_by_role("heading", name="That is how Tower goes")).to_be_visible()
    for game, steps in LESSONS.items():
        ann.goes_to(f"/learn/{game}")
        for number, picks in enumerate(steps, 1):
            expect(page.get_by_role("button", name=f"Step {number} of 5")).to_have_attribute(
                "aria-current", "step"
            )
            for what in picks:
                pick(ann, what)
            page.get_by_role("button", name="Finish" if number == len(steps) else "Next").click()
        expect(page.get_by_role("heading", name=re.compile("^That is how"))).to_be_visible()
    page.get_by_role("button", name="Play a bot").click()
    ann.table.says(re.compile("turn$"))
    # Whoever has been through it is not told at the table what they know.
    expect(page.get_by_text("How Power Chess goes")).to_have_count(0)


def test_a_lesson_fits_a_phone_and_can_be_skipped(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True).open("/learn/powerchess")
    page, board = ann.page, ann.table.board
    expect(board).to_be_visible()
    fits(page)
    assert too_small(page) == []
    assert violations(page) == []
    field = page.locator(".board .field").bounding_box()
    assert field is not None
    assert field["width"] == PHONE["width"], "from edge to edge"
    page.get_by_role("button", name="Skip the lesson").tap()
    expect(page.get_by_role("button", name="Play a bot")).to_be_visible()
    page.get_by_role("link", name="How to play").tap()
    expect(page.get_by_role("heading", name="How to play Power Chess")).to_be_visible()
    # Whoever begins without it finds it at the table, where the rules in short are not cut off.
    page.get_by_role("button", name="Try it against bots").tap()
    page.get_by_role("button", name="How it goes").tap()
    rules = page.get_by_role("dialog")
    expect(rules.get_by_role("link", name="First lesson")).to_be_visible()
    assert rules.get_by_role("list").evaluate("list => list.scrollWidth <= list.clientWidth")
