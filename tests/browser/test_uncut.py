"""Nothing is cut, and nothing lies over anything else, in windows of every size and in the longer language."""

import json

from playwright.sync_api import Locator, ViewportSize, expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall
from tests.browser.support.files import drop_file
from tests.browser.support.phone import PHONE
from tests.games.support.acquire_tables import recorded

WIDE: ViewportSize = {"width": 1440, "height": 900}
ENLARGED: ViewportSize = {"width": 720, "height": 450}
SMALLEST: ViewportSize = {"width": 320, "height": 568}
ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}
GERMAN = "de-DE"


def is_above(one: Locator, other: Locator) -> bool:
    upper, lower = one.bounding_box(), other.bounding_box()
    assert upper is not None
    assert lower is not None
    return upper["y"] + upper["height"] <= lower["y"]


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
    assert is_above(eyes, moves)


def test_the_task_of_a_lesson_is_below_the_cards(meet: Meet) -> None:
    page = meet("Lea", viewport=PHONE, touch=True, locale=GERMAN).open("/learn/powerchess").page
    page.get_by_role("button", name="Schritt 5").tap()
    card = page.get_by_role("group", name="Zur Auswahl").get_by_role("button", name="Zweiter Anlauf")
    assert is_above(card, page.get_by_role("status").get_by_text("Dein Springer"))


def test_every_seat_is_read_whole_with_what_somebody_has_and_gave_up(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann", viewport=ENLARGED, locale=GERMAN), hall.guest("Benedikt")
    page = ann.page
    opened = hall.seat("acquire", ann, ben, bots=["casual"] * 4, seats=6, options={"mode": "singles_6"})
    seats = page.locator(".others .seat")
    expect(seats).to_have_count(5)
    ben.ask("leave", table=opened.id)
    expect(page.get_by_role("group", name="aufgegeben")).to_be_attached()
    for viewport in (ENLARGED, SMALLEST, PHONE):
        page.set_viewport_size(viewport)
        figures = seats.locator(".line")
        assert figures.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).length") == 0
    page.set_viewport_size(ON_ITS_SIDE)
    ann.plays_bots("acquire", bots=3)
    assert is_above(page.locator(".mine .seat"), page.get_by_role("tablist"))


def test_the_lobby_s_chat_is_written_in_without_scrolling(meet: Meet) -> None:
    lea = meet("Lea", viewport=WIDE, locale=GERMAN).open("/")
    expect(lea.page.get_by_role("textbox", name="Sag etwas")).to_be_in_viewport(ratio=1)
