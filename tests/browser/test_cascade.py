"""Topple's cascades: seen wave by wave, and told when they have been seen."""

from playwright.sync_api import Locator, expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import place
from tests.browser.support.files import choose_file
from tests.browser.support.person import Person
from tests.browser.support.topple import Board, game_with_a_cascade

STEP = 90
"""Milliseconds from one wave of a short cascade to the next."""
PICTURE = 20
"""In so many the browser shows what has come meanwhile."""


def reviewer(meet: Meet, file: bytes, last: int, *, calm: bool = False) -> Person:
    """Somebody who looks at this game, one move before its end."""
    person = meet("Rita", calm=calm)
    person.page.clock.install()
    person.open("/file")
    person.table.says("A game from a file")
    choose_file(person, "cascade.topl", file)
    expect(person.table.slider).to_have_value(str(last))
    person.page.get_by_role("button", name="One move back").click()
    expect(person.table.slider).to_have_value(str(last - 1))
    person.holds_the_clock()
    return person


def wave(board: Board) -> Locator:
    return board.grid.locator(".wave")


def test_a_cascade_is_seen_wave_by_wave_in_its_order_until_somebody_clicks(meet: Meet) -> None:
    file, moves, toppled = game_with_a_cascade()
    rita = reviewer(meet, file, len(moves))
    board = Board(rita, 4)
    rita.page.get_by_role("button", name="One move on").click()
    for number, tile in enumerate(toppled):
        expect(wave(board)).to_have_attribute("data-tips", str(tile))
        expect(wave(board).locator(".flight").first, "its pieces are on their way").to_be_attached()
        expect(board.grid.locator(".tips"), "and it tips").to_have_count(1)
        count = len(set(toppled[: number + 1]))
        expect(wave(board).locator("text")).to_have_text([str(count)] if count > 1 else [])
        rita.page.clock.run_for(STEP)
    assert board.marked("last") == {moves[-1]}
    assert board.grid.locator(".tips").count() == 0

    others = board.grid.get_by_role("gridcell", disabled=True).first.get_attribute("data-square")
    rita.page.get_by_role("button", name="One move back").click()
    rita.page.get_by_role("button", name="One move on").click()
    expect(wave(board).last).to_have_attribute("data-tips", str(toppled[0]))
    # A tile of the other, on which nothing can be played: the click only ends the waiting.
    board.tile(int(others or "")).click(force=True)
    expect(board.grid.locator(".last path")).to_have_count(1)
    expect(rita.table.slider).to_have_value(str(len(moves)))


def test_with_reduced_motion_a_cascade_is_over_at_once(meet: Meet) -> None:
    file, moves, _ = game_with_a_cascade()
    rita = reviewer(meet, file, len(moves), calm=True)
    board = Board(rita, 4)
    before = board.pieces()
    rita.page.get_by_role("button", name="One move on").click()
    expect(rita.table.slider).to_have_value(str(len(moves)))
    expect(board.grid.locator(".last path")).to_have_count(1)
    expect(wave(board)).to_have_count(0)
    assert sum(board.pieces()) == sum(before) + 1


def test_whose_turn_it_is_and_who_won_is_told_when_it_has_been_seen_and_nobody_has_to_wait_to_play(
    meet: Meet,
) -> None:
    ann, ben = meet("Ann", calm=False), meet("Ben", calm=False)
    for person in (ann, ben):
        person.page.clock.install()
    ann.hall.seat("topple", ann, ben, options={"x": 2, "y": 2}, moves=[place(0), place(3)])
    mine, theirs = Board(ann, 2), Board(ben, 2)
    ann.table.my_turn()
    ben.table.says(f"{ann.name}'s turn")

    ben.holds_the_clock()
    mine.place(0)
    ben.page.clock.run_for(PICTURE)
    expect(wave(theirs), "the corner topples in front of Ben").to_have_attribute("data-tips", "0")
    ben.table.says(f"{ann.name}'s turn")
    assert "Your turn" not in ben.page.title()
    expect(ben.page.get_by_role("log").first).not_to_contain_text("1 tile topples")

    ann.table.says(f"{ben.name}'s turn")
    ann.holds_the_clock()
    # Ben knows already what he wants, and his click is heard.
    theirs.tile(3).click(force=True)
    ben.page.clock.run_for(PICTURE)
    expect(ben.table.move(4), "he has played").to_be_visible()
    ann.page.clock.run_for(PICTURE)
    expect(wave(mine)).to_have_attribute("data-tips", "3")
    ann.table.says(f"{ben.name}'s turn")
    expect(ann.table.slider, "the game is not over for Ann").to_have_count(0)
    expect(ann.page.get_by_role("log").first).not_to_contain_text("wins")

    for person in (ann, ben):
        person.page.clock.resume()
    ann.table.says(f"{ben.name} wins")
    ben.table.says("You win")
    expect(ann.page.get_by_role("log").first).to_contain_text(f"{ben.name} wins")
    expect(ann.table.slider).to_be_visible()
