"""Rules of Tafl of one's own: written, or put together with a form and on a board."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.axe import violations
from tests.browser.support.keyboard import Keyboard
from tests.browser.support.lobby import NewTable
from tests.browser.support.phone import PHONE, fits
from tests.browser.support.tafl import Board


def test_variants_come_first_with_pictures_and_what_tells_the_chosen_one_apart(meet: Meet) -> None:
    ann = meet("Ann")
    ann.comes_to_the_lobby().card("Tafl").get_by_role("button", name="New table").click()
    new = NewTable(ann.page)
    # Before all else, and nothing has to be unfolded.
    first = new.dialog.get_by_role("group").first
    expect(first).to_have_accessible_name("Variant")
    variants = first.get_by_role("radio")
    expect(variants).to_have_count(15)
    expect(first.locator("label svg")).to_have_count(15)
    chosen = first.get_by_role("radio", name=re.compile("^Copenhagen 11"))
    expect(chosen).to_be_checked()
    chosen.focus()
    for variant, said in (
        ("Copenhagen, relaxed", "any move may complete a shieldwall"),
        ("Fetlar", "Copenhagen without shieldwalls and forts"),
    ):
        ann.page.keyboard.press("ArrowRight")
        expect(first.get_by_role("radio", name=re.compile(f"^{variant}"))).to_be_checked()
        expect(new.dialog.get_by_text(said)).to_be_visible()
    # The next stop of the keyboard is behind all of them.
    ann.page.keyboard.press("Tab")
    expect(new.dialog.get_by_text("The rules in words")).to_be_focused()
    new.choose("Variant", "Magpie")
    expect(new.dialog.get_by_text("a king who goes one space at a time")).to_be_visible()
    new.open()
    ann.table.says("Waiting for 1 player")
    expect(ann.table.board).to_have_accessible_name("Magpie, 7 by 7 spaces")
    # Whoever changes the settings finds them there, too.
    ann.page.get_by_role("button", name="Change settings").click()
    expect(new.dialog.get_by_role("radio", name=re.compile("^Magpie"))).to_be_checked()


def test_rules_of_one_s_own_are_checked_while_they_are_written(meet: Meet) -> None:
    ann = meet("Ann")
    new = ann.comes_to_the_lobby().new_table("Tafl").choose("Variant", "Rules of your own")
    field = new.dialog.get_by_label("Rules string")
    # They begin as a variant, and are not called so.
    expect(new.dialog.get_by_label("Name", exact=True)).to_have_value("My rules")
    new.dialog.get_by_label("Name", exact=True).fill("Copenhagen")
    expect(new.dialog.get_by_text("These are the rules of Copenhagen.")).to_be_visible()
    field.fill("")
    expect(new.dialog.get_by_text("Nothing is written.")).to_be_visible()
    new.dialog.get_by_role("button", name="Open the table").click()
    expect(new.dialog).to_be_visible()
    # Chromium itself writes this of every answer that is a refusal, a little after the page has it.
    with ann.troubles.excused(r"status of 4\d\d"):
        field.fill("dim:5 name:Tiny esc:q start:/2t2/5/t1K1t/5/2t2/")
        expect(new.dialog.get_by_text(re.compile("^Line 1, column 21: "))).to_be_visible()
        new.dialog.get_by_role("button", name="Open the table").click()
        expect(new.dialog).to_be_visible()
        field.fill("dim:5 name:Tiny esc:e ber:m start:/2t2/5/t1K1t/5/2t2/")
        expect(new.dialog.get_by_text("The defenders win when the king reaches the edge")).to_be_visible()
    expect(new.dialog.get_by_role("gridcell", name="c3: the king")).to_be_visible()
    new.seat(2, "Casual bot").open()
    ann.table.my_turn()
    expect(ann.table.board).to_have_accessible_name("Tiny, 5 by 5 spaces")
    ann.table.tab("Rules").click()
    expect(ann.page.get_by_text("Tiny, on a board of 5 by 5 spaces.")).to_be_visible()
    Board(ann).pick("c1")
    Board(ann).space("b1").click()
    expect(ann.table.move(1)).to_contain_text("c1-b1")


def test_rules_are_put_together_without_knowing_a_key(meet: Meet) -> None:
    ann = meet("Ann")
    new = ann.comes_to_the_lobby().new_table("Tafl").choose("Variant", "Brandub")
    dialog = new.choose("Variant", "Rules of your own").dialog
    written = dialog.get_by_label("Rules string")
    new.text("Name", "Corner less")
    dialog.get_by_label("The king escapes to").select_option(label="the edge")
    dialog.get_by_label("After a capture").select_option(label="again, if it can")
    expect(dialog.get_by_label("A commander jumps")).to_have_count(0)
    dialog.get_by_role("radio", name="attacker, commander").check(force=True)
    dialog.get_by_role("switch", name="The same on all four sides").check(force=True)
    dialog.get_by_role("gridcell", name="b2: nobody").click()
    dialog.get_by_label("A commander jumps").select_option(label="over an enemy, and captures it")
    expect(written).to_have_value(
        "dim:7 name:Corner_less surf:n atkf:y ks:w cenh: cenhe: esc:e ber:m cj:c "
        "start:/3t3/1c1t1c1/3T3/ttTKTtt/3T3/1c1t1c1/3t3/"
    )
    dialog.get_by_label("Board", exact=True).select_option(label="9 by 9")
    expect(written).to_have_value(re.compile("^dim:9 .* start:/9/4t4/2c1t1c2/"))
    expect(dialog.get_by_text("The defenders win when the king reaches the edge")).to_be_visible()
    assert violations(ann.page) == []
    new.seat(2, "Casual bot").open()
    ann.table.my_turn()
    expect(ann.table.board).to_have_accessible_name("Corner less, 9 by 9 spaces")
    Board(ann).shows("c3", "attacker, commander")


def test_the_start_is_set_up_by_keyboard(meet: Meet) -> None:
    ann = meet("Ann")
    new = ann.comes_to_the_lobby().new_table("Tafl").choose("Variant", "Brandub")
    dialog = new.choose("Variant", "Rules of your own").dialog
    keys = Keyboard(ann.page)
    keys.tab_to(dialog.get_by_role("radio", name="attacker", exact=True))
    keys.press("ArrowRight")
    expect(dialog.get_by_role("radio", name="defender", exact=True)).to_be_checked()
    keys.tab_to(dialog.get_by_role("gridcell"))
    keys.press("ArrowUp", "ArrowRight", "Enter")
    expect(dialog.get_by_role("gridcell", name="b2: defender")).to_be_focused()
    expect(dialog.get_by_label("Rules string")).to_have_value(re.compile("start:/3t3/1T1t3/"))


def test_a_start_that_is_written_upside_down_is_drawn_as_it_is_played(meet: Meet) -> None:
    ann = meet("Ann")
    dialog = ann.comes_to_the_lobby().new_table("Tafl").choose("Variant", "Rules of your own").dialog
    dialog.get_by_label("Rules string").fill("dim:5 name:Turned esc:e starti:/1t3/5/t1K1t/5/2t2/")
    expect(dialog.get_by_role("gridcell", name="b5: attacker")).to_be_visible()
    dialog.get_by_role("gridcell", name="d5: nobody").click()
    expect(dialog.get_by_label("Rules string")).to_have_value(re.compile(r"start:/2t2/5/t1K1t/5/1t1t1/$"))


def test_a_mistyped_key_is_pointed_out(meet: Meet) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    new = ann.comes_to_the_lobby().new_table("Tafl").choose("Variant", "Rules of your own")
    new.dialog.get_by_label("Rules string").fill("dim:5 name:Tiny esx:e start:/2t2/5/t1K1t/5/2t2/")
    expect(new.dialog.get_by_text("esx: Tafl has no such key.")).to_be_visible()
    fits(ann.page)
