"""People on the page meet people who play with a program of the game's own."""

from typing import Any

from playwright.sync_api import expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall
from tests.net.support.clients import Callers


def test_a_program_without_a_word_for_it_is_ready_and_the_game_begins(meet: Meet, hall: Hall) -> None:
    ann = meet("Ann")
    ann.plays_bots("tower", start="ready", private=False)

    async def story(callers: Callers) -> None:
        player = await callers.tower()
        await player.join(ann.table.id, "Tilda")
        await player.until("room_joined")

    hall.wait_for(story(hall.callers))
    expect(ann.table.seat("Tilda").get_by_text("ready", exact=True)).to_be_visible()
    expect(ann.table.seat(ann.name)).to_contain_text("not ready")
    ann.table.do("I'm ready")
    ann.table.my_turn()


def test_who_would_play_again_is_told_why_a_program_cannot_be_asked(meet: Meet, hall: Hall) -> None:
    ann = meet("Ann")
    ann.opens("powerchess", private=False)

    async def story(callers: Callers) -> None:
        async with callers.http.ws_connect("/home") as lists:
            games: dict[str, Any] = (await lists.receive_json())["games"]
        (number,) = [number for number, game in games.items() if game["name"] == ann.name]
        play = await callers.other("/play")
        await play.send({"type": 1, "gameId": number, "name": "Pavel"})
        joined = await play.receive()
        await play.send({"type": 2, "gameId": number, "playerId": joined["playerId"], "reason": 1})

    hall.wait_for(story(hall.callers))
    ann.table.says("You win")
    expect(ann.table.actions).to_contain_text(
        "Pavel plays with another program, which knows no rematch. To play again, open a new table."
    )
    expect(ann.table.actions.get_by_role("button", name="Rematch")).to_have_count(0)
    expect(ann.table.actions.get_by_role("button", name="To the lobby")).to_be_visible()
