"""Acquire on the page: whole games by mouse and by keyboard, hidden racks, leaving, and how the city looks."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.acquire import City, Tiles, Wiretap
from tests.browser.support.axe import in_words, violations
from tests.browser.support.elsewhere import Hall
from tests.browser.support.person import Person

TWO_IN_ORDER = {"mode": "singles_2", "order": "exact"}
OVER = re.compile("^(You win|.+ wins?)$")


def against_a_bot(person: Person) -> City:
    person.plays_bots("acquire", options=TWO_IN_ORDER)
    person.table.my_turn()
    return City(person)


def test_a_whole_game_against_bots_by_mouse(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("acquire", bots=5, options={"mode": "singles_6"})
    city = City(ann)
    assert {"tile", "purchase"} <= set(city.play_to_the_end())
    ann.table.says(OVER)
    ann.table.tab("Moves").click()
    for words in ("plays ", "founds ", "buys ", "draws "):
        expect(ann.table.moves).to_contain_text(words)
    ann.table.tab("Score").click()
    # What everybody is worth stands in the sheet as beside the names.
    for row in city.players.locator("tbody tr:has(td + td)").all():
        net = row.locator("td").last.inner_text()
        expect(ann.page.locator(".seat").filter(has_text=net).first).to_be_visible()


def test_a_game_by_keys_alone(meet: Meet) -> None:
    ann = meet("Ann")
    city = against_a_bot(ann)
    assert {"tile", "chain", "purchase"} <= set(city.play_to_the_end(city.by_keys))
    ann.table.says(OVER)
    ann.page.keyboard.press("?")
    help = ann.page.get_by_role("dialog")
    expect(help).to_contain_text("a tile of your rack from the left")
    expect(help).to_contain_text("Tower; or trade two more shares")


def test_a_tile_is_played_by_its_place_on_the_board_too(meet: Meet) -> None:
    ann = meet("Ann")
    city = against_a_bot(ann)
    tile = city.rack()[0]
    lot = city.board.locator(f"[data-square='{tile}']")
    expect(lot).to_have_accessible_name(re.compile("empty, you hold this tile: .*, you can play here$"))
    # What it would do is marked on the board and in the rack.
    city.hand.first.hover()
    expect(city.board.locator(".sets-off path")).to_have_count(2)
    lot.click()
    expect(lot).to_have_accessible_name(re.compile(r"a tile without a chain|, \d+ tiles"))
    assert tile not in city.rack()


def test_shares_are_counted_before_they_are_bought(meet: Meet) -> None:
    ann = meet("Ann")
    city = against_a_bot(ann)
    while city.is_over() is False and city.asked() != "purchase":
        city.act()
    cash = city.players.locator("tbody tr").first.locator("td").first
    before = int(re.sub(r"\D", "", cash.inner_text()))
    expect(city.desk).to_contain_text("Buy up to 3 shares")
    offer = " ".join(city.offered().first.inner_text().split())
    named = re.fullmatch(r"(\w+) \$([\d,]+) \((\d+) left\)", offer)
    assert named is not None, offer
    chain, price = named[1], named[2]
    # Whoever wants nothing has a button, and it is not the one that asks to be pressed.
    expect(city.button("Skip")).not_to_have_class(re.compile("primary"))
    cost = 2 * int(price.replace(",", ""))
    city.offered().first.click()
    city.offered().first.click()
    expect(city.button(f"Buy 2 {chain} for ${cost:,}")).to_have_class(re.compile("primary"))
    expect(city.desk).to_contain_text(f"${before - cost:,} left")
    city.button(f"Put one share of {chain} back").first.click()
    expect(city.button(f"Buy 1 {chain} for ${cost // 2:,}")).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(city.button("Skip")).to_be_visible()
    ann.page.keyboard.press(chain[0])
    city.done(city.button(re.compile("^Buy 1 ")))
    expect(cash).to_have_text(f"${before - cost // 2:,}")


def test_nobody_is_told_of_tiles_that_are_not_theirs(meet: Meet, hall: Hall) -> None:
    cas = meet("Cas")
    watching = Wiretap(cas)
    ann, ben = meet("Ann"), meet("Ben")
    wires = (Wiretap(ann), Wiretap(ben))
    cas.open(hall.seat("acquire", ann, ben, options=TWO_IN_ORDER).invitation)
    cities = (City(ann), City(ben))
    ann.table.my_turn()
    cas.table.says(f"{ann.name}'s turn")
    held: list[set[int]] = [set(), set()]
    for _ in range(24):
        shown = [city.tiles_shown() for city in cities]
        assert not shown[0].rack & shown[1].rack
        for seat, own in enumerate(shown):
            held[seat] |= own.rack
            # On the own page only the own tiles are marked, in the rack and on the board.
            assert own.marked <= own.rack
        assert City(cas).tiles_shown() == Tiles(set(), set())
        for city in cities:
            if city.person.table.headline.text_content() == "Your turn":
                city.act(greedy=False)
                break
        for person in (ann, ben):
            person.table.says(re.compile("turn$"))
    table = ann.table.id
    for seat, wire in enumerate(wires):
        assert {owner for owner, _ in wire.tiles(table)} == {seat}
        assert {tile for _, tile in wire.tiles(table)} >= held[seat]
    assert watching.tiles(table) == set()
    # Afterwards everything is revealed.
    ann.table.do("Resign", sure=True)
    ben.table.do("Resign", sure=True)
    for person in (ann, ben, cas):
        person.table.says(OVER)
    expect(cas.page.locator(".players tr.tiles")).to_have_count(2)
    expect(cas.table.slider).to_be_visible()


def test_leaving_is_a_forfeit_after_a_question(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("acquire", ann, ben, options=TWO_IN_ORDER)
    ben.table.says(f"{ann.name}'s turn")
    his = City(ben)
    expect(his.desk).to_have_text(f"{ann.name} plays a tile.")
    expect(ben.table.seat(ann.name)).to_contain_text("worth $6,000")
    ann.table.do("Leave")
    question = ann.page.get_by_role("dialog")
    expect(question).to_contain_text("the server acts for you from now on")
    question.get_by_role("button", name="No").or_(question.get_by_role("button", name="Stay")).first.click()
    ann.table.my_turn()
    ann.table.do("Leave", sure=True)
    ben.table.my_turn()
    ben.table.tab("Moves").click()
    expect(ben.table.moves).to_contain_text("forfeits")
    expect(ben.table.moves).to_contain_text("automatically: plays ")
    expect(ben.page.get_by_text("forfeited")).to_be_visible()
    his.act()
    ben.table.my_turn()


def test_labels_and_colours_are_as_one_likes_them_and_stay(meet: Meet) -> None:
    ann = meet("Ann")
    city = against_a_bot(ann)
    while city.is_over() is False and city.asked() != "purchase":
        city.act()
    roof = ann.table.board.locator(".on-roof").first
    expect(roof).to_have_text(re.compile(r"^\d+[A-I]$"))
    chain = ann.table.board.locator(".roof").first
    before = chain.evaluate("one => getComputedStyle(one).fill")
    ann.page.get_by_text("How the city looks").click()
    ann.page.get_by_role("radio", name="Initials").check(force=True)
    ann.page.get_by_role("radio", name="Colour-blind").check(force=True)
    expect(roof).to_have_text(re.compile("^[LTAFWCI]$"))
    expect(chain).not_to_have_css("fill", before)
    ann.page.reload()
    expect(roof).to_have_text(re.compile("^[LTAFWCI]$"))
    expect(chain).not_to_have_css("fill", before)


def test_axe_finds_no_violation_around_acquire(meet: Meet) -> None:
    ann = meet("Ann")
    page, found = ann.page, {}
    new = ann.comes_to_the_lobby().new_table("Acquire").choose("Mode", "Teams 3 vs 3")
    found["form"] = violations(page)
    new.choose("Order of play", "Teams as seated")
    for seat in (2, 3, 4, 5):
        new.seat(seat, "Casual bot")
    new.open()
    ann.table.says("Waiting for 1 player")
    found["setup"] = violations(page)
    ann.table.with_seat("Add a bot", "Casual bot")
    city = City(ann)
    assert not city.is_over()
    city.skip_the_opening()
    for asked in city.play_to_the_end():
        page.get_by_text("How the city looks").click()
        if asked == "purchase" and city.offered().count() > 0:
            city.offered().first.click()
        found[asked] = violations(page)
    found["over"] = violations(page)
    ann.open("/play/acquire")
    ann.table.says("How to play Acquire")
    found["how to play"] = violations(page)
    assert not in_words(found)
