"""What a game may bring along around its board: panels, a form for its options, the time before the start."""

import re

from playwright.sync_api import Locator, ViewportSize, expect
from tests.browser.conftest import Meet
from tests.browser.support.altered import alter
from tests.browser.support.person import Person
from tests.browser.support.phone import PHONE

DESKTOP: ViewportSize = {"width": 1440, "height": 900}
LAPTOP: ViewportSize = {"width": 1100, "height": 800}

WRITE = """
    // A component as small as can be: what it is given is written into one element, whenever that may have changed.
    const component = (write) => (anchor, props) => {
        const element = document.createElement("p");
        anchor.before(element);
        const timer = setInterval(() => element.isConnected ? write(element, props) : clearInterval(timer), 20);
        write(element, props);
    };
"""
SHEET = """panels: [
    { id: "sheet", title: "Score sheet", Panel: component((element, { state, viewer, table }) => {
        const marks = state.marks.filter((mark) => mark !== 3).length;
        element.textContent = `${marks} marks, seen from seat ${viewer} of ${table.seats.length}`;
    }) },
    { id: "graveyard", title: "Graveyard", Panel: () => { throw new Error("broken on purpose") } },
]"""


def with_panels(person: Person) -> None:
    alter(person.context, "tower", SHEET, before=WRITE)
    person.plays_bots("tower", bots=2)
    person.table.my_turn()


def sheet(person: Person, text: str) -> None:
    expect(person.page.get_by_text(text)).to_be_visible()


def panel(person: Person, title: str) -> Locator:
    return person.page.get_by_role("region", name=title)


def test_panels_are_a_column_where_there_is_room(meet: Meet) -> None:
    person = meet("Ann", viewport=DESKTOP)
    with person.troubles.excused("broken on purpose"):
        with_panels(person)
        expect(panel(person, "Score sheet")).to_contain_text("0 marks, seen from seat 0 of 3")
        # One that breaks says so, and nothing else suffers.
        expect(panel(person, "Graveyard").get_by_role("button", name="Try again")).to_be_visible()
    person.table.place(0)
    person.table.my_turn()
    expect(panel(person, "Score sheet")).to_contain_text("3 marks")
    expect(person.table.tab("Score sheet")).to_have_count(0)
    board, beside = person.table.board.bounding_box(), panel(person, "Score sheet").bounding_box()
    assert board is not None
    assert beside is not None
    assert board["x"] + board["width"] <= beside["x"]


def test_panels_are_tabs_where_there_is_less(meet: Meet) -> None:
    for viewport in (LAPTOP, PHONE):
        person = meet("Ann", viewport=viewport)
        with_panels(person)
        expect(panel(person, "Score sheet")).to_have_count(0)
        person.table.tab("Score sheet").click()
        sheet(person, "0 marks, seen from seat 0 of 3")
        # The others are where they were.
        person.table.tab("Chat").click()
        expect(person.page.get_by_text("marks, seen from")).to_have_count(0)
        expect(person.page.get_by_role("textbox", name="Say something")).to_be_visible()
        wider = person.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wider, "nothing hangs over the edge"


def test_a_panel_that_is_read_now_and_then_leaves_the_room_to_the_board(meet: Meet) -> None:
    person = meet("Ann", viewport=DESKTOP)
    read = SHEET.replace('title: "Score sheet",', 'title: "Score sheet", tab: true,')
    read = read[: read.index('{ id: "graveyard"')] + "]"
    alter(person.context, "tower", read, before=WRITE)
    person.plays_bots("tower", bots=2)
    person.table.my_turn()
    expect(panel(person, "Score sheet")).to_have_count(0)
    expect(person.page.get_by_role("group", name="Beside the board")).to_have_count(0)
    person.table.tab("Score sheet").click()
    sheet(person, "0 marks, seen from seat 0 of 3")


def test_a_move_that_takes_many_words_stays_in_its_own_place_in_the_list(meet: Meet) -> None:
    person = meet("Ann", viewport=DESKTOP)
    alter(
        person.context,
        "tower",
        "notation: (event) => event.type === 'placed' ? 'bids 10 (10:11:12:13:14)' : null",
    )
    person.plays_bots("tower", bots=2)
    person.table.place(0)
    person.table.my_turn()
    moves = person.table.moves.get_by_role("button")
    expect(moves).to_have_count(3)
    for move in moves.all():
        expect(move).to_contain_text("bids 10 (10:11:12:13:14)")
        assert move.evaluate("move => move.scrollWidth <= move.clientWidth"), "it hangs over the next one"


def test_a_game_may_bring_its_own_form_for_its_options(meet: Meet) -> None:
    person = meet("Ann")
    form = """OptionsForm: (anchor, props) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = "A small board";
        button.onclick = () => props.onchange({ ...props.options, x: 3, y: 4 });
        anchor.before(button);
    }"""
    alter(person.context, "topple", form)
    table = person.comes_to_the_lobby().new_table("Topple")
    expect(table.dialog.get_by_role("spinbutton", name="Columns")).to_have_count(0)
    table.dialog.get_by_role("button", name="A small board").click()
    table.open()
    expect(person.table.board.get_by_role("gridcell")).to_have_count(12)
    # The same form changes the settings of a table that is there.
    person.page.get_by_role("button", name="Change settings").click()
    expect(person.page.get_by_role("dialog").get_by_role("button", name="A small board")).to_be_visible()


def test_the_number_of_seats_may_follow_from_the_options(meet: Meet) -> None:
    person = meet("Ann")
    alter(person.context, "topple", "seatsFor: ({ scoring }) => scoring === 'elim' ? [2, 3] : [4]")
    table = person.comes_to_the_lobby().new_table("Topple")
    seats = table.dialog.get_by_role("combobox", name=re.compile("^Seat"))
    expect(table.dialog.get_by_role("group", name="Players").get_by_role("radio")).to_have_count(2)
    expect(seats).to_have_count(1)
    table.choose("Who wins", "Points for tiles")
    expect(table.dialog.get_by_role("group", name="Players")).to_have_count(0)
    expect(seats).to_have_count(3)


def test_a_game_may_arrange_the_time_before_its_start(meet: Meet) -> None:
    host, guest = meet("Ann"), meet("Ben")
    part = """BeforeStart: (anchor, props) => {
        const button = document.createElement("button");
        button.textContent = `Promote seat 2, as ${props.host ? "host" : "guest"} in seat ${props.viewer}`;
        button.onclick = () => props.ask({ type: "promote", table: props.table.id, seat: 1 });
        anchor.before(button);
    }"""
    for person in (host, guest):
        alter(person.context, "tower", part)
    host.hall.seat("tower", host, guest)
    expect(guest.page.get_by_role("button", name="as guest in seat 1")).to_be_visible()
    # What the server refuses is said.
    guest.page.get_by_role("button", name="as guest in seat 1").click()
    expect(guest.page.get_by_role("status").get_by_text("host").last).to_be_visible()
    host.page.get_by_role("button", name="as host in seat 0").click()
    expect(host.table.seat(guest.name)).to_contain_text("host")
    guest.table.with_seat("Add a bot", "Casual bot")
    guest.table.says(f"{host.name}'s turn")
    expect(guest.page.get_by_role("button", name="Promote seat 2")).to_have_count(0)
