"""Making a table, filling it, and looking after it."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall, place
from tests.browser.support.lobby import NewTable
from tests.browser.support.person import Person

FIVE_MINUTES = {"kind": "bank", "main": 300_000, "increment": 5_000}


def seconds(person: Person, name: str) -> float:
    """What somebody's clock shows."""
    minutes, _, rest = (person.table.clock(name).text_content() or "").strip().rpartition(":")
    return int(minutes or 0) * 60 + float(rest)


def test_the_dialog_offers_what_the_game_and_the_hall_allow(meet: Meet) -> None:
    ann = meet("Ann")
    new = ann.comes_to_the_lobby().new_table("Tower")
    for seat in (2, 3):
        expect(new.dialog.get_by_role("combobox", name=f"Seat {seat}").get_by_role("option")).to_have_text(
            ["Anyone", "Casual bot", "Sensible bot", "Strong bot"]
        )
    expect(new.dialog.get_by_role("group", name="Clock").get_by_role("radio")).to_have_count(4)
    new.choose("Clock", "With overtime")
    for field in ("Minutes", "Periods", "Seconds a period"):
        expect(new.dialog.get_by_role("spinbutton", name=field)).to_be_visible()
    new.choose("Clock", "Per game").number("Minutes", 3).number("Seconds added", 2)
    new.seat(3, "Strong bot").choose("Begins", "when I say so").open()
    ann.table.says("Waiting for 1 player")
    expect(ann.page.locator(".seat")).to_contain_text(["Free seat", "Granite", ann.name])
    ann.table.tab("Table").click()
    facts = ann.page.get_by_role("tabpanel")
    expect(facts).to_contain_text("3 min + 2 s")
    expect(facts).to_contain_text("when I say so")


