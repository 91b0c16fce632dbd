"""Power Chess on the page: by mouse, touch and keyboard, with boxes, powers, and what the other must not know."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Meet, new_server
from tests.browser.support.axe import in_words, violations
from tests.browser.support.elsewhere import Action, Hall
from tests.browser.support.files import choose_file
from tests.browser.support.keyboard import Keyboard
from tests.browser.support.parlour import Wiretap
from tests.browser.support.person import Person
from tests.browser.support.phone import PHONE, fits, too_small
from tests.browser.support.powerchess import ChessBoard, step
from tests.net.support.process import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Boxes come where it is written, with the powers that are written."""
    with new_server(tmp_path_factory, ("tests.browser.support.powerchess_server",)) as server:
        yield server


FIRST_BOX = (step("e2", "e4"), step("a7", "a6"), step("e4", "e5"))
"""White takes the common box on e5, and chooses between Shield and Swap."""


def sit_down(ann: Person, ben: Person, *moves: Action) -> tuple[ChessBoard, ChessBoard]:
    """Ann is White, Ben is Black; so far they have made these moves."""
    ann.hall.seat("powerchess", ann, ben, moves=moves)
    for person in (ann, ben):
        person.table.says(re.compile("turn$"))
    return ChessBoard(ann), ChessBoard(ben)


def test_a_game_by_mouse_with_every_rarity_until_the_king_falls(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    white, black = sit_down(ann, ben)
    white.drag("e2", "e4")
    black.drag("a7", "a6")
    white.take_box("e4", "e5")
    ben.table.says(f"{ann.name}'s turn")
    expect(black.controls).to_contain_text("White has taken a common box and chooses a power.")
    white.use("Shield")
    for board in (white, black):
        board.shows("e5", "white pawn, shield for 6 more moves")
        expect(board.lasting).to_contain_text("White's pawn on e5")
    black.move("d7", "d5")
    white.shows("e5", "white pawn, shield for 5 more moves")
    white.move("c2", "c3")
    black.move("b7", "b6")
    # A pawn takes the box diagonally.
    white.take_box("c3", "d4")
    white.use("Black Hole", "g5")
    black.shows("g5", "black hole for 12 more moves")
    black.move("h7", "h6")
    white.take_box("g1", "f3")
    white.use("Awaken")
    black.shows("f3", "white queen, invulnerable for 2 more moves, awake for 8 more moves, really a knight")
    black.space("g5").hover()
    expect(ben.page.get_by_role("tooltip")).to_contain_text("nothing can land here for 10 more moves")
    black.move("g7", "g6")
    white.move("f3", "d5")
    expect(white.captured("Black")).to_have_accessible_name("Black has lost pawn")
    black.move("a6", "a5")
    white.drag("d5", "d8")
    expect(black.captured("Black")).to_have_accessible_name("Black has lost queen, pawn")
    black.move("a5", "a4")
    white.move("d8", "e8")
    ann.table.says("You win")
    ben.table.says(f"{ann.name} wins")
    expect(ann.page.get_by_text("The king was captured", exact=True)).to_be_visible()
    expect(ann.table.board.locator(".win path")).to_have_count(1)


def test_what_was_offered_is_known_to_nobody_else_until_the_game_is_over(meet: Meet, hall: Hall) -> None:
    ann, ben, cas = meet("Ann"), meet("Ben"), meet("Cas")
    wires = Wiretap(ben), Wiretap(cas)
    table = hall.seat("powerchess", ann, ben, moves=FIRST_BOX[:2])
    white, black = ChessBoard(ann), ChessBoard(ben)
    cas.open(table.invitation)
    expect(cas.table.board).to_be_visible()
    white.take_box("e4", "e5")
    white.hold("Swap")
    black.shows("e5", "white pawn")
    ChessBoard(cas).shows("e5", "white pawn")
    for person, wire in zip((ben, cas), wires, strict=True):
        expect(person.table.seat(ann.name)).to_contain_text("chooses a power")
        shown = person.page.locator("body").inner_html().lower()
        told = repr(wire.heard).lower()
        assert "unseen" in told, "the frame that would have it in it was heard"
        for text in (shown, told):
            assert not {word for word in ("shield", "swap") if word in text}
    white.use("Shield")
    black.shows("e5", "white pawn, shield for 6 more moves")
    ChessBoard(cas).shows("e5", "white pawn, shield for 6 more moves")
    for person, wire in zip((ben, cas), wires, strict=True):
        assert "shield" in repr(wire.heard)
        assert "swap" not in repr(wire.heard)
        assert "swap" not in person.page.locator("body").inner_html().lower()
    ben.table.do("Resign", sure=True)
    ann.table.says("You win")
    # In the review both are there for everybody.
    ben.table.tab("In play").click()
    ben.table.move(3).click()
    expect(black.offer).to_contain_text("Shield")
    expect(black.offer).to_contain_text("Swap")


def test_whoever_touches_a_card_sees_where_it_can_be_used_and_may_change_their_mind(meet: Meet) -> None:
    white, black = sit_down(meet("Ann"), meet("Ben"), *FIRST_BOX)
    white.hold("Swap")
    own = {f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2)} - {"e2"}
    assert white.targets() == own
    white.hold("Shield")
    expect(white.controls.get_by_role("button", name="Use Shield")).to_be_visible()
    expect(white.card("Swap")).to_have_attribute("aria-pressed", "false")
    white.use("Swap", "g1")
    for board in (white, black):
        board.shows("e5", "white knight")
        board.shows("g1", "white pawn")
    black.move("b7", "b6")


