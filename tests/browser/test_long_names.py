"""The longest names there can be, in wide letters: nothing is ever wider than the screen."""

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.person import Person

WIDTHS = {320: 568, 390: 844, 820: 1180, 1440: 900}
WIDE = "W" * 32
HAN = "漢字" * 16
ELEPHANTS = "Eli" + "🐘" * 29

_STICKS_OUT = """() => [...document.querySelectorAll(
        ".seat button, .seat .name, header a, h1, dialog, .actions button")]
    .filter(one => one.checkVisibility({ visibilityProperty: true }))
    .map(one => [one.getBoundingClientRect(), one])
    .filter(([{ left, right }]) => left < -0.5 || right > innerWidth + 0.5)
    .map(([{ left, right }, one]) => `${one.localName}.${one.className}: ${left} to ${right}`)"""


def looked_at(person: Person, place: str) -> list[str]:
    """What is wider than the screen there, on every screen."""
    found: list[str] = []
    for width, height in WIDTHS.items():
        person.page.set_viewport_size({"width": width, "height": height})
        # The layout follows a change of the window in the next frame.
        person.page.evaluate(
            "() => new Promise(seen => requestAnimationFrame(() => requestAnimationFrame(seen)))"
        )
        wide = person.page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            found.append(f"{place} at {width}: {wide} wide")
        found += [f"{place} at {width}: {one}" for one in person.page.evaluate(_STICKS_OUT)]
    return found


def test_nothing_is_wider_than_the_screen(meet: Meet) -> None:
    ann, ben, eli = meet(WIDE), meet(HAN), meet(ELEPHANTS)
    page, table = ann.page, ann.table
    found: list[str] = []
    new = ann.comes_to_the_lobby().new_table("Topple").choose("Players", "4").seat(4, "Casual bot")
    found += looked_at(ann, "form")
    new.open()
    table.says("Waiting for 2 players")
    found += looked_at(ann, "setup")
    ben.comes_to_the_lobby()
    expect(ben.lobby.open_table(WIDE)).to_be_visible()
    ben.lobby.say("W" * 200)
    expect(ben.lobby.chat).to_contain_text("W" * 200)
    found += looked_at(ben, "lobby with an open table")
    ben.page.set_viewport_size({"width": 1440, "height": 900})
    ben.lobby.open_table(WIDE).click()
    expect(ben.table.seat(HAN)).to_contain_text("you")
    eli.comes_to_the_lobby()
    eli.lobby.open_table(WIDE).click()
    table.my_turn()
    ben.table.say("W" * 200)
    expect(ben.table.chat).to_contain_text("W" * 200)
    found += looked_at(ann, "my turn")
    found += looked_at(ben, "somebody's turn")
    for name in (HAN, ELEPHANTS, WIDE):
        # The menu of each seat is where a finger can get at it.
        page.set_viewport_size({"width": 390, "height": 844})
        more = page.get_by_role("button", name=f"More: {name}")
        expect(more).to_be_in_viewport(ratio=1)
        more.click()
        expect(page.get_by_role("menu")).to_be_in_viewport(ratio=0.9)
        page.keyboard.press("Escape")
    for tab in ("Moves", "Chat", "Table"):
        page.set_viewport_size({"width": 390, "height": 844})
        table.tab(tab).click()
        found += looked_at(ann, tab)
    for person in (eli, ben):
        person.page.set_viewport_size({"width": 1440, "height": 900})
        person.table.do("Leave", sure=True)
        expect(person.lobby.open_tables).to_be_visible()
    expect(table.seat(HAN)).to_contain_text("left")
    found += looked_at(ann, "others have left")
    page.set_viewport_size({"width": 1440, "height": 900})
    table.do("Leave", sure=True)
    expect(ann.lobby.open_tables).to_be_visible()
    for path in ("/", "/me", "/settings", "/login", "/register", "/play/topple", "/file", "/nowhere/at/all"):
        ann.open(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        if path == "/me":
            expect(page.get_by_role("link").filter(has_text=WIDE).last).to_be_visible()
        found += looked_at(ann, path)
    assert found == []