def test_a_host_changes_the_settings_before_the_start_and_everyone_sees_it(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("tower", ann, ben)
    ben.table.tab("Table").click()
    expect(ben.page.get_by_role("tabpanel")).to_contain_text("no clock")
    expect(ben.page.get_by_role("button", name="Change settings")).to_have_count(0)
    ann.page.get_by_role("button", name="Change settings").first.click()
    changes = NewTable(ann.page).choose("Clock", "Per turn").number("Seconds a turn", 45)
    changes.dialog.get_by_role("button", name="Save the settings").click()
    expect(changes.dialog).to_be_hidden()
    expect(ben.page.get_by_role("tabpanel")).to_contain_text("45 s a turn")


def test_clocks_count_down_and_agree_between_two_browsers(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("tower", ann, ben, bots=["casual"], clock=FIVE_MINUTES)
    ann.table.my_turn()
    start = ann.table.clock(ann.name).text_content() or ""
    expect(ann.table.clock(ann.name)).not_to_have_text(start)
    expect(ben.table.clock(ben.name)).to_have_text("5:00")
    assert abs(seconds(ann, ann.name) - seconds(ben, ann.name)) <= 2
    ann.table.place(0)
    ben.table.my_turn()
    # Five seconds for the move are Ann's, and hers stands still while Ben's runs.
    held = ann.table.clock(ann.name).text_content() or ""
    expect(ben.table.clock(ben.name)).not_to_have_text("5:00")
    expect(ann.table.clock(ben.name)).not_to_have_text("5:00")
    expect(ann.table.clock(ann.name)).to_have_text(held)
    expect(ben.table.clock(ann.name)).to_have_text(held)


def test_a_clock_that_runs_out_plays_for_its_owner(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tower", bots=2, clock={"kind": "turn", "limit": 3_000})
    ann.table.my_turn()
    expect(ann.table.move(1)).to_have_accessible_name(re.compile("out of time"))


def test_a_host_kicks_and_the_kicked_cannot_come_back(meet: Meet, hall: Hall) -> None:
    ann, rude = meet("Ann"), meet("Rude")
    hall.seat("tower", ann, rude, private=False)
    expect(rude.table.seat(rude.name)).to_contain_text("you")
    ann.table.with_seat(rude.name, f"Ask {rude.name} to leave")
    question = f"Ask {rude.name} to leave? They cannot sit here again; they may watch like everybody else."
    expect(ann.page.get_by_role("dialog")).to_have_accessible_name(question)
    ann.table.confirm(f"Ask {rude.name} to leave")
    expect(ann.table.seat(rude.name)).to_have_count(0)
    expect(rude.table.seat(rude.name)).to_have_count(0)
    rude.sees_toast("You can watch.")
    # Nothing is offered that would be refused, also to whoever comes by the link again.
    rude.page.reload()
    expect(rude.table.seat("Free seat")).to_have_count(2)
    expect(rude.page.get_by_role("button", name="Sit here")).to_have_count(0)
    expect(ann.table.seat("Free seat")).to_have_count(2)


def test_whoever_is_made_host_has_the_host_s_tools(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("tower", ann, ben, start="host")
    expect(ben.table.seat(ben.name)).to_contain_text("you")
    expect(ben.page.get_by_role("button", name="Add a bot")).to_have_count(0)
    ann.table.with_seat("Add a bot", "Casual bot")
    ann.table.says("Everyone is here. Start when you like.")
    ben.table.says(f"{ann.name} will start the game")
    ann.table.with_seat("Pebble", "Send Pebble off")
    ann.table.says("Waiting for 1 player")
    ann.table.with_seat(ben.name, "Make host")
    expect(ben.table.seat(ben.name)).to_contain_text("host")
    expect(ann.page.get_by_role("button", name="Add a bot")).to_have_count(0)
    ben.table.with_seat("Add a bot", "Sensible bot")
    expect(ann.table.button("Start")).to_have_count(0)
    ben.table.do("Start")
    ann.table.my_turn()


def test_a_host_pauses_and_the_game_waits(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("tower", ann, ben, hall.guest("Cas"))
    ann.table.do("Pause")
    for person in (ann, ben):
        person.table.says("Paused")
    expect(ann.table.board.get_by_role("gridcell", name=re.compile("you can play here"))).to_have_count(0)
    expect(ben.table.button("Go on")).to_have_count(0)
    ann.table.do("Go on")
    ann.table.place(0)
    ben.table.my_turn()
    ann.table.says(f"{ben.name}'s turn")


def test_a_game_begins_when_everyone_has_said_ready(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("tower", ann, ben, bots=["casual"], start="ready")
    ann.table.says("Waiting until everyone is ready")
    ann.table.do("I'm ready")
    expect(ben.table.seat(ann.name)).not_to_contain_text("not ready")
    ann.table.do("Not yet")
    expect(ben.table.seat(ann.name)).to_contain_text("not ready")
    ben.table.do("I'm ready")
    ann.table.says("Waiting until everyone is ready")
    ann.table.do("I'm ready")
    ann.table.my_turn()


def test_a_leaver_s_seat_waits_and_whoever_sits_in_plays_on(meet: Meet, hall: Hall) -> None:
    ann, ben, cas = meet("Ann"), meet("Ben"), meet("Cas")
    hall.seat("tower", ann, ben, bots=["casual"], moves=[place(0)], private=False)
    ben.table.my_turn()
    ben.table.do("Leave", sure=True)
    ben.page.wait_for_url(re.compile("/$"))
    ann.table.says("Waiting for somebody to sit in")
    cas.comes_to_the_lobby()
    waiting = cas.lobby.open_table(ann.name)
    expect(waiting).to_contain_text("Someone left; sit in")
    waiting.click()
    cas.table.place(8)
    expect(cas.table.tile(8)).to_have_accessible_name("B1, middle ring, back left: O")
    ann.table.my_turn()
    expect(ann.table.seat(cas.name)).to_be_visible()


def test_a_bot_sits_in_for_a_leaver(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), hall.guest("Ben")
    table = hall.seat("tower", ann, ben, bots=["casual"], moves=[place(0)])
    ann.table.says(f"{ben.name}'s turn")
    ben.ask("leave", table=table.id)
    ann.table.with_seat("Add a bot", "Casual bot")
    ann.table.my_turn()
    expect(ann.table.moves.get_by_role("button")).to_have_count(3)


def test_whoever_removes_the_opponent_is_asked_first_and_does_not_win(meet: Meet, hall: Hall) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    hall.seat("tafl", ann, ben)
    ann.table.my_turn()
    ann.table.with_seat(ben.name, f"Remove {ben.name} for good")
    question = f"Remove {ben.name} for good? The game ends without a result, and they cannot sit here again."
    expect(ann.page.get_by_role("dialog")).to_contain_text(question)
    ann.page.get_by_role("button", name="No", exact=True).click()
    ann.table.my_turn()
    ann.table.with_seat(ben.name, f"Remove {ben.name} from the game", sure=True)
    ben.sees_toast("The host has removed you from the game. It ends without a result.")
    expect(ben.page.get_by_role("log").first).to_contain_text(f"The host removes {ben.name} from the game.")
    for person in (ann, ben):
        person.table.says("No result")
        expect(
            person.page.get_by_text(f"{ann.name} removed {ben.name} from the game", exact=True)
        ).to_be_visible()


def test_a_bot_is_removed_from_a_running_game_only_after_a_question(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("tower", bots=2)
    ann.table.my_turn()
    ann.table.with_seat("Pebble", "Remove Pebble from the game")
    question = "Remove Pebble from the game? It rests, and the seat waits for somebody else."
    expect(ann.page.get_by_role("dialog")).to_contain_text(question)
    ann.table.confirm("Remove Pebble from the game")
    ann.table.says("Waiting for somebody to sit in")
    expect(ann.table.seat("Free seat")).to_contain_text("Pebble was removed")


def test_of_three_one_is_removed_and_the_game_goes_on(meet: Meet) -> None:
    ann = meet("Ann")
    ann.plays_bots("topple", bots=2, seats=3)
    ann.table.my_turn()
    bots = ann.page.get_by_role("button", name=re.compile("^More: "))
    bots.first.click()
    remove = re.compile(r"^Remove \w+ from the game$")
    ann.page.get_by_role("menuitem", name=remove).click()
    expect(ann.page.get_by_role("dialog")).to_contain_text("It goes on without them.")
    ann.page.get_by_role("dialog").get_by_role("button", name=remove).click()
    ann.table.my_turn()
