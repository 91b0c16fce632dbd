"""axe finds nothing to complain about, on any page, in the light and in the dark."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Meet
from tests.browser.elsewhere import finished_game
from tests.browser.tower import SHORT_GAME
from tests.net.process import ServerProcess

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page) -> list[str]:
    # Not as a script of the page, which its content policy forbids, but from outside.
    page.evaluate(f"{_AXE.read_text()}; undefined")
    found: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_no_violation(meet: Meet, server: ServerProcess, dark: bool) -> None:
    review = finished_game(server.url)
    ann = meet("Ann", dark=dark, calm=True)
    page, table, found = ann.page, ann.table, {}

    ann.comes_to_the_lobby().new_table("Tower").choose("Clock", "With overtime")
    found["new table"] = violations(page)
    page.get_by_role("dialog").get_by_role("button", name="Open the table").click()
    table.says("Waiting for 2 players")
    found["setup"] = violations(page)
    page.get_by_role("button", name="Add a bot").first.click()
    expect(page.get_by_role("menu")).to_be_visible()
    found["menu"] = violations(page)
    page.get_by_role("menuitem", name="Casual bot").click()
    table.says("Waiting for 1 player")
    table.with_seat("Add a bot", "Casual bot")
    table.place(0)
    table.my_turn()
    table.say("Good luck")
    expect(table.chat).to_contain_text("Good luck")
    found["game"] = violations(page)
    table.tab("Table").click()
    found["table's facts"] = violations(page)
    table.do("Leave")
    found["question"] = violations(page)
    page.keyboard.press("Escape")
    ann.comes_to_the_lobby()
    expect(ann.lobby.game_of(ann.name)).to_be_visible()
    found["lobby"] = violations(page)
    ann.lobby.own_table().click()
    table.play_to_the_end()
    found["over"] = violations(page)

    ann.open(f"/t/{review}")
    table.shows(SHORT_GAME)
    found["review"] = violations(page)
    for number in (5, 6):
        # Each seat's colour lies under one of the moves.
        table.move(number).click()
        table.shows(SHORT_GAME[:number])
        found[f"review of move {number}"] = violations(page)
    for path, heading in (
        ("/me", ann.name),
        ("/register", "Keep your name"),
        ("/login", "Welcome back"),
        ("/settings", "Settings"),
        ("/play/tower", "How to play Tower"),
        ("/no/such/page", "There is nothing at this address"),
    ):
        ann.open(path)
        table.says(re.compile(re.escape(heading)))
        found[path] = violations(page)
    assert not any(found.values()), "\n".join(
        f"{place}: {one}" for place, wrong in found.items() for one in wrong
    )
