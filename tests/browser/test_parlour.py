"""Hidden and simultaneous play, through to the browser: a small card game that only the tests know."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import WebSocketRoute, expect
from tests.browser.conftest import Meet, new_server
from tests.browser.support.axe import violations
from tests.browser.support.keyboard import Keyboard
from tests.browser.support.parlour import CardTable, Gate, Wiretap
from tests.browser.support.person import Person
from tests.browser.support.phone import PHONE, fits, too_small
from tests.net.support.process import ServerProcess

ROUNDS = 4
_BUILD = Path(__file__).parents[2] / "web" / "build.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """With Parlour, and with a page that can show it."""
    subprocess.run([sys.executable, str(_BUILD)], env={**os.environ, "GAMUT_TEST_GAMES": "1"}, check=True)
    with new_server(tmp_path_factory, ("tests.browser.support.parlour_server",)) as server:
        yield server


def sit_down(ann: Person, ben: Person) -> tuple[CardTable, CardTable]:
    """Two people at one table; the cards are dealt."""
    ann.hall.seat("parlour", ann, ben, seats=2)
    for person in (ann, ben):
        person.table.my_turn()
    return CardTable(ann, 0), CardTable(ben, 1)


def choose(*tables: CardTable) -> None:
    """Whoever won the round takes the point."""
    for table in tables:
        if table.is_chooser():
            table.take()
            return


def test_two_people_lay_cards_at_the_same_moment_and_see_only_their_own(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    gate, wires = Gate(), (Wiretap(ann), Wiretap(ben))
    for person in (ann, ben):
        gate.stands_before(person)
    tables = sit_down(ann, ben)
    hands = [table.holds(ROUNDS) for table in tables]
    assert not set(hands[0]) & set(hands[1])
    shown: set[int] = set()
    for number in range(ROUNDS):
        left = ROUNDS - number
        for table, hand, wire in zip(tables, hands, wires, strict=True):
            # Neither on the page nor in anything that came over the wire.
            assert table.faces(left) == table.holds(left)
            assert wire.cards() == set(hand) | shown
        cards = [table.hand()[-1] for table in tables]
        gate.shut = True
        for table, card in zip(tables, cards, strict=True):
            table.pick(card)
            table.place(table.seat).click()
            table.has(1 - table.seat, "no card")
        assert len(gate.held) == 2, "both have answered the same moment"
        gate.open()
        for table in tables:
            for seat, card in enumerate(cards):
                table.has(seat, f"the {card}, turned over")
        shown.update(cards)
        choose(*tables)
        if left > 1:
            for table in tables:
                table.has(table.seat, "no card")
    for table in tables:
        table.person.table.says(re.compile("wins?$|^A draw$"))
        expect(table.person.page.get_by_role("status").get_by_text("Something happened")).to_have_count(0)
    for wire in wires:
        # Once for the lobby's pictures at most, for the table, and when everything is revealed.
        assert len(wire.asked("watch")) <= 4, wire.asked("watch")


def test_what_was_hidden_is_to_be_seen_when_the_game_is_over(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    wire = Wiretap(ann)
    hers, his = sit_down(ann, ben)
    hand = his.holds(ROUNDS)
    assert not set(hand) & wire.cards()
    his.lay(his.hand()[0])
    hers.has(1, "^Green's place: a card, face down")
    ben.table.do("Resign", sure=True)
    ann.table.says("You win")
    # From the first position on, with nobody's cards hidden.
    ann.page.keyboard.press("Home")
    expect(ann.table.slider).to_have_value("0")
    for card in hand:
        expect(hers.board.locator(".piece text", has_text=re.compile(f"^{card}$"))).to_have_count(1)
    assert len(wire.asked("watch")) <= 4, wire.asked("watch")


def test_a_page_that_is_loaded_anew_shows_the_own_hand_again(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hers, his = sit_down(ann, ben)
    hand = his.holds(ROUNDS)
    laid = hand[1]
    his.lay(laid)
    his.has(1, f"the {laid}, face down")
    hers.has(1, "a card, face down")
    wire = Wiretap(ben)
    ben.page.reload()
    his.has(1, f"the {laid}, face down")
    assert his.holds(ROUNDS - 1) == sorted(set(hand) - {laid})
    assert his.faces(ROUNDS) == hand
    assert wire.cards() == set(hand)
    assert len(wire.asked("watch")) == 1
    hers.lay(hers.hand()[0])
    his.has(1, f"the {laid}, turned over")


@pytest.mark.parametrize("arrives", [True, False], ids=["its answer is lost", "it is lost itself"])
def test_an_action_in_the_middle_of_which_the_connection_is_lost_is_done_once(
    meet: Meet, arrives: bool
) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    cut: list[WebSocketRoute] = []

    def relay(here: WebSocketRoute) -> None:
        server = here.connect_to_server()

        def say(text: str | bytes) -> None:
            if '"act"' not in str(text) or cut:
                server.send(text)
                return
            cut.append(here)
            if arrives:
                server.send(text)
            else:
                here.close(code=1001)

        def hear(text: str | bytes) -> None:
            if cut and cut[0] is here:
                here.close(code=1001)
            else:
                here.send(text)

        here.on_message(say)
        server.on_message(hear)

    ben.page.route_web_socket("**/hall", relay)
    hers, his = sit_down(ann, ben)
    card = his.hand()[2]
    his.lay(card)
    assert cut, "the connection was cut"
    his.has(1, f"the {card}, face down, {ROUNDS - 1} in the hand")
    hers.has(1, f"a card, face down, {ROUNDS - 1} in the hand")
    expect(ben.page.get_by_role("status").get_by_text("Something happened")).to_have_count(0)
    hers.lay(hers.hand()[0])
    his.has(1, f"the {card}, turned over")


def test_a_bot_plays_along_and_each_card_it_lays_is_seen_turned_over(meet: Meet) -> None:
    ann = meet("Ann")
    wire = Wiretap(ann)
    ann.plays_bots("parlour", "careful", seats=2)
    table = CardTable(ann, 0)
    ann.table.my_turn()
    table.note_cards()
    own = table.holds(ROUNDS)
    for left in range(ROUNDS, 0, -1):
        table.holds(left)
        table.lay(table.hand()[0])
        over = re.compile("wins?$|^A draw$")
        expect(
            table.control("Take the point")
            .or_(table.board.get_by_role("gridcell", name=re.compile("you can pick this")))
            .or_(ann.page.get_by_role("heading", level=1, name=over))
            .first
        ).to_be_visible()
        if table.control("Take the point").is_visible():
            table.take()
    ann.table.says(over)
    log = ann.asks(f"/api/tables/{ann.table.id}/log").json()["events"]
    happened = [each for event in log if event["type"] == "played" for each in event["events"]]
    turned = {card for each in happened if each["type"] == "revealed" for card in each["cards"]}
    assert len(turned) == 2 * ROUNDS
    assert turned <= table.cards_noted()
    assert turned - set(own)
    assert len(wire.asked("legal")) <= 3 * ROUNDS + 2


def test_a_card_is_dragged_to_its_place_and_let_go_beside_it_it_stays_in_the_hand(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hers, _ = sit_down(ann, ben)
    first, second, *_ = hers.hand()
    hers.may_lay()
    box = hers.card(first).bounding_box()
    assert box is not None
    ann.page.mouse.move(box["x"] + 20, box["y"] + 20)
    ann.page.mouse.down()
    ann.page.mouse.move(5, 5, steps=4)
    ann.page.mouse.up()
    expect(hers.card(first)).to_have_accessible_name(re.compile("you can pick this$"))
    hers.holds(ROUNDS)
    hers.drag(second)
    hers.has(0, f"the {second}, face down")


def test_a_game_is_played_by_keyboard_pick_by_pick(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hers, his = sit_down(ann, ben)
    keys = Keyboard(ann.page)
    hers.may_lay()
    low, second, *_, high = hers.hand()
    keys.tab_to(hers.board.get_by_role("gridcell"))
    # Up and down between rows that do not stand above one another, and along the hand.
    keys.press("ArrowDown", "ArrowDown", "Home")
    expect(hers.card(low)).to_be_focused()
    keys.press("Enter")
    expect(hers.card(low)).to_have_accessible_name(re.compile(", picked$"))
    expect(hers.place(0)).to_have_accessible_name(re.compile("you can play here$"))
    expect(ann.page.get_by_text(f"Picked: Your {low}. Next: Red's place.")).to_be_attached()
    keys.press("Escape")
    expect(hers.card(low)).to_have_accessible_name(re.compile("you can pick this$"))
    # Another one in its stead, and that one by its key.
    keys.press("Enter", "ArrowRight", "Enter")
    expect(hers.card(second)).to_have_accessible_name(re.compile(", picked$"))
    keys.press("4")
    expect(hers.card(high)).to_have_accessible_name(re.compile(", picked$"))
    keys.press("ArrowUp", "Enter")
    hers.has(0, f"the {high}, face down")
    his.lay(his.hand()[0])
    hers.has(1, "turned over")
    if hers.is_chooser():
        expect(hers.control("Trade a card")).to_be_visible()
        keys.press("r")
        expect(hers.control("Trade a card")).to_have_attribute("aria-pressed", "true")
        keys.press("Escape")
        hers.control("Take the point").focus()
        expect(hers.control("Trade a card")).to_have_attribute("aria-pressed", "false")
        keys.press("t")
        # A choice that is gone takes nobody's place away: one is back on the board.
        expect(hers.board.locator("[role=gridcell]:focus")).to_have_count(1)
        expect(ann.table.seat(ann.name)).to_contain_text("1 point")
    else:
        # A choice that is gone takes nobody's place away: one is back on the board.
        his.control("Take the point").focus()
        Keyboard(ben.page).press("Enter")
        expect(his.board.locator("[role=gridcell]:focus")).to_have_count(1)
    keys.press("?")
    help = ann.page.get_by_role("dialog")
    expect(help).to_contain_text("take the point of the round")
    expect(help).to_contain_text("1 2 3 4 5 6")


def test_on_a_phone_the_controls_are_within_reach_and_cover_nothing(meet: Meet) -> None:
    ann, ben = meet("Ann", viewport=PHONE, touch=True), meet("Ben")
    ben.hall.seat("parlour", ben, ann, seats=2)
    hers, his = CardTable(ann, 1), CardTable(ben, 0)
    hers.may_lay()
    before = hers.board.bounding_box()
    hers.card(hers.hand()[-1]).tap()
    assert violations(ann.page) == []
    hers.place(1).tap()
    his.lay(his.hand()[0])
    hers.has(0, "turned over")
    if hers.is_chooser():
        hers.control("Trade a card").tap()
        expect(hers.control("Trade a card")).to_have_attribute("aria-pressed", "true")
        assert violations(ann.page) == []
        assert too_small(ann.page) == []
        board, bar = hers.board.bounding_box(), hers.controls.bounding_box()
        assert board == before, "the board stays as large as it was"
        assert board is not None
        assert bar is not None
        assert board["y"] + board["height"] <= bar["y"]
        assert PHONE["height"] / 2 < bar["y"] < bar["y"] + bar["height"] < PHONE["height"]
    fits(ann.page)


def test_a_point_is_let_go_for_a_card_that_nobody_else_sees(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    wires = {ann.name: Wiretap(ann), ben.name: Wiretap(ben)}
    tables = sit_down(ann, ben)
    for table in tables:
        table.lay(table.hand()[-1])
    tables[0].has(1, "turned over")
    winner, loser = tables if tables[0].is_chooser() else reversed(tables)
    before = winner.holds(ROUNDS - 1)
    known = wires[loser.person.name].cards()
    winner.control("Trade a card").click()
    winner.card(before[0]).click()
    expect(winner.card(before[0])).to_have_count(0)
    [drawn] = set(winner.holds(ROUNDS - 1)) - set(before)
    loser.has(loser.seat, "no card")
    assert drawn not in loser.faces(ROUNDS - 1)
    assert wires[loser.person.name].cards() == known
    expect(winner.person.table.move(3)).to_contain_text(f"trades {before[0]}")
    expect(loser.person.table.move(3)).to_contain_text(re.compile("trades$"))


def test_the_page_that_is_served_to_people_knows_nothing_of_the_games_of_tests() -> None:
    page = Path(__file__).parents[2] / "src" / "gamut" / "page"
    scripts = list(page.glob("assets/*.js"))
    assert scripts
    assert not [script.name for script in scripts if "parlour" in script.read_text().lower()]
