"""The form for a new table, what dialogs say when something is wrong, and the rules at the table."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.axe import violations
from tests.browser.support.elsewhere import Hall
from tests.browser.support.lobby import NewTable


def test_the_form_begins_with_presets_and_ends_where_the_thumb_is(meet: Meet) -> None:
    ann = meet("Ann", viewport={"width": 390, "height": 844}, touch=True)
    ann.comes_to_the_lobby()
    ann.lobby.card("Topple").get_by_role("button", name="New table").tap()
    new = NewTable(ann.page)
    kinds = new.dialog.get_by_role("group", name="What kind of game?").get_by_role("radio")
    expect(kinds).to_have_count(4)
    expect(kinds.first).to_be_checked()
    expect(new.dialog.get_by_role("spinbutton")).to_have_count(0)
    assert violations(ann.page) == []

    kinds.nth(2).check(force=True)
    expect(new.dialog.get_by_role("combobox")).to_have_count(3)
    new.dialog.get_by_text("All settings").tap()
    expect(new.dialog.get_by_role("spinbutton", name="Columns")).to_have_value("8")
    # A keyboard on the screen leaves less of the page: the button stays in reach.
    ann.page.set_viewport_size({"width": 390, "height": 420})
    button = new.dialog.get_by_role("button", name="Open the table")
    expect(button).to_be_in_viewport(ratio=1)

    # What the server would refuse is said at the field, and not sent, also where it was folded away.
    new.number("Columns", 15)
    rows = new.dialog.get_by_role("spinbutton", name="Rows")
    rows.fill("16")
    rows.press("Tab")
    expect(new.dialog.get_by_text("A board has at most 225 tiles: with 15 columns, 15 rows.")).to_be_visible()
    new.dialog.get_by_text("All settings").tap()
    button.tap()
    expect(rows).to_be_visible()
    expect(rows).to_have_attribute("aria-invalid", "true")
    rows.fill("999")
    rows.press("Tab")
    rows.fill("15")
    rows.press("Tab")
    new.open()
    ann.table.says("Waiting for 3 players")
    assert violations(ann.page) == []


def test_what_the_server_refuses_is_said_in_the_dialog(meet: Meet) -> None:
    ann = meet("Ann")
    ann.open("/register")
    ann.page.get_by_label("Password").fill("short")
    ann.page.get_by_role("button", name="Register").click()
    expect(ann.page.get_by_text("A password has at least 8 characters. This one has 5.")).to_be_visible()
    ann.page.get_by_label("Password").fill("correct horse")
    ann.page.get_by_role("button", name="Register").click()
    ann.page.get_by_role("button", name="Change password").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Change password").click()
    expect(dialog.get_by_text("Please fill this in.")).to_have_count(2)
    dialog.get_by_label("Old password").fill("wrong horse")
    dialog.get_by_label("New password").fill("another horse")
    with ann.troubles.excused("status of 40"):
        dialog.get_by_role("button", name="Change password").click()
        expect(dialog.get_by_role("alert")).to_contain_text(re.compile("password", re.IGNORECASE))
    assert violations(ann.page) == []
    ann.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(ann.page.get_by_role("status").get_by_text("horse")).to_have_count(0)


def test_how_it_goes_is_said_until_somebody_knows_it_and_when_they_ask(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tower", bots=2)
    ann.table.my_turn()
    rules = ann.page.get_by_role("region", name="How Tower goes")
    expect(rules.get_by_role("listitem")).to_have_count(3)
    box, board = rules.bounding_box(), ann.table.board.bounding_box()
    assert box is not None
    assert board is not None
    assert box["x"] >= board["x"] + board["width"], "the board is not covered"
    rules.get_by_role("button", name="Got it").click()
    expect(rules).to_have_count(0)
    ann.page.reload()
    ann.table.my_turn()
    expect(rules).to_have_count(0)
    # Whoever wants to read it again finds it behind a button, at any time.
    ann.page.get_by_role("button", name="How it goes").click()
    expect(ann.page.get_by_role("dialog", name="How Tower goes").get_by_role("listitem")).to_have_count(3)


def test_how_it_goes_is_folded_after_the_first_move_and_moves_have_the_room_among_bots(
    meet: Meet, hall: Hall
) -> None:
    ann = meet("Ann")
    opened = ann.plays_bots("tower", bots=2)
    ann.table.my_turn()
    rules = ann.page.get_by_role("region", name="How Tower goes")
    expect(rules).to_be_visible()
    ann.table.place(ann.table.free_tile())
    expect(rules).to_have_count(0)
    expect(ann.page.get_by_role("button", name="How it goes")).to_be_visible()
    # Nobody is here to talk to: of the chat there is a line, until somebody asks for more or comes to watch.
    chat = ann.page.get_by_role("textbox", name="Say something")
    expect(chat).to_have_count(0)
    moves, tabs = ann.page.locator(".moves").bounding_box(), ann.page.get_by_role("tablist").bounding_box()
    assert moves is not None
    assert tabs is not None
    assert tabs["height"] <= 48
    assert moves["height"] > 150
    ann.table.tab("Chat").click()
    expect(chat).to_be_visible()
    ann.table.tab("Chat").click()
    expect(chat).to_have_count(0)
    hall.guest("Wes").ask("watch", table=opened.id, key=opened.key)
    expect(chat).to_be_visible()
    ann.table.play_to_the_end()
    ann.table.do("Rematch")
    ann.table.my_turn()
    expect(rules).to_have_count(0)
