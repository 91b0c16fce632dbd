"""The title and the icon of the page, by which a tab calls whoever looks elsewhere."""

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall, place


def test_the_title_says_that_it_is_your_turn_wherever_you_are(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), hall.guest("Ben")
    topple = hall.seat("topple", ann, ben)
    ann.table.my_turn()
    expect(ann.page).to_have_title("Your turn · gamut")
    page = ann.page
    for path, title in (
        ("/", "gamut"),
        ("/me", f"{ann.name} · gamut"),
        ("/settings", "Settings · gamut"),
        ("/login", "Log in · gamut"),
        ("/play/tower", "How to play Tower · gamut"),
        ("/nowhere/at/all", "gamut"),
    ):
        ann.goes_to(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page).to_have_title(f"(1) {title}")
        assert ann.icon.startswith("data:image/svg+xml,"), path
    # At another table, where others are to move, too.
    ann.opens("tower")
    ann.table.says("Waiting for 2 players")
    expect(page).to_have_title("(1) Waiting for 2 players · gamut")
    page.get_by_role("link", name="Your turn in Topple").click()
    ann.table.my_turn()
    expect(page).to_have_title("Your turn · gamut")
    ann.table.board.get_by_role("gridcell").first.click()
    ann.table.says(f"{ben.name}'s turn")
    page.get_by_role("link", name="You: ").click()
    ann.table.says(ann.name)
    expect(page).to_have_title(f"{ann.name} · gamut")
    assert ann.icon == "/favicon.svg"
    # And when the turn comes while one is there.
    ben.act(topple, place(35))
    expect(page).to_have_title(f"(1) {ann.name} · gamut")
