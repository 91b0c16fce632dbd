"""Games of Tafl in files: dropped, pasted, reviewed with their lines and comments, solved if they are puzzles."""

import re

from playwright.sync_api import Locator, expect
from tests.browser.conftest import Meet
from tests.browser.support.axe import violations
from tests.browser.support.files import choose_file, drop_file, paste
from tests.browser.support.person import Person
from tests.browser.support.phone import PHONE, fits
from tests.browser.support.tafl import Board

_RULES = "dim:7 name:Brandub surf:n atkf:y ks:w cenh: cenhe: starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
_MOVES = """
1. d7-c7 c4-c2
[a quiet beginning|too bold (hint: what is beside c2?)]

2. b4-b2xc2 d4-c4
[taken|]

2a.1.1a. d2-e2 c2-c1
[|why not]

3. c7-c5
[]
"""
GAME = f"[attackers:Ann]\n[defenders:Ben]\n[result:1]\n[rules:{_RULES}]\n{_MOVES}"
UNFINISHED = f"[rules:{_RULES}]\n{_MOVES}"


def puzzle(mode: str) -> bytes:
    tags = f"[puzzle-mode:{mode}]\n[puzzle-prestart:1a]\n[puzzle-start:1b]\n"
    return f"{tags}[rules:{_RULES}]\n{_MOVES}".encode()


def lines(person: Person) -> Locator:
    return person.table.moves.get_by_role("list", name="Other lines")


def button(person: Person, name: str) -> Locator:
    """Of a puzzle."""
    return person.page.get_by_role("group", name="A puzzle").get_by_role("button", name=name, exact=True)


def test_a_dropped_game_is_reviewed_with_its_lines_and_comments(meet: Meet) -> None:
    ann = meet("Ann")
    ann.open("/file")
    ann.table.says("A game from a file")
    drop_file(ann, "game.otg", GAME.encode())
    ann.table.says("Ann wins")
    moves = ann.table.moves
    expect(moves).to_contain_text("a quiet beginning")
    expect(moves).to_contain_text("why not")
    line = moves.get_by_role("list").get_by_role("button", name=re.compile("d2-e2"))
    line.click()
    Board(ann).shows("e2", "attacker")
    Board(ann).shows("c2", "defender")
    ann.page.keyboard.press("ArrowRight")
    Board(ann).shows("c1", "defender")


def test_whoever_reviews_plays_other_moves_that_the_server_allows(meet: Meet) -> None:
    ann = meet("Ann")
    ann.open("/file")
    ann.table.says("A game from a file")
    paste(ann, GAME)
    ann.table.says("Ann wins")
    ann.table.move(2).click()
    board = Board(ann)
    board.shows("c2", "defender")
    board.pick("b4")
    board.space("b3").click()
    board.shows("b3", "attacker")
    board.shows("c2", "defender")
    # It goes on from there, for the other side.
    board.pick("c2")
    board.space("b2").click()
    board.shows("b2", "defender")
    expect(ann.table.moves.get_by_role("button", name=re.compile("c2-b2"))).to_be_visible()
    # What the game itself did is the game.
    ann.table.move(2).click()
    board.pick("b4")
    board.space("b2").click()
    board.shows("c2", "empty")
    expect(ann.table.slider).to_have_value("3")


def test_what_is_not_over_goes_on_at_a_table(meet: Meet) -> None:
    ann = meet("Ann")
    ann.open("/file")
    ann.table.says("A game from a file")
    choose_file(ann, "game.otg", UNFINISHED.encode())
    # Whom a file does not name is called by their side.
    expect(ann.table.seat("Attacker")).to_be_visible()
    expect(ann.table.seat("Defender")).to_be_visible()
    ann.table.do("Go on with this game")
    ann.page.wait_for_url("**/t/*")
    ann.table.says("Waiting for 2 players")


