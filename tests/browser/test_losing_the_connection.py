"""Losing the connection is ordinary: a quiet banner, and everything is there again."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from playwright.sync_api import WebSocketRoute, expect
from tests.browser.conftest import Meet, Three
from tests.browser.support.person import Person
from tests.browser.support.troubles import CONNECTION_FAILED
from tests.net.support.process import ServerProcess


def tiles_in_the_log(person: Person, table: str) -> list[int]:
    """What was really played, as the server tells it."""
    log: dict[str, Any] = person.asks(f"/api/tables/{table}/log").json()
    played = [event for event in log["events"] if event["type"] == "played"]
    return [happened["tile"] for event in played for happened in event["events"]]


def test_who_was_offline_sees_what_they_missed_and_loses_nothing(three: Three) -> None:
    ann, ben, cas = three
    ann.table.place(0)
    ben.table.my_turn()
    with ben.troubles.perhaps(CONNECTION_FAILED):
        ben.context.set_offline(True)
        expect(ben.table.banner).to_be_visible()
        expect(ann.table.seat(ben.name)).to_contain_text("away")
        # What is done meanwhile waits.
        ben.table.tile(8).click()
        ben.table.say("In a tunnel")
        ann.table.say("Take your time")
        expect(ann.table.chat).to_contain_text("Take your time")
        ann.table.shows([0])
        ben.context.set_offline(False)
        expect(ben.table.banner).to_be_hidden()
    for person in three:
        person.table.shows([0, 8])
        person.table.tab("Chat").click()
        expect(person.table.chat.get_by_text("In a tunnel")).to_have_count(1)
        expect(person.table.chat.get_by_text("Take your time")).to_have_count(1)
    expect(ann.table.seat(ben.name)).not_to_contain_text("away")
    cas.table.place(16)
    with cas.troubles.perhaps(CONNECTION_FAILED):
        cas.context.set_offline(True)
        expect(cas.table.banner).to_be_visible()
        ann.table.place(1)
        ben.table.place(9)
        cas.context.set_offline(False)
        cas.table.my_turn()
    cas.table.shows([0, 8, 16, 1, 9])
    cas.table.place(17)
    ann.table.place(2)
    for person in three:
        person.table.shows([0, 8, 16, 1, 9, 17, 2])


def test_the_server_dies_and_comes_back_and_the_game_goes_on(three: Three, mortal: ServerProcess) -> None:
    ann, ben, cas = three
    table = ann.table.id
    ann.table.place(0)
    for person in three:
        person.table.shows([0])
        person.page.evaluate("window.stillTheSamePage = true")
    with (
        ann.troubles.perhaps(CONNECTION_FAILED),
        ben.troubles.perhaps(CONNECTION_FAILED),
        cas.troubles.perhaps(CONNECTION_FAILED),
    ):
        mortal.kill()
        for person in three:
            expect(person.table.banner).to_be_visible()
        ben.table.tile(8).click()
        mortal.start()
        for person in three:
            person.table.shows([0, 8])
            expect(person.table.banner).to_be_hidden()
    for turn, tile in enumerate([16, 1, 9, 17, 2], start=2):
        three[turn % 3].table.place(tile)
    ann.table.says("You win")
    for loser in (ben, cas):
        loser.table.says(f"{ann.name} wins")
    assert all(person.page.evaluate("window.stillTheSamePage") for person in three), "nobody reloaded"
    assert tiles_in_the_log(ann, table) == [0, 8, 16, 1, 9, 17, 2]


def test_a_move_whose_answer_was_lost_is_not_made_twice(meet: Meet) -> None:
    ann = meet("Ann")
    cut: list[WebSocketRoute] = []

    def relay(here: WebSocketRoute) -> None:
        """As the network is at times: the move gets there, the answer does not get back."""
        server = here.connect_to_server()

        def say(text: str | bytes) -> None:
            server.send(text)
            if '"act"' in str(text) and not cut:
                cut.append(here)

        def hear(text: str | bytes) -> None:
            if cut and cut[0] is here:
                here.close(code=1001)
            else:
                here.send(text)

        here.on_message(say)
        server.on_message(hear)

    ann.page.route_web_socket("**/hall", relay)
    ann.plays_bots("tower", bots=2)
    ann.table.my_turn()
    ann.table.tile(0).click()
    expect(ann.table.move(3)).to_be_visible()
    assert cut, "the connection was cut"
    ann.table.my_turn()
    ann.table.place(ann.table.free_tile())
    expect(ann.table.move(6)).to_be_visible()
    played = tiles_in_the_log(ann, ann.table.id)
    assert len(played) == len(set(played)) == 6
    expect(ann.page.get_by_role("status").get_by_text("lost")).to_have_count(0)


def test_the_next_move_does_not_wait_for_the_answer_to_the_last(meet: Meet) -> None:
    ann = meet("Ann")
    moves: list[int] = []
    answers: list[Callable[[], None]] = []

    def relay(here: WebSocketRoute) -> None:
        """What happens at the table comes, the answers to moves are on their way for long."""
        server = here.connect_to_server()

        def say(text: str | bytes) -> None:
            server.send(text)
            if '"act"' in str(text):
                moves.append(json.loads(text)["id"])

        def hear(text: str | bytes) -> None:
            if json.loads(text).get("id") in moves:
                answers.append(partial(here.send, text))
            else:
                here.send(text)

        here.on_message(say)
        server.on_message(hear)

    ann.page.route_web_socket("**/hall", relay)
    ann.plays_bots("tower", bots=2)
    ann.table.place(0)
    ann.table.place(ann.table.free_tile())
    expect(ann.table.move(6)).to_be_visible()
    assert len(answers) == 2
    for answer in answers:
        answer()
    ann.table.place(ann.table.free_tile())
