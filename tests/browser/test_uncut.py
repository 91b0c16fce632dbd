"""Nothing is cut, and nothing lies over anything else, in windows of every size and in the longer language."""

import json

from playwright.sync_api import ViewportSize, expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall
from tests.browser.support.files import drop_file
from tests.browser.support.phone import PHONE
from tests.games.support.acquire_tables import recorded

WIDE: ViewportSize = {"width": 1440, "height": 900}
ENLARGED: ViewportSize = {"width": 720, "height": 450}
GERMAN = "de-DE"


def test_a_review_has_room_for_its_moves_and_tools_whatever_is_open(meet: Meet, hall: Hall) -> None:
    white, black = hall.guest("Wim"), hall.guest("Bea")
    opened = hall.seat("powerchess", white, black)
    white.ask("resign", table=opened.id)
    rita = meet("Rita", viewport=WIDE, locale=GERMAN)
    page, table = rita.page, rita.table
    rita.open(opened.invitation)
    eyes, slider = page.get_by_label("Gesehen von"), page.get_by_role("slider")
    moves = page.get_by_role("list", name="Züge")
    comment = page.get_by_role("button", name="Kommentar")
    save = page.get_by_role("button", name="Speichern")
    for tab in ("Zuschauer", "Tisch"):
        table.tab(tab).click()
        expect(eyes).to_be_in_viewport(ratio=1)
        comment.click()
        for part in (slider, save):
            expect(part).to_be_in_viewport(ratio=1)
        assert moves.evaluate("list => list.parentElement.clientHeight") >= 100
        page.keyboard.press("Escape")
    comment.click()
    page.get_by_role("textbox", name="Kommentar").fill("Hier war alles entschieden.")
    save.click()
    # Once is enough.
    expect(page.get_by_text("Hier war alles entschieden.")).to_have_count(1)
    page.set_viewport_size(ENLARGED)
    for each in page.get_by_role("tab").all():
        expect(each).to_be_in_viewport(ratio=1)

    rita.open("/file")
    drop_file(rita, "game.acquire", json.dumps(recorded("teams_2_vs_2-04")["review"]).encode())
    page.set_viewport_size(WIDE)
    expect(eyes).to_be_in_viewport(ratio=1)
    comment.click()
    for part in (slider, save):
        expect(part).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    page.set_viewport_size(PHONE)
    table.tab("Züge").click()
    tools, above = moves.bounding_box(), eyes.bounding_box()
    assert tools is not None
    assert above is not None
    assert above["y"] + above["height"] <= tools["y"]
