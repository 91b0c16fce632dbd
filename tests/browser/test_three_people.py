"""Three people, each with a browser of their own, at one table."""

from playwright.sync_api import expect
from tests.browser.conftest import Meet, Three
from tests.browser.support.elsewhere import Hall, place
from tests.browser.support.tower import LINE, NAMES, SHORT_GAME


def test_three_people_play_to_a_win_and_each_sees_the_line_and_the_result(three: Three) -> None:
    ann, ben, cas = three
    for turn, tile in enumerate(SHORT_GAME):
        three[turn % 3].table.place(tile)
    for person in three:
        person.table.shows(SHORT_GAME)
        assert person.table.winning_line() == set(LINE)
        expect(person.page.get_by_text("Three in a line", exact=True)).to_be_visible()
        aloud = "; ".join(NAMES[tile] for tile in LINE)
        expect(person.page.get_by_role("log").first).to_contain_text(f"Three in a line: {aloud}.")
    ann.table.says("You win")
    for loser in (ben, cas):
        loser.table.says(f"{ann.name} wins")


def test_the_title_and_the_icon_tell_whose_turn_it_is(three: Three) -> None:
    ann, ben, _ = three
    expect(ann.page).to_have_title("Your turn · gamut")
    expect(ben.page).to_have_title(f"{ann.name}'s turn · gamut")
    assert ann.icon.startswith("data:image/svg+xml,")
    assert ben.icon == "/favicon.svg"
    ann.table.place(0)
    expect(ben.page).to_have_title("Your turn · gamut")
    expect(ann.page).to_have_title(f"{ben.name}'s turn · gamut")
    assert ben.icon.startswith("data:image/svg+xml,")
    assert ann.icon == "/favicon.svg"


def test_a_reload_in_mid_game_brings_back_the_same_seat(three: Three) -> None:
    ann, ben, cas = three
    ann.table.place(0)
    ben.table.my_turn()
    ben.page.reload()
    ben.table.my_turn()
    ben.table.shows([0])
    ben.table.place(8)
    for other in (ann, cas):
        other.table.shows([0, 8])
    cas.table.my_turn()


def test_every_move_is_read_aloud(meet: Meet, hall: Hall) -> None:
    ann, ben = hall.guest("Ann"), meet("Ben")
    table = hall.seat("tower", ann, ben, hall.guest("Cas"))
    ben.table.says(f"{ann.name}'s turn")
    ann.act(table, place(12))
    expect(ben.page.get_by_role("log").first).to_have_text(
        f"{ann.name}: X on B5, middle ring, right. Your turn"
    )


def test_a_second_tab_has_the_same_seat_and_sees_the_same_moves(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tower", bots=2)
    ann.table.my_turn()
    tab = ann.another_tab().open(f"/t/{ann.table.id}")
    tab.table.my_turn()
    expect(tab.table.seat(ann.name)).to_contain_text("you")
    tab.table.place(0)
    expect(ann.table.move(3)).to_be_visible()
    expect(ann.table.tile(0)).to_have_accessible_name("A1, upper ring, back left: X")
    ann.table.my_turn()
    tab.table.my_turn()


def test_a_slip_can_be_taken_back_before_it_is_sent(meet: Meet) -> None:
    ann = meet("Ann").open("/settings")
    ann.page.get_by_role("switch", name="Ask before a move is sent").check(force=True)
    ann.plays_bots("tower", bots=2)
    ann.table.my_turn()
    ann.table.tile(3).click()
    expect(ann.table.button("Place it")).to_be_visible()
    ann.table.do("Take back")
    expect(ann.table.button("Place it")).to_be_hidden()
    ann.table.shows([])
    ann.table.tile(5).click()
    ann.table.do("Place it")
    expect(ann.table.move(3)).to_be_visible()
    expect(ann.table.tile(5)).to_have_accessible_name("A6, upper ring, front left: X")
    expect(ann.table.tile(3)).not_to_have_accessible_name("A4, upper ring, left: X")


def test_earlier_positions_can_be_looked_at_while_the_game_goes_on(meet: Meet, hall: Hall) -> None:
    ann, ben, cas = meet("Ann"), hall.guest("Ben"), hall.guest("Cas")
    table = hall.seat("tower", ann, ben, cas, moves=[place(0), place(8)])
    ann.table.move(1).click()
    ann.table.shows([0])
    expect(ann.page.get_by_text("You look at move 1 of 2")).to_be_visible()
    cas.act(table, place(16))
    ann.table.my_turn()
    ann.table.shows([0])
    ann.page.get_by_role("button", name="Back to now").click()
    ann.table.shows([0, 8, 16])
    ann.table.place(1)
