"""A long log comes in pieces; the page shows it as one, and nothing in it as news."""

import json
from typing import Any

from playwright.sync_api import WebSocketRoute, expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall, place
from tests.browser.support.person import Person
from tests.browser.support.seen import Onlooker
from tests.browser.support.troubles import CONNECTION_FAILED

_COUNT_NOTES = """
    window.notes = 0;
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
        window.notes += 1;
        return create.call(this);
    };
"""


def _pieces(text: str) -> list[str]:
    """The same with one event at a time."""
    told: dict[str, Any] = json.loads(text)
    if told["type"] != "events" or len(told["events"]) != told["seq"] - told["after"]:
        return [text]
    numbered = enumerate(told["events"], start=told["after"])
    return [
        json.dumps({**told, "after": number, "seq": number + 1, "events": [event]})
        for number, event in numbered
    ]


def hears_in_pieces(person: Person) -> list[str]:
    """From the next connection on; what the page asks for goes into the list."""
    asked: list[str] = []

    def relay(here: WebSocketRoute) -> None:
        server = here.connect_to_server()

        def say(text: str | bytes) -> None:
            asked.append(str(text))
            server.send(text)

        def hear(text: str | bytes) -> None:
            for piece in _pieces(str(text)):
                here.send(piece)

        here.on_message(say)
        server.on_message(hear)

    person.page.route_web_socket("**/hall", relay)
    return asked


def watches(asked: list[str], table: str) -> list[dict[str, Any]]:
    messages = [json.loads(text) for text in asked]
    return [one for one in messages if one["type"] == "watch" and one["table"] == table]


def test_an_old_game_is_opened_without_a_sound(meet: Meet, hall: Hall) -> None:
    game = hall.finished_game()
    rita = meet("Rita", calm=False)
    rita.page.add_init_script(_COUNT_NOTES)
    asked = hears_in_pieces(rita)
    lobby = rita.comes_to_the_lobby()
    # Sound is allowed from the first touch on.
    lobby.search.click()
    onlooker = Onlooker(rita.page)
    rita.page.locator(f'a[href="/t/{game}"]').click()
    expect(rita.table.move(7)).to_be_visible()
    expect(rita.table.slider).to_have_value("7")
    winner = [line for line in onlooker.saw().headlines if line.endswith("wins")]
    assert len(winner) == 1
    assert onlooker.saw().headlines[-1] == winner[0]
    assert rita.page.evaluate("window.notes") == 0
    assert len([one for one in watches(asked, game) if not one.get("glance")]) == 1


def test_who_comes_back_sees_the_turn_that_it_is_and_none_that_it_was(meet: Meet, hall: Hall) -> None:
    ann, ben, cas = hall.guest("Ann"), hall.guest("Ben"), meet("Cas")
    asked = hears_in_pieces(cas)
    table = hall.seat("tower", ann, ben, cas)
    cas.table.says(f"{ann.name}'s turn")
    with cas.troubles.perhaps(CONNECTION_FAILED):
        cas.context.set_offline(True)
        expect(cas.table.banner).to_be_visible()
        ann.act(table, place(0))
        ben.act(table, place(8))
        ann.ask("say", table=table.id, text="Your turn, when you are back")
        asked.clear()
        onlooker = Onlooker(cas.page)
        cas.context.set_offline(False)
        cas.table.my_turn()
    cas.table.shows([0, 8])
    assert onlooker.saw().headlines == [f"{ann.name}'s turn", "Your turn"]
    assert not onlooker.saw().gone
    assert len(watches(asked, table.id)) == 1
