"""Games of Topple as files: downloaded in review, dropped again, exported and gone on with."""

import re

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall, place
from tests.browser.support.files import choose_file, drop_file
from tests.browser.support.person import Person
from tests.browser.support.topple import SHORT_GAME, Board, record
from tests.net.support.process import ServerProcess

from gamut.games.topple.files.reader import read
from gamut.games.topple.files.suspended import suspended
from gamut.games.topple.files.writer import write

REFUSED = r"status of 4\d\d"
"""Chromium itself writes this of every answer that is a refusal."""


def downloaded(person: Person, name: str) -> tuple[str, bytes]:
    with person.page.expect_download() as downloading:
        person.page.get_by_role("link", name=name).first.click()
    return downloading.value.suggested_filename, downloading.value.path().read_bytes()


def test_a_finished_game_is_downloaded_and_dropped_again(meet: Meet, hall: Hall) -> None:
    game = hall.finished_game_of_topple(SHORT_GAME)
    rita = meet("Rita").open(f"/t/{game}")
    rita.table.says(re.compile("wins$"))
    una, dora = rita.page.locator(".seat .name").all_inner_texts()
    name, file = downloaded(rita, "Download .topl")
    assert name == f"{game}.topl"
    assert [move.tile for move in read(file).events if hasattr(move, "tile")] == list(SHORT_GAME)

    rita.comes_to_the_lobby()
    drop_file(rita, name, file)
    rita.page.wait_for_url("**/file")
    # Whoever played it has the name that they had at the table.
    rita.table.says(f"{dora} wins")
    expect(rita.table.slider).to_have_value(str(len(SHORT_GAME)))
    board = Board(rita, 2)
    rita.page.get_by_role("button", name="First position").click()
    for tile in range(4):
        board.holds(tile, "1 piece, nobody's")
    rita.page.keyboard.press("ArrowRight")
    board.holds(0, f"2 pieces, {una}'s, topples next")
    rita.table.slider.fill("3")
    expect(rita.table.move(3)).to_have_attribute("aria-current", "step")
    rita.page.get_by_role("button", name="Play", exact=True).click()
    expect(rita.table.slider).to_have_value("4")
    # It is nobody's table: nothing to say there, and no link to give away.
    expect(rita.table.tab("Chat")).to_have_count(0)
    expect(rita.page.get_by_role("button", name="Copy link")).to_have_count(0)


def test_a_private_game_is_downloaded_by_who_was_invited(meet: Meet, hall: Hall) -> None:
    ben, ann = meet("Ben"), hall.guest("Ann")
    hall.seat("topple", ann, ben, options={"x": 2, "y": 2}, moves=[place(tile) for tile in SHORT_GAME])
    ben.table.says("You win")
    assert read(downloaded(ben, "Download .topl")[1]).x == 2


def test_what_hovers_over_the_page_is_told_where_to_fall(meet: Meet) -> None:
    ann = meet("Ann")
    ann.comes_to_the_lobby()
    hint = ann.page.get_by_text(re.compile(r"^Drop a \.topl, \.stpl, .* file to open it$"))
    drop_file(ann, "game.topl", b"", "dragenter")
    expect(hint).to_be_visible()
    drop_file(ann, "game.topl", b"", "dragleave")
    expect(hint).to_have_count(0)


def test_damaged_and_foreign_files_get_a_clear_sentence(meet: Meet) -> None:
    ann = meet("Ann")
    ann.comes_to_the_lobby()
    whole = write(record(2, 2, list(SHORT_GAME)))
    with ann.troubles.excused(REFUSED):
        drop_file(ann, "broken.topl", whole[:-2])
        ann.sees_toast("The file is damaged")
        choose_file(ann, "holiday.stpl", b"JFIF and so on")
        ann.sees_toast("This is not a Topple game")
        drop_file(ann, "chess.pgn", b'[Event "Casual"]\n\n1. e4 e5 2. Nf3 *\n')
        ann.sees_toast(
            'This is an ordinary chess game, not one of Power Chess. Those have the tag [Variant "Power Chess"]'
        )
    drop_file(ann, "holiday.jpg", b"JFIF and so on")
    ann.sees_toast("Their names end in .topl, .stpl, ")
    expect(ann.lobby.open_tables).to_be_visible()
    choose_file(ann, "whole.TOPL", whole)
    ann.table.says("Player 2 wins")


def test_the_page_for_files_asks_for_one(meet: Meet) -> None:
    ann = meet("Ann").open("/file")
    ann.table.says("A game from a file")
    choose_file(ann, "game.topl", write(record(2, 2, list(SHORT_GAME[:2]))))
    ann.table.says("A game without a result")
    expect(ann.page.get_by_role("button", name="Go on with this game")).to_have_count(0)


def test_a_host_exports_and_the_game_goes_on_after_a_restart(
    meet: Meet, hall: Hall, mortal: ServerProcess
) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    clock = {"kind": "bank", "main": 300_000}
    hall.seat("topple", ann, ben, options={"x": 3, "y": 3}, clock=clock, moves=[place(4), place(8)])
    ann.table.my_turn()
    expect(ben.page.get_by_role("button", name=f"More: {ben.name}")).to_have_count(0)
    expect(ann.table.button("Export")).to_have_count(0)
    with ann.page.expect_download() as downloading:
        ann.table.with_seat(ann.name, "Export", sure=True)
    file = downloading.value.path().read_bytes()
    assert downloading.value.suggested_filename == f"{ann.table.id}.stpl"
    assert suspended(file).state.turn == 0
    for person in (ann, ben):
        person.table.says("The host took this game away")
    assert downloaded(ann, "Download .stpl")[1] == file, "if it was lost it is still there"

    for person in (ann, ben):
        person.page.goto("about:blank")
    mortal.stop()
    mortal.start()

    ben.comes_to_the_lobby()
    choose_file(ben, "later.stpl", file)
    ben.table.says("A suspended game")
    Board(ben, 3).holds(4, f"2 pieces, {ann.name}'s")
    ben.table.do("Go on with this game")
    ben.page.wait_for_url("**/t/*")
    ben.table.says("Waiting for 2 players")
    Board(ben, 3).holds(8, "2 pieces, 2's, topples next")
    seats = ben.table.seat("Free seat")
    expect(seats).to_have_count(2)
    seats.nth(1).get_by_role("button", name="Sit here").click()
    expect(ben.table.seat(ben.name)).to_contain_text("you")
    ben.table.do("Copy invite link")
    ben.sees_toast("Link copied")
    ann.open(ben.clipboard())
    expect(ann.table.seat(ann.name)).to_contain_text("you")
    ben.table.do("Start")
    Board(ann, 3).place(4)
    Board(ann, 3).holds(4, f"3 pieces, {ann.name}'s")
    ben.table.my_turn()
    expect(ben.table.clock(ann.name)).to_be_visible()
