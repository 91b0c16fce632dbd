"""How a game stands while it is played and when it is reviewed, what its places are called, and how it ends."""

import re
from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.conftest import Meet
from tests.browser.support.files import choose_file
from tests.browser.support.person import Person
from tests.browser.support.phone import PHONE
from tests.browser.support.topple import record

from gamut.games.topple.files.writer import write
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.rules import Topple

READABLE = 9
"""Pixels: letters that are smaller cannot be told apart at arm's length."""

_SIZES = """texts => texts.map(text => {
    const shown = text.getScreenCTM().a * parseFloat(getComputedStyle(text).fontSize);
    return [text.textContent, shown];
})"""


def long_game() -> tuple[bytes, int]:
    """A file of a game on 15 by 15 tiles that was played at random to its end, and how many moves it has."""
    topple, chance = Topple(), Random(12)
    state = topple.replay(topple.begin(ToppleOptions(x=15, y=15), 2, chance))
    tiles: list[int] = []
    while state.turn is not None:
        place = chance.choice(topple.legal(state, state.turn))
        (moved,) = topple.decide(state, state.turn, place, chance)
        state = topple.evolve(state, moved)
        tiles.append(place.tile)
    return write(record(15, 15, tiles)), len(tiles)


def bar(person: Person) -> Locator:
    return person.page.get_by_role("img", name=re.compile("^How it stands: "))


def card(person: Person) -> Locator:
    return person.page.locator(".end .card")


def until_shown(person: Person) -> None:
    """Let time pass until the end of the game is on the board."""
    for _ in range(200):
        if card(person).count() > 0:
            return
        person.page.clock.run_for(50)
    raise AssertionError("the end was never on the board")


@pytest.mark.parametrize(
    ("game", "places"),
    [
        ("tower", ["A1", "A8", "B5", "C8"]),
        ("topple", ["a", "f", "1", "6"]),
        ("tafl", ["a", "k", "1", "11"]),
        ("acquire", ["1A", "12I"]),
        ("powerchess", ["a", "h", "1", "8"]),
    ],
)
def test_every_board_has_names_for_its_places_and_a_bar_beside_it(
    meet: Meet, game: str, places: list[str]
) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ann.plays_bots(game, bots={"tower": 2, "acquire": 3}.get(game, 1))
    expect(ann.table.board).to_be_visible()
    expect(bar(ann)).to_be_visible()
    texts = ann.table.board.locator("text")
    expect(texts.first).to_be_visible()
    sizes = dict(texts.evaluate_all(_SIZES))
    assert set(places) <= sizes.keys()
    small = {name: size for name, size in sizes.items() if name in places and size < READABLE}
    assert not small, "on a phone these cannot be read"
    beside = bar(ann).bounding_box()
    assert beside is not None
    assert beside["height"] <= 12, "it is thin"
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    name = re.escape(ann.name)
    expect(bar(ann)).to_have_accessible_name(re.compile(rf"^How it stands: {name} .+, .+"))


def test_a_long_review_has_a_graph_whose_moments_stay_apart_on_a_phone(meet: Meet) -> None:
    rita = meet("Rita", viewport=PHONE, touch=True)
    rita.open("/file")
    file, length = long_game()
    assert length > 450
    rita.table.says("A game from a file")
    choose_file(rita, "long.topl", file)
    expect(rita.table.slider).to_have_attribute("max", str(length))
    moments = rita.page.get_by_role("group", name="Moments worth seeing").get_by_role("button")
    expect(moments.last).to_have_accessible_name(re.compile(f"^Move {length}: "))
    expect(rita.page.locator(".graph svg > path").first).to_be_visible()
    boxes = moments.evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(b => [b.left, b.width, b.height])"
    )
    assert len(boxes) >= 3
    assert all(width >= 40 and height >= 40 for _, width, height in boxes), "each can be hit with a finger"
    assert all(after[0] - before[0] >= 40 for before, after in pairwise(boxes))

    before = rita.table.board.bounding_box()
    expect(bar(rita)).to_have_accessible_name(re.compile("tiles"))
    there = moments.first.get_attribute("aria-label") or ""
    moments.first.tap()
    number = re.match(r"Move (\d+): [a-o]\d+", there)
    assert number is not None, there
    expect(rita.table.slider).to_have_value(number[1])
    rita.page.keyboard.press(".")
    expect(rita.table.slider).not_to_have_value(number[1])
    rita.page.keyboard.press(",")
    expect(rita.table.slider).to_have_value(number[1])
    rita.table.slider.fill("0")
    expect(bar(rita)).to_have_accessible_name(re.compile("0 tiles, .* 0 tiles, nobody 225 tiles$"))
    assert rita.table.board.bounding_box() == before, "nothing moved the board"


