"""Tafl on the page: by mouse and keyboard, against a bot and between people, with rules of one's own."""

import re

from playwright.sync_api import Locator, expect
from tests.browser.conftest import Meet
from tests.browser.support.axe import in_words, violations
from tests.browser.support.elsewhere import Hall
from tests.browser.support.files import paste
from tests.browser.support.person import Person
from tests.browser.support.tafl import Board, step

BRANDUB = {"variant": "brandub"}
OVERTIME = {"kind": "overtime", "main": 300_000, "length": 30_000, "periods": 3}
START = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"


def two_at_brandub(meet: Meet, *moves: tuple[str, str]) -> tuple[Person, Person]:
    """Ann attacks, Ben defends; so far they have made these moves."""
    ann, ben = meet("Ann"), meet("Ben")
    ann.hall.seat("tafl", ann, ben, options=BRANDUB, moves=[step(*move, 7) for move in moves])
    return ann, ben


def test_two_people_play_brandub_by_mouse_and_keyboard(meet: Meet) -> None:
    ann, ben = two_at_brandub(meet)
    hers, his = Board(ann), Board(ben)
    hers.move("d2", "a2")
    his.shows("a2", "attacker")
    ben.table.says("Your turn")
    his.walk("d3", "b3")
    hers.shows("b3", "defender")
    hers.drag("a4", "a3")
    ann.table.says(f"{ben.name}'s turn")
    his.shows("b3", "defender")
    his.walk("d4", "d2")
    hers.shows("d2", "the king")
    hers.move("g4", "g3")
    his.move("d2", "g2")
    hers.shows("g2", "the king")
    hers.walk("g3", "g4")
    # Nothing is between the king and the corner.
    his.drag("g2", "g1")
    ben.table.says("You win")
    ann.table.says(f"{ben.name} wins")
    expect(ann.page.get_by_text("The king has escaped", exact=True)).to_be_visible()
    expect(ann.table.board.locator(".win path")).to_have_count(2)
    expect(ann.table.move(8)).to_contain_text("Kg2-g1")


def test_a_long_name_leaves_the_clock_in_sight_and_a_resignation_is_said_once(meet: Meet) -> None:
    ann, long = meet("Ann"), meet("Bartholomew the Long Winded")
    ann.hall.seat("tafl", ann, long, options=BRANDUB, clock=OVERTIME)
    ann.table.my_turn()
    for person in (ann, long):
        expect(person.table.clock(long.name)).to_be_in_viewport(ratio=1)
        expect(person.table.seat(long.name).get_by_text("king and 4")).to_be_in_viewport(ratio=1)
    Board(ann).move("d2", "a2")
    long.table.do("Resign", sure=True)
    ann.table.says("You win")
    expect(ann.page.get_by_text(f"{long.name} resigned", exact=True)).to_be_visible()
    expect(ann.table.move(2)).to_have_text(re.compile("resigned$"))
    expect(ann.table.move(2)).not_to_contain_text("(")


def test_whoever_is_between_two_is_captured(meet: Meet) -> None:
    ann, ben = two_at_brandub(meet, ("d7", "c7"), ("c4", "c2"))
    Board(ann).move("b4", "b2")
    for board in (Board(ann), Board(ben)):
        board.shows("c2", "empty")
    expect(ann.table.move(3)).to_contain_text("b4-b2xc2")
    expect(ann.table.seat(ben.name)).to_contain_text("king and 3")
    expect(ann.table.seat(ann.name)).to_contain_text("8 attackers")
    Board(ben).move("d4", "c4")


def left_edge(found: Locator) -> float:
    box = found.bounding_box()
    assert box is not None
    return box["x"]


def test_a_berserk_piece_goes_on(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    rules = {"rules": f"dim:7 name:Wild ks:w ber:m start:{START}"}
    ann.hall.seat("tafl", ann, ben, options=rules, moves=[step("d7", "c7", 7), step("c4", "c2", 7)])
    Board(ann).move("b4", "b2")
    Board(ann).shows("c2", "empty")
    # The same piece, and no other.
    ann.table.my_turn()
    expect(ann.table.seat(ann.name)).to_contain_text("8 attackers, moves again")
    expect(Board(ann).space("b2")).to_have_attribute("aria-disabled", "false")
    expect(Board(ann).space("d2")).to_have_attribute("aria-disabled", "true")
    expect(ben.table.board.locator(".goes-on path")).to_have_count(1)
    Board(ann).move("b2", "b1")
    Board(ben).move("d4", "c4")
    # Each side has a column in the list, and whoever moves twice is twice in their own.
    first, second, third, again, last = (left_edge(ann.table.move(number)) for number in range(1, 6))
    assert first == third == again < second == last


def test_whoever_comes_into_a_game_sees_it_as_it_stands(meet: Meet, hall: Hall) -> None:
    ann, ben = hall.guest("Ann"), hall.guest("Ben")
    table = hall.seat("tafl", ann, ben, options=BRANDUB, moves=[step("d7", "c7", 7), step("c4", "c2", 7)])
    watcher = meet("Eve", calm=False)
    watcher.page.add_init_script(
        """window.moving = 0;
        addEventListener("transitionrun", ({ target, propertyName }) => {
            if (propertyName === "transform" && target.classList.contains("piece")) window.moving += 1;
        });"""
    )
    watcher.open(table.invitation)
    Board(watcher).shows("c2", "defender")
    frames = (
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.moving))))"
    )
    assert watcher.page.evaluate(frames) == 0
    # What is moved now is seen to move.
    ann.act(table, step("b4", "b2", 7))
    Board(watcher).shows("c2", "empty")
    assert watcher.page.evaluate(
        """new Promise((done) => {
            const look = (left) => {
                if (window.moving > 0 || left === 0) done(window.moving);
                else requestAnimationFrame(() => look(left - 1));
            };
            look(600);
        })"""
    )


