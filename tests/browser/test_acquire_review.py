"""Finished games of Acquire: step by step, through each player's eyes, and out of a file."""

import json
import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.acquire import City
from tests.browser.support.files import drop_file, paste
from tests.browser.support.person import Person
from tests.games.support.acquire_tables import recorded

from gamut.games.acquire.board import rows_of, tile_name


def shown(person: Person) -> str:
    """The board, as its squares are named: a letter for each chain, O for other tiles, # where none ever comes."""
    names = person.table.board.locator("[data-square]:not([data-square^=hand-])").evaluate_all(
        "all => all.sort((a, b) => a.dataset.square - b.dataset.square).map(one => one.ariaLabel.split(': ')[1])"
    )
    return "".join(
        "O"
        if name.startswith("a tile without")
        else "#"
        if name.startswith("laid aside")
        else "."
        if name.startswith("empty")
        else name[0]
        for name in names
    )


def test_a_dropped_file_is_stepped_through_as_recorded(meet: Meet) -> None:
    case = recorded("teams_2_vs_2-04")
    ann = meet("Ann")
    ann.open("/file")
    ann.table.says("A game from a file")
    drop_file(ann, "game.acquire", json.dumps(case["review"]).encode())
    ann.table.says(re.compile(" and .* win$"))
    city, last = City(ann), len(case["steps"]) - 1
    # Who ended it and why, in which place each team came, and what every chain paid at the end.
    expect(
        ann.page.get_by_text(re.compile(r"^\w+ ended it: (every chain is safe|\w+ has \d+ tiles)$"))
    ).to_be_visible()
    assert sorted(ann.page.locator(".seat .place").all_inner_texts()) == ["1st", "1st", "2nd", "2nd"]
    expect(ann.page.get_by_role("region", name="Bonuses at the end")).to_contain_text(
        re.compile(rf"({'|'.join(case['usernames'])})\s*\$[\d,]+00")
    )
    ann.table.tab("Moves").click()
    expect(ann.table.moves).to_contain_text(re.compile(r"ends the game; \w+ pays \$[\d,]+ to \w+"))
    ann.table.tab("Score").click()
    for at in (last, last // 2, last // 3, 0):
        ann.table.slider.fill(str(at))
        step = case["steps"][at]
        expect(ann.table.slider).to_have_value(str(at))
        assert rows_of(shown(ann)) == step["board"]
        for seat, name in enumerate(case["usernames"]):
            row = city.players.get_by_role("row", name=re.compile(f"^{name} "))
            expect(row).to_contain_text(f"${100 * step['scores'][seat][7]:,}")
            expect(row).to_contain_text(f"${100 * step['scores'][seat][8]:,}")
    # Everybody's tiles are to be seen, or one follows one player's rack.
    step = case["steps"][0]
    tiles = ann.page.locator(".players tr.tiles")
    expect(tiles).to_have_count(4)
    for seat, rack in enumerate(step["racks"]):
        expect(tiles.nth(seat)).to_contain_text(" ".join(tile_name(tile) for tile in rack))
    ann.page.get_by_label("Seen by").select_option(label=case["usernames"][2])
    expect(city.hand).to_have_count(6)
    assert city.rack() == step["racks"][2]
    ann.page.keyboard.press("ArrowRight")
    expect(ann.table.slider).to_have_value("1")
    assert city.rack() == [tile for tile in case["steps"][1]["racks"][2] if tile is not None]


def test_review_data_is_pasted_and_what_is_wrong_with_it_is_said(meet: Meet) -> None:
    case = recorded("singles_1-09")
    ann = meet("Ann")
    ann.open("/file")
    ann.table.says("A game from a file")
    broken = [*case["review"][:7], [[[]], [[0]]]]
    with ann.troubles.excused(r"status of 4\d\d"):
        paste(ann, json.dumps(broken))
        ann.sees_toast("Action 1")
    paste(ann, json.dumps(case["review"]))
    ann.table.says("Alice wins")
    expect(ann.page.get_by_text("Nobody could play a tile for a whole round", exact=True)).to_be_visible()


def test_a_finished_table_is_seen_through_each_player_s_eyes_and_had_as_a_file(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("acquire", options={"mode": "singles_2", "order": "exact"})
    city = City(ann)
    ann.table.my_turn()
    first = city.rack()
    city.act()
    ann.table.do("Resign", sure=True)
    ann.table.says(re.compile("^(You win|.+ wins?)$"))
    ann.page.keyboard.press("Home")
    expect(ann.table.slider).to_have_value("0")
    # All is revealed: the bot's six tiles, too.
    expect(city.hand).to_have_count(6)
    assert city.rack() == first
    expect(ann.page.locator(".players tr.tiles")).to_have_count(1)
    theirs = (ann.page.locator(".players tr.tiles").text_content() or "").split()[1:]
    # Through the bot's eyes Ann's are hidden, as they were.
    ann.page.get_by_label("Seen by").select_option(label="Quince")
    expect(ann.page.locator(".players tr.tiles")).to_have_count(0)
    assert [tile_name(tile) for tile in city.rack()] == theirs
    with ann.page.expect_download() as downloading:
        ann.page.get_by_role("link", name="Download .acquire").first.click()
    assert downloading.value.suggested_filename.endswith(".acquire")
    review = json.loads(downloading.value.path().read_text())
    assert review[0] == 2
    assert sorted(review[6]) == list(range(108))
    assert review[6][2:8] == first