def test_a_game_by_keyboard_alone(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), hall.guest("Ben")
    table = hall.seat("powerchess", ann, ben)
    white, keyboard = ChessBoard(ann), ann.page.keyboard
    ann.table.my_turn()
    Keyboard(ann.page).tab_to(ann.table.board.get_by_role("gridcell"))
    white.walk("e2", "e4")
    ben.act(table, step("a7", "a6"))
    white.walk("e4", "e5")
    expect(white.card("Shield")).to_be_visible()
    keyboard.press("2")
    expect(white.card("Swap")).to_have_attribute("aria-pressed", "true")
    keyboard.press("Escape")
    expect(white.card("Swap")).to_have_attribute("aria-pressed", "false")
    keyboard.press("1")
    expect(white.card("Shield")).to_have_attribute("aria-pressed", "true")
    keyboard.press("u")
    white.shows("e5", "white pawn, shield for 6 more moves")
    ben.act(table, step("b7", "b6"))
    white.walk("d2", "d3")


def test_a_pawn_becomes_what_its_player_says(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    walked = ("a2 a4", "h7 h6", "a4 a5", "h6 h5", "a5 a6", "h5 h4", "a6 b7", "h4 h3")
    white, black = sit_down(ann, ben, *(step(*move.split()) for move in walked))
    white.pick("b7")
    white.space("a8").click()
    for piece in ("queen", "rook", "bishop"):
        expect(white.controls.get_by_role("button", name=f"Becomes a {piece}")).to_be_visible()
    white.controls.get_by_role("button", name="Becomes a knight").click()
    black.shows("a8", "white knight")
    expect(ann.table.move(9)).to_contain_text("b7xa8=N")
    ben.table.my_turn()


def test_black_sees_the_own_pieces_below_and_may_turn_the_board(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    white, black = sit_down(ann, ben)
    assert white.middle("e1")[1] > white.middle("e8")[1]
    assert black.middle("e8")[1] > black.middle("e1")[1]
    ben.page.keyboard.press("f")
    expect(black.space("a8")).to_have_attribute("aria-colindex", "1")
    assert black.middle("e1")[1] > black.middle("e8")[1]


def test_a_draw_that_was_offered_stands_while_a_power_is_used(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    white, black = sit_down(ann, ben, *FIRST_BOX)
    ben.table.do("Offer a draw")
    expect(ben.page.get_by_role("dialog")).to_have_accessible_name(f"Offer {ann.name} a draw?")
    ben.table.confirm("Offer a draw")
    expect(ann.table.button("Accept the draw")).to_be_visible()
    white.use("Shield")
    black.shows("e5", "white pawn, shield for 6 more moves")
    # Also for somebody who comes back.
    ann.page.reload()
    ann.table.do("Accept the draw")
    for person in (ann, ben):
        person.table.says("Draw agreed")
        accepted = f"{ben.name} offered, {ann.name} accepted"
        expect(person.page.get_by_text(accepted, exact=True)).to_be_visible()
        expect(person.table.move(5)).to_contain_text(accepted)
    expect(ben.page.get_by_role("log").first).to_contain_text(f"{ann.name} accepts the draw.")


def test_a_bot_declines_a_draw_while_the_game_is_young_and_is_asked_once_a_move(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("powerchess")
    ann.table.my_turn()
    ann.table.button("Offer a draw").focus()
    ann.page.keyboard.press("Enter")
    keys = Keyboard(ann.page)
    keys.tab_to(ann.page.get_by_role("dialog").get_by_role("button", name="Offer a draw"))
    keys.press("Enter")
    expect(ann.page.get_by_text("Mizar declines the draw.", exact=True)).to_be_visible()
    expect(ann.page.get_by_role("log").first).to_contain_text("Mizar declines the draw.")
    ann.table.says("Your turn")
    offer = ann.table.button("Offer a draw")
    expect(offer).to_be_disabled()
    expect(offer).to_have_accessible_description("Declined; again after your next move")
    # The button by which it was asked cannot be pressed any more: whoever uses the keyboard is not lost.
    expect(ann.page.get_by_role("heading", level=1)).to_be_focused()


def test_a_whole_game_against_a_bot(meet: Meet) -> None:
    ann = meet("Ann")
    new = ann.comes_to_the_lobby().new_table("Power Chess").choose("You play", "Black")
    new.seat(1, "Sensible bot").open()
    ChessBoard(ann).play_out()
    expect(ann.table.button("Rematch")).to_be_visible()


def test_cards_that_could_not_be_fetched_say_so_and_can_be_tried_again(meet: Meet) -> None:
    ann, ben = meet("Ann", fresh=True), meet("Ben")
    ann.page.route("**/assets/at_table-*.js", lambda route: route.abort())
    with ann.troubles.excused("net::ERR_FAILED"):
        white, black = sit_down(ann, ben, *FIRST_BOX)
        expect(white.controls).to_contain_text("A part of this page could not be loaded.")
        ann.page.unroute("**/assets/at_table-*.js")
        white.controls.get_by_role("button", name="Try again").click()
        expect(white.controls.get_by_role("button", name="Try again")).to_have_count(0)
    white.use("Shield")
    black.shows("e5", "white pawn, shield for 6 more moves")


def test_clocks_have_the_names_that_players_know(meet: Meet) -> None:
    ann = meet("Ann")
    new = ann.comes_to_the_lobby().new_table("Power Chess").choose("Clock", "Quick")
    expect(new.dialog.get_by_text("5 min + 5 s", exact=True)).to_be_visible()
    new.choose("Clock", "Per game").number("Minutes", 7)
    new.choose("Clock", "Slow").seat(2, "Casual bot").open()
    ann.table.my_turn()
    expect(ann.table.clock(ann.name)).to_have_accessible_name(re.compile("has 4[45]:"))


def test_a_review_has_every_box_and_power_and_a_file(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    white, _ = sit_down(ann, ben, *FIRST_BOX)
    white.use("Swap", "g1")
    ben.table.do("Resign", sure=True)
    ann.table.says("You win")
    expect(ann.table.move(2)).to_contain_text("a7-a6, box e5")
    expect(ann.table.move(3)).to_contain_text("e4-e5 takes common box")
    expect(ann.table.move(4)).to_contain_text("Swap g1")
    ann.table.tab("In play").click()
    ann.table.move(2).click()
    white.shows("e5", "common box")
    ann.table.move(3).click()
    white.shows("e5", "white pawn")
    expect(white.offer.get_by_role("listitem")).to_have_count(2)
    ann.table.move(4).click()
    white.shows("e5", "white knight")
    expect(white.offer).to_have_count(0)
    # Whoever reviews plays on: first as it was, then the other power, and an answer to it. What was played stays.
    ann.table.move(2).click()
    expect(ann.page.get_by_text("What is left to chance is drawn anew")).to_be_visible()
    white.pick("e4")
    white.space("e5").click()
    expect(ann.table.slider).to_have_value("3")
    white.use("Shield")
    white.shows("e5", "white pawn, shield for 6 more moves")
    white.pick("d7")
    white.space("d5").click()
    white.shows("d5", "black pawn")
    lines = ann.table.moves.get_by_role("list", name="Other lines")
    expect(lines.get_by_role("button")).to_have_text([re.compile("Shield"), re.compile("d7-d5")])
    with ann.page.expect_download() as downloading:
        ann.page.get_by_role("link", name="Download .pgn").first.click()
    file = downloading.value.path().read_text()
    assert "[%offer shield swap]" in file
    assert "[%use swap g1]" in file
    # And the file is a review of its own.
    ben.open("/")
    choose_file(ben, "game.pgn", file.encode())
    expect(ben.table.move(4)).to_contain_text("Swap g1")


def test_a_finger_plays_with_a_power_and_asks(meet: Meet, hall: Hall) -> None:
    ann = meet("Ann", viewport=PHONE, touch=True)
    ben = hall.guest("Ben")
    table, white = hall.seat("powerchess", ann, ben), ChessBoard(ann)
    white.tap("e2", "e4")
    ben.act(table, step("a7", "a6"))
    ann.table.my_turn()
    before = white.middle("a1")
    white.tap("e4", "e5")
    expect(white.card("Shield")).to_be_in_viewport()
    fits(ann.page)
    assert not too_small(ann.page)
    white.card("Shield").tap()
    expect(white.controls.get_by_role("button", name="Use Shield")).to_be_in_viewport()
    assert white.middle("a1") == before, "the board has not moved under the finger"
    white.controls.get_by_role("button", name="Use Shield").tap()
    white.shows("e5", "white pawn, shield for 6 more moves")
    # A finger that rests on the pawn asks about it, and does nothing else.
    x, y = white.middle("e5")
    touch = ann.context.new_cdp_session(ann.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(ann.page.get_by_role("tooltip")).to_contain_text("Shield: it cannot be captured")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    ann.table.tab("In play").tap()
    expect(white.lasting).to_contain_text("6 moves left")
    fits(ann.page)


def test_how_to_play_has_a_card_for_each_power(meet: Meet) -> None:
    ann = meet("Ann").open("/play/powerchess")
    ann.table.says("How to play Power Chess")
    cards = ann.page.locator("section").filter(has=ann.page.get_by_role("heading", name="The powers"))
    expect(cards.get_by_role("listitem")).to_have_count(14)
    expect(cards.get_by_role("listitem").filter(has_text="Eye for an Eye")).to_contain_text("both destroyed")


def test_axe_finds_no_violation_around_power_chess(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    page, found = ann.page, {}
    white, _ = sit_down(ann, ben, *FIRST_BOX)
    found["cards"] = violations(page)
    found["the other waits"] = violations(ben.page)
    white.hold("Shield")
    found["a card held"] = violations(page)
    white.use("Swap", "g1")
    ben.table.my_turn()
    found["game"] = violations(page)
    ben.table.do("Resign", sure=True)
    ann.table.says("You win")
    ann.table.tab("In play").click()
    ann.table.move(3).click()
    expect(white.offer).to_be_visible()
    found["review"] = violations(page)
    ann.open("/play/powerchess")
    ann.table.says("How to play Power Chess")
    found["how to play"] = violations(page)
    assert not in_words(found)