def test_a_whole_game_of_brandub_against_a_bot(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tafl", options=BRANDUB)
    Board(ann).play_to_the_end(7)
    ann.table.says(re.compile("You win|wins|A draw"))
    with ann.page.expect_download() as downloading:
        ann.page.get_by_role("link", name="Download .otg").first.click()
    file = downloading.value.path().read_text()
    assert downloading.value.suggested_filename.endswith(".otg")
    assert "[rules:dim:7 name:Brandub" in file
    assert "[result:" in file


def test_special_spaces_are_explained_and_hostile_ones_hatched(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tafl", options={"variant": "foteviken"})
    ann.table.my_turn()
    board, tip = Board(ann), ann.page.get_by_role("tooltip")
    board.space("e5").hover()
    expect(tip).to_contain_text("The king. He is captured by enemies on all four sides. The throne.")
    board.space("a4").hover()
    expect(tip).to_contain_text("A fort of the attackers.")
    board.space("b2").hover()
    expect(tip).to_have_count(0)
    # The same by keyboard, and for those who hear the page.
    ann.page.keyboard.press("Tab")
    board.space("a4").focus()
    ann.page.keyboard.press("ArrowUp")
    expect(tip).to_contain_text("A fort of the attackers.")
    expect(board.space("a5")).to_have_accessible_description(re.compile("A fort of the attackers."))


def hatched(person: Person) -> Locator:
    return person.table.board.locator("path[fill^='url(#']")


def test_what_is_hostile_to_the_held_piece_is_hatched(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tafl", options=BRANDUB)
    ann.table.my_turn()
    expect(hatched(ann)).to_have_count(0)
    Board(ann).pick("d2")
    expect(hatched(ann)).to_have_count(4)
    ann.page.keyboard.press("Escape")
    expect(hatched(ann)).to_have_count(0)


def test_the_host_plays_whichever_side_they_like(meet: Meet) -> None:
    ann = meet("Ann")
    new = ann.comes_to_the_lobby().new_table("Tafl").choose("Variant", "Brandub")
    new.choose("You play", "Defenders").seat(1, "Casual bot").open()
    ann.table.my_turn()
    expect(ann.table.move(1)).to_be_visible()
    expect(ann.table.seat(ann.name)).to_contain_text("king and 4")
    Board(ann).pick("d3")


def test_a_rules_string_is_pasted_anywhere(meet: Meet) -> None:
    ann = meet("Ann")
    ann.open("/settings")
    ann.table.says("Settings")
    paste(ann, "dim:7 name:Slow  spd:1 surf:n\n start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog.get_by_text("They go at most 1 space at a time.")).to_be_visible()
    dialog.get_by_role("button", name="Open the table").click()
    ann.page.wait_for_url("**/t/*")
    expect(ann.table.board).to_have_accessible_name("Slow, 7 by 7 spaces")


def test_axe_finds_no_violation_around_tafl(meet: Meet) -> None:
    ann = meet("Ann")
    page, found = ann.page, {}
    new = ann.comes_to_the_lobby().new_table("Tafl")
    expect(new.dialog.get_by_role("radio", name="Brandub 7\u00d7")).to_be_attached()
    found["variants"] = violations(page)
    new.choose("Variant", "Rules of your own")
    expect(new.dialog.get_by_text(re.compile("The defenders win when"))).to_be_visible()
    found["own rules"] = violations(page)
    new.choose("Variant", "Brandub").open()
    ann.table.says("Waiting for 1 player")
    found["setup"] = violations(page)
    ann.table.with_seat("Add a bot", "Casual bot")
    Board(ann).pick("d2")
    Board(ann).space("a1").hover()
    expect(page.get_by_role("tooltip")).to_be_visible()
    found["game"] = violations(page)
    ann.open("/play/tafl")
    ann.table.says("How to play Tafl")
    found["how to play"] = violations(page)
    assert not in_words(found)
