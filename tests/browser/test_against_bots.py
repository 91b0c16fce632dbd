"""A newcomer is in a game at once, and plays as many as they like."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet


def test_one_click_and_a_newcomer_plays(meet: Meet) -> None:
    newcomer = meet(None).open()
    newcomer.lobby.play_a_bot("Tower")
    newcomer.table.my_turn()
    for bot in ("Lintel", "Corbel"):
        expect(newcomer.table.seat(bot)).to_contain_text("Sensible bot")
        expect(newcomer.table.seat(bot).locator(".bot-face")).to_be_visible()
    newcomer.table.place(0)
    newcomer.table.my_turn()
    expect(newcomer.table.moves.get_by_role("button")).to_have_count(3)


def test_how_strong_is_asked_at_its_arrow_and_moves_nothing(meet: Meet) -> None:
    ann = meet("Ann", viewport={"width": 390, "height": 844})
    lobby = ann.comes_to_the_lobby()
    arrow = lobby.card("Tower").get_by_role("button", name="How strong?")
    asked = ann.page.get_by_role("menu", name="How strong?")
    strengths = asked.get_by_role("menuitem")
    for width in (390, 1440):
        ann.page.set_viewport_size({"width": width, "height": 844})
        before = lobby.card("Topple").bounding_box()
        arrow.click()
        expect(strengths).to_have_text(["Casual bot", "Sensible bot", "Strong bot"])
        expect(strengths.first).to_be_focused()
        assert lobby.card("Topple").bounding_box() == before
        box, at = asked.bounding_box(), arrow.bounding_box()
        assert box is not None
        assert at is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] == at["y"] + at["height"]
        # Over the page: what is there is what can be touched.
        strengths.last.click(trial=True)
        ann.page.keyboard.press("Escape")
        expect(asked).to_be_hidden()
        expect(arrow).to_be_focused()
        arrow.click()
        ann.page.get_by_role("heading", level=1).click()
        expect(asked).to_be_hidden()
        expect(arrow).to_be_focused()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "Enter"):
        ann.page.keyboard.press(key)
        if key != "Enter":
            expect(asked).to_be_visible()
    ann.page.wait_for_url("**/t/*")
    expect(ann.table.seat("Granite")).to_contain_text("Strong bot")


def test_a_game_against_bots_goes_to_its_end_and_on_with_a_rematch(meet: Meet) -> None:
    ann = meet("Ann")
    ann.comes_to_the_lobby().play_a_bot("Tower", "Casual")
    ann.table.play_to_the_end()
    first = ann.table.id
    ann.table.do("Rematch")
    ann.page.wait_for_url(lambda url: "/t/" in url and first not in url)
    for bot in ("Pebble", "Cobble"):
        expect(ann.table.seat(bot)).to_contain_text("Casual bot")
    ann.table.play_to_the_end()
    expect(ann.table.actions.get_by_text("Weaker")).to_have_count(0)
    ann.table.do("Review")
    expect(ann.table.slider).to_have_value("0")
    second = ann.table.id
    ann.table.do("Stronger: Sensible bot")
    ann.page.wait_for_url(lambda url: "/t/" in url and second not in url)
    ann.table.my_turn()
    for bot in ("Lintel", "Corbel"):
        expect(ann.table.seat(bot)).to_contain_text("Sensible bot")
    ann.table.tab("Table").click()
    ann.page.get_by_role("link", name="Previous game").click()
    ann.page.wait_for_url(f"**/t/{second}")
    expect(ann.table.slider).to_be_visible()


def test_the_page_of_a_finished_game_says_how_it_ended(meet: Meet) -> None:
    ann = meet("Ann")
    ann.comes_to_the_lobby().play_a_bot("Tower", "Sensible")
    ann.table.play_to_the_end()
    ann.table.says(re.compile("^(You win|(Lintel|Corbel) wins|A draw)$"))
    expect(ann.page.get_by_text(re.compile("^(Three in a line|The tower is full)$"))).to_be_visible()