def test_the_end_is_shown_on_the_board_for_players_and_for_watchers(meet: Meet) -> None:
    ann, wes = meet("Ann", calm=False), meet("Wes", calm=False)
    for person in (ann, wes):
        person.page.clock.install()
    wes.open(ann.plays_bots("powerchess").invitation)
    expect(wes.table.board).to_be_visible()
    for person in (ann, wes):
        person.holds_the_clock()
    ann.table.do("Resign", sure=True)
    for person, who in ((ann, "You"), (wes, ann.name)):
        until_shown(person)
        expect(card(person)).to_have_text(re.compile(rf"wins\. {who} resigned\.$"))
        expect(person.table.board.locator(".veil")).to_be_attached()
        expect(person.table.board.locator(".decisive")).to_have_count(1)

    # It goes by itself, and what comes next is at hand.
    ann.page.clock.run_for(1_200)
    expect(ann.table.board.locator(".decisive")).to_have_count(0)
    expect(ann.table.actions).to_be_focused()
    ann.page.keyboard.press("Tab")
    expect(ann.table.button("Rematch")).to_be_focused()
    ann.page.keyboard.press("Tab")
    expect(ann.table.button("Stronger: Sensible bot")).to_be_focused()
    ann.table.button("More").click()
    ann.page.get_by_role("menuitem", name="Share").click()
    ann.page.clock.run_for(100)
    ann.sees_toast("Link copied")
    assert f"/t/{ann.table.id}" in ann.clipboard()

    # A key is enough to go on at once; who only watched may share it, and go through it.
    wes.page.keyboard.press("Tab")
    expect(wes.table.board.locator(".decisive")).to_have_count(0)
    expect(wes.table.button("Share")).to_be_focused()
    expect(wes.table.button("Rematch")).to_have_count(0)
    wes.table.do("Review")
    expect(wes.table.slider).to_have_value("0")


def test_a_click_ends_the_moment_and_calm_people_read_at_once_who_won(meet: Meet) -> None:
    ann, ben = meet("Ann", calm=False), meet("Ben")
    ann.page.clock.install()
    for person in (ann, ben):
        person.plays_bots("tafl")
        person.table.my_turn()
    ann.holds_the_clock()
    ann.table.do("Resign", sure=True)
    until_shown(ann)
    # What decided it is not hidden by the words.
    king = ann.table.board.locator(".decisive").bounding_box()
    words = card(ann).bounding_box()
    assert king is not None
    assert words is not None
    assert king["y"] + king["height"] <= words["y"] or words["y"] + words["height"] <= king["y"]
    ann.page.mouse.click(king["x"] + 5, king["y"] + 5)
    expect(ann.table.board.locator(".decisive")).to_have_count(0)

    ben.table.do("Resign", sure=True)
    expect(ben.table.actions).to_be_focused()
    expect(card(ben)).to_have_count(0)
    expect(ben.table.headline).to_have_text(re.compile("wins$"))


_TONES = """() => {
    const seats = [".bar", ".graph"].map(where => [0, 1].map(seat =>
        document.querySelector(`${where} pattern.seat-${seat} rect`)));
    if (seats.flat().includes(null)) return null;
    const tone = (rect) => Number(getComputedStyle(rect).fill.match(/^oklch\\(([\\d.]+) /)[1]);
    return ["light", "dark"].flatMap(scheme => {
        document.documentElement.dataset.theme = scheme;
        return seats.map(both => both.map(tone));
    });
}"""
"""How light the two seats are on the bar and in the graph, in the light and in the dark; null: not all is drawn."""


@pytest.mark.parametrize(("game", "light"), [("powerchess", 0), ("tafl", 1)])
def test_on_bar_and_graph_the_light_side_is_light_and_the_dark_one_dark(
    meet: Meet, game: str, light: int
) -> None:
    ann = meet("Ann")
    ann.plays_bots(game)
    ann.table.do("Resign", sure=True)
    # The board is drawn in its own time, and the graph is worked out bit by bit.
    for tones in ann.page.wait_for_function(_TONES).json_value():
        assert tones[light] > 0.9, tones
        assert tones[1 - light] < 0.4, tones


def test_whoever_finds_a_game_ended_sees_it_as_it_is(meet: Meet) -> None:
    ann = meet("Ann", calm=False)
    ann.plays_bots("tafl")
    ann.table.my_turn()
    ann.table.do("Resign", sure=True)
    expect(ann.table.actions).to_be_focused()
    expect(card(ann)).to_have_count(0)
    ann.page.reload()
    expect(ann.table.button("Rematch")).to_be_visible()
    expect(card(ann)).to_have_count(0)
    expect(ann.table.actions).not_to_be_focused()