def test_what_is_wrong_with_a_file_is_said_with_its_place(meet: Meet) -> None:
    ann = meet("Ann")
    ann.open("/file")
    ann.table.says("A game from a file")
    with ann.troubles.excused(r"status of 4\d\d"):
        drop_file(ann, "game.otg", f"[rules:{_RULES}]\n\n1. d7-d\n".encode())
        ann.sees_toast("Line 3")


def test_a_strict_puzzle_is_solved_with_a_hint(meet: Meet) -> None:
    ann = meet("Ann")
    ann.open("/file")
    ann.table.says("A game from a file")
    drop_file(ann, "puzzle.otg", puzzle("strict"))
    ann.table.says("A puzzle")
    bar = ann.page.get_by_role("group", name="A puzzle")
    # What led to the question is shown by itself; what comes is not to be seen, and there is nothing to slide along.
    board, moves = Board(ann), ann.table.moves
    board.shows("c2", "defender")
    expect(moves).not_to_contain_text("b4-b2")
    expect(moves).not_to_contain_text("hint")
    expect(ann.table.slider).to_have_count(0)
    ann.page.keyboard.press("ArrowLeft")
    board.shows("c4", "defender")
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("ArrowRight")
    board.shows("c2", "defender")
    # What is written comes first, and then which piece it is.
    button(ann, "Hint").click()
    expect(bar).to_contain_text("what is beside c2?")
    button(ann, "Hint").click()
    expect(bar).to_contain_text("Move the piece on b4.")
    expect(board.space("b4")).to_have_attribute("aria-selected", "true")
    expect(button(ann, "Hint")).to_have_count(0)
    board.space("b3").click()
    expect(bar).to_contain_text("That is not it.")
    board.shows("b4", "attacker")
    board.pick("b4")
    board.space("b2").click()
    board.shows("c2", "empty")
    # The other side answers by itself.
    board.shows("c4", "the king")
    board.pick("c7")
    board.space("c5").click()
    expect(bar).to_contain_text("Solved.")
    expect(moves).not_to_contain_text("d2-e2")
    # Once more, and all of it is played out.
    button(ann, "Try again").click()
    board.shows("c2", "defender")
    button(ann, "Solution").click()
    expect(bar).to_contain_text("That is the solution.")
    board.shows("c5", "attacker")
    button(ann, "Look through it").click()
    expect(moves).to_contain_text("d2-e2")
    expect(ann.table.slider).to_be_visible()
    expect(bar).to_have_count(0)


def test_a_loose_puzzle_lets_one_leave_its_lines(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.open("/file")
    ann.table.says("A game from a file")
    choose_file(ann, "puzzle.otg", puzzle("loose"))
    ann.table.says("A puzzle")
    fits(ann.page)
    board = Board(ann)
    board.shows("c2", "defender")
    board.pick("b4")
    board.space("b3").click()
    board.shows("b3", "attacker")
    bar = ann.page.get_by_role("group", name="A puzzle")
    expect(bar).to_contain_text("nobody has written down")
    button(ann, "Try again").tap()
    board.shows("b4", "attacker")
    assert violations(ann.page) == []


def test_a_text_file_with_rules_opens_the_form_for_a_new_table(meet: Meet) -> None:
    ann = meet("Ann")
    ann.open("/file")
    ann.table.says("A game from a file")
    drop_file(ann, "rules.txt", b"dim:7 name:Dropped spd:1 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\n")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog.get_by_text("Dropped, on a board of 7 by 7 spaces.")).to_be_visible()
    # Whoever writes rules by hand gets them as they are, and nothing opens.
    dialog.get_by_label("Rules string").press("Control+A")
    pasted = "dim:7 name:Pasted start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
    ann.page.evaluate("text => navigator.clipboard.writeText(text)", pasted)
    dialog.get_by_label("Rules string").press("Control+V")
    expect(dialog.get_by_label("Rules string")).to_have_value(pasted)
    expect(dialog.get_by_text("Pasted, on a board of 7 by 7 spaces.")).to_be_visible()
